"""A wager judges the facts and names an outcome; the rulebook's pay table alone turns that into money."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from feltworks.money import Cents
from feltworks.rules.form import Amount
from feltworks.rules.pay_table import Award, Pay
from feltworks.rules.round import HandOf, Round
from feltworks.rules.rulebook.model import PayTable
from feltworks.rules.sights import Sights
from feltworks.rules.steps import Offer
from feltworks.rules.terms import Terms

if TYPE_CHECKING:  # so that `Game` and `Wager` alone mean one of any standing
    from typing_extensions import TypeVar as TypeVarWithDefault

    S = TypeVarWithDefault("S", default=Any)
else:
    S = TypeVar("S")
T = TypeVar("T")
W = TypeVar("W")


class Deal(Struct, frozen=True):
    """Groups of cards dealt one after the other, without order within a group.

    >>> Deal((2, 1), "two cards, without order, and a third").ways(52)
    66300
    """

    groups: tuple[int, ...]
    words: str  # what one of the ways is

    def ways(self, cards: int) -> int:
        """In how many equally likely ways a shoe of so many cards deals them."""
        total = 1
        for size in self.groups:
            total *= comb(cards, size)
            cards -= size
        return total


class Own(Struct, Generic[T, W], frozen=True, gc=False):
    """What a wager with a hand of its own is judged by: the game's standing, and that hand."""

    table: T
    hand: W


class Verdict(Struct, frozen=True, gc=False):
    """How a wager came out, why, and by which clauses: the deciding one first.

    Of a wager with a hand of its own the reason may name that hand's cards by their numbers, "{0} and {1}":
    a hand need not keep what only a sentence says.
    """

    outcome: str
    because: str
    clauses: tuple[str, ...]


class Part(Struct, frozen=True, gc=False):
    """A wager that lies on several hands is judged hand by hand."""

    name: str
    wagered: Cents
    verdict: Verdict | None


class Line(Struct, frozen=True, gc=False):
    """One settled wager: what was wagered, how it came out, what the player is up, and why."""

    seat: int
    wager: str
    part: str
    wagered: Cents
    outcome: str
    net: Cents
    because: str
    clauses: tuple[str, ...]
    pay: Pay
    said: str  # of the pay, as the end of a sentence
    toke: bool = False
    award: Award | None = None

    @property
    def clause(self) -> str:
        return self.clauses[0]

    @property
    def result(self) -> str:
        """Follows the sign of the net: win, lose or push."""
        return result_of(self.net)

    @property
    def reason(self) -> str:
        """The sentence a floor supervisor would say: what happened and what that pays."""
        because = self.because
        return f"{because[0].upper()}{because[1:]}: {self.said}."


def result_of(net: Cents) -> str:
    """Win, lose or push, by the sign of what the player is up."""
    return "win" if net > 0 else "lose" if net < 0 else "push"


class Wager(ABC, Generic[S]):
    """Main and bonus wagers alike. A subclass names its outcomes and judges a game's standing."""

    name: ClassVar[str]
    outcomes: frozenset[str]
    paid_by: ClassVar[str | None] = None  # the wager whose pay table it follows, if not its own
    tucks_hand: ClassVar[str] = ""  # the clause by which a finished hand is tucked under it
    divides: ClassVar[bool] = False  # whether it lies on several hands and is judged in parts
    # The hand it is judged by, where the game's standing does not tell enough; `judge` then gets an `Own`
    hand: ClassVar[HandOf[Any] | None] = None
    written: ClassVar[Amount | None] = None  # where a finished round names money in answer to what it asks

    # What papers and analyses say of it; the defaults suit most wagers
    decided_by: ClassVar[Deal | None] = None  # the cards that decide it, where they are always as many
    remark: ClassVar[str] = ""  # what a reader of its figures has to know
    assumes: ClassVar[str] = ""  # what its figures take for granted of how the main hand is played
    beside: ClassVar[str] = ""  # the wager for whose sake its hand is played, where both lie on a spot
    sights: ClassVar[Sights | None] = None  # what its player goes by when it asks
    printed_as: ClassVar[str] = "circle"  # the shape of its spot on the cloth

    def __init__(self, terms: Terms) -> None:
        self.terms = terms

    @abstractmethod
    def judge(self, standing: S) -> Verdict | None:
        """The verdict on these facts, or None while the wager is undecided. No money here."""

    @property
    def possible(self) -> frozenset[str]:
        """The outcomes that can come up under this table's options, for a sign to list; by default all."""
        return self.outcomes

    def parts(self, standing: S, wagered: Cents) -> Iterable[Part]:
        """A wager that `divides` says here how it lies on its hands; any other is one part."""
        return (Part("", wagered, self.judge(standing)),)

    def asks(self, moment: str, r: Round, seat: int) -> tuple[Offer, ...]:
        """What a bonus wager offers the player of this seat at one of the base game's named moments."""
        return ()

    def pays(self, table: PayTable) -> Mapping[str, Pay]:
        """The pay of every outcome, from the rows the pay table lists."""
        return table.price(self.terms.options)

    @property
    def keeps_stake(self) -> bool:
        """Whether the house keeps the stake of a winner who is paid a prize instead of odds."""
        return False
