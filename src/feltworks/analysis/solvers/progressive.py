"""Solves a wager on a progressive jackpot: its fixed awards, and the jackpot for any number of seats in action.

The return of such a wager is linear in the amount posted, so every outcome is stored as its net with an empty
jackpot and its share of the jackpot. Shares are exact, before rounding to the cent (M.1). The seats of a round
are dealt from one deck: winners at several seats are counted by winning hand, and the game's own settlement
divides the jackpot among them (SP.14).

The growth of a jackpot and its backups, under either way of recovering the seed (SP.15–18), is an exact
expectation per round. Two things are left to simulation: a day on which the tray paid more than the box holds
adds zero instead of a negative amount (SP.16), so real growth is a little faster; and wins from the jackpot are
counted separately from the additions to it.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, factorial, prod

from msgspec import Struct

from feltworks.analysis.figures import Figures, Outcome
from feltworks.analysis.solvers.showdown.solver import showdown
from feltworks.analysis.solvers.showdown.spot import NoShowdown
from feltworks.analysis.strategy.file import Cards
from feltworks.cards import Shoe
from feltworks.errors import FeltError, UnknownName
from feltworks.money import Cents
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.jackpot import BACKUP, JACKPOT, SECOND_BACKUP, SEED, Pot, PouringRules, pour
from feltworks.rules.pay_table import Rest, Share, meters_of
from feltworks.rules.round import FACE_DOWN, Round, Seat
from feltworks.rules.rulebook.model import UNRULED, MeterEntry
from feltworks.rules.steps import Draw
from feltworks.rules.wager import Line

Winners = tuple[int, ...]  # by winning hand: the number of seats that hold it


class Prize(Struct, frozen=True):
    """One outcome: its net in cents with an empty jackpot, and its share of a posted one."""

    outcome: str
    probability: Fraction
    without: Fraction
    share: Fraction = Fraction(0)
    from_tray: Cents = 0

    @property
    def loses(self) -> bool:
        return not self.share and not self.from_tray


class Progressive:
    """The exact figures of a wager on a jackpot, for a seat among one or more in action.

    >>> from feltworks import catalog
    >>> gran = Progressive(catalog.game("spanish-poker"))
    >>> gran.rounds_between("cincos"), gran.rounds_between("royal flush")
    (Fraction(374699, 5), Fraction(374699, 12))
    """

    def __init__(self, game: Game, *, wager: str = "", shoe: Shoe | None = None) -> None:
        self.game, self.shoe = game, shoe or game.terms.shoe
        fed = {name: meters_of(pays.values()) for name, pays in game.pays.items()}
        known = [name for name, meters in fed.items() if meters]
        self.wager = wager or next(iter(known), wager)
        if self.wager not in known:
            raise UnknownName("progressive wager", wager, known, of=game.terms.rulebook.title)
        (self.meter,) = fed[self.wager]
        self.rules = game.terms.rulebook.meter.get(self.meter, UNRULED)
        self.stake = game.terms.rulebook.wager[self.wager].least
        self._empty = {self.meter: 0}
        self._prizes: dict[int, tuple[Prize, ...]] = {}
        self._chances: dict[Winners, Fraction] = {}
        self._count_hands()

    def prizes(self, seats: int = 1) -> tuple[Prize, ...]:
        """The outcomes for one of so many seats with this wager."""
        if seats not in self._prizes:
            self._prizes[seats] = (*self._own, *self._jackpot_prizes(seats))
        return self._prizes[seats]

    def winners(self, seats: int) -> dict[Winners, Fraction]:
        """The joint law of the numbers of seats with each winning hand, from their binomial moments."""
        if seats < 1 or (seats + 1) * self._size > self.shoe.total:
            most = self.shoe.total // self._size - 1
            raise FeltError(f"{seats} seats cannot be dealt; {self.shoe.total} cards serve 1 to {most}")
        numbers = [w for w in product(range(seats + 1), repeat=len(self._hands)) if sum(w) <= seats]
        moments = {w: self._chance(w) * _seatings(seats, w) for w in numbers if self._chance(w)}
        return {
            winners: sum((_inversion(winners, more) * moment for more, moment in moments.items()), Fraction(0))
            for winners in moments
        }

    def figures(self, jackpot: Cents, seats: int = 1) -> Figures:
        """The figures of the wager at this jackpot."""
        rows = [(prize, prize.without + prize.share * jackpot) for prize in self.prizes(seats)]
        return Figures.of(Outcome(prize.outcome, prize.probability, net / self.stake) for prize, net in rows)

    @cached_property
    def fixed_return(self) -> Fraction:
        """The return of the awards from the tray per money wagered, with stakes if they are returned."""
        fixed = [prize for prize in self._own if prize.from_tray]
        return sum((p.probability * (p.without + self.stake) for p in fixed), Fraction(0)) / self.stake

    def jackpot_share(self, seats: int = 1) -> Fraction:
        """The average part of the jackpot that a wager wins."""
        return sum((prize.probability * prize.share for prize in self.prizes(seats)), Fraction(0))

    def expected_return(self, jackpot: Cents, seats: int = 1) -> Fraction:
        """The return per money wagered: a constant plus an amount for every cent posted."""
        return 1 + self.figures(jackpot, seats).expectation

    def break_even(self, seats: int = 1) -> Fraction:
        """The jackpot, in cents, at which the wager's expectation is zero."""
        without = sum((prize.probability * prize.without for prize in self.prizes(seats)), Fraction(0))
        share = self.jackpot_share(seats)
        if not share:
            raise FeltError(f"no hand that wins from the {self.meter} can be dealt from these cards")
        return -without / share

    def rounds_between(self, hand: str, seats: int = 1) -> Fraction:
        """The average number of rounds between rounds in which some seat holds this winning hand."""
        if hand not in self.winning_hands:
            raise UnknownName(f"hand that wins from the {self.meter}", hand, self.winning_hands)
        place = self.winning_hands.index(hand)
        hit = sum((chance for winners, chance in self.winners(seats).items() if winners[place]), Fraction(0))
        return 1 / hit

    def _count_hands(self) -> None:
        """Count the outcomes without a jackpot share, and list the hands that win from the jackpot."""
        alone = showdown(self.game, wagers={self.wager: self.stake}, shoe=self.shoe, meters=self._empty)
        self._size, total, left = alone.classes.size, alone.total, alone.total
        own: dict[str, Prize] = {}
        self._hands: dict[str, list[Cards]] = {}
        for lines, rows in alone.results_by_hand_alone():
            if not lines:
                continue
            ((_, outcome, net, _),) = lines  # a single wager has one line
            pay = self.game.pays[self.wager][outcome]
            left -= int(alone.classes.hands[rows].sum())
            if isinstance(pay, Share | Rest):
                winning = [hand for row in rows.tolist() for hand in sorted(alone.classes.faces_of(row))]
                self._hands.setdefault(outcome, []).extend(winning)
                continue
            before = own[outcome].probability if outcome in own else 0
            probability = before + Fraction(int(alone.classes.hands[rows].sum()), total)
            own[outcome] = Prize(outcome, probability, net, from_tray=getattr(pay, "cents", 0))
        if left:
            raise NoShowdown(f"{self.wager} is not decided by the player's own cards alone")
        self._own, self.winning_hands = tuple(own.values()), tuple(self._hands)

    def _chance(self, winners: Winners) -> Fraction:
        """The probability that given seats hold given kinds of winning hands."""
        if winners not in self._chances:
            ways = sum(weight for weight, _ in self._families(winners))
            deals = [comb(self.shoe.total - self._size * seat, self._size) for seat in range(sum(winners))]
            self._chances[winners] = Fraction(ways, prod(deals))
        return self._chances[winners]

    def _families(self, winners: Winners) -> Iterator[tuple[int, list[Cards]]]:
        """Disjoint winning hands, so many of each kind, with the number of ways to deal them to given seats."""
        kinds = list(self._hands.values())

        def grow(kind: int, first: int, left: int, shoe: Shoe) -> Iterator[tuple[int, list[Cards]]]:
            while not left:
                kind, first = kind + 1, 0
                if kind == len(kinds):
                    yield 1, []
                    return
                left = winners[kind]
            for place in range(first, len(kinds[kind])):
                hand = kinds[kind][place]
                if ways := _ways(hand, shoe):
                    for others, hands in grow(kind, place, left - 1, shoe.without(hand)):
                        yield ways * others, [hand, *hands]

        orders = prod(map(factorial, winners))
        for ways, hands in grow(-1, 0, 0, self.shoe):
            yield ways * orders // prod(factorial(hands.count(hand)) for hand in set(hands)), hands

    def _jackpot_prizes(self, seats: int) -> tuple[Prize, ...]:
        """The prizes of a winning seat, settled by the game with all winners at the table."""
        chances: dict[tuple[str, Cents, Fraction], Fraction] = {}
        for winners, chance in self.winners(seats).items():
            _, hands = next(self._families(winners))
            for line in self._settle(hands) if hands else ():
                assert line.award is not None
                key = (line.outcome, line.net, line.award.share or Fraction(0))
                chances[key] = chances.get(key, Fraction(0)) + chance / seats
        return tuple(Prize(outcome, p, Fraction(net), share) for (outcome, net, share), p in chances.items())

    def _settle(self, hands: Sequence[Cards]) -> tuple[Line, ...]:
        r = Round(tuple(Seat({self.wager: self.stake}) for _ in hands), meters=self._empty)
        while (step := self.game.awaits(r)) is not None:
            if not isinstance(step, Draw):
                raise FeltError(f"the {self.wager} wager alone goes on with {step}")
            begin = len(r.at(step.to))
            faces = hands[step.to][begin : begin + step.count] if step.to >= 0 else (FACE_DOWN,) * step.count
            r = advance(r, step, faces)
        return self.game.settle(r)


def _ways(hand: Cards, shoe: Shoe) -> int:
    """The number of ways to draw this hand from the shoe."""
    return prod(comb(shoe[face], hand.count(face)) for face in set(hand))


def _seatings(seats: int, winners: Winners) -> int:
    """The number of ways to place the winners among the seats."""
    losers = seats - sum(winners)
    return factorial(seats) // (factorial(losers) * prod(map(factorial, winners)))


def _inversion(exactly: Winners, at_least: Winners) -> int:
    """The coefficient that turns binomial moments into probabilities of exact numbers."""
    return prod((-1) ** ((a + b) % 2) * comb(b, a) for a, b in zip(exactly, at_least, strict=True))


class Fund(Struct, frozen=True):
    """The balances in cents: the recovered seed, the posted jackpot, and its backups."""

    recovered: Fraction
    primary: Fraction
    backup: Fraction = Fraction(0)
    second_backup: Fraction = Fraction(0)


class Growth(Struct, frozen=True):
    """The average amounts of a round, in cents; `fee` is the allowed part of what is left in the box."""

    box: Fraction  # losing wagers
    tray: Fraction  # fixed awards, paid from the box
    won: Fraction  # the part of the jackpot that is won
    rules: MeterEntry  # the rules for the jackpot
    fee: Fraction = Fraction(0)

    @property
    def addition(self) -> Fraction:
        """SP.16: losing wagers less the day's awards and less the fee."""
        return (self.box - self.tray) * (1 - self.fee)

    @property
    def balance(self) -> Fraction:
        """The jackpot, in cents, at which average wins equal average additions."""
        return self.addition / self.won

    def fund(
        self, rounds: int, *, seed: Cents | None = None, recovery: Fraction = Fraction(1), backups: int = 2
    ) -> Fund:
        """The balances after so many rounds without a win from the jackpot.

        SP.17: the part `recovery` of each addition goes back to the house until the seed is recovered; all of
        it unless the house chose a smaller part.
        """
        added, begun = self.addition * rounds, Fraction(self.rules.seed if seed is None else seed)
        held: dict[Pot, Fraction] = {SEED: begun, JACKPOT: begun}
        rules = PouringRules(self.rules.backups, backups, recovery)
        poured = pour(added, held, 0, rules)
        lying = (held.get(pot, 0) + poured.total(pot) for pot in (JACKPOT, BACKUP, SECOND_BACKUP))
        return Fund(Fraction(poured.total(SEED)), *map(Fraction, lying))


def growth(progressive: Progressive, *, seats: int = 1, fee: Fraction = Fraction(0)) -> Growth:
    """The growth of a jackpot with so many seats in action every round.

    >>> from feltworks import catalog
    >>> grows = growth(Progressive(catalog.game("spanish-poker")))
    >>> grows.addition * 1000
    Fraction(21072000000, 374699)
    """
    prizes = progressive.prizes(seats)
    lost = sum((prize.probability for prize in prizes if prize.loses), Fraction(0))
    awarded = sum((prize.probability * prize.from_tray for prize in prizes), Fraction(0))
    won = progressive.jackpot_share(seats)
    return Growth(lost * progressive.stake * seats, awarded * seats, won * seats, progressive.rules, fee)


JACKPOTS: tuple[Cents, ...] = (500_00, 1_000_00, 2_500_00, 5_000_00, 10_000_00, 20_000_00, 30_000_00, 50_000_00)
ROUNDS = (100, 250, 500, 1_000, 2_500, 10_000, 100_000, 1_000_000)
# SP.17: all of the seed first, or a share of each addition, here half
POLICIES = {"all of the seed first": Fraction(1), "half of each addition": Fraction(1, 2)}


class Outlook(Struct, frozen=True):
    """The figures of a jackpot wager for so many seats; its return is `constant` + `per_cent` · jackpot."""

    seats: int
    constant: Fraction
    per_cent: Fraction
    rounds_between: dict[str, Fraction]  # by award, for one wager
    rounds_at_table: dict[str, Fraction]  # by winning hand, for any seat at the table
    grows: Growth

    def expected_return(self, jackpot: Cents) -> Fraction:
        """The return per money wagered with this jackpot."""
        return self.constant + self.per_cent * jackpot

    def funds(self, recovery: Fraction) -> Iterator[tuple[int, Fund]]:
        """The balances after so many rounds without a win from the jackpot."""
        for rounds in ROUNDS:
            yield rounds, self.grows.fund(rounds, recovery=recovery)


def outlook(progressive: Progressive, seats: int = 1) -> Outlook:
    """The figures of one jackpot wager.

    >>> from feltworks import catalog
    >>> gran = outlook(Progressive(catalog.game("spanish-poker")))
    >>> gran.constant, gran.per_cent, gran.rounds_between["straight flush"]
    (Fraction(163979, 374699), Fraction(2, 9367475), Fraction(374699, 50))
    """
    at_table = {hand: progressive.rounds_between(hand, seats) for hand in progressive.winning_hands}
    return Outlook(
        seats,
        progressive.expected_return(0, seats),
        progressive.jackpot_share(seats) / progressive.stake,
        {prize.outcome: 1 / prize.probability for prize in progressive.prizes() if not prize.loses},
        at_table,
        growth(progressive, seats=seats),
    )
