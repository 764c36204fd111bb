"""Cards and shoes: faces are singletons, and a shoe counts what is left whatever the order."""

import copy
import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks.cards import FACES, Card, Rank, Shoe, card, cards, standard_shoe
from feltworks.errors import BadCard, ShoeExhausted

faces = st.sampled_from(FACES)
shoes = st.dictionaries(faces, st.integers(0, 8), max_size=20).map(Shoe)


@given(shoes, st.data())
def test_a_shoe_loses_exactly_the_cards_that_leave_it(shoe: Shoe, data: st.DataObject) -> None:
    order = data.draw(st.permutations(shoe.all_cards()))
    taken, left = order[: len(order) // 2], order[len(order) // 2 :]
    rest = shoe.without(taken)
    assert rest.total == len(left)
    assert Counter(rest.all_cards()) == Counter(left)
    assert rest == shoe.without(reversed(taken))
    assert hash(rest) == hash(shoe.without(reversed(taken)))


@given(shoes, st.lists(faces, max_size=12))
def test_a_shoe_holds_cards_just_where_they_can_be_taken_out(shoe: Shoe, wanted: list[Card]) -> None:
    held = all(count <= shoe[face] for face, count in Counter(wanted).items())
    before = repr(shoe)
    if held:
        shoe.check_holds(wanted)
        assert shoe.without(wanted).total == shoe.total - len(wanted)
    else:
        with pytest.raises(ShoeExhausted):
            shoe.check_holds(wanted)
        with pytest.raises(ShoeExhausted):
            shoe.without(wanted)
    assert repr(shoe) == before


@given(st.integers(1, 8), st.integers(0, 2), st.sets(st.sampled_from([face.rank for face in FACES[:-1]])))
def test_whole_decks_have_every_card_equally_often(decks: int, jokers: int, removed: set[Rank]) -> None:
    shoe = standard_shoe(decks=decks, without=removed, jokers=jokers)
    assert shoe.total == decks * (4 * (13 - len(removed)) + jokers)
    assert {shoe[face] for face in shoe if face.suit is not None} <= {decks}


@given(faces)
def test_a_face_is_one_object_however_it_is_found(face: Card) -> None:
    assert card(face.code) is face
    assert copy.deepcopy(face) is face
    assert pickle.loads(pickle.dumps(face)) is face


@given(st.lists(faces, max_size=8))
def test_a_line_of_codes_reads_back(hand: list[Card]) -> None:
    assert cards(" ".join(face.code for face in hand)) == tuple(hand)


@given(st.text(max_size=3) | st.none() | st.integers() | st.lists(st.text(max_size=2), max_size=2))
def test_what_is_no_card_is_refused(code: object) -> None:
    if code not in [face.code for face in FACES]:
        with pytest.raises(BadCard):
            card(code)  # type: ignore[arg-type]
