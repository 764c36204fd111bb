"""The hourly cost of dealer errors, the remedy for each risk, and what the player still wins after it."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil
from typing import Any, Final, Literal

from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.analyze import analyze
from feltworks.analysis.design.drafts import Drafts
from feltworks.analysis.question import Question, parse_question
from feltworks.analysis.shape import is_played_by_hand, waits_for_dealer
from feltworks.errors import FeltError
from feltworks.machine.compiler import Floats, Ints
from feltworks.money import Cents, Odds, dollars
from feltworks.protection.compositions import DealersEdge, ExactEdge, edges_at, exact_form
from feltworks.protection.counting import Count, CountTerms, best_gain, count_kernel, find_compositions
from feltworks.protection.knowledge import DEALER, HIT, NEXT, Terms, Worth, words_of
from feltworks.simulation.plan import Plan

WORTH_WHILE: Final[Cents] = 1_000  # a reading: an advantage player does not work for less than this per hour
_LINES: Final = 2  # listed for each wager: the lines whose error costs most
_DEPTHS: Final = (1 / 2, 2 / 3, 3 / 4, 4 / 5, 5 / 6, 9 / 10)  # parts of a shoe before the cut card
_COMPOSITIONS: Final = 3_000
_BOARD: Final = "The board is dealt face down and not touched before its turn."
_STOPS: Final = {
    DEALER: "The dealer's cards are slid, never lifted, until all have acted.",
    HIT: "The hit card stays in the shuffler or under a card until it is turned.",
    NEXT: "The next card stays in the shoe, whose mouth is covered.",
    "board:first": _BOARD,
    "board:last": _BOARD,
}
_HANDS: Final = "Hands are not shown to neighbours before all have acted."
Kind = Literal["none", "hide", "cut card", "cap", "shuffle", "entry", "pay", "table"]


class Remedy(Struct, frozen=True):
    """A risk and its remedy, with what the player wins before and after, in cents per hour."""

    risk: str
    remedy: str
    wager: str
    kind: Kind
    before: Cents
    after: Cents
    after_cut: Cents  # if the cut card is also moved to where it stops the same risk
    sees: str = ""  # what is known, if that is the risk


def hide(wager: str, title: str, sees: str, worth: Worth, terms: Terms) -> Iterator[Remedy]:
    """The procedure that hides a card, if knowing it wins the player enough per hour."""
    won, lost = terms.per_hour(float(worth.edge)), terms.per_hour(float(worth.baseline))
    if won >= WORTH_WHILE:
        risk = f"{title}, {words_of(sees)}: the player wins {dollars(won)} an hour"
        yield Remedy(risk, _STOPS.get(sees, _HANDS), wager, "hide", won, lost, lost, sees)


class CountStudy:
    """The gain from a count at other cut cards and pays, from the edges at compositions of deeply dealt shoes.

    The rounds before an early cut card are the first rounds of a shoe that is dealt deeper, so one sample serves
    every cut card. Each cut card uses its best trigger.
    """

    def __init__(self, name: str, question: Question, counted: Count, plan: Plan, terms: Terms) -> None:
        self._name, self._question, self._counted, self._terms = name, question, counted, terms
        self.total = question.game.terms.shoe.total
        deepest = max(question.game.least_cards, min(counted.cut_card, round(self.total * (1 - _DEPTHS[-1]))))
        kernel = count_kernel(plan, counted.tags, deepest)
        count_terms = CountTerms(compositions=_COMPOSITIONS, cut_card=deepest, seed=terms.seed)
        self._compositions, _ = find_compositions(kernel, count_terms)
        self._behind: Ints = self._compositions.left.sum(axis=1) - kernel.burned  # as each round begins
        self._counts = self._compositions.true_counts(counted.tags)
        self._edges = edges_at(question, counted.removal, self._compositions).fixed
        self._least = deepest

    def gain(self, behind: int, edges: Floats | None = None) -> float:
        """The gain per round with `behind` cards behind the cut card."""
        rows = self._behind > behind
        return best_gain((self._edges if edges is None else edges)[rows], self._counts[rows])

    def rows(self) -> list[tuple[int, float]]:
        """By cards behind the cut card: the gain per 100 rounds."""
        behind = [self.total - round(self.total * part) for part in _DEPTHS]
        return [(cards, 100 * self.gain(cards)) for cards in behind if cards >= self._least]

    def remedies(self) -> list[Remedy]:
        """The remedies against the count; a single one that says nothing is needed if it wins too little."""
        counted, terms = self._counted, self._terms
        won = max(terms.per_hour(counted.per_100 / 100), 0)
        risk = f"{title_of(self._question)}, counting: the player wins {dollars(won)} an hour"
        if won < WORTH_WHILE:
            words = "Nothing: it is not worth while at this limit."
            return [Remedy(risk, words, self._question.wager, "none", won, won, won)]
        cap = int(WORTH_WHILE / counted.per_100 / terms.rounds_an_hour) * 100  # in whole dollars
        capped = round(counted.per_100 / 100 * cap * terms.rounds_an_hour)
        every = terms.per_hour(float(counted.removal.edge))
        entry = f"No wager that begins mid-shoe: one who wagers every round makes {dollars(every)}."
        found: list[tuple[Kind, str, Cents, Cents]] = [
            ("cap", f"A cap of {dollars(cap)} on the wager.", capped, capped),
            ("shuffle", "A shuffle after every round.", max(every, 0), max(every, 0)),
            ("entry", entry, every, every),
            *self._pay_change(),
            *self._other_tables(),
        ]
        if self._cut is not None:
            left = self._hourly(self._cut)
            found.insert(0, ("cut card", f"At least {self._cut} cards behind the cut card.", left, left))
        wager = self._question.wager
        return [Remedy(risk, words, wager, kind, won, after, cut) for kind, words, after, cut in found]

    def _hourly(self, behind: int, edges: Floats | None = None) -> Cents:
        return self._terms.per_hour(self.gain(behind, edges))

    @cached_property
    def _cut(self) -> int | None:
        """The fewest cards behind the cut card that make the count not worth while."""
        every = range(self._counted.cut_card, self.total - self._least)
        return next((behind for behind in every if self._hourly(behind) < WORTH_WHILE), None)

    def _both(self, edges: Floats) -> tuple[Cents, Cents]:
        """The hourly gain under other edges, at the table's cut card and at the one that stops the count."""
        here = self._hourly(self._counted.cut_card, edges)
        return here, here if self._cut is None else self._hourly(self._cut, edges)

    def _pay_change(self) -> Iterator[tuple[Kind, str, Cents, Cents]]:
        """The single pay change that stops the count and costs a player of every round least."""
        form = exact_form(self._question)
        changes: list[tuple[float, str, Floats]] = []
        for row, paid, slope, whole in self._rows(form) if form else ():
            units = self._highest_pay(paid, slope)
            if units is not None:
                less = float(paid - units)
                words = f"{row} pays {units} to 1 instead of {Odds.of(paid)}: the house edge rises by"
                changes.append((less * whole, words, self._edges - less * slope))
        if changes:
            cost, words, edges = min(changes, key=lambda one: one[0])
            here, cut = self._both(edges)
            yield "pay", f"{words} {100 * cost:.2f} points.", here, cut

    def _rows(self, form: ExactEdge | DealersEdge) -> Iterator[tuple[str, Fraction, Floats, float]]:
        """Rows that win, their pays, and the value of one more unit at each composition and in a full shoe."""
        try:
            drafts = Drafts(self._question)
        except FeltError:  # such as a prize in dollars
            return
        for row in drafts.rows:
            slopes = drafts.slopes(row)
            whole = float(form.slope(self._compositions.whole_shoe, slopes)[0])
            yield row, drafts.pays[row], form.slope(self._compositions, slopes), whole

    def _highest_pay(self, pay: Fraction, slope: Floats) -> int | None:
        """The highest whole pay of a row that makes the count not worth while; None if there is none."""

        def hourly(units: int) -> Cents:
            return self._hourly(self._counted.cut_card, self._edges - float(pay - units) * slope)

        too_high = bisect_left(range(ceil(pay)), WORTH_WHILE, key=hourly)
        return too_high - 1 if too_high else None

    def _other_tables(self) -> Iterator[tuple[Kind, str, Cents, Cents]]:
        """The gain from the count under the other pay tables."""
        terms, question = self._terms, self._question
        tables = question.game.terms.rulebook.pay_table.get(question.wager, ())
        for table in tables:
            if table == question.game.terms.pay_tables.get(question.wager):
                continue
            other = parse_question(self._name, question.wager, pay_table=table, decks=terms.decks, chosen=terms.chosen)
            here, cut = self._both(edges_at(other, self._counted.removal, self._compositions).fixed)
            yield "table", f"Pay table {table}: the same count makes {dollars(here)} an hour.", here, cut


def title_of(question: Question) -> str:
    """The title of the wager in the rulebook."""
    return question.game.terms.rulebook.wager[question.wager].title


class Slip(Struct, frozen=True):
    """A dealer error, its hourly cost if it is made every time, and its remedy."""

    wager: str
    error: str
    per_hour: Cents
    remedy: str


def slips(name: str, question: Question, limit: Cents, rounds: int) -> list[Slip]:
    """The dealer errors that can be made with a wager, the most expensive first."""
    hourly = limit * rounds
    found = [_known_order(question, hourly), *_missed_limit(name, question, limit, hourly)]
    if not is_played_by_hand(question.game, question.wager) or waits_for_dealer(question.game, question.wager):
        found += _wrong_lines(question, hourly)  # outcomes of split hands are not pay table lines
    return sorted(found, key=lambda slip: -slip.per_hour)


def _wrong_lines(question: Question, hourly: int) -> list[Slip]:
    """The errors of paying a line as the one above it."""
    outcomes: Sequence[Any] = analyze(question).figures.outcomes
    paid = sorted((line for line in outcomes if line.net >= 0), key=lambda line: (line.net, line.probability))
    found: list[Slip] = []
    for line, above in pairwise(paid):
        cost = round(Fraction(line.probability) * Fraction(above.net - line.net) * hourly)
        error = f"{line.name} paid as {above.name}"
        if cost > 0:
            found.append(Slip(question.wager, error, cost, "A supervisor confirms the line before it is paid."))
    return sorted(found, key=lambda slip: -slip.per_hour)[:_LINES]


def _missed_limit(name: str, question: Question, limit: Cents, hourly: int) -> Iterator[Slip]:
    """The error of accepting a follow-up wager above the limit that caps it."""
    terms = question.game.terms
    entries = terms.rulebook.wager.values()
    follower = next((one for one in entries if one.of == question.wager and one.up_to and one.factor > 1), None)
    if follower is None or not limit or limit % terms.breakage.chip:
        return
    capped = catalog.game(name, options=terms.options, pay_tables=terms.pay_tables, limit=limit)
    held = analyze(Question(capped, question.wager, opened=limit)).figures.house_edge
    cost = round(Fraction(held - analyze(question).figures.house_edge) * hourly)
    if cost > 0:
        error = f"{follower.title} accepted above the limit of {dollars(limit)}"
        yield Slip(question.wager, error, cost, "The dealer counts down what is added and returns what is above it.")


def _known_order(question: Question, hourly: int) -> Slip:
    """The error of a predictable shuffle: the player wagers only on rounds that are known to win."""
    outcomes: Sequence[Any] = analyze(question).figures.outcomes
    won = sum(Fraction(line.probability) * Fraction(line.net) for line in outcomes if line.net > 0)
    error = "cards not shuffled, or always in the same way: at least what the known winners bring"
    remedy = "Every shuffle is random: by machine, or watched by a second person."
    return Slip(question.wager, error, round(won * hourly), remedy)
