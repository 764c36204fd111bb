"""What Fu Bacc's kernel looks up: what a seat chooses by ranks, and what the rules pay for every end."""

from collections.abc import Hashable, Mapping
from itertools import product

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.cards import DECK, Card, cards
from feltworks.games.fu_bacc import FuBacc, FuBaccStanding
from feltworks.hands.baccarat import MONKEYS, points, total
from feltworks.money import Cents
from feltworks.rules.round import Face, Round, Seat
from feltworks.simulation.hit_card_play import Played, played
from feltworks.simulation.plan import Plan
from feltworks.simulation.settled_rows import SettledLine, settled_line

RANKS = 13
TOTALS = 10
_PLAYED = ("stay", "hit")
_MONKEYS, _OTHERS = cards("Kc Kd"), cards("2c 3d")
Ranks = tuple[int, int, int]  # of a seat's first two cards and the up card, the deuce 0 and the ace 12
Settled = tuple[SettledLine, ...]
Rows = dict[tuple[int, Settled], int]  # what can come out at a kind of seat, by its row in the layout
_Table = tuple[str, int | None]  # the choice, and the up card's points where two monkeys are held


class SpotTables(Struct, frozen=True):
    """How one seat plays with its wagers, as arrays."""

    choices: Mapping[Ranks, str]
    tables: NDArray[np.uint8]  # by ranks: which table of results; an odd one takes the hit card
    results: NDArray[np.uint16]  # by table, own total and dealer's total: the layout's row


def triples() -> list[Ranks]:
    """All ranks of three cards, in the order of the arrays."""
    ranks = range(RANKS)
    return list(product(ranks, ranks, ranks))


def face_of(rank: int) -> Card:
    """A card of that rank: its index in the deck is four times the rank and its suit."""
    return DECK[4 * rank]


def hand_totals() -> NDArray[np.uint8]:
    """FB.2: a seat's total by its three ranks: without the hit card, and with it."""
    hands = [[face_of(rank) for rank in ranks] for ranks in triples()]
    return np.array([[total(hand[:2]) for hand in hands], [total(hand) for hand in hands]], np.uint8)


def dealer_totals() -> NDArray[np.uint8]:
    """FB.4: the dealer stands on a two-card 6 or more and takes exactly one card on 5 or less."""
    two, three = hand_totals()
    final: NDArray[np.uint8] = np.where(two >= 6, two, three)
    return final


def spot_tables(plan: Plan, game: FuBacc, rows: Rows, kind: int) -> SpotTables:
    """The arrays of a seat and of those like it; what can come out there is added to the rows."""
    wagers = plan.seats[kind]
    choices = _chosen(game, played(plan, wagers))
    totals = _totals(choices)
    numbers = {table: 2 * place + (table[0] == "hit") for place, table in enumerate(totals)}
    results = np.zeros((2 * len(totals), TOTALS, TOTALS), np.uint16)
    for table, mine in totals.items():
        for own, dealer in product(sorted(mine), range(TOTALS)):
            lines = _settled(game, wagers, table, own, dealer)
            results[numbers[table], own, dealer] = rows.setdefault((kind, lines), len(rows))
    tables = [numbers[_table(ranks, choice)] for ranks, choice in choices.items()]
    return SpotTables(choices, np.array(tables, np.uint8), results.reshape(-1))


def _chosen(game: FuBacc, found: Played) -> dict[Ranks, str]:
    by_kind = {}
    for each, choice in found:
        by_kind[_kind(game, *each.shown.seats[0].cards[:2], each.shown.dealer[0])] = choice
    return {ranks: by_kind[_kind(game, *map(face_of, ranks))] for ranks in triples()}


def _kind(game: FuBacc, *faces: Face) -> Hashable:
    alike = [game.alike(Round(()), face) for face in faces if isinstance(face, Card)]
    return tuple(sorted(alike[:2])), alike[2]


def _table(ranks: Ranks, choice: str) -> _Table:
    first, second, up = map(face_of, ranks)
    return choice, points(up) if MONKEYS.issuperset((first, second)) else None


def _totals(choices: Mapping[Ranks, str]) -> dict[_Table, set[int]]:
    """Which totals a seat can end on under each table of results."""
    found: dict[_Table, set[int]] = {}
    for ranks, choice in choices.items():
        pair = total(map(face_of, ranks[:2]))
        ends = range(TOTALS) if choice == "hit" else [pair]
        found.setdefault(_table(ranks, choice), set()).update(ends)
    return found


def _settled(game: FuBacc, wagers: Mapping[str, Cents], table: _Table, own: int, dealer: int) -> Settled:
    """What the game's own wagers make of it; of the cards only monkeys and the up card's points count."""
    choice, against = table
    pair = _MONKEYS if against is not None else _OTHERS
    up_card = next(face for face in DECK if points(face) == (against or 0))
    standing = FuBaccStanding(pair, own, "ante" in wagers, choice or None, True, up_card, dealer)
    down = dict(wagers)
    if choice in _PLAYED and (play := game.terms.offer(choice, "play", Seat(wagers))):
        down["play"] = play.most  # FB.5: exactly twice the Ante
    return tuple(settled_line(game, name, cents, standing) for name, cents in down.items())
