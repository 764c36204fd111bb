"""Counts of bonus wagers for one to eight decks: dealt rounds against exact edges at 10,000 compositions.

`make counts` ends with 1 where the two methods differ by more than four standard errors, or where two known cards are
worth something else than the design says.
"""

import os
import sys

from feltworks import catalog
from feltworks.analysis.question import parse_question
from feltworks.protection.counting import Count, CountTerms, count_wager
from feltworks.protection.protect import worth_of
from feltworks.simulation.plan import make_plan

COUNTED = [
    ("lucky-lucky", "lucky-lucky"),
    ("lucky-break", "lucky-break"),
    ("acey-deucey-21", "war"),
    ("acey-deucey-21", "acey-deucey"),
]
DECKS = range(1, 9)
MOST = 4  # standard errors
# What known cards are worth that take minutes: the design's figure, and the published one of both hole cards
KNOWN = [("fu-bacc", "ante", ["hole", "next"], "0.722629"), ("ultimate-holdem", "ante", ["dealer:2"], "0.3858")]


def main(wanted: list[str]) -> int:
    """Count every wager, or those that are named, and say by how many errors the methods differ."""
    worst, agree = 0.0, True
    os.environ[catalog.GAME_FOLDERS] = str(catalog.examples_folder())
    for game, wager, sees, printed in KNOWN if not wanted else ():
        known = float(worth_of(parse_question(game, wager), sees).edge)
        agree &= f"{known:.{len(printed) - 2}f}" == printed
        print(f"{game}, {' and '.join(sees)} known: {known:+.6f}, printed {printed}", flush=True)
    for game, wager in [pair for pair in COUNTED if not wanted or pair[1] in wanted]:
        for decks in DECKS:
            question = parse_question(game, wager, decks=decks)
            plan = make_plan(game, wagers=(wager, "blackjack"), decks=decks)
            counted = count_wager(question, plan, CountTerms(rounds=10_000_000))
            if not isinstance(counted, Count):
                print(f"{wager}, {decks} decks: {counted.reason}")
                continue
            ceiling = counted.ceiling
            error = (counted.standard_error**2 + ceiling.counted_error**2) ** 0.5
            z = (counted.per_100 - ceiling.counted_per_100) / error if error else 0.0
            worst = max(worst, abs(z))
            figures = (
                f"{counted.per_100:+.4f} dealt, {ceiling.counted_per_100:+.4f} by {ceiling.method} edges, z {z:+.2f}"
            )
            print(f"{wager}, {decks} decks: per 100 rounds {figures}, ceiling {ceiling.per_100:+.4f}", flush=True)
    return int(worst > MOST or not agree)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
