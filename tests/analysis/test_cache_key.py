"""An answer's key changes with all that the answer follows from, so that a stale one cannot be found."""

import shutil
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

import feltworks
from feltworks import catalog
from feltworks.analysis import cache as keys
from feltworks.analysis.analyze import Question
from feltworks.analysis.cache import cache_key
from feltworks.cards import cards
from feltworks.fingerprint import PACKAGE
from feltworks.money import Odds
from tests.conftest import forget_games


@pytest.fixture(autouse=True)
def _loaded_just_now(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Files of these tests are younger than the process; let them count as loaded after they were written."""
    monkeypatch.setattr(keys, "_BEGAN", time.time() + 3600)
    yield
    look_anew()


def look_anew() -> None:
    """Let the package's files and what is installed be read again."""
    keys._package_sources.cache_clear()
    keys._installed_packages.cache_clear()


def question(**chosen: object) -> Question:
    options = {key: value for key, value in chosen.items() if key in ("decks", "soft17")}
    pay_tables = {"war": str(chosen.get("war", "1"))}
    game = catalog.game("acey-deucey-21", options=options, pay_tables=pay_tables)
    return Question(game, str(chosen.get("wager", "war")))


CHANGES: dict[str, Callable[[], Question]] = {
    "an option": lambda: question(soft17="hit"),
    "the decks": lambda: question(decks=2),
    "the pay table": lambda: question(war="2"),
    "the wager": lambda: question(wager="acey-deucey"),
    "exposed cards": lambda: msgspec.structs.replace(question(), exposed=cards("7h 7d")),
    "a wager beside it": lambda: msgspec.structs.replace(question(), beside={"acey-deucey": None}),
    "its ratio": lambda: msgspec.structs.replace(question(), beside={"acey-deucey": Fraction(1, 3)}),
    "the strategy": lambda: msgspec.structs.replace(question(), strategy="always-check"),
    "the game": lambda: Question(catalog.game("fu-bacc"), "ante"),
}


def test_the_same_question_has_the_same_key() -> None:
    assert cache_key(question()) == cache_key(question()) is not None


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_another_question_has_another_key(change: Callable[[], Question]) -> None:
    assert cache_key(change()) not in (cache_key(question()), None)


def test_all_those_questions_have_keys_of_their_own() -> None:
    assert len({cache_key(change()) for change in CHANGES.values()}) == len(CHANGES)


def test_what_is_asked_of_a_question_is_in_the_key() -> None:
    assert cache_key("analyze", question()) != cache_key("compare", question())


def test_pays_changed_in_memory_change_the_key() -> None:
    asked = question()
    before = cache_key(asked)
    pays = asked.game.pays["war"]
    asked.game.pays = {**asked.game.pays, "war": {**pays, min(pays): Odds(77, 1)}}
    assert cache_key(asked) not in (before, None)


def test_another_version_has_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache_key(question())
    monkeypatch.setattr(feltworks, "__version__", "99.0")
    assert cache_key(question()) not in (before, None)


def test_another_installed_package_has_another_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = cache_key(question())
    (tmp_path / "numpy-99.0.dist-info").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    look_anew()
    assert cache_key(question()) not in (before, None)


@pytest.mark.parametrize("place", ["analysis/referee.py", "games/blackjack.py", "rules/settlement.py", "cards.py"])
def test_a_changed_source_file_of_the_package_changes_the_key(
    place: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A copy of the package stands for it, so that no file in use has to be changed."""
    copy = tmp_path / "feltworks"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(keys, "PACKAGE", copy)
    look_anew()
    before = cache_key(question())
    (copy / place).write_text((copy / place).read_text(encoding="utf-8") + "#\n", encoding="utf-8")
    look_anew()
    assert cache_key(question()) not in (before, None)


def own_key(folder: Path, name: str, edit: Callable[[str], str] = str) -> str | None:
    """The key of a question about a copy of Fu Bacc, one of its two files edited."""
    places = {"fu-bacc.toml": PACKAGE / "rulebooks", "fu_bacc.py": PACKAGE / "games"}
    for each, place in places.items():
        text = (place / each).read_text(encoding="utf-8")
        (folder / each).write_text(edit(text) if each == name else text, encoding="utf-8")
    forget_games()
    return cache_key(Question(catalog.game("fu-bacc"), "tie"))


def test_a_changed_rulebook_changes_the_key(own_games: Path) -> None:
    before = own_key(own_games, "fu-bacc.toml")
    changed = own_key(own_games, "fu-bacc.toml", lambda text: text.replace(" to 1", "7 to 1", 1))
    assert changed not in (before, None)


def test_a_changed_rules_file_of_ones_own_changes_the_key(own_games: Path) -> None:
    before = own_key(own_games, "fu_bacc.py")
    assert own_key(own_games, "fu_bacc.py", lambda text: f"{text}\n_CHANGED = True\n") not in (before, None)


def test_rules_changed_since_they_were_loaded_have_no_key(own_games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What runs is not what is on the disk: nothing may be kept under what is on the disk."""
    monkeypatch.setattr(keys, "_BEGAN", time.time())
    assert own_key(own_games, "fu_bacc.py") is None


def test_a_package_changed_since_it_was_loaded_has_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "_BEGAN", (PACKAGE / "cards.py").stat().st_mtime)
    assert cache_key(question()) is None


def test_what_cannot_be_written_down_has_no_key() -> None:
    assert cache_key(question(), lambda: None) is None
    assert cache_key(question(), Path("strategy.json")) is None
