"""Does a printed figure follow from its rules? Every figure computed afresh, and what would reproduce it."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from feltworks import catalog
from feltworks.analysis.analyze import Answer, Question, analyze
from feltworks.analysis.printed import Match, percent, printed_match
from feltworks.analysis.simple_play import SimplePlay, simple_plays
from feltworks.money import dollars
from feltworks.rules.game import Game
from feltworks.rules.rulebook import OptionValue, Published, Rulebook

_ROUNDS, _WAGER = 100, 10_00  # consequences are told in money per hundred rounds of a $10 wager


class AuditedFigure(Struct, frozen=True):
    """A printed figure beside the computed one, and what there is to say about it."""

    game: str
    wager: str
    pay_table: str
    decks: int
    quantity: str
    published: str
    computed: Fraction
    match: Match
    finding: str
    clause: str

    @property
    def agrees(self) -> bool:
        return self.match != "none"


class Effect(Struct, frozen=True):
    """What another reading would make of a wager."""

    game: str
    clause: str
    option: str
    value: OptionValue
    wager: str
    house_edge: Fraction
    by_default: Fraction


def audit_figures(game: str | None = None) -> Iterator[AuditedFigure]:
    """Every figure printed in the documents, of one game or of all."""
    for name in [game] if game else catalog.games():
        book = catalog.rulebook(name)
        for printed in book.published:
            yield _audited(name, book, printed)


def _audited(name: str, book: Rulebook, printed: Published) -> AuditedFigure:
    case = Case(name, printed.wager, printed.pay_table, printed.decks)
    computed = quantity(printed.quantity, case.answer)
    match = printed_match(printed.figure, computed)
    said = _agreement(computed, match) if match != "none" else _finding(case, book, printed, computed)
    return AuditedFigure(
        game=name,
        wager=printed.wager,
        pay_table=printed.pay_table,
        decks=case.game.terms.decks,
        quantity=printed.quantity,
        published=printed.figure,
        computed=computed,
        match=match,
        finding=said,
        clause=printed.clause,
    )


class Case(Struct, frozen=True):
    """A wager at a table that differs from the default in its pay table, its decks or one option."""

    name: str
    wager: str
    pay_table: str = "1"
    decks: int | None = None
    option: str = ""
    value: OptionValue = ""

    @property
    def game(self) -> Game[Any]:
        book = catalog.rulebook(self.name)
        options: dict[str, object] = {self.option: self.value} if self.option else {}
        if self.decks is not None and "decks" in book.option:
            options.setdefault("decks", self.decks)
        if book.most_wagers:
            members = book.option["offers"].members or []
            options["offers"] = [w for w in members if w == self.wager or book.wager[w].leave_out == "never"]
        return catalog.game(self.name, options=options, pay_tables={self.wager: self.pay_table})

    @property
    def answer(self) -> Answer:
        return _answered(self)

    @property
    def plays(self) -> tuple[SimplePlay, ...]:
        return _played_simply(self)


@cache
def _answered(case: Case) -> Answer:
    return analyze(Question(case.game, case.wager))


@cache
def _played_simply(case: Case) -> tuple[SimplePlay, ...]:
    return tuple(simple_plays(case.game, case.wager))


def quantity(name: str, answer: Answer) -> Fraction:
    """One of the figures that documents print."""
    value = answer.notes[name] if name == "fixed_return" else getattr(answer.figures, name)
    assert isinstance(value, Fraction)
    return value


def _agreement(computed: Fraction, match: Match) -> str:
    if match == "rounded":
        return f"Follows from the rules: {percent(computed, 4)}, rounded."
    return f"Follows from the rules: {percent(computed, 4)}, cut off after the printed digits, not rounded."


def _finding(case: Case, book: Rulebook, printed: Published, computed: Fraction) -> str:
    said = f"The rules as written give {percent(computed, 4)}, not {printed.figure}."
    found = list(_reproducing(case, book, printed))
    if found:
        said += f" The printed figure is reproduced by {'; and by '.join(found)}."
    else:
        said += " No declared reading, other pay table or simple strategy that was tried reproduces it."
    return f"{said} {_consequence(printed, computed)}"


def _consequence(printed: Published, computed: Fraction) -> str:
    filed = Fraction(printed.figure.rstrip("%")) / 100
    money = [round(share * _ROUNDS * _WAGER) for share in (filed, computed)]
    unit = "of all money wagered" if printed.quantity == "element_of_risk" else "wagers"
    return (
        f"In money: {_ROUNDS} rounds of {dollars(_WAGER)} {unit} bring the house"
        f" {dollars(money[1], signed=True)} rather than {dollars(money[0], signed=True)}."
    )


def _reproducing(case: Case, book: Rulebook, printed: Published) -> Iterator[str]:
    """What gives the printed figure: another pay table, another reading, a simple way to play."""
    tried = [
        (f"pay table {other}", replace(case, pay_table=other))
        for other in book.pay_table[printed.wager]
        if other != printed.pay_table
    ]
    tried += [
        (f"the reading {option}={value}", replace(case, option=option, value=value))
        for option, value in _readings(book)
    ]
    computed = [(words, quantity(printed.quantity, other.answer)) for words, other in tried]
    if printed.quantity != "fixed_return":
        computed += [(f"the play “{play.words}”", getattr(play, printed.quantity)) for play in case.plays]
    for words, value in computed:
        if printed_match(printed.figure, value) != "none":
            yield f"{words} ({percent(value, 4)})"


def _readings(book: Rulebook) -> Iterator[tuple[str, OptionValue]]:
    """Every other value of the options that stand for a reading."""
    for option in dict.fromkeys(reading.option for reading in book.reading if reading.option):
        entry = book.option[option]
        for value in entry.values or ():
            if value != entry.preset:
                yield option, value


def audit_readings(game: str | None = None) -> Iterator[Effect]:
    """What each alternative of each reading would mean for the wagers it touches."""
    for name in [game] if game else catalog.games():
        book = catalog.rulebook(name)
        clauses = {reading.option: reading.clause for reading in book.reading if reading.option}
        for option, value in _readings(book):
            for wager in _analysed(book):
                usual = quantity("house_edge", Case(name, wager).answer)
                edge = quantity("house_edge", Case(name, wager, option=option, value=value).answer)
                if edge != usual:
                    yield Effect(name, clauses[option], option, value, wager, edge, usual)


def _analysed(book: Rulebook) -> list[str]:
    """The wagers whose exact edge is quick to find: all but the blackjack under the bonus wagers."""
    return [name for name, entry in book.wager.items() if entry.kind != "derived" and name != "blackjack"]
