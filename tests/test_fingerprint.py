"""The fingerprint of a definition changes with every rule and every fact of a game, and with nothing else."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from modulefinder import ModuleFinder
from pathlib import Path
from types import CodeType

import pytest

from feltworks import catalog, fingerprint
from feltworks.errors import RulebookError
from feltworks.fingerprint import PACKAGE, changed_parts, definition, definition_fingerprint
from feltworks.games.fu_bacc import FuBacc
from tests.conftest import forget_games

Edit = Callable[[str], str]


def sources(name: str) -> set[str]:
    return {part for part in definition(catalog.game(name)) if part.endswith(".py")}


def test_a_game_is_defined_by_its_own_rules_and_what_they_import() -> None:
    found = sources("fu-bacc")
    assert {"games/fu_bacc.py", "hands/baccarat.py", "rules/settlement.py", "cards.py", "money.py"} <= found
    assert not found & {
        "games/blackjack.py",
        "bonus/war.py",
        "hands/poker.py",
        "catalog.py",
        "cli/main.py",
    }


def test_bonus_wagers_and_their_imports_belong_to_the_definition() -> None:
    assert {"bonus/war.py", "bonus/acey_deucey.py", "hands/spread.py"} <= sources("acey-deucey-21")


def test_what_a_table_chooses_does_not_change_the_definition() -> None:
    chosen = catalog.game("lucky-break", options={"decks": 2, "soft17": "hit"})
    assert definition_fingerprint(chosen) == definition_fingerprint(catalog.game("lucky-break"))


def test_every_game_has_a_fingerprint_of_its_own() -> None:
    found = {definition_fingerprint(catalog.game(name)) for name in catalog.games()}
    assert len(found) == len(catalog.games())
    assert all(len(each) == 64 for each in found)


def test_another_process_finds_the_same_fingerprint() -> None:
    asked = (
        "from feltworks import catalog, fingerprint\nprint(fingerprint.definition_fingerprint(catalog.game('fu-bacc')))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-c", asked]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == definition_fingerprint(catalog.game("fu-bacc"))


def own_copy(folder: Path, edit: Edit = str) -> dict[str, str]:
    """The definition of a copy of Fu Bacc in a designer's folder, its rulebook edited."""
    text = (PACKAGE / "rulebooks" / "fu-bacc.toml").read_text(encoding="utf-8")
    (folder / "fu-bacc.toml").write_text(edit(text), encoding="utf-8")
    forget_games()
    return definition(catalog.game("fu-bacc"))


def test_a_changed_pay_is_found_in_its_section(own_games: Path) -> None:
    before = own_copy(own_games)
    pays = catalog.rulebook("fu-bacc").pay_table["tie"]["1"].pays.values()
    pay = next(pay for pay in pays if str(pay).endswith(" to 1"))
    after = own_copy(own_games, lambda text: text.replace(f'"{pay}"', '"77 to 1"', 1))
    assert changed_parts(before, after) == ["rulebook: pay_table"]


def test_comments_and_blank_lines_of_a_rulebook_change_nothing(own_games: Path) -> None:
    before = own_copy(own_games)
    assert own_copy(own_games, lambda text: f"# a remark\n\n{text}\n# another\n") == before


def test_a_changed_line_of_the_rules_is_found_in_its_file(own_games: Path) -> None:
    rules = own_games / "fu_bacc.py"
    shutil.copy(PACKAGE / "games" / "fu_bacc.py", rules)
    before = own_copy(own_games)
    rules.write_text(rules.read_text(encoding="utf-8") + "\n_CHANGED = True\n", encoding="utf-8")
    assert changed_parts(before, own_copy(own_games)) == ["own/fu_bacc.py"]


def test_line_endings_of_a_checkout_change_nothing(own_games: Path) -> None:
    rules = own_games / "fu_bacc.py"
    shutil.copy(PACKAGE / "games" / "fu_bacc.py", rules)
    before = own_copy(own_games)
    rules.write_bytes(rules.read_bytes().replace(b"\n", b"\r\n"))
    assert own_copy(own_games) == before


def test_a_file_beside_the_rules_that_they_import_is_part_of_them(
    own_games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(own_games)
    rules, beside = own_games / "fu_bacc.py", own_games / "felt_test_totals.py"
    beside.write_text("LIMIT = 5\n", encoding="utf-8")
    text = (PACKAGE / "games" / "fu_bacc.py").read_text(encoding="utf-8")
    rules.write_text(f"{text}\nimport felt_test_totals as totals\n", encoding="utf-8")
    before = own_copy(own_games)
    beside.write_text("LIMIT = 6\n", encoding="utf-8")
    assert changed_parts(before, own_copy(own_games)) == ["own/felt_test_totals.py"]


def test_rules_that_stand_in_no_file_have_no_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    typed_in = type("TypedIn", (FuBacc,), {"__module__": "typed_in"})
    monkeypatch.setitem(sys.modules, "typed_in", type(fingerprint)("typed_in"))
    with pytest.raises(RulebookError, match="are in no file"):
        definition(typed_in(catalog.game("fu-bacc").terms))


def imported_by(code: CodeType) -> Iterator[tuple[int, str]]:
    """What compiled code imports, as the standard library's module finder reads it from the bytecode."""
    for kind, found in ModuleFinder().scan_opcodes(code):
        if kind != "store":
            level, names, module = found if kind == "relative_import" else (0, *found)
            whole = f"{module}." if module and names else module
            yield from ((level, whole + name) for name in names or [""])
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from imported_by(inner)


@pytest.mark.parametrize("folder", ["", "rules", "hands", "games", "bonus"])
def test_imports_found_in_a_source_are_those_of_its_bytecode(folder: str) -> None:
    for path in (PACKAGE / folder).glob("*.py"):
        text = fingerprint.source_text(path)
        compiled = compile(text, str(path), "exec")
        assert sorted(fingerprint.imported_names(text)) == sorted(imported_by(compiled)), path


@pytest.mark.parametrize("name", catalog.games())
def test_the_transition_is_part_of_every_game_and_the_written_format_of_none(name: str) -> None:
    places = definition(catalog.game(name)).keys()
    assert {"rules/advance.py", "rules/game.py", "rules/wager.py"} <= places
    assert not [place for place in places if place.startswith("written/")]
