"""New games by shape: each starts as a copy of a gallery game under another name."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from feltworks import catalog
from feltworks.errors import BadOption, FeltError, one_of

# By shape: its description
SHAPES: Final[Mapping[str, str]] = {
    "one-card": "a card against the dealer's, and a choice on a tie",
    "showdown": "a poker hand against the dealer's, and one choice",
    "best-of": "the best of more cards than count against the dealer's best, and one choice",
    "streets": "a hand that grows card by card, and a choice on every street",
    "board": "two hands that share a board, and a choice on every street",
    "draw": "a hand of which some cards are exchanged once, paid by what it becomes",
    "setting": "cards that are set into two hands against the dealer's",
    "spread": "cards on the board that all share, and a raise",
    "two-hands": "two hands of the house to wager on, and no choice",
    "side": "wagers beside a hand of blackjack",
}
_EXAMPLES: Final = {
    "one-card": "casino-war",
    "showdown": "three-card-poker",
    "best-of": "four-of-five",
    "streets": "mississippi-stud",
    "board": "ultimate-holdem",
    "draw": "draw-poker",
    "setting": "front-and-back",
    "spread": "red-dog",
    "two-hands": "punto-banco",
    "side": "blackjack-sides",
}
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_PUBLISHED = re.compile(r"\npublished = \[\n.*?\n\]\n", re.DOTALL)
_CLAUSE = re.compile(r"\b([A-Z]{2})\.(\d+(?:-\d+)?)")

_TEST = '''"""{title}, checked as every game is."""

from feltworks.check import check_game


def test_the_game_keeps_what_every_game_promises() -> None:
    assert check_game("{name}") == []
'''


def write_game(name: str, shape: str, folder: Path) -> list[Path]:
    """Write the rules, rulebook and tests of a new game; refuse names and files already in use."""
    if shape not in SHAPES:
        raise BadOption("--shape", shape, one_of(SHAPES))
    if not _NAME.fullmatch(name):
        raise FeltError(f"{name!r} names no game; write small letters, digits and hyphens, such as river-run")
    if name in catalog.rulebook_files():
        raise FeltError(f"there is a game {name} already; choose another name")
    texts = dict(_texts(name, _EXAMPLES[shape]))
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / file for file in texts]
    if taken := [path for path in paths if path.exists()]:
        raise FeltError(f"{taken[0]} is there already; nothing was written")
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def _texts(name: str, example: str) -> Iterator[tuple[str, str]]:
    stem, old = name.replace("-", "_"), example.replace("-", "_")
    title, kind = name.replace("-", " ").title(), name.replace("-", " ").title().replace(" ", "")
    letters = (kind[0] + kind[len(kind) // 2]).upper()
    folder = catalog.examples_folder()
    rules = (folder / f"{old}.py").read_text(encoding="utf-8")
    book = _PUBLISHED.sub("", (folder / f"{example}.toml").read_text(encoding="utf-8"))
    old_title = re.search(r'title = "(.+?)"', book)
    assert old_title is not None
    for file, text in ((f"{stem}.py", rules), (f"{name}.toml", book)):
        renamed = text.replace(old_title[1], title).replace(old, stem).replace(example, name)
        renamed = renamed.replace(example.replace("-", " ").title().replace(" ", ""), kind)
        yield file, _CLAUSE.sub(rf"{letters}.\2", renamed)
    yield f"test_{stem}.py", _TEST.format(title=title, name=name)
