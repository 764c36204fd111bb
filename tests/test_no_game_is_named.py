"""What serves every game knows none by name: games and wagers declare what is read of them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import feltworks
from feltworks import catalog

PACKAGE = Path(feltworks.__file__).parent
HOMES = ("games/", "bonus/", "catalog.py")  # where games stand, and who finds them by their files
# Files that name choices or wagers of the games, and why
WORDS = {
    "cli/doctor.py": "what is checked, no choice of a game",
    "cli/main.py": "the command felt check, no choice of a game",
    "hands/spot.py": "the choices that change a spot's hands",
    "hands/blackjack.py": "what two cards are called",
    "house/progressive/terms.py": "the progressive of the filed books, where none is named",
    "protection/knowledge.py": "the dealer's hit card as the command line names it, no choice of a game",
    "web/tables/messages.py": "a player who stays at the table, no choice of a game",
    "written/record.py": "fields of the written round that outside files use",
}
CHOICES = ("hit", "stand", "double", "split", "surrender", "raise", "fold", "check", "insure", "decline")
CHOICES += ("rescue", "stay")
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
    assert sorted({place for place, node in sources(but=HOMES) if names_a_game(node)}) == []


def test_no_literal_names_a_wager_or_a_choice_of_a_shipped_game() -> None:
    """A wager is found by what it declares; "play" is left out, as it is a word of any card room."""
    wagers = {name for game in catalog.games() for name in catalog.wager_types(game)} - {"play"}
    named = {
        place
        for place, node in sources(but=HOMES)
        if isinstance(node, ast.Constant) and node.value in wagers.union(CHOICES)
    }
    assert named == set(WORDS)
