"""A felt that holds hands and no cards: the rules ask for the same steps and settle the same lines there."""

from typing import Any

from feltworks.cards import Card
from feltworks.machine.felt import Felt, HouseState, NewReading, Readings, SeatState, lay_felt
from feltworks.rules.advance import select_offer
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, SEAT, Choice, Place
from feltworks.rules.steps import Decide, Draw, Peek
from feltworks.rules.wager import Line
from tests.conformance.play import Move, Play, plays
from tests.conformance.variants import Variant, at_every_table, game_of


class BlindTable:
    """A round played on hands alone."""

    def __init__(self, game: Game[Any], readings: Readings, play: Play) -> None:
        self.game, self.readings, self.meters = game, readings, play.opened.meters
        empty = readings.empty_place
        self.seats = [
            SeatState(tuple(seat.wagers.items()), tuple(seat.tokes.items()), empty(SEAT)) for seat in play.opened.seats
        ]
        self.house = HouseState(empty(DEALER), empty(BOARD))

    @property
    def felt(self) -> Felt:
        return lay_felt(self.readings, tuple(self.seats), self.house, self.meters)

    def follow(self, move: Move) -> None:
        step = move.step
        if isinstance(step, Decide):
            assert isinstance(move.answer, Choice)
            self.seats[step.seat] = self._after_choice(step, move.answer)
            return
        place = step.to if isinstance(step, Draw) else step.at
        lying, kind = self._lying(place), SEAT if place >= 0 else place
        assert isinstance(move.answer, tuple)
        if isinstance(step, Draw) and step.down:
            lying = self.readings.lay_down(lying, kind, step.count)
        else:
            for offset, face in enumerate(move.answer):
                if isinstance(step, Draw):
                    assert isinstance(face, Card)
                    (lying,) = self.readings.draw(lying, kind, (face,))
                elif isinstance(face, Card):
                    (lying,) = self.readings.turn(lying, kind, step.index + offset, (face,))
                else:
                    assert isinstance(step, Peek)
                    lying = self.readings.bar(lying, step.index, step.wanted)
        self._lay(place, lying)

    def _after_choice(self, step: Decide, answer: Choice) -> SeatState:
        seat = self.seats[step.seat]
        offer, choice = select_offer(step, answer)
        wagers = dict(seat.wagers)
        wagers[offer.wager] = wagers.get(offer.wager, 0) + (choice.cents or 0)
        kept = tuple((name, cents) for name, cents in wagers.items() if cents and name)
        lying = seat.lying
        if any(hand.takes(step.about) for hand in lying.hands):
            hands = tuple(h.choose(choice.name) if h.takes(step.about) else h for h in lying.hands)
            lying = type(lying)(lying.held, lying.backs, hands, lying.own)
            return SeatState(kept, seat.tokes, lying, seat.choices)
        return SeatState(kept, seat.tokes, lying, (*seat.choices, choice))

    def _lying(self, place: Place) -> Any:
        if place >= 0:
            return self.seats[place].lying
        return self.house.dealer if place == DEALER else self.house.board

    def _lay(self, place: Place, lying: Any) -> None:
        if place >= 0:
            seat = self.seats[place]
            self.seats[place] = SeatState(seat.wagers, seat.tokes, lying, seat.choices)
        elif place == DEALER:
            self.house = HouseState(lying, self.house.board)
        else:
            self.house = HouseState(self.house.dealer, lying)


def outcomes(lines: tuple[Line, ...]) -> list[tuple[object, ...]]:
    return [(line.seat, line.wager, line.part, line.outcome, line.net, line.toke) for line in lines]


def check_play(game: Game[Any], readings: Readings, play: Play) -> None:
    table = BlindTable(game, readings, play)
    for move in play.moves:
        assert game.open_decisions(table.felt) == game.open_decisions(move.before)
        if not isinstance(move.step, Decide):
            assert game.awaits(table.felt) == move.step
        assert outcomes(game.settle(table.felt)) == outcomes(game.settle(move.before))
        table.follow(move)
    assert game.awaits(table.felt) is None
    assert outcomes(game.settle(table.felt)) == outcomes(game.settle(play.end))


@at_every_table
def test_rules_read_hands_and_no_cards(variant: Variant) -> None:
    game = game_of(variant)
    readings = Readings({n: judge.hand for n, judge in game.wagers.items() if judge.hand is not None})
    for play in plays(variant):
        while True:
            try:
                check_play(game, readings, play)
                break
            except NewReading:  # a hand that the rules had not asked for before
                continue
