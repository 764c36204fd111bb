"""What a seat may know: everything else lies face down in its view."""

import pytest

from feltworks.cards import Card
from feltworks.rules.round import DEALER, FACE_DOWN, Back
from feltworks.rules.steps import Decide
from tests.pit import Moment, bacc, bj, walked


def first_decision(moments: list[Moment]) -> Moment:
    return next(moment for moment in moments if isinstance(moment.step, Decide))


@pytest.mark.clause("AD.2")
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_blackjack_hands_lie_open_and_the_hole_card_down_for_everyone(viewer: int | None) -> None:
    spots = [bj("Th 9h", blackjack=1000), bj("Ts 9s", blackjack=1000)]
    table, moments = walked("lucky-break", *spots, dealer="9c Td")
    r = first_decision(moments).before
    seen = table.view(r, viewer)
    assert seen == r
    assert [isinstance(face, Card) for face in seen.dealer] == [False, True]
    assert [isinstance(face, Card) for face in table.view(moments[-1].after, viewer).dealer] == [True, True]


def test_what_a_peek_ruled_out_stands_on_the_back_for_everyone() -> None:
    table, moments = walked("lucky-break", bj("Th 9h", blackjack=1000), dealer="Tc 7d")
    hole = table.view(first_decision(moments).before).dealer[0]
    assert isinstance(hole, Back)
    assert {face.code for face in hole.barring} == {"Ac", "Ad", "Ah", "As"}


@pytest.mark.clause("FB.17", "FB.18")
def test_a_fu_bacc_hand_is_its_players_own() -> None:
    spots = [bacc("6d Kd 2c", "stay", ante=1000), bacc("7d Qd 3c", "hit", ante=500, tie=100)]
    table, moments = walked("fu-bacc", *spots, dealer="Kh 5s 2s")
    r = first_decision(moments).before
    mine, theirs = table.view(r, 0).seats
    assert [str(face) for face in mine.cards[:2]] == ["6d", "Kd"]
    assert theirs.cards == (FACE_DOWN,) * 3
    assert (theirs.wagers, theirs.choices) == (r.seats[1].wagers, r.seats[1].choices)
    bystander = table.view(r)
    assert all(face == FACE_DOWN for seat in bystander.seats for face in seat.cards)
    assert bystander.at(DEALER) == r.dealer


@pytest.mark.clause("FB.18")
def test_a_hit_card_is_seen_by_its_player_alone_until_the_hands_are_exposed() -> None:
    spots = [bacc("6d Kd 2c", "hit", ante=1000), bacc("7d Qd 3c", "stay", ante=500)]
    table, moments = walked("fu-bacc", *spots, dealer="Kh 5s 2s")
    r = next(m.before for m in moments if isinstance(m.step, Decide) and m.step.seat == 1)
    assert [str(face) for face in table.view(r, 0).seats[0].cards] == ["6d", "Kd", "2c"]
    assert table.view(r, 1).seats[0].cards == (FACE_DOWN,) * 3
    assert table.view(moments[-1].after, 1).seats[0].cards == moments[-1].after.seats[0].cards


def test_a_view_of_a_view_hides_no_less() -> None:
    table, moments = walked("fu-bacc", bacc("6d Kd 2c", "stay", ante=1000), dealer="Kh 5s 2s")
    r = first_decision(moments).before
    assert table.view(table.view(r), 0) == table.view(r)
