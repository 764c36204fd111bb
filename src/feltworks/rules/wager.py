"""A wager judges the facts and names an outcome; only the rulebook's pay table turns that into money."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from feltworks.money import Cents
from feltworks.rules.pay_table import Award, Pay
from feltworks.rules.round import HandOf, Round
from feltworks.rules.rulebook.model import PayTable
from feltworks.rules.sights import Sights
from feltworks.rules.steps import Offer
from feltworks.rules.terms import Terms


class OneCard(Struct, frozen=True):
    """A card with a field of its own."""

    name: str


class CardList(Struct, frozen=True):
    """Cards in a list: a fixed number, or as many as were dealt."""

    name: str
    count: int | None = None


CardField = OneCard | CardList


class Amount(Struct, frozen=True):
    """An amount that answers a decision: this many cents under the name is one choice, none is the other."""

    name: str
    choice: str
    otherwise: str


class HandList(Struct, frozen=True):
    """The hands of a seat that may split, each with its cards; words are those of the game's offers."""

    wager: str  # the wager on these hands
    split: str
    more: str  # the choice that takes one more card
    enough: str
    doubled: str
    surrendered: str


class WrittenForm(Struct, frozen=True):
    """The written form of a finished round; by default a list of cards for each place, and choices in order.

    Cards are named in the order in which they lie on the felt.
    """

    dealer: tuple[CardField, ...] = (CardList("cards"),)
    seat: tuple[CardField, ...] = (CardList("cards"),)
    seat_rule: str = ""  # the error for a seat without these cards
    amounts: Mapping[str, Amount] = {}  # by the subject of the decision
    hands: HandList | None = None


if TYPE_CHECKING:  # imported for types only: `Game` and `Wager` without a parameter mean any standing
    from typing_extensions import TypeVar as TypeVarWithDefault

    S = TypeVarWithDefault("S", default=Any)
else:
    S = TypeVar("S")
T = TypeVar("T")
W = TypeVar("W")


class Deal(Struct, frozen=True):
    """Groups of cards dealt in order; within a group the order does not count.

    >>> Deal((2, 1), "two cards, without order, and a third").ways(52)
    66300
    """

    groups: tuple[int, ...]
    words: str  # what one way is

    def ways(self, cards: int) -> int:
        """The number of equally likely ways to deal them from this many cards."""
        total = 1
        for size in self.groups:
            total *= comb(cards, size)
            cards -= size
        return total


class Own(Struct, Generic[T, W], frozen=True, gc=False):
    """The facts that judge a wager with its own hand: the game's standing, and that hand."""

    table: T
    hand: W


class Verdict(Struct, frozen=True, gc=False):
    """The outcome of a wager, the reason, and its clauses, the deciding one first.

    If the wager has its own hand, the reason may name that hand's cards by number, "{0} and {1}", so that
    the hand need not keep cards only for a sentence.
    """

    outcome: str
    because: str
    clauses: tuple[str, ...]


class Part(Struct, frozen=True, gc=False):
    """One hand of a wager that lies on several hands and is judged hand by hand."""

    name: str
    wagered: Cents
    verdict: Verdict | None


class Line(Struct, frozen=True, gc=False):
    """One settled wager: the amount wagered, the outcome, the player's net, and the reason."""

    seat: int
    wager: str
    part: str
    wagered: Cents
    outcome: str
    net: Cents
    because: str
    clauses: tuple[str, ...]
    pay: Pay
    said: str  # the pay, as the end of a sentence
    toke: bool = False
    award: Award | None = None

    @property
    def clause(self) -> str:
        return self.clauses[0]

    @property
    def result(self) -> str:
        """Win, lose or push, by the sign of the net."""
        return result_of(self.net)

    @property
    def reason(self) -> str:
        """The sentence a floor supervisor would say: what happened and what that pays."""
        because = self.because
        return f"{because[0].upper()}{because[1:]}: {self.said}."


def result_of(net: Cents) -> str:
    """Win, lose or push, by the sign of the player's net."""
    return "win" if net > 0 else "lose" if net < 0 else "push"


class Wager(ABC, Generic[S]):
    """The base class of main and bonus wagers. A subclass names its outcomes and judges a game's standing."""

    name: ClassVar[str]
    outcomes: frozenset[str]
    paid_by: ClassVar[str | None] = None  # the wager whose pay table it uses, if not its own
    tucks_hand: ClassVar[str] = ""  # the clause that tucks a finished hand under it
    divides: ClassVar[bool] = False  # whether it lies on several hands and is judged hand by hand
    # The hand that judges it, if the game's standing is not enough; `judge` then receives an `Own`
    hand: ClassVar[HandOf[Any] | None] = None
    written: ClassVar[Amount | None] = None  # the field of a finished round for the amount that answers its decision

    # For papers and analyses; the defaults suit most wagers
    decided_by: ClassVar[Deal | None] = None  # the cards that decide it, if their number is fixed
    remark: ClassVar[str] = ""  # a note for readers of its figures
    assumes: ClassVar[str] = ""  # what its figures assume about the play of the main hand
    beside: ClassVar[str] = ""  # the wager that its hand is played for, if both lie on a spot
    sights: ClassVar[Sights | None] = None  # the facts its player decides by
    printed_as: ClassVar[str] = "circle"  # the shape of its spot on the cloth

    def __init__(self, terms: Terms) -> None:
        self.terms = terms

    @abstractmethod
    def judge(self, standing: S) -> Verdict | None:
        """The verdict on these facts, or None while the wager is undecided. It moves no money."""

    @property
    def possible(self) -> frozenset[str]:
        """The outcomes that can happen under this table's options, as a sign lists them; by default all."""
        return self.outcomes

    def parts(self, standing: S, wagered: Cents) -> Iterable[Part]:
        """Its parts: one for each hand if the wager `divides`, otherwise one."""
        return (Part("", wagered, self.judge(standing)),)

    def asks(self, moment: str, r: Round, seat: int) -> tuple[Offer, ...]:
        """The offers of a bonus wager to the player of this seat, at one of the base game's named moments."""
        return ()

    def pays(self, table: PayTable) -> Mapping[str, Pay]:
        """The pay of every outcome, from the rows of the pay table."""
        return table.price(self.terms.options)

    @property
    def keeps_stake(self) -> bool:
        """Whether the house keeps the stake of a winner who gets a prize instead of odds."""
        return False
