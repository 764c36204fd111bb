"""The only transition: takes a round, a step that it awaits and the answer, and returns the next round."""

from collections.abc import Mapping

from feltworks.cards import Card
from feltworks.errors import NotOffered, WrongCard, brief
from feltworks.rules.round import BOARD, DEALER, Back, Choice, Face, Place, Round, Seat
from feltworks.rules.steps import Decide, Draw, Offer, Peek, Step, Turn

Answer = tuple[Face, ...] | Choice


def advance(round_: Round, step: Step, answer: Answer) -> Round:
    """Answer a step. Cards answer chance, a `Choice` answers a decision; every other answer is refused.

    >>> opened = Round(seats=(Seat({"ante": 500}),))
    >>> offers = (Offer("fold"), Offer.exactly("play", "play", 1000))
    >>> advance(opened, Decide(0, offers), Choice("play")).seats[0].wagers
    {'ante': 500, 'play': 1000}
    """
    # Types are compared because isinstance is several times slower when a struct is of another kind.
    if type(answer) is tuple:
        if type(step) is Draw:
            wanted = Back if step.down else Card
            for face in answer:
                if type(face) is not wanted:
                    raise WrongCard(step, answer)
            if len(answer) != step.count:
                raise WrongCard(step, answer)
            return _lay(round_, step.to, round_.at(step.to) + answer)
        if type(step) is Turn or type(step) is Peek:
            return _turn(round_, step, answer)
    elif type(step) is Decide and type(answer) is Choice:
        seats = list(round_.seats)
        seats[step.seat] = seat_after(seats[step.seat], step, answer)
        return Round(tuple(seats), round_.dealer, round_.board, round_.meters)
    raise WrongCard(step, answer)


def lay_cards(round_: Round, dealt: Mapping[Place, tuple[Face, ...]]) -> Round:
    """Lay all cards of independent draws at once, at each place behind the cards that lie there."""
    seats = tuple(
        [
            Seat(seat.wagers, seat.cards + dealt[number], seat.choices, seat.tokes) if number in dealt else seat
            for number, seat in enumerate(round_.seats)
        ]
    )
    dealer, board = round_.dealer + dealt.get(DEALER, ()), round_.board + dealt.get(BOARD, ())
    return Round(seats, dealer, board, round_.meters)


def peek_answer(step: Peek, face: Card) -> tuple[Face, ...]:
    """The card if it is one of those wanted, otherwise a back that records what it is not."""
    return (face,) if face in step.wanted else (Back(barring=step.wanted),)


def select_offer(step: Decide, answer: Choice) -> tuple[Offer, Choice]:
    """The offer that a choice takes up, and the choice with its amount and subject filled in."""
    name, cents, about = answer.name, answer.cents, step.about
    for offer in step.offers:
        if offer.name == name and (not answer.about or answer.about == about):
            least, most = offer.least, offer.most
            if cents is None and least == most:
                return offer, Choice(name, most, about)
            if offer.sizes and cents not in offer.sizes:
                break
            if type(cents) is int and least <= cents <= most and not cents % offer.chip:
                return offer, Choice(name, cents, about)
    words = answer.name if not answer.cents else f"{answer.name} of {brief(answer.cents)} cents"
    raise NotOffered(step.seat, words, step.offers, step.about)


def seat_after(seat: Seat, step: Decide, answer: Choice) -> Seat:
    """The seat after its answer to a decision."""
    offer, choice = select_offer(step, answer)
    wagers = seat.wagers
    if choice.cents:
        wagers = {**wagers, offer.wager: wagers.get(offer.wager, 0) + choice.cents}
        if not wagers[offer.wager]:
            del wagers[offer.wager]
    return Seat(wagers, seat.cards, (*seat.choices, choice), seat.tokes)


def _turn(round_: Round, step: Turn | Peek, answer: tuple[Face, ...]) -> Round:
    lying, index = round_.at(step.at), step.index
    if type(step) is Turn and step.count == len(answer) == 1 and index < len(lying):
        back, face = lying[index], answer[0]
        if type(back) is Back and type(face) is Card and face not in back.barring:
            return _lay(round_, step.at, lying[:index] + answer + lying[index + 1 :])
    count = step.count if type(step) is Turn else 1
    if len(answer) != count or not _fits(lying[step.index : step.index + count], step, answer):
        raise WrongCard(step, answer)
    if type(step) is Peek and not isinstance(answer[0], Card):
        answer = (Back(_barring(lying[step.index]) | step.wanted),)  # cards barred by an earlier peek stay barred
    return _lay(round_, step.at, lying[: step.index] + answer + lying[step.index + count :])


def _barring(face: Face) -> frozenset[Card]:
    return frozenset() if isinstance(face, Card) else face.barring


def _fits(backs: tuple[Face, ...], step: Turn | Peek, answer: tuple[Face, ...]) -> bool:
    """Whether these faces may have lain under those backs."""
    if len(backs) != len(answer):
        return False
    for back, face in zip(backs, answer, strict=True):
        if type(back) is not Back:
            return False
        if isinstance(face, Card):
            if face in back.barring or (type(step) is Peek and face not in step.wanted):
                return False
        elif type(step) is not Peek or not step.wanted <= face.barring <= back.barring | step.wanted:
            return False
    return True


def _lay(round_: Round, place: Place, cards: tuple[Face, ...]) -> Round:
    if place >= 0:
        seats = list(round_.seats)
        seat = seats[place]
        seats[place] = Seat(seat.wagers, cards, seat.choices, seat.tokes)
        return Round(tuple(seats), round_.dealer, round_.board, round_.meters)
    if place == DEALER:
        return Round(round_.seats, cards, round_.board, round_.meters)
    return Round(round_.seats, round_.dealer, cards, round_.meters)
