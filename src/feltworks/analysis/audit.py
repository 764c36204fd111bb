"""Does a printed figure follow from its rules? Every figure computed afresh, and what would reproduce it."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.analyze import Answer, Question, analyze
from feltworks.analysis.printed import Match, percent, printed_match
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
    table = _game(name, book, printed)
    computed = quantity(printed.quantity, _answer(table, printed.wager))
    match = printed_match(printed.figure, computed)
    finding = (
        _agreement(printed, computed, match) if match != "none" else _finding(name, book, printed, computed)
    )
    return AuditedFigure(
        name,
        printed.wager,
        printed.pay_table,
        table.terms.decks,
        printed.quantity,
        printed.figure,
        computed,
        match,
        finding,
        printed.clause,
    )


def quantity(name: str, answer: Answer) -> Fraction:
    """One of the figures that documents print."""
    if name == "fixed_return":
        value = answer.notes["fixed_return"]
        assert isinstance(value, Fraction)
        return value
    value = getattr(answer.figures, name)
    assert isinstance(value, Fraction)
    return value


def _game(name: str, book: Rulebook, printed: Published, **changed: Any) -> Game[Any]:
    options: dict[str, object] = dict(changed.get("options", {}))
    if printed.decks is not None and "decks" in book.option:
        options.setdefault("decks", printed.decks)
    if book.most_wagers:
        members = book.option["offers"].members or []
        options["offers"] = [w for w in members if w == printed.wager or book.wager[w].leave_out == "never"]
    tables = {printed.wager: changed.get("pay_table", printed.pay_table)}
    return catalog.game(name, options=options, pay_tables=tables)


def _answer(table: Game[Any], wager: str) -> Answer:
    return analyze(Question(table, wager))


def _agreement(printed: Published, computed: Fraction, match: Match) -> str:
    if match == "rounded":
        return f"Follows from the rules: {percent(computed, 4)}, rounded."
    return f"Follows from the rules: {percent(computed, 4)}, cut off after the printed digits, not rounded."


def _finding(name: str, book: Rulebook, printed: Published, computed: Fraction) -> str:
    said = f"The rules as written give {percent(computed, 4)}, not {printed.figure}."
    found = list(_reproducing(name, book, printed))
    said += (
        f" The printed figure is reproduced by {'; and by '.join(found)}."
        if found
        else (" No declared reading, other pay table or simple strategy that was tried reproduces it.")
    )
    return f"{said} {_consequence(printed, computed)}"


def _consequence(printed: Published, computed: Fraction) -> str:
    filed = Fraction(printed.figure.rstrip("%")) / 100
    money = [round(share * _ROUNDS * _WAGER) for share in (filed, computed)]
    unit = "of all money wagered" if printed.quantity == "element_of_risk" else "wagers"
    return (
        f"In money: {_ROUNDS} rounds of {dollars(_WAGER)} {unit} bring the house"
        f" {dollars(money[1], signed=True)} rather than {dollars(money[0], signed=True)}."
    )


def _reproducing(name: str, book: Rulebook, printed: Published) -> Iterator[str]:
    """What gives the printed figure: another pay table, another reading, a simple way to play."""
    for other in book.pay_table[printed.wager]:
        if other != printed.pay_table:
            table = _game(name, book, printed, pay_table=other)
            computed = quantity(printed.quantity, _answer(table, printed.wager))
            if printed_match(printed.figure, computed) != "none":
                yield f"pay table {other} ({percent(computed, 4)})"
    for option, value in _readings(book):
        table = _game(name, book, printed, options={option: value})
        computed = quantity(printed.quantity, _answer(table, printed.wager))
        if printed_match(printed.figure, computed) != "none":
            yield f"the reading {option}={value} ({percent(computed, 4)})"
    yield from _simple_play(name, book, printed)


def _simple_play(name: str, book: Rulebook, printed: Published) -> Iterator[str]:
    """Strategies a person can say in one sentence, where the wager has decisions."""
    from feltworks.analysis.simple_play import simple_strategies

    table = _game(name, book, printed)
    for words, figures in simple_strategies(table, printed.wager):
        computed = getattr(figures, printed.quantity, None)
        if computed is not None and printed_match(printed.figure, computed) != "none":
            yield f"the play “{words}” ({percent(computed, 4)})"


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
        bases: dict[str, Fraction] = {}
        clauses = {reading.option: reading.clause for reading in book.reading if reading.option}
        for option, value in _readings(book):
            for wager in _analysed(book):
                bare = Published(clause="", wager=wager, quantity="house_edge", figure="0%")
                if wager not in bases:
                    bases[wager] = _answer(_game(name, book, bare), wager).figures.house_edge
                table = _game(name, book, bare, options={option: value})
                edge = _answer(table, wager).figures.house_edge
                if edge != bases[wager]:
                    yield Effect(name, clauses[option], option, value, wager, edge, bases[wager])


def _analysed(book: Rulebook) -> list[str]:
    """The wagers whose exact edge is quick to find: all but the blackjack under the bonus wagers."""
    return [name for name, entry in book.wager.items() if entry.kind != "derived" and name != "blackjack"]
