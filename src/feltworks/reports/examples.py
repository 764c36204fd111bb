"""Worked examples: a win, a loss and a push of every wager, found in seeded rounds."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import msgspec
from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.money import Cents, Odds, dollars
from feltworks.reports.order import Order
from feltworks.reports.rounds import DealtRound, opening_wagers, sample_round
from feltworks.rules.game import Game
from feltworks.rules.round import Face, Seat
from feltworks.rules.rulebook.model import DocumentExample
from feltworks.rules.wager import Line
from feltworks.table.wording import dealers_words, hands_of, title
from feltworks.written.record import FinishedRound
from feltworks.written.replay import replay

RESULTS: Final = ("win", "lose", "push")
_PLAIN, _ONE_SPOT, _MANY_SPOTS = 60, 300, 4_000  # seeds tried: sensible play first, then play that prefers the wager


class Example(Struct, frozen=True):
    """One settled wager and its round."""

    title: str
    result: str
    seed: int
    spot: int
    spots: int  # in action in that round
    hands: tuple[tuple[tuple[Face, ...], str], ...]
    dealer: tuple[Face, ...]
    dealer_words: str
    choices: tuple[str, ...]
    wagered: Cents
    net: Cents
    reasons: tuple[str, ...]
    clauses: tuple[str, ...]


class Examples(Struct, frozen=True):
    """A wager's examples, and the results without one."""

    title: str
    clause: str
    examples: tuple[Example, ...]
    never: tuple[str, ...]  # no pay has this result
    undealt: tuple[str, ...]  # a pay has it, but no deal at this table leads to it
    missing: tuple[str, ...]  # not found in the rounds searched


class OwnExample(Struct, frozen=True):
    """A worked example of the approved document, settled by this table's rules."""

    text: str
    clause: str
    hands: tuple[tuple[tuple[Face, ...], str], ...]
    dealer: tuple[Face, ...]
    dealer_words: str
    lines: tuple[tuple[str, str, Cents, Cents], ...]  # title, reason, net, net in the document

    @property
    def agrees(self) -> bool:
        """Whether every wager of the document's settlement has the same result here."""
        return all(net == printed for _, _, net, printed in self.lines)


def document_examples(order: Order) -> list[OwnExample]:
    """The document's own examples, without those that need a wager the table does not offer."""
    return [
        _own_example(order, each)
        for each in order.book.example
        if all(name in order.table.terms.offers or order.book.wager[name].of for name in each.nets)
    ]


def _own_example(order: Order, example: DocumentExample) -> OwnExample:
    tables = {**order.pay_tables, **example.round.get("pay_tables", {})}
    game = catalog.game(order.game, options=order.options, pay_tables=tables)
    written = {"game": order.game, **example.round, "options": dict(order.options), "pay_tables": tables}
    r = replay(game, msgspec.convert(written, FinishedRound))
    lines = [line for line in game.settle(r) if line.wager in example.nets]
    return OwnExample(
        example.text,
        example.clause,
        tuple((hand.faces, hand.words) for hand in hands_of(game, r, 0)),
        r.dealer,
        dealers_words(game, r, 0),
        tuple((title(game.terms, x.wager), x.reason, x.net, example.nets[x.wager]) for x in lines),
    )


Known = dict[tuple[str, str], Example]


class Search(Struct, frozen=True):
    """A search for examples: the table, its opening wagers, the wagers in question, and the play."""

    game: Game
    opened: list[str]
    wagers: list[str]
    wanted: frozenset[str] = frozenset()  # choices that put money on these are preferred
    most: int = _PLAIN
    spots: int = 1
    tries: int = 24  # with 0, choices are random


def possible_results(game: Game, wager: str) -> list[str]:
    """The results that a wager's pays allow."""
    pays = game.pays[wager].values()
    signs = {(pay.win > 0) - (pay.win < 0) if isinstance(pay, Odds) else 1 for pay in pays}
    return [result for result, sign in zip(RESULTS, (1, -1, 0), strict=True) if sign in signs]


def worked_examples(order: Order) -> list[Examples]:
    """The examples of every wager of the game, derived wagers included."""
    known: Known = {}
    for opened in _tables(order):
        game = order.table_with(opened[-1])
        wagers = [name for opening in opened for name in order.group(opening)]
        _gather(Search(game, opened, wagers), known)
        for wager in wagers:
            wanted = frozenset(order.group(wager))
            if any(_can_be_dealt(order, wager, result) for result in _missing_results(game, wager, known)):
                _gather(Search(game, opened, [wager], wanted, _ONE_SPOT), known)
                spots = game.terms.spots or 1
                _gather(Search(game, opened, [wager], wanted, _MANY_SPOTS, spots, tries=0), known)
    return [_examples(order, wager, known) for opening in order.wagers for wager in order.group(opening)]


def _tables(order: Order) -> Iterator[list[str]]:
    """Tables that together offer every wager, each with the main wager it may need."""
    main = [name for name in order.wagers if order.book.wager[name].kind == "main"]
    others = [name for name in order.wagers if name not in main]
    if order.book.most_wagers and len(order.wagers) > order.book.most_wagers:
        yield from ([*main, name] for name in others)
    else:
        yield [*main, *others]


def _gather(search: Search, known: Known) -> None:
    """Search seeded rounds for the missing examples."""
    game = search.game
    wagers = opening_wagers(game, search.opened)
    possible = {(name, result) for name in search.wagers for result in possible_results(game, name)}
    for seed in range(1, search.most + 1):
        if not (open_ := possible - known.keys()):
            return
        dealt = sample_round(game, [wagers] * search.spots, seed, search.wanted, tries=search.tries)
        for (seat, wager), lines in _by_wager(dealt).items():
            key = (wager, _result(lines))
            if key in open_ and key not in known:
                known[key] = _example(game, dealt, seat, wager, lines)


def _by_wager(dealt: DealtRound) -> dict[tuple[int, str], list[Line]]:
    lines: dict[tuple[int, str], list[Line]] = {}
    for line in dealt.lines:
        lines.setdefault((line.seat, line.wager), []).append(line)
    return lines


def _result(lines: list[Line]) -> str:
    return _sign(sum(line.net for line in lines))


def _sign(net: int | Fraction) -> str:
    return "win" if net > 0 else "lose" if net < 0 else "push"


def _example(game: Game, dealt: DealtRound, seat: int, wager: str, lines: list[Line]) -> Example:
    r = dealt.round
    return Example(
        title(game.terms, wager),
        _result(lines),
        dealt.seed,
        seat + 1,
        len(r.seats),
        tuple((hand.faces, hand.words) for hand in hands_of(game, r, seat)),
        r.dealer,
        dealers_words(game, r, seat),
        tuple(_choices(game, r.seats[seat])),
        sum(line.wagered for line in lines),
        sum(line.net for line in lines),
        tuple(dict.fromkeys(line.reason for line in lines)),
        tuple(dict.fromkeys(clause for line in lines for clause in line.clauses)),
    )


def _choices(game: Game, seat: Seat) -> Iterator[str]:
    for choice in seat.choices:
        about = f" ({title(game.terms, choice.about)})" if choice.about in game.wagers else ""
        yield choice.name + (f" {dollars(choice.cents)}" if choice.cents else "") + about


def _examples(order: Order, wager: str, known: Known) -> Examples:
    game, entry = order.table, order.book.wager[wager]
    possible = possible_results(game, wager)
    missing = _missing_results(game, wager, known)
    undealt = [result for result in missing if not _can_be_dealt(order, wager, result)]
    return Examples(
        entry.title,
        entry.clause,
        tuple(known[wager, result] for result in possible if (wager, result) in known),
        tuple(result for result in RESULTS if result not in possible),
        tuple(undealt),
        tuple(result for result in missing if result not in undealt),
    )


def _missing_results(game: Game, wager: str, known: Known) -> list[str]:
    return [result for result in possible_results(game, wager) if (wager, result) not in known]


def _can_be_dealt(order: Order, wager: str, result: str) -> bool:
    """Whether the exact analysis has a deal with this result; true if it lists no deals."""
    opening = order.book.wager[wager].of or wager
    situations = analyze(Question(order.table_with(opening), opening)).situations
    laws = [law for situation in situations for law in situation.laws.values()]
    settled = {line for law in laws for lines in law for line in lines}
    return not settled or any(name == wager and _sign(net) == result for name, _, net, *_ in settled)
