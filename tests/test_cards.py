"""Cards are singletons, and a shoe is a composition."""

import copy
import pickle

import pytest

from feltworks.cards import DECK, FACES, JOKER, Rank, Shoe, Suit, card, cards, standard_shoe
from feltworks.errors import BadCard, ShoeExhausted


def test_there_are_52_faces_and_a_joker_each_with_its_own_code() -> None:
    assert len(DECK) == 52
    assert len({face.code for face in FACES}) == 53
    assert sorted(face.code for face in DECK) == sorted(r + s for r in "A23456789TJQKA"[1:] for s in "cdhs")
    assert [face.index for face in sorted(FACES)] == list(range(53))


@pytest.mark.parametrize("face", FACES, ids=str)
def test_a_face_is_found_by_its_code_and_stays_itself(face: object) -> None:
    found = card(str(face))
    assert found is face
    assert pickle.loads(pickle.dumps(found)) is found
    assert copy.deepcopy(found) is found
    assert eval(repr(found)) is found


def test_rank_and_suit_are_read_off_the_code() -> None:
    assert (card("Td").rank, card("Td").suit) == (Rank.TEN, Suit.DIAMONDS)
    assert (JOKER.rank, JOKER.suit, JOKER.code) == (Rank.JOKER, None, "Jo")
    assert Rank.TWO < Rank.TEN < Rank.JACK < Rank.ACE


@pytest.mark.parametrize("code", ["", "1h", "10h", "Tx", "th", "TH", "Joker", "hT", None, 7, ["Th"]])
def test_a_code_that_names_no_card_is_refused(code: object) -> None:
    with pytest.raises(BadCard, match="write the rank A 2-9 T J Q K and the suit c d h s, or Jo"):
        card(code)  # type: ignore[arg-type]


def test_cards_come_from_a_line_or_a_list() -> None:
    assert cards("7h Ac") == cards(["7h", "Ac"]) == (card("7h"), card("Ac"))
    assert cards("") == ()


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_a_shoe_holds_as_many_of_each_card_as_decks(decks: int) -> None:
    shoe = standard_shoe(decks=decks)
    assert shoe.total == 52 * decks == len(shoe.all_cards())
    assert {shoe[face] for face in DECK} == {decks}
    assert shoe[JOKER] == 0
    assert JOKER not in set(shoe)


def test_the_spanish_deck_is_a_value() -> None:
    shoe = standard_shoe(without=[Rank.EIGHT, Rank.NINE, Rank.TEN], jokers=1)
    assert (shoe.total, shoe[JOKER], shoe[card("8c")], len(shoe)) == (41, 1, 0, 41)


def test_taking_cards_gives_another_shoe() -> None:
    shoe = standard_shoe(decks=2)
    less = shoe.without(cards("7h 7h Ac"))
    assert (shoe[card("7h")], less[card("7h")], less[card("Ac")], less.total) == (2, 0, 1, 101)
    assert less == Shoe({face: shoe[face] - cards("7h 7h Ac").count(face) for face in DECK})
    assert hash(less) == hash(standard_shoe(decks=2).without(cards("Ac 7h 7h")))
    assert less != shoe


@pytest.mark.clause("FB.1", "BJ.1")
def test_more_of_a_card_than_the_shoe_holds_is_refused() -> None:
    shoe = standard_shoe(decks=2)
    shoe.check_holds(cards("7h 7h"))
    for refuse in (shoe.check_holds, shoe.without):
        with pytest.raises(ShoeExhausted, match="the shoe holds only 2 of card 7h"):
            refuse(cards("7h Ac 7h 7h"))
    with pytest.raises(ShoeExhausted, match="the shoe holds no card Jo"):
        shoe.check_holds([JOKER])
