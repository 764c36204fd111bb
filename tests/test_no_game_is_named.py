"""What serves every game knows none by name: games and wagers declare what is read of them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import feltworks
from feltworks import catalog

PACKAGE = Path(feltworks.__file__).parent
HOMES = ("games/", "bonus/", "catalog.py")  # where games stand, and who finds them by their files
# Solvers and kernels that still say a game's rules again; this list is to become empty.
STILL_TO_GO = ()
GAMES = {catalog.game_type(name).__name__ for name in catalog.games()}


def sources(*, of: tuple[str, ...] = (), but: tuple[str, ...] = ()) -> Iterator[tuple[str, ast.AST]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        if place.startswith(of or ("",)) and not place.startswith(but or ("/",)):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                yield place, node


def imports_a_game(node: ast.AST) -> bool:
    modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
    modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    if isinstance(node, ast.ImportFrom) and node.module == "feltworks":
        modules += [f"feltworks.{alias.name}" for alias in node.names]
    return any(f"{module}.".startswith(("feltworks.games.", "feltworks.bonus.")) for module in modules)


def asks_for_a_game(node: ast.AST) -> bool:
    """Whether it is `isinstance(…, Blackjack)` or the like."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"):
        return False
    return any(isinstance(part, ast.Name) and part.id in GAMES for part in ast.walk(node.args[1]))


def names_a_game(node: ast.AST) -> bool:
    return imports_a_game(node) or asks_for_a_game(node)


def test_nothing_that_serves_every_game_names_one() -> None:
    others = sources(but=(*HOMES, *STILL_TO_GO))
    assert sorted({place for place, node in others if names_a_game(node)}) == []


def test_what_is_still_to_go_is_still_there() -> None:
    found = {place for place, node in sources(of=STILL_TO_GO) if names_a_game(node)}
    idle = [folder for folder in STILL_TO_GO if not any(place.startswith(folder) for place in found)]
    assert idle == [], "these name no game any more: take them off the list here and in pyproject.toml"


def test_no_literal_names_a_wager_of_a_shipped_game_where_figures_are_made() -> None:
    """A wager is found by what it declares; words that are also a choice or a kind of wager are left out."""
    kinds = {name for game in catalog.games() for name in catalog.wager_types(game)}
    wanted = {name for name in kinds if "-" in name} | {"blackjack", "insurance"}
    found = set()
    for place, node in sources(of=("analysis/", "table/", "machine/", "dealing/"), but=STILL_TO_GO):
        if isinstance(node, ast.Constant) and node.value in wanted:
            found.add((place, str(node.value)))
    assert sorted(found) == [
        ("analysis/audit/readings.py", "acey-deucey"),  # filed pays that documents read in two ways
        ("analysis/audit/readings.py", "joker-in-hand"),
    ]
