"""Seconds for the showdown solver, fresh and warm, and how they grow with decks and the size of a hand."""

from itertools import combinations
from math import comb

import numpy as np
from clock import fresh, timed
from msgspec.structs import replace

from feltworks import catalog
from feltworks.analysis.solvers.showdown.counts import DealerCounts
from feltworks.analysis.solvers.showdown.hands import HandClasses
from feltworks.analysis.solvers.showdown.solver import showdown
from feltworks.cards import Rank, cards, standard_shoe
from feltworks.hands.poker import SPANISH, STANDARD, Ranking

ANTE_DEMANDED, FIVE_DEMANDED = 0.5, 5.0
ANTE = """
from feltworks import catalog
from feltworks.analysis.solvers.showdown.solver import showdown
print(showdown(catalog.game("spanish-poker")).figures.house_edge)
"""


def one_hand_by_force() -> None:
    """The yardstick: one player's hand against each of 376,992 dealer hands, valued one by one."""
    shoe = standard_shoe(without=[Rank.EIGHT, Rank.NINE, Rank.TEN], jokers=1)
    mine = SPANISH.value(cards("Ac Kd 7h 3s 2c"))
    sum(SPANISH.value(hand) > mine for hand in combinations(shoe.without(cards("Ac Kd 7h 3s 2c")), 5))


def counted(ranking: Ranking, decks: int, *, up_card: bool = False) -> str:
    """All hands of so many decks against all dealer hands from the rest."""
    shoe = standard_shoe(decks=decks)
    found: list[HandClasses] = []

    def count() -> None:
        found.append(HandClasses(shoe, ranking))
        counts = DealerCounts(found[0], [len(found[0].values) // 2], up_card=up_card)
        for up in counts.up_cards:
            counts.below(np.arange(len(found[0])), up)

    seconds = timed(count)
    return f"{seconds:6.2f} s CPU, {len(found[0]):,} classes of {comb(shoe.total, ranking.size):,} hands"


def main() -> None:
    yardstick = timed(one_hand_by_force)
    print(f"yardstick: one hand against all dealer hands by force {yardstick:.2f} s CPU")
    ante = fresh(ANTE)
    told = f"{ante:.2f} s CPU (demanded {ANTE_DEMANDED}), {ante / yardstick:.2f} yardsticks for 749,398 hands"
    print(f"Spanish Poker ante, fresh process {told}")
    game = catalog.game("spanish-poker")
    showdown(game)
    print(f"Spanish Poker ante, next pay table {timed(lambda: showdown(game)):.2f} s CPU")
    print(f"five against five, 52 cards   {counted(STANDARD, 1)} (demanded {FIVE_DEMANDED:.0f} s)")
    print(f"the same with an up card      {counted(STANDARD, 1, up_card=True)}")
    for decks in (2, 4, 8):
        print(f"five against five, {decks} decks    {counted(STANDARD, decks)}")
    for size in (2, 3, 4):
        smaller = replace(STANDARD, size=size, categories=STANDARD.categories[-2:])
        print(f"{size} against {size}, 52 cards         {counted(smaller, 1)}")


if __name__ == "__main__":
    main()
