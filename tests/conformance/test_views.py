"""A view holds only what its viewer may know, and the dealer's gestures name only what is there."""

from feltworks.cards import Card
from feltworks.rules.round import Back, Round
from feltworks.rules.steps import Burn, Discard, Gesture, Say, Tuck
from tests.conformance.play import Play, plays
from tests.conformance.variants import Variant, at_every_table


def viewers(play: Play) -> list[int | None]:
    """Every seat, and a bystander."""
    return [None, *range(len(play.opened.seats))]


@at_every_table
def test_a_view_shows_no_card_its_viewer_may_not_see(variant: Variant) -> None:
    for play in plays(variant):
        for round_ in play.rounds:
            for viewer in viewers(play):
                shown = play.game.view(round_, viewer)
                for owner, seat in enumerate(shown.seats):
                    may_see = owner == viewer or play.game.sees(round_, viewer, owner)
                    expected = round_.seats[owner].cards
                    assert may_see or not any(isinstance(face, Card) for face in seat.cards)
                    assert seat.cards == expected or not may_see


@at_every_table
def test_what_lies_face_down_is_a_back_in_every_view(variant: Variant) -> None:
    for play in plays(variant):
        for round_ in play.rounds:
            for viewer in viewers(play):
                shown = play.game.view(round_, viewer)
                for place in (-2, -1, *range(len(round_.seats))):
                    lying = zip(round_.at(place), shown.at(place), strict=True)
                    assert all(isinstance(seen, Back) for face, seen in lying if isinstance(face, Back))


@at_every_table
def test_a_view_keeps_the_wagers_and_choices_as_they_lie(variant: Variant) -> None:
    def public(round_: Round) -> list[object]:
        lying = [(seat.wagers, seat.tokes, seat.choices) for seat in round_.seats]
        return [lying, round_.dealer, round_.board, round_.meters]

    for play in plays(variant):
        for viewer in viewers(play):
            assert public(play.game.view(play.end, viewer)) == public(play.end)


@at_every_table
def test_gestures_name_seats_wagers_cards_and_clauses_that_are_there(variant: Variant) -> None:
    for play in plays(variant):
        known = play.game.terms.rulebook.clause
        for move in play.moves:
            for gesture in play.game.gestures(move.before, move.after, move.step):
                assert gesture.clause in known
                assert _is_real(gesture, move.after), gesture


def _is_real(gesture: Gesture, round_: Round) -> bool:
    seats = range(len(round_.seats))
    if isinstance(gesture, Say):
        return bool(gesture.words.strip())
    if isinstance(gesture, Tuck):
        return gesture.seat in seats and round_.seats[gesture.seat].has(gesture.under)
    if isinstance(gesture, Burn):
        lying = round_.at(gesture.at)
        return gesture.index < len(lying) and isinstance(lying[gesture.index], Back)
    return isinstance(gesture, Discard) and gesture.seat in seats
