"""What a known card is worth: against rounds dealt card by card, and as a property over groups."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltworks import catalog
from feltworks.cards import Card, Shoe, cards
from feltworks.errors import FeltError
from feltworks.machine.node import choices_of
from feltworks.machine.peek import Glimpse, PeekWalk
from feltworks.machine.tables import Tables
from feltworks.machine.walk import Walk
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Round, Seat
from feltworks.rules.steps import Decide, Draw

UNIT = 100_00
SERVING = frozenset(["ante", "play"])
SMALL = Shoe(Counter(cards("As 2s 4s 6s 7s 9s Ts Kh")))
HOLE, HIT = Glimpse(1), Glimpse(2)


def _tables(shoe: Shoe | None = None) -> tuple[Tables, Shoe]:
    game = catalog.game("fu-bacc")
    shoe = shoe or game.terms.shoe
    return Tables(game, {"ante": UNIT}, faces=tuple(shoe)), shoe


def _best(tables: Tables, shoe: Shoe) -> Fraction:
    law = Walk(tables, shoe, serving=SERVING).law()
    return sum(
        (chance * sum(line[2] for line in lines if line[0] in SERVING) for lines, chance in law.items()),
        Fraction(0),
    )


def _deal_out(game: Game[Any], r: Round, known: dict[int, Card], left: tuple[Card, ...], came: int) -> Fraction:
    """The value to one who knows cards of the house by their number after the decision, by the rules alone."""
    step = game.awaits(r)
    if step is None:
        return Fraction(sum(line.net for line in game.settle(r) if line.wager in SERVING))
    if isinstance(step, Decide):
        after = [advance(r, step, choice) for choice in choices_of(step)]
        return max(_deal_out(game, one, known, left, max(came, 0)) for one in after)
    if isinstance(step, Draw) and step.down:
        return _deal_out(game, advance(r, step, (FACE_DOWN,) * step.count), known, left, came)
    place, count = (step.to, step.count) if isinstance(step, Draw) else (step.at, getattr(step, "count", 1))
    now = came + 1 if came >= 0 and place < 0 else came
    if now != came and now in known:
        return _deal_out(game, advance(r, step, (known[now],)), known, left, now)
    ways = list(permutations(left, count))
    total = Fraction(0)
    for drawn in ways:
        rest = tuple(face for face in left if face not in drawn)
        total += _deal_out(game, advance(r, step, drawn), known, rest, now)
    return total / len(ways)


@pytest.mark.parametrize("glimpses", [[HOLE], [HIT], [HIT, HOLE]])
def test_known_cards_are_worth_what_rounds_dealt_with_them_in_hand_bring(glimpses: list[Glimpse]) -> None:
    tables, shoe = _tables(SMALL)
    opened, faces = Round((Seat({"ante": UNIT}),)), shoe.all_cards()
    slow = []
    for lot in permutations(faces, len(glimpses)):
        known = {glimpse.number: card for glimpse, card in zip(glimpses, lot, strict=True)}
        slow.append(_deal_out(tables.game, opened, known, tuple(f for f in faces if f not in lot), -1))
    assert PeekWalk(tables, shoe, glimpses, serving=SERVING).expectation() == sum(slow) / len(slow)


@settings(max_examples=2, deadline=None)
@given(st.sets(st.sampled_from(SMALL.all_cards())), st.sets(st.sampled_from(SMALL.all_cards())))
def test_a_second_sight_never_hurts_and_an_empty_one_changes_nothing(one: set[Card], other: set[Card]) -> None:
    tables, shoe = _tables(SMALL)
    faces = frozenset(shoe)
    nothing, coarse, fine = [faces], [faces & one, faces - one], [faces & other, faces - other]
    pairs = ([nothing, nothing], [coarse, nothing], [coarse, fine], [None, fine], [None, None])
    worth = [PeekWalk(tables, shoe, [HOLE, HIT], groups, serving=SERVING).expectation() for groups in pairs]
    alone = PeekWalk(tables, shoe, [HOLE], [coarse], serving=SERVING).expectation()
    assert worth[0] == _best(tables, shoe)
    assert worth[1] == alone
    assert worth == sorted(worth)


@settings(max_examples=8, deadline=None)
@given(st.sets(st.sampled_from(SMALL.all_cards())), st.sets(st.sampled_from(SMALL.all_cards())))
def test_more_knowledge_never_hurts_and_none_changes_nothing(one: set[Card], other: set[Card]) -> None:
    tables, shoe = _tables(SMALL)
    faces = frozenset(shoe)
    coarse = [faces & one, faces - one]
    fine = [part & half for part in coarse for half in (faces & other, faces - other)]
    worth = [
        PeekWalk(tables, shoe, [HOLE], [groups], serving=SERVING).expectation()
        for groups in ([faces], coarse, fine, None)
    ]
    assert worth[0] == _best(tables, shoe)
    assert worth == sorted(worth)


def test_the_hole_card_of_fu_bacc_turns_the_edge_to_the_player() -> None:
    tables, shoe = _tables()
    seen = PeekWalk(tables, shoe, [HOLE], serving=SERVING).expectation()
    assert round(float(seen - _best(tables, shoe)) / UNIT, 6) == 0.416437  # the design's own figure


def test_groups_that_leave_out_a_card_are_refused() -> None:
    tables, shoe = _tables(SMALL)
    with pytest.raises(FeltError, match="every card belongs to one group"):
        PeekWalk(tables, shoe, [HOLE], [[frozenset(cards("As"))]])
