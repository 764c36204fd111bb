"""What a dealer's errors and loose procedure cost an hour: wrong lines, missed limits, cards in a known order."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.analyze import analyze
from feltworks.analysis.question import Question
from feltworks.analysis.shape import is_played_by_hand, waits_for_dealer
from feltworks.money import Cents, dollars

_LINES = 2  # of each wager: those whose error costs most


class Slip(Struct, frozen=True):
    """An error, what it costs an hour where it is made every time, and what stops it."""

    wager: str
    error: str
    per_hour: Cents
    remedy: str

    def document(self) -> dict[str, Any]:
        """The error as JSON has it."""
        return {name: getattr(self, name) for name in self.__struct_fields__}


def slips(name: str, question: Question, limit: Cents, rounds: int) -> list[Slip]:
    """The errors that can be made with a wager of a game, the dearest first."""
    hourly = limit * rounds
    found = [*_known_order(question, hourly), *_missed_limit(name, question, limit, hourly)]
    if not is_played_by_hand(question.game, question.wager) or waits_for_dealer(question.game, question.wager):
        found += _wrong_lines(question, hourly)  # the outcomes of split hands are no lines of a pay table
    return sorted(found, key=lambda slip: -slip.per_hour)


def _wrong_lines(question: Question, hourly: int) -> list[Slip]:
    """A line paid as the one above it."""
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
    """A wager that follows, accepted above the limit that caps it."""
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


def _known_order(question: Question, hourly: int) -> Iterator[Slip]:
    """A shuffle that leaves an order behind: only rounds that are known to win are wagered on."""
    outcomes: Sequence[Any] = analyze(question).figures.outcomes
    won = sum(Fraction(line.probability) * Fraction(line.net) for line in outcomes if line.net > 0)
    error = "cards not shuffled, or always in the same way: at least what the known winners bring"
    yield Slip(
        question.wager, error, round(won * hourly), "Every shuffle is random, by machine or checked by a second pair."
    )
