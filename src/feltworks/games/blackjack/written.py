"""A round of blackjack as `felt settle` reads it: which hands a seat played, in the order of play."""

from abc import abstractmethod
from collections.abc import Sequence

from feltworks.cards import Card, cards
from feltworks.errors import ImpossibleRound, one_of
from feltworks.games.blackjack.played_through import FIRST_HAND, PlayedThrough, choice_for
from feltworks.games.blackjack.wagers import BlackjackStanding, DealersHand
from feltworks.hands.spot import Spot
from feltworks.rules.advance import seat_after
from feltworks.rules.game import Game
from feltworks.rules.record import FinishedHand, FinishedRound, FinishedSeat, Lying
from feltworks.rules.remembering import LastAsked, LatelyAsked
from feltworks.rules.round import DEALER, Back, Choice, Face, Round, Seat
from feltworks.rules.settlement import undecided_seat
from feltworks.rules.steps import Decide, Step, Turn


class WrittenBlackjack(Game[BlackjackStanding]):
    """How the words of a written round answer the table."""

    played_through: PlayedThrough
    asking: Sequence[str]  # the bonus wagers that ask their players something
    read_dealer: LastAsked[tuple[Face, ...], DealersHand]
    spot_of: LatelyAsked[Seat, Spot]  # a seat's hands, read off its cards and choices

    @abstractmethod
    def bonus_decisions(self, r: Round) -> tuple[Decide, ...]:
        """What bonus wagers ask their players before the up card."""

    def dealer_cards(self, finished: FinishedRound) -> Sequence[str]:
        return [finished.dealer_card("hole"), finished.dealer_card("up"), *finished.dealer_list("draws")]

    def seat_cards(self, finished: FinishedSeat) -> Sequence[str]:
        hands = hands_in_order_of_play(finished)
        if len(hands) == 1:
            return hands[0].cards
        extra = [hand.cards[0] for hand in hands[-2:0:-1]]
        return [*finished.cards, *extra, *(code for hand in hands for code in hand.cards[1:])]

    def answer(self, finished: FinishedSeat, step: Decide, r: Round) -> Choice | None:
        if step.about == "insurance":
            return Choice("insure", finished.insurance) if finished.insurance else Choice("decline")
        if step.about in self.wagers:
            return self.wagers[step.about].answer(finished)
        return Choice(choice_for(hands_in_order_of_play(finished), self.spot_of(r.seats[step.seat])))

    def play_ahead(
        self, finished: Sequence[FinishedSeat], lying: Lying, step: Step, r: Round
    ) -> Round | None:
        if type(step) is Decide:
            if step.about == FIRST_HAND:
                return self._hands_ahead(finished, lying, step.seat, r)
            if step.about in self.asking:
                return self._bonuses_ahead(finished, r)
        if type(step) is Turn and step.at == DEALER:
            return self._dealer_ahead(lying[DEALER], r)
        return None

    def _dealer_ahead(self, faces: tuple[Card, ...], r: Round) -> Round | None:
        """BJ.5: the dealer's whole hand, if a wager is undecided up to its last card."""
        hole = r.dealer[0]
        if type(hole) is not Back or faces[0] in hole.barring:
            return None
        for held in range(2, len(faces) + 1):
            dealer = faces[:held]
            if self.read_dealer(dealer).total is not None:
                break
        else:
            return None
        # What is undecided before the last card was so before every other.
        before = Round(r.seats, faces[: held - 1], r.board, r.meters) if held > 2 else r
        if undecided_seat(self, before) is None:
            return None
        return Round(r.seats, dealer, r.board, r.meters)

    def _hands_ahead(
        self, finished: Sequence[FinishedSeat], lying: Lying, first: int, r: Round
    ) -> Round | None:
        """BJ.2: from this seat on all hands, up to one that has to be asked; then the dealer's."""
        seats = list(r.seats)
        for number in range(first, len(seats)):
            seat = seats[number]
            if "blackjack" not in seat.wagers:
                continue
            if len(seat.cards) > 2:
                break
            hands = finished[number].hands
            if hands is None or len(hands) > 1:
                hands = hands_in_order_of_play(finished[number])
            played = self.played_through(hands, lying[number], seat)
            if played is None:
                break
            seats[number] = played[0]
            self.spot_of.keep(*played)
        else:
            after = Round(tuple(seats), r.dealer, r.board, r.meters)
            return self._dealer_ahead(lying[DEALER], after) or after
        return None if seats[first] is r.seats[first] else Round(tuple(seats), r.dealer, r.board, r.meters)

    def _bonuses_ahead(self, finished: Sequence[FinishedSeat], r: Round) -> Round | None:
        """What bonus wagers ask stands open together, and is answered together."""
        seats = list(r.seats)
        for decision in self.bonus_decisions(r):
            answer = self.wagers[decision.about].answer(finished[decision.seat])
            if answer is None:
                return None
            seats[decision.seat] = seat_after(seats[decision.seat], decision, answer)
        return Round(tuple(seats), r.dealer, r.board, r.meters)

    def unanswered(self, finished: FinishedSeat, seat: Seat) -> str | None:
        hands, listed = self.spot_of(seat).hands, finished.hands
        if listed is None or len(listed) > 1:
            listed = hands_in_order_of_play(finished)
        if len(listed) > len(hands):  # a pair written as two hands of one card each, where nobody was asked
            return "to split"
        for index, written in enumerate(listed):
            held = hands[index]
            if len(hands) > 1 and held.cards != cards(written.cards):  # one hand has all that was dealt
                return f"other cards for the hand {' '.join(written.cards)}"
            doubled, surrendered = held.last == "double", held.last == "surrender"
            if doubled != written.doubled or surrendered != written.surrendered:
                return "to double or surrender"
        if finished.choice is not None or finished.choices:
            return one_of(choice.name for choice in finished.spoken)
        return self.unasked_money(finished, seat)


def hands_in_order_of_play(finished: FinishedSeat) -> list[FinishedHand]:
    """The written hands as the felt has them: the pair's two cards outermost, resplits between."""
    if len(finished.cards) != 2:
        raise ImpossibleRound("a blackjack seat lists its first two cards, and its hands where it played on")
    hands = finished.hands
    if hands is None:
        return [FinishedHand(finished.cards)]
    if len(hands) == 1:
        if hands[0].cards[:2] != finished.cards:
            raise ImpossibleRound("an unsplit hand begins with the seat's two cards")
        return hands
    if not hands or not all(hand.cards for hand in hands):
        raise ImpossibleRound("a seat that lists its hands has at least one, and every hand has cards")
    rest = list(hands)
    ends = [_beginning_with(rest, code) for code in finished.cards]
    return [ends[0], *rest, ends[1]]


def _beginning_with(hands: list[FinishedHand], code: str) -> FinishedHand:
    for hand in hands:
        if hand.cards[0] == code:
            hands.remove(hand)
            return hand
    raise ImpossibleRound(f"split hands begin with one card of the pair each; none begins with {code}")
