"""The base class of games: how a game is dealt, what judges its wagers, and who sees what."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic

from feltworks.cards import Card
from feltworks.errors import ImpossibleRound, RulebookError
from feltworks.hands.hand import Hand
from feltworks.hands.spot import Spot
from feltworks.money import Cents, Odds
from feltworks.rules.pay_table import Pay, Price, meters_of, price
from feltworks.rules.round import DEALER, FACE_DOWN, HandOf, Round, Seat
from feltworks.rules.rulebook.model import UNRULED
from feltworks.rules.rulebook.toml import dotted
from feltworks.rules.settlement import has_undecided, settle
from feltworks.rules.sights import Sights
from feltworks.rules.steps import Decide, Gesture, Step
from feltworks.rules.terms import Terms, check_wagers
from feltworks.rules.wager import Line, S, Wager, WrittenForm


class Game(ABC, Generic[S]):
    """A table's rules: the base game's procedure, its own wagers, and the bonus wagers played with it.

    A new game defines `wagers`, `procedure` and `standing`; everything else has a default.
    """

    wager_types: ClassVar[tuple[type[Wager], ...]]
    written: ClassVar[WrittenForm] = WrittenForm()  # the field names of its finished rounds

    # Declared for analyses, charts and papers, which must not name a game
    least_cards: ClassVar[int] = 1  # for a round with one seat
    is_short: ClassVar[bool] = False  # whether a whole round is counted fast enough for analyses to repeat it
    has_spots: ClassVar[bool] = False  # whether hands are hit, doubled and split, with bonus wagers on the same spot
    dealer_clause: ClassVar[str] = ""  # the clause on the dealer's play
    bonus_hand: ClassVar[HandOf[Any] | None] = None  # the cards of bonus wagers that name no hand of their own
    spot: Spot | None = None  # the spot before its first card, if hands are hit, doubled and split
    empty_hand: Hand | None = None  # the hand of seats and dealer before its first card, if the game names hands

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
        """The pay of every outcome of every wager; replace it as a whole, so that prices are computed again."""
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
        """Read the felt from the first card on, and yield the steps still missing in the dealer's order.

        Yield all open decisions together; stop when the next step depends on an answer that is still
        missing.
        """

    @abstractmethod
    def standing(self, r: Round, seat: int) -> S:
        """The facts that judge this seat's wagers."""

    def sees(self, r: Round, viewer: int | None, owner: int) -> bool:
        """Whether a viewer (None: a bystander) may see another seat's cards; by default everybody may."""
        return True

    def gestures(self, before: Round, after: Round, step: Step) -> Iterable[Gesture]:
        """The dealer's gestures after this step has been answered."""
        return ()

    def open_round(
        self, seats: Iterable[Seat | Mapping[str, Cents]], meters: Mapping[str, Cents] | None = None
    ) -> Round:
        """A round with its opening wagers and no card dealt; refuses wagers that the rules do not allow."""
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
        """The next step, or None when the round is over."""
        return next(self.procedure(r), None)

    def open_decisions(self, r: Round) -> tuple[Decide, ...]:
        """All decisions that are open now."""
        decisions = []
        for step in self.procedure(r):
            if not isinstance(step, Decide):
                break
            decisions.append(step)
        return tuple(decisions)

    def settle(self, r: Round) -> tuple[Line, ...]:
        """The lines decided so far. A line never changes once it is given."""
        return settle(self, r)

    def undecided(self, r: Round) -> bool:
        """Whether any wager still has no verdict."""
        return has_undecided(self, r)

    def view(self, r: Round, viewer: int | None = None) -> Round:
        """The round as one seat (None: a bystander) may see it: all other cards lie face down."""
        seats = tuple(
            seat if number == viewer or self.sees(r, viewer, number) else _cover(seat)
            for number, seat in enumerate(r.seats)
        )
        return Round(seats, r.dealer, r.board, r.meters)

    def least_posted(self, wagers: Iterable[str]) -> Cents | None:
        """The least that may be posted on the meters of these wagers; None if they win from no meter."""
        meters = {meter for name in wagers for meter in meters_of(self.pays[name].values())}
        known = self.terms.rulebook.meter
        return max((known.get(meter, UNRULED).seed for meter in meters), default=None)

    def most_at_stake(self, wager: str, opened: Cents) -> Cents:
        """The most money that a player's choices can bring onto a wager opened with this amount."""
        return opened

    def part_cards(self, r: Round, seat: int, wager: str) -> Sequence[tuple[Card, ...]]:
        """The cards of each hand, for a wager that lies on hands of its own."""
        return ()

    @property
    def sights(self) -> Sights | None:
        """The facts its players decide by; by default the first sights that one of its wagers declares."""
        return next((sights for judge in self.wagers.values() if (sights := judge.sights)), None)

    @property
    def cloth_words(self) -> str:
        """The rule printed on the cloth: by default the first sentence on how the dealer plays."""
        clause = self.terms.rulebook.clause.get(self.dealer_clause, "")
        return clause.partition(". ")[0].rstrip(".")

    def hand_words(self, r: Round, seat: int) -> Sequence[str]:
        """The name of each hand on a seat."""
        return () if self.empty_hand is None else (r.hand(seat, self.empty_hand).words,)

    def dealer_words(self, r: Round) -> str:
        """The name of the dealer's hand once it is complete; empty before."""
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
            # Drop a bonus that no outcome earns together with its row: signs list only what can happen
            return {row: pay for row, pay in pays.items() if row in judge.outcomes or row in table.pays}
        except KeyError as missing:
            trouble = f"the rules file of {judge.name} asks for {missing}, which is not there"
            raise RulebookError(self.terms.rulebook.file, self._pay_key(judge), trouble) from None

    def _pay_key(self, judge: Wager) -> str:
        payer = judge.paid_by or judge.name
        return dotted("pay_table", payer, self.terms.pay_tables[payer])

    def _check_names(self, judges: Sequence[Wager]) -> None:
        """Check that every wager of the rulebook has a class that judges it, and every class a wager."""
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
        """Rows that cannot happen, and outcomes without a row, each with its key."""
        name, table = judge.name, self.terms.pay_table(judge.paid_by or judge.name)
        for bonus in table.bonus:
            if not any(outcome.endswith(f" + {bonus}") for outcome in judge.outcomes):
                yield f"{self._pay_key(judge)}.{dotted('bonus', bonus)}", f"no outcome of {name} earns this bonus"
        if judge.paid_by is None:
            for extra in sorted(self.pays[name].keys() - judge.outcomes):
                yield f"{self._pay_key(judge)}.{dotted('pays', extra)}", f"the outcome {extra!r} cannot happen"
        missing = (outcome.rpartition(" + ") for outcome in judge.outcomes - self.pays[name].keys())
        for outcome in sorted({base if plus and base not in table.pays else row for base, plus, row in missing}):
            yield self._pay_key(judge), f"no pay for the outcome {outcome!r} of {name}"


def _cover(seat: Seat) -> Seat:
    hidden = tuple(FACE_DOWN if isinstance(face, Card) else face for face in seat.cards)
    return Seat(seat.wagers, hidden, seat.choices, seat.tokes)
