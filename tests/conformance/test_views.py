"""A view holds only what its viewer may know, and the dealer's gestures name only what is there."""

from feltworks.cards import Card
from feltworks.rules.round import Back, Round
from feltworks.rules.steps import Burn, Discard, Gesture, Say, Tuck
from tests.conformance.play import Play, plays
from tests.conformance.variants import Variant, every_variant


def viewers(play: Play) -> list[int | None]:
    """Every seat, and a bystander."""
    return [None, *range(len(play.opened.seats))]


@every_variant
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


@every_variant
def test_what_lies_face_down_is_a_back_in_every_view(variant: Variant) -> None:
    for play in plays(variant):
        for round_ in play.rounds:
            for viewer in viewers(play):
                shown = play.game.view(round_, viewer)
                for place in (-2, -1, *range(len(round_.seats))):
                    lying = zip(round_.at(place), shown.at(place), strict=True)
                    assert all(isinstance(seen, Back) for face, seen in lying if isinstance(face, Back))


@every_variant
def test_a_view_keeps_the_wagers_and_choices_as_they_lie(variant: Variant) -> None:
    def public(round_: Round) -> list[object]:
        lying = [(seat.wagers, seat.tokes, seat.choices) for seat in round_.seats]
        return [lying, round_.dealer, round_.board, round_.meters]

    for play in plays(variant):
        for viewer in viewers(play):
            assert public(play.game.view(play.end, viewer)) == public(play.end)


@every_variant
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


@every_variant
def test_the_order_of_cards_that_come_together_settles_nothing_else(variant: Variant) -> None:
    for play in plays(variant):
        for number, move in enumerate(play.moves):
            if isinstance(move.answer, tuple) and len(move.answer) > 1:
                assert _nets(play, number, move.answer[::-1]) == _nets(play, number, move.answer)
                swapped = (*move.answer[1:], move.answer[0])
                assert _nets(play, number, swapped) == _nets(play, number, move.answer)


def _nets(play: Play, number: int, answer: object) -> list[tuple[int, str, str, bool, int]]:
    from feltworks.rules.advance import advance

    round_ = play.opened
    for place, move in enumerate(play.moves):
        round_ = advance(round_, move.step, answer if place == number else move.answer)  # type: ignore[arg-type]
    return sorted((line.seat, line.wager, line.part, line.toke, line.net) for line in play.game.settle(round_))
