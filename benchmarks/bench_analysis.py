"""CPU seconds of the analyses people wait for, in fresh processes, and how they grow with decks and cards."""

import os
from collections.abc import Callable
from functools import partial
from tempfile import TemporaryDirectory

from clock import fresh, timed
from msgspec.structs import replace

from feltworks import catalog
from feltworks.analysis.solvers.counts import cost, count_on
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis
from feltworks.analysis.solvers.showdown.counts import DealerCounts
from feltworks.analysis.solvers.showdown.hands import HandClasses
from feltworks.cards import standard_shoe
from feltworks.games.blackjack import Blackjack
from feltworks.hands.poker import STANDARD
from feltworks.machine.tables import Tables

UNIT = 100_00
COMMAND = "import sys; from feltworks.cli.main import run; sys.argv[1:] = {words}; run()"
SHOWDOWN = """
import numpy as np
from feltworks.analysis.solvers.showdown.counts import DealerCounts
from feltworks.analysis.solvers.showdown.hands import HandClasses
from feltworks.cards import standard_shoe
from feltworks.hands.poker import STANDARD
classes = HandClasses(standard_shoe(), STANDARD)
counts = DealerCounts(classes, [len(classes.values) // 2])
print(counts.below(np.arange(len(classes))).worse.sum())
"""
BLACKJACK = """
from feltworks import catalog
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis
print(TableAnalysis(catalog.game("lucky-break")).best.house_edge)
"""


def _analyze(game: str, *wagers: str) -> str:
    """The program that analyses some wagers of a game, one after the other."""
    words = [["--examples", "analyze", game, "--wager", wager, "--json"] for wager in wagers]
    return f"from feltworks.cli.main import main\nfor words in {words}:\n    assert main(words) == 0\n"


# What is asked for, the program, and how many seconds it may take.
DEMANDED = (
    ("felt audit --json", COMMAND.format(words=["audit", "--json"]), 1.0),
    ("felt analyze spanish-poker --wager ante --json", _analyze("spanish-poker", "ante"), 0.5),
    ("five against five from 52 cards", SHOWDOWN, 5.0),
    ("six-deck blackjack, exact cards, splits to four", BLACKJACK, 0.7),
    ("felt analyze fu-bacc --wager ante --json", _analyze("fu-bacc", "ante"), 1.0),
    ("Casino War of the gallery, ante", _analyze("casino-war", "ante"), 0.3),
    ("eight-deck punto banco, three wagers", _analyze("punto-banco", "player", "banker", "tie"), 3.0),
    ("felt --help", COMMAND.format(words=["--help"]), 0.3),
)


def yardstick() -> None:
    """Plain work that every Python can do: two million steps of a sum, and 200,000 entries of a table."""
    total = 0
    for number in range(2_000_000):
        total += number * number % 7
    table = {number: str(number) for number in range(200_000)}
    assert sum(map(len, table.values())) > total // 10**9


def first_deal_wager(game: str, wager: str, decks: int) -> None:
    """A wager that the first deal decides: compiled, counted and priced with nothing remembered."""
    table = catalog.game(game, options={"decks": decks})
    cost(count_on(Tables(table, {wager: UNIT}), table.terms.shoe), {wager, "raise"}, UNIT)


def blackjack(decks: int) -> None:
    """The whole outcome table of the blackjack wager."""
    table = catalog.game("lucky-break", options={"decks": decks})
    assert isinstance(table, Blackjack)
    assert TableAnalysis(table).best.house_edge


def showdown_of(size: int) -> None:
    """All hands of so many cards against all dealer hands from the rest of a deck."""
    categories = STANDARD.categories if size == STANDARD.size else STANDARD.categories[-2:]
    classes = HandClasses(standard_shoe(), replace(STANDARD, size=size, categories=categories))
    DealerCounts(classes, [len(classes.values) // 2])


GROWING: tuple[tuple[str, Callable[[int], None], range], ...] = (
    ("Lucky Lucky, 1 to 8 decks", partial(first_deal_wager, "lucky-lucky", "lucky-lucky"), range(1, 9)),
    ("War, 1 to 8 decks", partial(first_deal_wager, "acey-deucey-21", "war"), range(1, 9)),
    ("Acey Deucey, 1 to 8 decks", partial(first_deal_wager, "acey-deucey-21", "acey-deucey"), range(1, 9)),
    ("blackjack, 1 to 8 decks", blackjack, range(1, 9)),
    ("showdown of 3, 4 and 5 cards", showdown_of, range(3, 6)),
)


def main() -> None:
    os.environ["FELT_CACHE"] = "off"  # everything is computed, nothing read back
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # a warm disk holds compiled modules
    unit = timed(yardstick)
    print(f"yardstick: two million steps of plain Python {unit:.2f} s CPU")
    with TemporaryDirectory() as compiled:
        os.environ["PYTHONPYCACHEPREFIX"] = compiled
        for name, program, demanded in DEMANDED:
            seconds = fresh(program)
            print(f"{name:48} {seconds:5.2f} s CPU (demanded {demanded}), {seconds / unit:5.2f} yardsticks")
    print("how cost grows, warm, in seconds of CPU:")
    for name, work, sizes in GROWING:
        spent = [timed(partial(work, size), runs=1) for size in sizes]
        print(f"{name:28} {'  '.join(f'{seconds:.3f}' for seconds in spent)}")


if __name__ == "__main__":
    main()
