"""A damaged rulebook is refused by file and key, and by nothing but a RulebookError."""

import copy
import datetime
import json
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltworks import catalog
from feltworks.errors import BadOption, FeltError, RulebookError
from feltworks.rules.game import Game
from feltworks.rules.rulebook.load import load_rulebook
from feltworks.rules.rulebook.model import Rulebook
from feltworks.rules.terms import Terms
from tests.rules.damages import DAMAGES, SOUND

FILES = catalog.rulebook_files()
# A damaged book is loaded through one that includes it.
INCLUDING = {"blackjack": "acey-deucey-21", "lucky-break": "lucky-lucky", "money": "fu-bacc"}


def _load(folder: Path, text: str | bytes, name: str = "red-dog", through: str = "") -> Rulebook:
    path = folder / f"{name}.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    found = {**FILES, name: path}
    return load_rulebook(found[through or name], found, always="money")


def _opened(book: Rulebook) -> Game[Any]:
    """The game of a damaged rulebook, by the rules files of the sound one."""
    sound = catalog.game(book.name)
    kinds = [type(judge) for judge in sound.wagers.values()]
    return type(sound)(Terms(book), [kind for kind in kinds if kind not in sound.wager_types])


def test_the_sound_rulebook_loads(tmp_path: Path) -> None:
    assert _load(tmp_path, SOUND).option["spots"].preset == 6


@pytest.mark.parametrize("damage", sorted(DAMAGES))
def test_a_damaged_rulebook_is_refused_by_file_and_key(damage: str, tmp_path: Path) -> None:
    sound, damaged, key = DAMAGES[damage]
    assert sound in SOUND
    with pytest.raises(RulebookError) as refused:
        _load(tmp_path, SOUND.replace(sound, damaged, 1))
    assert (refused.value.file, refused.value.key) == ("red-dog.toml", key)
    assert str(refused.value).startswith(f"red-dog.toml: {key}: ")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("damage", "allowed"),
    [
        ("unknown kind of wager", "it may be main, bonus or derived"),
        ("unknown key of a bond", "there is no such key here; it may be wager or unless"),
        ("missing key", "this key is missing"),
        ("endless number", "a number has too many digits"),
        ("endless nesting", "lists or tables are nested too deeply"),
        ("rank", "there is no rank 'Z'; it may be 2, 3, 4, 5, 6, 7, 8, 9, T, J, Q, K or A"),
        ("default as text", "option spots cannot be '6'; it takes a whole number from 1 to 7"),
    ],
)
def test_a_refusal_says_what_is_allowed(damage: str, allowed: str, tmp_path: Path) -> None:
    sound, damaged, _ = DAMAGES[damage]
    with pytest.raises(RulebookError) as refused:
        _load(tmp_path, SOUND.replace(sound, damaged, 1))
    assert refused.value.trouble == allowed


@pytest.mark.parametrize(
    ("name", "sound", "damaged", "key"),
    [
        ("blackjack", 'of = "blackjack"', 'of = "gone"', "wager.insurance.of"),
        ("blackjack", 'option = "split-on"', 'option = "gone"', "reading[4].option"),
        ("blackjack", 'kind = "main"', 'kind = "first"', "wager.blackjack.kind"),
        ("lucky-break", "approved = [true]", 'approved = ["yes"]', "override.peek.approved[0]"),
        ("money", "default = 1", "default = 0", "option.chip.default"),
    ],
)
def test_a_damage_is_found_in_the_file_that_has_it(
    name: str, sound: str, damaged: str, key: str, tmp_path: Path
) -> None:
    text = FILES[name].read_text()
    assert sound in text
    with pytest.raises(RulebookError) as refused:
        _load(tmp_path, text.replace(sound, damaged, 1), name, INCLUDING[name])
    assert (refused.value.file, refused.value.key) == (f"{name}.toml", key)


def test_rulebooks_that_include_each_other_are_refused(tmp_path: Path) -> None:
    paths = {name: tmp_path / f"{name}.toml" for name in ("one", "two")}
    paths["one"].write_text('title = "One"\nincludes = ["two"]\n')
    paths["two"].write_text('title = "Two"\nincludes = ["one"]\n')
    with pytest.raises(RulebookError) as refused:
        load_rulebook(paths["one"], paths)
    assert (refused.value.file, refused.value.key) == ("two.toml", "includes[0]")


@pytest.mark.parametrize("content", [b"\xff\xfe", None], ids=["no text", "no file"])
def test_a_file_that_cannot_be_read_is_refused(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "red-dog.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RulebookError) as refused:
        load_rulebook(path, {})
    assert (refused.value.file, refused.value.key) == ("red-dog.toml", "file")


# What only the rules files know, so that a game is refused where its rulebook is not.
UNPLAYABLE = {
    "derived wager without a table": (
        "fu-bacc",
        "pay_table.play.1",
        "pay_table.ante.2",
        "pay_table.play",
    ),
    "outcome without a pay": ("fu-bacc", '"fold" = "lose"\n', "", "pay_table.ante.1"),
    "pay that cannot happen": ("fu-bacc", '"fold" =', '"folded" =', "pay_table.ante.1.pays.folded"),
    "row a rules file reads": ("lucky-break", '"21 or less" = "lose"\n', "", "pay_table.lucky-break.1"),
    "factor a rules file reads": ("lucky-break", '"5+" = 50', '"6+" = 50', "pay_table.lucky-break.1"),
    "wager that nobody judges": ("acey-deucey-21", "[wager.raise]", "[wager.rise]", "wager.rise"),
    "wager that is not there": (
        "acey-deucey-21",
        """[wager.raise]
title = "Raise That Pays"
kind = "derived"
clause = "AD.8"
of = "acey-deucey"
up_to = "2"
minimum = "$1"
""",
        "",
        "wager.raise",
    ),
}


@pytest.mark.parametrize("damage", sorted(UNPLAYABLE))
def test_a_rulebook_that_does_not_fit_its_rules_files_is_refused(damage: str, tmp_path: Path) -> None:
    name, sound, damaged, key = UNPLAYABLE[damage]
    text = FILES[name].read_text()
    assert sound in text
    book = _load(tmp_path, text.replace(sound, damaged), name)
    with pytest.raises(RulebookError) as refused:
        _opened(book)
    assert (refused.value.file, refused.value.key) == (f"{name}.toml", key)


def test_a_sound_rulebook_opens_and_a_derived_wager_may_be_paid_by_another_table(tmp_path: Path) -> None:
    book = _load(tmp_path, FILES["acey-deucey-21"].read_text(), "acey-deucey-21")
    assert "raise" not in book.pay_table
    game = _opened(book)
    assert game.pays["raise"] == game.pays["acey-deucey"]


def test_a_number_of_endless_digits_is_no_value_of_an_option() -> None:
    with pytest.raises(BadOption):
        catalog.game("fu-bacc", options={"spots": "9" * 5000})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damaged")


@settings(max_examples=150, deadline=None)
@given(
    name=st.sampled_from(sorted(FILES)),
    start=st.floats(0, 1, exclude_max=True),
    length=st.integers(1, 200),
    instead=st.binary(max_size=12) | st.text("\"'[]{}=.,# \n\\0123456789aeinrt$%-:", max_size=12).map(str.encode),
)
def test_whatever_is_torn_out_of_a_rulebook_nothing_but_a_rulebook_error_comes_of_it(
    name: str, start: float, length: int, instead: bytes, folder: Path
) -> None:
    sound = FILES[name].read_bytes()
    at = int(start * len(sound))
    with suppress(RulebookError):
        _load(folder, sound[:at] + instead + sound[at + length :], name, INCLUDING.get(name, ""))


def _places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in entries:
        yield (*path, key)
        yield from _places(part, (*path, key))


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return value.isoformat() if isinstance(value, datetime.date) else json.dumps(value)


def _document(raw: dict[str, Any]) -> str:
    return "\n".join(f"{json.dumps(key)} = {_toml(part)}" for key, part in raw.items())


RAW = {name: tomllib.loads(path.read_text()) for name, path in FILES.items()}
PLACES = [(name, place) for name, raw in RAW.items() for place in _places(raw)]
TORN_OUT = object()
STRANGE = [
    TORN_OUT,
    "",
    "gone",
    "ante",
    "spots",
    "1 to 1",
    "lose",
    "2",
    0,
    -1,
    10**12,
    1.5,
    True,
    [],
    ["gone"],
    {},
]


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_rulebook_written_in_other_lines_says_the_same(name: str, folder: Path) -> None:
    assert _load(folder, _document(RAW[name]), name) == catalog.rulebook(name)


@settings(max_examples=200, deadline=None)
@given(where=st.sampled_from(PLACES), instead=st.sampled_from(STRANGE))
def test_whatever_stands_for_an_entry_the_rulebook_is_refused_or_fits_its_game(
    where: tuple[str, tuple[str | int, ...]], instead: object, folder: Path
) -> None:
    name, (*path, last) = where
    raw = copy.deepcopy(RAW[name])
    inner: Any = raw
    for key in path:
        inner = inner[key]
    if instead is TORN_OUT:
        del inner[last]
    else:
        inner[last] = instead
    with suppress(RulebookError):
        book = _load(folder, _document(raw), name, INCLUDING.get(name, ""))
        # which options a game asks for, only its rules files know
        if book.game and path[:1] != ["option"] and last != "option":
            with suppress(FeltError):
                _opened(book)
