"""What blackjack's kernel settles by: the rules' own judges, asked about every standing."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.analysis.first_deal import is_decided_by_deal
from feltworks.cards import DECK, Card, Rank, Suit, card, cards
from feltworks.errors import BadOption
from feltworks.games.blackjack import Blackjack, BlackjackStanding, DealersHand
from feltworks.hands.blackjack import ACES, points
from feltworks.hands.spot import Spot, SpotRules
from feltworks.rules.round import Round
from feltworks.rules.settlement import facts_for
from feltworks.simulation.kernels.blackjack import places as p
from feltworks.simulation.kernels.blackjack.three_cards import (
    EVERY_SUITS,
    SUIT_PATTERNS,
    facts,
    tells_suits_apart,
)

Bytes = NDArray[np.uint8]
LUCKY_BREAK = "lucky-break"
_MOST_CELLS = 1 << 7  # of the wagers that the up card decides, all together: with raises they fit a byte
_hand = SpotRules().hand
_NATURAL, _TWO, _OTHER = cards("Ah Kd"), cards("Th 6d"), cards("9c 7s")


class Settling(Struct, frozen=True):
    """Outcomes by the numbers that the compiled rounds know them by."""

    hands: tuple[str, ...]  # of one blackjack hand; 16 more where it was doubled
    breaks: tuple[str, ...]  # of Lucky Break; one nameless outcome at a table without it
    ups: tuple[tuple[str, ...], ...]  # of all wagers that the up card decides, together
    up_wagers: tuple[str, ...]
    book: Bytes
    three: Bytes  # by the first two cards and the up card: which of `ups`


def settling(game: Blackjack) -> Settling:
    """Everything this table can settle."""
    book = np.zeros(p.BOOK, np.uint8)
    _write_cards(game, book)
    hands, breaks = _write_hands(game, book), _write_breaks(game, book)
    wagers = tuple(
        name
        for name, entry in game.terms.rulebook.wager.items()
        if entry.kind != "derived" and is_decided_by_deal(game, name)
    )
    ups, three = _three_cards(game, wagers)
    return Settling(hands, breaks, ups, wagers, book, three)


def _write_cards(game: Blackjack, book: Bytes) -> None:
    rules = game.spot_rules
    for face in DECK:
        book[p.VALUE + face.index] = points(face)
        book[p.WEIGHT + face.index] = points(face) + (p.ACE if face in ACES else 0)
        like = points(face) if rules.splits_on_value else face.rank
        book[p.KIND + face.index] = like
        book[p.TAG + face.index] = p.NO_TAG
    for key in range(64):
        low, soft = key % p.ACE, key >= p.ACE and key % p.ACE <= 11
        held = low + 10 if soft else low
        book[p.POINTS + key] = held
        # BJ.1: a soft 17 is drawn to or stood on by the table's rule
        book[p.DRAWS + key] = held < 17 or (held == 17 and soft and game.hits_soft_17)


def _write_hands(game: Blackjack, book: Bytes) -> tuple[str, ...]:
    """BJ.4, BJ.5: every hand against every dealer, alone or behind a split hand that is not over 21."""
    outcomes = sorted(game.wagers["blackjack"].outcomes)
    for late, code, (number, dealer) in product(range(2), _codes(), list(_dealers())):
        spot = _spot(code, late=bool(late))
        standing = BlackjackStanding(spot, dealer)
        verdict = list(game.wagers["blackjack"].parts(standing, 2 * len(spot.hands)))[late].verdict
        assert verdict is not None
        cell = outcomes.index(verdict.outcome) + (p.HAND_CELLS // 2 if code & p.DOUBLED else 0)
        book[p.SETTLED + (late * p.CODES + code) * p.DEALERS + number] = cell
    return tuple(outcomes)


def _codes() -> Iterator[int]:
    yield from (p.NATURAL, p.SURRENDERED)
    for held in range(p.LOWEST, p.DOUBLED):
        yield from (held, held + p.DOUBLED)


def _spot(code: int, *, late: bool) -> Spot:
    last = "double" if code & p.DOUBLED else "surrender" if code == p.SURRENDERED else "stand"
    hand = _hand(_held(code), is_split=late, last=last)
    return Spot((_hand(_OTHER, is_split=True, last="stand"), hand) if late else (hand,), None)


def _held(code: int) -> tuple[Card, ...]:
    """Cards that stand for all of a code: the verdicts ask for nothing but the points."""
    if code in (p.NATURAL, p.SURRENDERED):
        return _NATURAL if code == p.NATURAL else _TWO
    left, taken = code % p.DOUBLED, ""
    while left:
        worth = left if taken and left <= 10 else min(10, left - 2)
        taken += f" {'23456789T'[worth - 2]}{'hdcs'[len(taken) // 3]}"
        left -= worth
    return cards(taken)


def _dealers() -> Iterator[tuple[int, DealersHand]]:
    for number in range(p.BLACKJACK):
        yield number, DealersHand(p.STANDS + number, has_blackjack=False)
    yield p.BLACKJACK, DealersHand(21, has_blackjack=True)


def _write_breaks(game: Blackjack, book: Bytes) -> tuple[str, ...]:
    """LB.2–LB.9: every dealer's hand, mixed or of so many suited cards, with every standing of the spot."""
    if LUCKY_BREAK not in game.wagers:
        return ("",)
    outcomes = sorted(game.wagers[LUCKY_BREAK].outcomes)
    over_22 = DealersHand(22, False, Round((), cards("Th 6d 6c")))
    paid = _break(game, Spot((_hand(_TWO),), None), over_22)
    within = [_break(game, _spot(code, late=False), over_22) == paid for code in _totals()]
    book[p.WITHIN + np.array(_totals())] = within
    for standing, spot in _spots_by_limit(within):
        for (number, dealer), suited in product(_dealers(), range(6)):
            held = (card("5h"),) * suited if suited else cards("5h 5d")
            hand = DealersHand(dealer.total, dealer.has_blackjack, Round((), held))
            outcome = _break(game, spot, hand) if _possible(number, suited) else outcomes[0]
            book[p.BROKEN + (standing * p.DEALERS + number) * p.SUITED + suited] = outcomes.index(outcome)
    return tuple(outcomes)


def _possible(dealer: int, suited: int) -> bool:
    return suited == 0 or suited >= 3 or dealer <= 21 - p.STANDS or dealer == p.BLACKJACK


def _totals() -> list[int]:
    return [p.NATURAL, *range(p.LOWEST, p.DOUBLED)]


def _break(game: Blackjack, spot: Spot, dealer: DealersHand) -> str:
    judge = game.wagers[LUCKY_BREAK]
    verdict = judge.judge(facts_for(judge, dealer.felt, 0, BlackjackStanding(spot, dealer)))
    assert verdict is not None
    return verdict.outcome


def _spots_by_limit(within: Sequence[bool]) -> Iterator[tuple[int, Spot]]:
    """Spots of which no hand keeps Lucky Break's limit, some do, all do, and a surrendered one."""
    out = [total for total, holds in zip(_totals(), within, strict=True) if not holds]
    beyond = _hand(_held(out[-1])) if out else _hand(_TWO)
    yield 0, Spot((beyond,), None)
    yield 1, Spot((beyond, _hand(_TWO)), None)
    yield 2, Spot((_hand(_TWO),), None)
    yield p.SURRENDERED_SPOT, _spot(p.SURRENDERED, late=False)


def _three_cards(game: Blackjack, wagers: Sequence[str]) -> tuple[tuple[tuple[str, ...], ...], Bytes]:
    """How the wagers come out that the first two cards and the up card decide.

    Suits count by being equal, unless a wager of a designer's own tells them apart.
    """
    found: dict[tuple[str, ...], int] = {}
    three = np.zeros((13, 4, 13, 4, 13, 4), np.uint8)
    ranks = [rank for rank in Rank if rank is not Rank.JOKER]
    if any(tells_suits_apart(game.wagers[name]) for name in wagers):
        alike = {suits: tuple([suit] for suit in suits) for suits in EVERY_SUITS}
    else:
        alike = {pattern: _alike(pattern) for pattern in SUIT_PATTERNS}
    for pattern, chosen in product(alike, product(ranks, repeat=3)):
        faces = [DECK[4 * (rank - 2) + suit] for rank, suit in zip(chosen, pattern, strict=True)]
        outcome = tuple(_decided(game, name, faces) for name in wagers)
        number = found.setdefault(outcome, len(found))
        a, b, c = (rank - 2 for rank in chosen)
        one, two, up = alike[pattern]
        three[a, one, b, two, c, up] = number
    if len(found) > _MOST_CELLS:
        raise BadOption("wagers", ", ".join(wagers), "bonus wagers with fewer outcomes to be simulated")
    return tuple(found), three.reshape(-1)


def _alike(pattern: tuple[int, int, int]) -> tuple[list[int], ...]:
    """All suits of three cards that are equal where the pattern's are: of the first, second and third."""
    found = [
        (a, b, c)
        for a, b, c in product(range(len(Suit)), repeat=3)
        if [a == b, b == c, a == c]
        == [pattern[0] == pattern[1], pattern[1] == pattern[2], pattern[0] == pattern[2]]
    ]
    return tuple(map(list, zip(*found, strict=True)))


def _decided(game: Blackjack, wager: str, faces: Sequence[Card]) -> str:
    first, second, up_card = faces
    judge = game.wagers[wager]
    verdict = judge.judge(facts(judge, (first, second), up_card))
    assert verdict is not None
    return verdict.outcome
