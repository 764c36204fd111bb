"""A game: how it is dealt, what its wagers are judged by, who sees what. What all games share is here."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic

from feltworks.cards import Card
from feltworks.errors import ImpossibleRound, RulebookError
from feltworks.hands.hand import Hand
from feltworks.hands.spot import Spot
from feltworks.money import Cents, Odds
from feltworks.rules.form import WrittenForm
from feltworks.rules.pay_table import Pay, Price, meters_of, price
from feltworks.rules.round import DEALER, FACE_DOWN, HandOf, Round, Seat
from feltworks.rules.rulebook.model import UNRULED
from feltworks.rules.rulebook.toml import dotted
from feltworks.rules.settlement import has_undecided, settle
from feltworks.rules.sights import Sights
from feltworks.rules.steps import Decide, Gesture, Step
from feltworks.rules.terms import Terms, check_wagers
from feltworks.rules.wager import Line, S, Wager


class Game(ABC, Generic[S]):
    """A table's rules: the base game's procedure with its own wagers and the bonus wagers riding on it.

    A new game says `wagers`, `procedure` and `standing`; everything else has a default.
    """

    wager_types: ClassVar[tuple[type[Wager], ...]]
    written: ClassVar[WrittenForm] = WrittenForm()  # under which names a finished round is written down

    # Declared for analyses, charts and papers, which must not name a game
    least_cards: ClassVar[int] = 1  # that a round of one seat takes
    is_short: ClassVar[bool] = (
        False  # whether a whole round is counted in a moment, so that analyses may count it often
    )
    has_spots: ClassVar[bool] = False  # whether hands are hit, doubled and split, and wagers ride beside them
    dealer_clause: ClassVar[str] = ""  # which says how the dealer plays
    bonus_hand: ClassVar[HandOf[Any] | None] = None  # cards that bonus wagers may read, which name no hand
    spot: Spot | None = None  # before its first card, where hands are hit, doubled and split on one
    empty_hand: Hand | None = None  # that seats and dealer hold, where it has words for them

    def __init__(self, terms: Terms, bonus: Sequence[type[Wager]] = ()) -> None:
        self.terms = terms
        judges = [kind(terms) for kind in (*self.wager_types, *bonus)]
        self.wagers: Mapping[str, Wager] = {judge.name: judge for judge in judges}
        self._check_names(judges)
        self.pays = {judge.name: self._price(judge) for judge in judges}
        self._meters = {name: meters for name, pays in self.pays.items() if (meters := meters_of(pays.values()))}
        self._check_pays()

    @property
    def pays(self) -> Mapping[str, Mapping[str, Pay]]:
        """What every outcome of every wager pays; to be changed as a whole, so that prices follow."""
        return self._pays

    @pays.setter
    def pays(self, pays: Mapping[str, Mapping[str, Pay]]) -> None:
        self._pays, breakage = pays, self.terms.breakage
        self.prices: Mapping[str, Mapping[str, Price]] = {
            name: {outcome: price(pay, breakage) for outcome, pay in listed.items()} for name, listed in pays.items()
        }
        self.has_prizes = any(type(pay) is not Odds for listed in pays.values() for pay in listed.values())

    @abstractmethod
    def procedure(self, r: Round) -> Iterator[Step]:
        """Read the felt from the first card on and yield what is still missing, in the dealer's order.

        Decisions that stand open together are yielded together; stop where the next step depends on
        an answer that is not there yet.
        """

    @abstractmethod
    def standing(self, r: Round, seat: int) -> S:
        """The facts this seat's wagers are judged by."""

    def sees(self, r: Round, viewer: int | None, owner: int) -> bool:
        """Whether a viewer (None: a bystander) may see another seat's cards; by default they lie open."""
        return True

    def gestures(self, before: Round, after: Round, step: Step) -> Iterable[Gesture]:
        """What the dealer's hands do besides, once this step has been answered."""
        return ()

    def open_round(
        self, seats: Iterable[Seat | Mapping[str, Cents]], meters: Mapping[str, Cents] | None = None
    ) -> Round:
        """A round with its opening wagers down and no card dealt; refuses what the rules do not allow."""
        placed = tuple([seat if isinstance(seat, Seat) else Seat(dict(seat)) for seat in seats])
        if not placed:
            raise ImpossibleRound("a round needs at least one seat with a wager")
        for number, seat in enumerate(placed):
            if not seat.wagers:
                raise ImpossibleRound(f"seat {number + 1} has no wager")
            check_wagers(self.terms, seat.wagers, seat.tokes)
        self._check_meters(placed, meters or {})
        return Round(placed, meters=meters or {})

    def awaits(self, r: Round) -> Step | None:
        """The next thing that has to happen, or None when the round is over."""
        return next(self.procedure(r), None)

    def open_decisions(self, r: Round) -> tuple[Decide, ...]:
        """The decisions that stand open together now."""
        decisions = []
        for step in self.procedure(r):
            if not isinstance(step, Decide):
                break
            decisions.append(step)
        return tuple(decisions)

    def settle(self, r: Round) -> tuple[Line, ...]:
        """The lines decided so far. A line once given never changes."""
        return settle(self, r)

    def undecided(self, r: Round) -> bool:
        """Whether any wager still waits for its verdict."""
        return has_undecided(self, r)

    def view(self, r: Round, viewer: int | None = None) -> Round:
        """The round as one seat (None: a bystander) may know it: what it may not see lies face down."""
        seats = tuple(
            seat if number == viewer or self.sees(r, viewer, number) else _cover(seat)
            for number, seat in enumerate(r.seats)
        )
        return Round(seats, r.dealer, r.board, r.meters)

    def least_posted(self, wagers: Iterable[str]) -> Cents | None:
        """The least that may be posted where these wagers win from a meter; None where they do not."""
        meters = {meter for name in wagers for meter in meters_of(self.pays[name].values())}
        known = self.terms.rulebook.meter
        return max((known.get(meter, UNRULED).seed for meter in meters), default=None)

    def most_at_stake(self, wager: str, opened: Cents) -> Cents:
        """The most that a player's choices can bring onto a wager opened with so much."""
        return opened

    def part_cards(self, r: Round, seat: int, wager: str) -> Sequence[tuple[Card, ...]]:
        """The hands a wager lies on, where it lies on hands of its own."""
        return ()

    @property
    def sights(self) -> Sights | None:
        """What its players go by; by default the first sights that one of its wagers declares."""
        return next((sights for judge in self.wagers.values() if (sights := judge.sights)), None)

    @property
    def cloth_words(self) -> str:
        """The line of rules on the cloth: by default the first sentence on how the dealer plays."""
        clause = self.terms.rulebook.clause.get(self.dealer_clause, "")
        return clause.partition(". ")[0].rstrip(".")

    def hand_words(self, r: Round, seat: int) -> Sequence[str]:
        """What the hands on a seat are called, one after the other."""
        return () if self.empty_hand is None else (r.hand(seat, self.empty_hand).words,)

    def dealer_words(self, r: Round) -> str:
        """What the dealer's hand is called once it is complete; nothing before."""
        return "" if self.empty_hand is None else r.hand(DEALER, self.empty_hand).words

    def _check_meters(self, seats: tuple[Seat, ...], meters: Mapping[str, Cents]) -> None:
        for name, needed in self._meters.items():
            if any(seat.has(name) for seat in seats):
                for meter in needed:
                    if type(meters.get(meter)) is not int or meters[meter] < 0:
                        raise ImpossibleRound(f"the {meter} has to be posted in cents when the round begins")

    def _price(self, judge: Wager) -> Mapping[str, Pay]:
        table = self.terms.pay_table(judge.paid_by or judge.name)
        try:
            pays = judge.pays(table)
            # A bonus that no outcome earns is left out with its row, so that a sign lists what can happen
            return {row: pay for row, pay in pays.items() if row in judge.outcomes or row in table.pays}
        except KeyError as missing:
            trouble = f"the rules file of {judge.name} asks for {missing}, which is not there"
            raise RulebookError(self.terms.rulebook.file, self._pay_key(judge), trouble) from None

    def _pay_key(self, judge: Wager) -> str:
        payer = judge.paid_by or judge.name
        return dotted("pay_table", payer, self.terms.pay_tables[payer])

    def _check_names(self, judges: Sequence[Wager]) -> None:
        """Every wager of the rulebook has one class that judges it, and every class a wager."""
        book = self.terms.rulebook
        for name in dict.fromkeys((*book.wager, *(judge.name for judge in judges))):
            kinds = [type(judge).__name__ for judge in judges if judge.name == name]
            if name not in book.wager:
                trouble = f"the class {kinds[0]} judges a wager that the rulebook does not have"
            elif not kinds:
                trouble = f"no rules file judges this wager; they judge {', '.join(judge.name for judge in judges)}"
            elif len(kinds) > 1:
                trouble = f"{' and '.join(kinds)} both judge this wager"
            else:
                continue
            raise RulebookError(book.file, dotted("wager", name), trouble)

    def _check_pays(self) -> None:
        book = self.terms.rulebook
        for judge in self.wagers.values():
            faults = [RulebookError(book.file, where, trouble) for where, trouble in self._pay_troubles(judge)]
            if faults:
                raise RulebookError(book.file, faults[0].key, faults[0].trouble, faults[1:])

    def _pay_troubles(self, judge: Wager) -> Iterator[tuple[str, str]]:
        """Rows that cannot happen, and outcomes without a row: each with its key."""
        name, table = judge.name, self.terms.pay_table(judge.paid_by or judge.name)
        for bonus in table.bonus:
            if not any(outcome.endswith(f" + {bonus}") for outcome in judge.outcomes):
                yield f"{self._pay_key(judge)}.{dotted('bonus', bonus)}", f"no outcome of {name} earns this bonus"
        if judge.paid_by is None:
            for extra in sorted(self.pays[name].keys() - judge.outcomes):
                yield f"{self._pay_key(judge)}.{dotted('pays', extra)}", f"the outcome {extra!r} cannot happen"
        missing = {outcome.rpartition(" + ")[2] for outcome in judge.outcomes - self.pays[name].keys()}
        for outcome in sorted(missing):
            yield self._pay_key(judge), f"no pay for the outcome {outcome!r} of {name}"


def _cover(seat: Seat) -> Seat:
    hidden = tuple(FACE_DOWN if isinstance(face, Card) else face for face in seat.cards)
    return Seat(seat.wagers, hidden, seat.choices, seat.tokes)
