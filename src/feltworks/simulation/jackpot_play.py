"""What players bring to a progressive jackpot day by day: losing dollars, awards from the tray, and hits.

Chance alone, whatever the house does with the money: every way to keep the books can be tried on one play.
"""

from collections.abc import Iterator
from concurrent.futures import Executor
from functools import cached_property, partial
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feltworks.errors import BadOption
from feltworks.machine.streams import Stream
from feltworks.money import Cents
from feltworks.simulation.checks import check_number
from feltworks.simulation.kernels.poker_hands import hand_tables
from feltworks.simulation.kernels.poker_settling import (
    KINDS,
    NO_RAISE,
    PROGRESSIVE,
    Standings,
    code_of,
    poker_game,
)
from feltworks.simulation.plan import Plan

DAYS_A_YEAR: Final = 365
MOST_YEARS: Final = 10_000
MOST_ROUNDS_A_DAY: Final = 100_000


class JackpotHit(Struct, frozen=True):
    """A round in which seats won from the jackpot: when, and how many of each winning hand."""

    round: int  # of the day, from 0
    cincos: int
    royals: int


class DayOfPlay(Struct, frozen=True):
    """One day: what losing wagers left in the box, what the tray paid, and the hits in their order."""

    box: Cents
    tray: Cents
    hits: tuple[JackpotHit, ...]


class ProgressiveTable:
    """A table with a progressive wager at some of its seats, as its jackpot sees it."""

    def __init__(self, plan: Plan) -> None:
        game = poker_game(plan.table)
        if game is None:
            raise BadOption("--years", plan.game, "a game with a progressive jackpot, which is spanish-poker")
        self.seats = sum(PROGRESSIVE in seat for seat in plan.seats)
        if not self.seats:
            raise BadOption("--wager", ", ".join(plan.wagers), f"{PROGRESSIVE} among the wagers of some seat")
        replace(plan, jackpot=plan.jackpot or 0).check()
        self.game, self.meter = game, game.terms.rulebook.meter_of(PROGRESSIVE)
        self.hands = hand_tables(self.game.terms.shoe, self.game.ranking)
        self.standings = Standings(self.game, self.hands.classes)

    @cached_property
    def effects(self) -> tuple[tuple[Cents, ...], tuple[Cents, ...]]:
        """By kind of hand: what it leaves in the box and takes from the tray, as the rules settle it."""
        stake = self.game.terms.rulebook.wager[PROGRESSIVE].least
        wagers, box, tray = {PROGRESSIVE: stake}, [0] * KINDS, [0] * KINDS
        examples = dict(self.standings.examples(wagers))
        for kind in range(KINDS):
            example = examples.get(code_of(kind, 0, NO_RAISE)) or examples[code_of(kind, 1, NO_RAISE)]
            (line,) = self.standings.lines(wagers, {"jackpot": 0}, example)
            if line.award is None:
                box[kind] = -line.net  # SP.15: losing wagers, and no others, go to the box
            elif line.award.source == "tray":
                tray[kind] = line.award.cents
        return tuple(box), tuple(tray)

    def paid(self, hit: JackpotHit, posted: Cents) -> tuple[Cents, bool]:
        """SP.13, SP.14: what a hit takes of the jackpot posted when its round began, and if that is all."""
        lines = self.standings.jackpot_lines(hit.cincos, hit.royals, posted)
        awards = [line.award for line in lines if line.award]
        return sum(award.cents for award in awards), sum(award.share or 0 for award in awards) == 1

    def year(self, rounds_per_day: int, stream: Stream) -> Iterator[DayOfPlay]:
        """A year of play."""
        from feltworks.simulation.kernels.poker_rounds import count_winners, value_tables

        tables, deck = (
            value_tables(self.hands, self.standings),
            np.arange(len(self.hands.faces), dtype=np.uint8),
        )
        hits = np.zeros((rounds_per_day, 3), np.int64)
        box, tray = self.effects
        for _ in range(DAYS_A_YEAR):
            kinds = np.zeros(KINDS, np.int64)
            found = count_winners(stream.handle, deck, rounds_per_day, self.seats, tables, kinds, hits)
            listed = tuple(JackpotHit(*map(int, row)) for row in hits[:found])
            yield DayOfPlay(int(kinds @ np.array(box)), int(kinds @ np.array(tray)), listed)


def play_years(
    plan: Plan, *, years: int, rounds_per_day: int, seed: int, executor: Executor | None = None
) -> Iterator[DayOfPlay]:
    """Years of play, one day after the other; each year has a random stream of its own."""
    check_years(plan, years, rounds_per_day)
    year = partial(_year, plan.to_json(), rounds_per_day, seed)
    mapped = executor.map(year, range(years)) if executor else map(year, range(years))
    return (day for days in mapped for day in days)


def check_years(plan: Plan, years: int, rounds_per_day: int) -> None:
    """Refuse what makes no sense, in one sentence."""
    check_number("--years", years, MOST_YEARS)
    check_number("--rounds-per-day", rounds_per_day, MOST_ROUNDS_A_DAY)
    ProgressiveTable(plan)


def _year(plan: bytes, rounds_per_day: int, seed: int, number: int) -> list[DayOfPlay]:
    table = ProgressiveTable(Plan.from_json(plan))
    return list(table.year(rounds_per_day, Stream(seed, number)))
