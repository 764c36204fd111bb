"""`felt play`: a table in the terminal for every game, from the menu to the summary."""

import builtins
import io
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from feltworks import catalog
from feltworks.table.events import Voided
from feltworks.table.log import entries, rounds, written_lines
from feltworks.table.replay import replay
from tests.conftest import Said
from tests.docs.pages import named_files, page

GAMES = catalog.games()
Play = Callable[..., Said]
Felt = Callable[..., Said]
_CITED = r"\b[A-Z]+\.\d+\b"


@pytest.fixture
def play(felt: Felt, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Speak a command line to `felt play` and pipe lines into it."""

    def speak(*words: str, lines: tuple[str, ...] | list[str] = ()) -> Said:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return felt("play", *words)

    return speak


def every_wager(name: str) -> str:
    """A line that puts something on each wager of the table."""
    terms = catalog.game(name).terms
    placed = [(wager, terms.rulebook.wager[wager]) for wager in terms.rulebook.wager if wager in terms.offers]
    return ", ".join(f"{wager} {1 if entry.fixed else 10}" for wager, entry in placed)


def settled(out: str) -> list[str]:
    """The settlement lines of a transcript, each joined with what it was folded into."""
    return re.findall(r"^ [▲▼■] +\S+ (?:win|lose|push)[^\n]*(?:\n {15,}[^\n]*)*", out, re.MULTILINE)


def net_and_stack(out: str) -> list[tuple[int, int]]:
    """What each round brought and left, in cents."""
    found = re.findall(r"^ Net ([+−]?)\$([\d,.]+) · stack \$([\d,.]+)", out, re.MULTILINE)
    return [((-1 if sign == "−" else 1) * _cents(net), _cents(stack)) for sign, net, stack in found]


def _cents(text: str) -> int:
    return int(text.replace(",", "").replace(".", ""))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(1, 5))
def test_a_round_of_every_game_is_played_and_explained(play: Play, name: str, seed: int) -> None:
    said = play(name, "--seed", str(seed), lines=[every_wager(name), "", *["1"] * 12])
    assert (said.status, said.err) == (0, "")
    lines = settled(said.out)
    made = every_wager(name).count(",") + 1
    assert len(lines) >= made
    assert all(re.search(rf"\w.*[.:].*{_CITED}", line) for line in lines), lines
    ((net, stack),) = net_and_stack(said.out)
    assert stack == 50_000 + net


@pytest.mark.parametrize("name", GAMES)
def test_neighbours_play_along_and_their_unseen_cards_stay_unseen(play: Play, name: str) -> None:
    said = play(name, "--seats", "4", "--seed", "2", lines=["10", "", *["1"] * 12])
    assert (said.status, said.err) == (0, "")
    assert "You sit at spot 2" in said.out
    assert {"Spot 1", "Spot 3", "Spot 4"} <= set(re.findall(r"Spot \d", said.out))
    first_felt = said.out.split("╰──")[1]
    hidden = not catalog.game(name).sees(_opened(name), None, 0)
    assert ("▒▒  ×" in first_felt) == hidden


def _opened(name: str):  # type: ignore[no-untyped-def]
    from feltworks.rules.advance import advance
    from feltworks.rules.round import FACE_DOWN
    from feltworks.rules.steps import Decide, Draw

    game = catalog.game(name)
    main = next(wager for wager, entry in game.terms.rulebook.wager.items() if entry.kind == "main")
    round_ = game.open_round([{main: 1000}])
    deck = list(game.terms.shoe)
    while (step := game.awaits(round_)) is not None and not isinstance(step, Decide):
        count = step.count if hasattr(step, "count") else 1
        down = isinstance(step, Draw) and step.down
        round_ = advance(round_, step, (FACE_DOWN,) * count if down else tuple(deck.pop() for _ in range(count)))
    return round_
