"""One wager of a PAR sheet: its outcomes counted, its figures, its spread, and what it can cost the house."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from msgspec import Struct

from feltworks.analysis.analyze import Answer, Question, analyze
from feltworks.analysis.figures import Figures, Number
from feltworks.analysis.measures import Removal, Volatility, Ways, removal, volatility, ways
from feltworks.analysis.shape import waits_for_dealer
from feltworks.analysis.solvers.shoe_game.rounds import RoundFigures
from feltworks.errors import WagerRefused
from feltworks.house.configuration import WagerCheck, check_table
from feltworks.house.exposure import most_of_a_spot
from feltworks.money import Cents
from feltworks.reports.order import Order
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of

_MOST_ROWS = 40  # outcomes that are listed one by one; more are gathered by what they net


class Row(Struct, frozen=True):
    """One outcome: in how many ways, how likely, what it pays and what it adds to the player's average."""

    name: str
    ways: int | None
    probability: Number
    pays: str
    wagered: Fraction | None  # in all, per unit; None where several amounts stand in one row
    net: Fraction
    contribution: Number
    bar: float  # of the longest contribution


class Beside(Struct, frozen=True):
    """The wager's edge where another stands beside it, or where it is played otherwise."""

    words: str
    house_edge: Number


class Exposure(Struct, frozen=True):
    """What the wager can cost at the legal limit."""

    most: Cents
    follows: dict[str, Cents]  # by title
    top_outcome: str
    top_pays: str
    largest_payout: Cents
    most_of_a_spot: Cents
    from_meter: str  # the jackpot that is won besides, if one is


class WagerSheet(Struct, frozen=True):
    """All that a PAR sheet says of one wager."""

    wager: str
    title: str
    clause: str
    pay_table: str
    tables: int  # how many it has to choose from
    question: Question
    answer: Answer
    rows: tuple[Row, ...]
    ways: Ways | None
    volatility: Volatility
    beside: tuple[Beside, ...]
    exposure: Exposure
    removal: tuple[Removal, ...]
    remarks: tuple[str, ...]

    @property
    def figures(self) -> Figures | RoundFigures:
        return self.answer.figures

    @property
    def shows_wagered(self) -> bool:
        """Whether what stands on the wager differs from row to row: a raise, a Play, a fold."""
        return None not in (wagered := {row.wagered for row in self.rows}) and len(wagered) > 1

    @property
    def all_probability(self) -> Number:
        """The foot of the outcome table: one, or the table is not whole."""
        return sum(row.probability for row in self.rows)

    @property
    def all_contribution(self) -> Number:
        """The foot of the outcome table: what the player is up on average."""
        return sum(row.contribution for row in self.rows)


def wager_sheet(order: Order, wager: str) -> WagerSheet:
    """The wager alone on its spot, under best play."""
    game = order.asked(wager)
    question, answer = _asked(order, game, wager)
    figures, entry = answer.figures, order.book.wager[wager]
    counted = _ways(question, figures)
    return WagerSheet(
        wager=wager,
        title=entry.title,
        clause=entry.clause,
        pay_table=game.terms.pay_tables[wager],
        tables=len(order.book.pay_table[wager]),
        question=question,
        answer=answer,
        rows=tuple(_rows(game, wager, figures, counted)),
        ways=counted,
        volatility=volatility(figures),
        beside=tuple(_beside(question, figures.house_edge)),
        exposure=_exposure(order, game, wager),
        removal=tuple(removal(question, figures.house_edge)),
        remarks=tuple(_remarks(question, is_exact=counted is not None)),
    )


def _asked(order: Order, game: Game[Any], wager: str) -> tuple[Question, Answer]:
    """The wager alone, or beside the wager it cannot be made without."""
    jackpot = order.jackpot if meters_of(game.pays[wager].values()) else None
    question = Question(game, wager, jackpot=jackpot)
    try:
        return question, analyze(question)
    except WagerRefused:
        needs = order.book.wager[wager].needs
        beside = Question(game, wager, {needs.wager: None} if needs else {}, jackpot=jackpot)
        return beside, analyze(beside)


def _ways(question: Question, figures: Figures | RoundFigures) -> Ways | None:
    exact = [row.probability for row in figures.outcomes if isinstance(row.probability, Fraction)]
    if len(exact) < len(figures.outcomes):
        return None
    return ways(question.game, question.wager, exact)


def _rows(
    game: Game[Any], wager: str, figures: Figures | RoundFigures, counted: Ways | None
) -> Iterator[Row]:
    pays = game.pays[wager]
    found = list(_outcomes(figures.outcomes))
    longest = max(abs(float(probability * net)) for _, probability, _, net in found) or 1.0
    for name, probability, wagered, net in found:
        number = counted.of(probability) if counted and isinstance(probability, Fraction) else None
        own, shown = _own(wager, name)
        contribution = probability * net
        bar = float(contribution) / longest
        yield Row(shown, number, probability, str(pays.get(own, "")), wagered, net, contribution, bar)


def _own(wager: str, name: str) -> tuple[str, str]:
    """What came of the wager itself, and the row's name, where what follows it came out otherwise.

    >>> _own("ante", "ante flush / raise push"), _own("ante", "fold")
    (('flush', 'flush / raise push'), ('fold', 'fold'))
    """
    parts = [part.removeprefix(f"{wager} ") for part in name.split(" / ")]
    own = [part for part, whole in zip(parts, name.split(" / "), strict=True) if part != whole]
    return (own[0] if own else name), " / ".join(parts)


def _outcomes(outcomes: Sequence[Any]) -> Iterable[tuple[str, Number, Fraction | None, Fraction]]:
    if len(outcomes) <= _MOST_ROWS:
        return [(row.name, row.probability, row.wagered, row.net) for row in outcomes]
    ordered = sorted(outcomes, key=lambda row: -row.net)
    return [
        ("win" if net > 0 else "lose" if net < 0 else "push", sum(row.probability for row in same), None, net)
        for net, same in groupby(ordered, key=lambda row: row.net)
    ]


def _beside(question: Question, alone: Number) -> Iterator[Beside]:
    """A bonus wager whose own cards depend on how the main hand is played; LB.5: a limit on that hand."""
    judge = question.game.wagers[question.wager]
    if waits_for_dealer(question.game, question.wager):
        played = Question(question.game, question.wager, strategy="basic")
        yield Beside("where the hand is played by basic strategy", analyze(played).figures.house_edge)
    elif judge.beside and not question.beside:
        beside = Question(question.game, question.wager, {judge.beside: None})
        if (edge := analyze(beside).figures.house_edge) != alone:
            title = question.game.terms.rulebook.wager[judge.beside].title
            yield Beside(f"beside the {title}, the hand played for its sake", edge)


def _exposure(order: Order, game: Game[Any], wager: str) -> Exposure:
    check = check_table(order.table_order(wager))
    found: WagerCheck = next(each for each in check.wagers if each.wager == wager)
    highest = {wager: found.most_lawful, **found.follows}
    prizes = [prize for prize in check.prizes if prize.wager in highest]
    top = prizes[0] if prizes else None
    titles = order.book.wager
    return Exposure(
        most=found.most_lawful,
        follows={titles[name].title: cents for name, cents in found.follows.items()},
        top_outcome=top.outcome if top else "",
        top_pays=str(top.odds) if top else "",
        largest_payout=top.cents if top else most_of_a_spot(game, highest),
        most_of_a_spot=most_of_a_spot(game, highest),
        from_meter=next(iter(meters_of(game.pays[wager].values())), ""),
    )


def _remarks(question: Question, *, is_exact: bool) -> Iterator[str]:
    """What a reader has to know besides the numbers."""
    terms = question.game.terms
    for row, needed in terms.pay_table(question.wager).needs_decks.items():
        if terms.decks < needed:
            yield f"No {row} can be dealt from so few decks and its pay never counts; it takes {needed}."
    if assumed := question.game.wagers[question.wager].assumes:
        yield assumed
    if not is_exact:
        yield (
            "Computed by recursion over the compositions of the shoe in decimal arithmetic, so that no whole"
            " number of ways is given; results that net the same stand in one row."
        )
