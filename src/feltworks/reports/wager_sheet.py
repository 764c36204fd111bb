"""One wager of a PAR sheet: its outcomes, figures, volatility, and largest payouts.

Of a progressive: its return by the posted amount, break-even, hits and growth.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any, Final

from msgspec import Struct

from feltworks.analysis.analyze import Answer, Question, analyze
from feltworks.analysis.figures import Figures, Number
from feltworks.analysis.measures import Removal, Volatility, Ways, removal, volatility, ways
from feltworks.analysis.progress import Progress
from feltworks.analysis.shape import waits_for_dealer
from feltworks.analysis.solvers.progressive import JACKPOTS, POLICIES, Outlook, Progressive, outlook
from feltworks.analysis.solvers.shoe_game.rounds import RoundFigures
from feltworks.analysis.solvers.showdown.solver import Showdown
from feltworks.errors import WagerRefused
from feltworks.house.configuration import WagerCheck, check_table, most_of_a_spot
from feltworks.money import Cents
from feltworks.reports.order import Order
from feltworks.reports.reachable import largest_of_a_spot
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Fixed, Share, meters_of
from feltworks.table.wording import outcome_words

_MOST_ROWS = 40  # more outcomes are grouped by net result


class Row(Struct, frozen=True):
    """One outcome: ways, probability, pay and its contribution to the player's average."""

    name: str
    ways: int | None
    probability: Number
    pays: str
    wagered: Fraction | None  # in total, per unit; None if a row groups several amounts
    net: Fraction
    contribution: Number
    bar: float  # relative to the longest contribution


class OtherEdge(Struct, frozen=True):
    """The wager's edge together with another wager, or under other play."""

    words: str
    house_edge: Number


class Exposure(Struct, frozen=True):
    """The largest payouts at the legal limit."""

    most: Cents
    follows: dict[str, Cents]  # by title
    top_outcome: str
    top_pays: str
    largest_payout: Cents
    most_of_a_spot: Cents
    from_meter: str  # the jackpot that is won in addition, if any


class WagerSheet(Struct, frozen=True):
    """One wager of a PAR sheet."""

    wager: str
    title: str
    clause: str
    pay_table: str
    tables: int  # how many pay tables it has
    question: Question
    answer: Answer
    rows: tuple[Row, ...]
    ways: Ways | None
    volatility: Volatility
    beside: tuple[OtherEdge, ...]
    exposure: Exposure
    removal: tuple[Removal, ...]
    remarks: tuple[str, ...]

    @property
    def figures(self) -> Figures | RoundFigures:
        return self.answer.figures

    @property
    def shows_wagered(self) -> bool:
        """Whether rows differ in the amount wagered: a raise, a Play, a fold."""
        return None not in (wagered := {row.wagered for row in self.rows}) and len(wagered) > 1

    @property
    def all_probability(self) -> Number:
        """The sum of the probabilities, which is 1 if no outcome is missing."""
        return sum(row.probability for row in self.rows)

    @property
    def all_contribution(self) -> Number:
        """The sum of the contributions: the player's average result."""
        return sum(row.contribution for row in self.rows)


def wager_sheet(order: Order, wager: str, progress: Progress | None = None) -> WagerSheet:
    """The sheet of a wager alone on its spot, under best play."""
    game = order.table_with(wager)
    question, answer = _analyse(order, game, wager, progress)
    figures, entry = answer.figures, order.book.wager[wager]
    counts = _ways(question, figures)
    return WagerSheet(
        wager=wager,
        title=entry.title,
        clause=entry.clause,
        pay_table=game.terms.pay_tables[wager],
        tables=len(order.book.pay_table[wager]),
        question=question,
        answer=answer,
        rows=tuple(_rows(game, wager, figures, counts)),
        ways=counts,
        volatility=volatility(figures),
        beside=tuple(_wagers_beside(question, figures.house_edge)),
        exposure=_exposure(order, game, wager),
        removal=tuple(removal(question, figures.house_edge) if _solves_often(answer) else ()),
        remarks=tuple(_remarks(question, is_exact=counts is not None)),
    )


def _analyse(order: Order, game: Game, wager: str, progress: Progress | None) -> tuple[Question, Answer]:
    """Analyse the wager alone, or with the wager it requires."""
    jackpot = order.jackpot if meters_of(game.pays[wager].values()) else None
    question = Question(game, wager, jackpot=jackpot)
    try:
        return question, analyze(question, progress)
    except WagerRefused:
        needs = order.book.wager[wager].needs
        beside = Question(game, wager, {needs.wager: None} if needs else {}, jackpot=jackpot)
        return beside, analyze(beside, progress)


def _ways(question: Question, figures: Figures | RoundFigures) -> Ways | None:
    exact = [row.probability for row in figures.outcomes if isinstance(row.probability, Fraction)]
    if len(exact) < len(figures.outcomes):
        return None
    return ways(question.game, question.wager, exact)


def _rows(game: Game, wager: str, figures: Figures | RoundFigures, counts: Ways | None) -> Iterator[Row]:
    pays = game.pays[wager]
    outcomes = list(_outcomes(figures.outcomes))
    longest = max(abs(float(probability * net)) for _, probability, _, net in outcomes) or 1.0
    for name, probability, wagered, net in outcomes:
        number = counts.of(probability) if counts and isinstance(probability, Fraction) else None
        own, label = _own(game, wager, name)
        contribution = probability * net
        bar = float(contribution) / longest
        yield Row(label, number, probability, str(pays.get(own, "")), wagered, net, contribution, bar)


def _own(game: Game, wager: str, name: str) -> tuple[str, str]:
    """The outcome of the wager itself, and the row's name in the words of the pay tables, with its derived wagers.

    >>> from feltworks import catalog
    >>> _own(catalog.game("spanish-poker"), "ante", "ante flush / raise player better")
    ('flush', 'flush; Raise: player better')
    """
    own, labels = name, list[str]()
    for part in name.split(" / "):
        outcomes = {each: part.removeprefix(f"{each} ") for each in (wager, *game.pays)}
        of = next((each for each, outcome in outcomes.items() if outcome != part and outcome in game.pays[each]), "")
        outcome = outcomes.get(of, part)
        own = outcome if of == wager else own
        label = outcome_words(game.terms, of or wager, outcome)
        labels.append(label if of in ("", wager) else f"{game.terms.rulebook.wager[of].title}: {label}")
    return own, "; ".join(labels)


def _outcomes(outcomes: Sequence[Any]) -> Iterable[tuple[str, Number, Fraction | None, Fraction]]:
    if len(outcomes) <= _MOST_ROWS:
        return [(row.name, row.probability, row.wagered, row.net) for row in outcomes]
    ordered = sorted(outcomes, key=lambda row: -row.net)
    return [
        ("win" if net > 0 else "lose" if net < 0 else "push", sum(row.probability for row in same), None, net)
        for net, same in groupby(ordered, key=lambda row: row.net)
    ]


def _wagers_beside(question: Question, alone: Number) -> Iterator[OtherEdge]:
    """LB.5: the edge of a bonus wager that depends on how the main hand is played."""
    judge = question.game.wagers[question.wager]
    if waits_for_dealer(question.game, question.wager):
        basic = Question(question.game, question.wager, strategy="basic")
        yield OtherEdge("where the hand is played by basic strategy", analyze(basic).figures.house_edge)
    elif judge.beside and not question.beside:
        beside = Question(question.game, question.wager, {judge.beside: None})
        if (edge := analyze(beside).figures.house_edge) != alone:
            title = question.game.terms.rulebook.wager[judge.beside].title
            yield OtherEdge(f"beside the {title}, with the hand played for the {title}", edge)


def _exposure(order: Order, game: Game, wager: str) -> Exposure:
    check = check_table(order.table_order(wager))
    own: WagerCheck = next(checked for checked in check.wagers if checked.wager == wager)
    highest = {wager: own.most_lawful, **own.follows}
    prizes = [prize for prize in check.prizes if prize.wager in highest]
    top = prizes[0] if prizes else None
    titles = order.book.wager
    return Exposure(
        most=own.most_lawful,
        follows={titles[name].title: cents for name, cents in own.follows.items()},
        top_outcome=outcome_words(game.terms, top.wager, top.outcome) if top else "",
        top_pays=str(top.odds) if top else "",
        largest_payout=top.cents if top else most_of_a_spot(game, highest),
        most_of_a_spot=(largest_of_a_spot(order, wager) if own.follows else None) or most_of_a_spot(game, highest),
        from_meter=next(iter(meters_of(game.pays[wager].values())), ""),
    )


def _solves_often(answer: Answer) -> bool:
    """Whether solving the wager is fast enough to repeat for every rank."""
    solved = answer.notes.get("showdown")
    has_up_card = isinstance(solved, Showdown) and solved.has_up_card
    return not has_up_card and not answer.notes.keys() & {"board", "streets", "draw"}


def _remarks(question: Question, *, is_exact: bool) -> Iterator[str]:
    """Remarks on the numbers."""
    terms = question.game.terms
    for row, needed in terms.pay_table(question.wager).needs_decks.items():
        if terms.decks < needed:
            yield f"{needed} decks or more are needed for {row}; with fewer it is never dealt."
    if assumed := question.game.wagers[question.wager].assumes:
        yield assumed
    if not is_exact:
        yield (
            "Computed by recursion over the compositions of the shoe in decimal arithmetic, so no whole"
            " number of ways is given; outcomes with the same net share a row."
        )


_FUND_ROUNDS: Final = (100, 500, 2_500, 10_000, 100_000)


class Hit(Struct, frozen=True):
    """An award and the average rounds between two hits, for one wager and for a full table."""

    award: str
    one_wager: Fraction
    at_table: Fraction | None


class FundState(Struct, frozen=True):
    """The pots after some rounds without a win, in cents."""

    policy: str
    rounds: int
    recovered: Fraction
    primary: Fraction
    backups: Fraction


class ProgressiveSheet(Struct, frozen=True):
    """A progressive with one seat in action, and with all of them."""

    seats: int
    fixed_return: Fraction
    contribution: Fraction  # the average part of a wager that goes to the meter
    average_meter: Fraction  # in cents; wins take as much as wagers add
    alone: Outlook
    full: Outlook
    break_even: Fraction
    break_even_full: Fraction
    meters: tuple[tuple[Cents, Fraction, Fraction], ...]  # posted, return alone, return at a full table
    hits: tuple[Hit, ...]
    several: Fraction  # probability that several seats of a full table win from the jackpot in one round
    funds: tuple[FundState, ...]


def progressive_sheet(sheet: WagerSheet) -> ProgressiveSheet | None:
    """The sheet of a jackpot wager; None for any other."""
    progressive = sheet.answer.notes.get("progressive")
    if not isinstance(progressive, Progressive):
        return None
    seats = progressive.game.terms.spots or 1
    alone, full = outlook(progressive), outlook(progressive, seats)
    posted = sorted({*JACKPOTS, *([sheet.question.jackpot] if sheet.question.jackpot else [])})
    winners = progressive.winners(seats)
    return ProgressiveSheet(
        seats,
        progressive.fixed_return,
        contribution := _contribution(sheet),
        contribution * sheet.question.unit / _meter_share(sheet),
        alone,
        full,
        progressive.break_even(),
        progressive.break_even(seats),
        tuple((cents, alone.expected_return(cents), full.expected_return(cents)) for cents in posted),
        tuple(Hit(name, one, full.rounds_at_table.get(name)) for name, one in alone.rounds_between.items()),
        sum((chance for numbers, chance in winners.items() if sum(numbers) > 1), Fraction(0)),
        tuple(_funds(full)),
    )


def _contribution(sheet: WagerSheet) -> Fraction:
    """SP.15, SP.16: losing wagers go to the meter, less the tray's payments; per unit of the wager.

    A share of the jackpot is paid by the meter itself, not by the box.
    """
    pays = sheet.question.game.pays[sheet.wager]
    lost = sum((row.probability for row in sheet.rows if row.net < 0), Fraction(0))
    tray = sum(
        (row.probability * row.net for row in sheet.rows if isinstance(pays.get(row.name), Fixed)),
        Fraction(0),
    )
    return Fraction(lost) - Fraction(tray)


def _meter_share(sheet: WagerSheet) -> Fraction:
    """The average part of the meter that one wager wins."""
    pays = sheet.question.game.pays[sheet.wager]
    parts = ((row.probability, pays.get(row.name)) for row in sheet.rows)
    return sum((Fraction(chance) * pay.part for chance, pay in parts if isinstance(pay, Share)), Fraction(0))


def _funds(outlook_: Outlook) -> list[FundState]:
    return [
        FundState(policy, rounds, fund.recovered, fund.primary, fund.backup + fund.second_backup)
        for policy, part in POLICIES.items()
        for rounds, fund in outlook_.funds(part)
        if rounds in _FUND_ROUNDS
    ]
