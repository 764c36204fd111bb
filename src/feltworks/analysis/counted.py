"""Situations in whole numbers: counts outcomes once; prices any wagers of the spot afterwards."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any

from msgspec import Struct

from feltworks.analysis.progress import Progress
from feltworks.analysis.situations import Situation
from feltworks.cards import Card, Shoe
from feltworks.machine.tables import Tables
from feltworks.machine.walk import Settled, Walk
from feltworks.money import Cents
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Round, Seat
from feltworks.rules.steps import Decide, Draw

# How often each settlement comes about. Equal settlements of one count are one object, so that pricing need
# not compare them; a settlement may stand here more than once.
Counts = Sequence[tuple[Settled, int]]


class Counted(Struct, frozen=True):
    """One thing a player can hold and see: in how many ways, a round that shows it, each choice's counts."""

    ways: int
    shown: Round
    choices: Mapping[str, Counts]  # all choices count up to the same whole, in every situation


class Cost(Struct, frozen=True):
    """What a wager costs: per unit it is opened with, and per unit of all money wagered on it."""

    house_edge: Fraction
    element_of_risk: Fraction


# A settlement in whole parts: what it brings the wagers played for, all money on the spot, and of the wagers
# in question the net and the money.
_Worth = tuple[int, int, int, int]


def count_situations(
    game: Game[Any],
    wagers: Mapping[str, Cents],
    shoe: Shoe,
    *,
    serving: Iterable[str] | None = None,
    meters: Mapping[str, Cents] | None = None,
    progress: Progress | None = None,
) -> list[Counted]:
    """Every first decision of a seat with these wagers, counted on the machine; refuses what is too long.

    `serving` are the wagers that later decisions are made for.
    """
    tables = tables_of(game, tuple(wagers.items()), tuple((meters or {}).items()))
    walk = Walk(tables, shoe, serving=frozenset(serving) if serving is not None else None)
    walk.check_length()
    # Not `open_round`: a wager is measured alone also where a table takes it beside another only
    opened = Round((Seat(dict(wagers)),), meters=meters or {})
    return [
        Counted(sight.ways, lay_cards(game, opened, sight.mine, sight.house), sight.choices)
        for sight in walk.sights(progress)
    ]


@lru_cache(maxsize=8)
def tables_of(
    game: Game[Any], wagers: tuple[tuple[str, Cents], ...], meters: tuple[tuple[str, Cents], ...] = ()
) -> Tables:
    """The compiled tables of a seat, kept for a few tables."""
    return Tables(game, dict(wagers), meters=dict(meters))


def lay_cards(game: Game[Any], opened: Round, mine: Sequence[Card], house: Sequence[Card]) -> Round:
    """The felt of one seat after these cards came open, before any decision."""
    r, own, others = opened, list(mine), list(house)
    while (step := game.awaits(r)) is not None and not isinstance(step, Decide):
        if isinstance(step, Draw) and step.down:
            r = advance(r, step, (FACE_DOWN,) * step.count)
            continue
        place = step.to if isinstance(step, Draw) else step.at
        cards, count = own if place >= 0 else others, getattr(step, "count", 1)
        if len(cards) < count:
            break
        r = advance(r, step, tuple(cards[:count]))
        del cards[:count]
    return r


def as_situations(counted: Sequence[Counted]) -> list[Situation]:
    """The same with exact chances."""
    dealt = sum(each.ways for each in counted)
    known: dict[tuple[int, int], Fraction] = {}

    def chance(ways: int, whole: int) -> Fraction:
        return known.get((ways, whole)) or known.setdefault((ways, whole), Fraction(ways, whole))

    def law(counts: Counts) -> dict[Settled, Fraction]:
        merged: dict[Settled, int] = {}
        for settled, ways in counts:
            merged[settled] = merged.get(settled, 0) + ways
        whole = sum(merged.values())
        return {settled: chance(ways, whole) for settled, ways in merged.items()}

    return [
        Situation(chance(each.ways, dealt), each.shown, {name: law(c) for name, c in each.choices.items()})
        for each in counted
    ]


def cost(
    counted: Sequence[Counted],
    wagers: Iterable[str],
    unit: int,
    *,
    serving: Iterable[str] | None = None,
    always: str = "",
) -> Cost:
    """What some wagers cost when every decision is best for those served, or is `always` the one named."""
    taken = frozenset(wagers)
    lumps: dict[int, tuple[Mapping[str, Counts], int]] = {}  # situations with the same choices are one
    for each in counted:
        before = lumps.get(id(each.choices))
        lumps[id(each.choices)] = (each.choices, each.ways + before[1] if before else each.ways)
    choices_of = [choices for choices, _ in lumps.values()]
    worth, scale = _priced(choices_of, taken, taken if serving is None else frozenset(serving))
    net = wagered = dealt = 0
    for choices, ways in lumps.values():
        told = {name: _told(counts, worth) for name, counts in choices.items()}
        best = told.get(always) or max(told.values(), key=lambda one: (one[0], -one[1]))
        net += ways * best[2]
        wagered += ways * best[3]
        dealt += ways
    whole = sum(ways for _, ways in next(iter(counted[0].choices.values())))
    return Cost(-Fraction(net, scale * unit * dealt * whole), -Fraction(net, scale * wagered))


def _told(counts: Counts, worth: Mapping[int, _Worth]) -> _Worth:
    """All the ways of a choice together: served, at stake, net and wagered."""
    served = at_stake = net = wagered = 0
    for settled, ways in counts:
        one = worth[id(settled)]
        served += ways * one[0]
        at_stake += ways * one[1]
        net += ways * one[2]
        wagered += ways * one[3]
    return served, at_stake, net, wagered


def _priced(
    situations: Iterable[Mapping[str, Counts]], taken: frozenset[str], served: frozenset[str]
) -> tuple[dict[int, _Worth], int]:
    """Every settlement by its identity, its nets in whole parts of a cent, and how many parts a cent has."""
    found = {
        id(settled): settled for choices in situations for counts in choices.values() for settled, _ in counts
    }
    scale = lcm(*{line[2].denominator for settled in found.values() for line in settled})

    def net(settled: Settled, wagers: frozenset[str]) -> int:
        return sum(int(line[2] * scale) for line in settled if line[0] in wagers)

    return {
        key: (
            net(settled, served),
            sum(line[3] for line in settled),
            net(settled, taken),
            sum(line[3] for line in settled if line[0] in taken),
        )
        for key, settled in found.items()
    }, scale
