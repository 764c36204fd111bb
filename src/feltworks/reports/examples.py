"""Worked examples: of every wager a win, a loss and a push, found among seeded rounds of the engine."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from msgspec import Struct

from feltworks.analysis.analyze import Question, analyze
from feltworks.money import Cents, Odds, dollars
from feltworks.reports.engine import DealtRound, opening_wagers, walked_round
from feltworks.reports.order import Order
from feltworks.rules.game import Game
from feltworks.rules.round import Face, Seat
from feltworks.rules.wager import Line
from feltworks.table.wording import dealers_words, hands_of, title

RESULTS: Final = ("win", "lose", "push")
_PLAIN, _ONE_SPOT, _MANY_SPOTS = 60, 300, 4_000  # seeds tried: sensibly played, then with the wager put down


class Example(Struct, frozen=True):
    """One settled wager with all that led to it."""

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
    """A wager's examples, and why a result has none."""

    title: str
    clause: str
    found: tuple[Example, ...]
    never: tuple[str, ...]  # no pay is one
    undealt: tuple[str, ...]  # a pay is one, but no deal leads to it at this table
    missing: tuple[str, ...]  # none came up


Known = dict[tuple[str, str], Example]


class Search(Struct, frozen=True):
    """Where examples are looked for: a table, the wagers opened and asked about, and how hands are played."""

    game: Game[Any]
    opened: list[str]
    asked: list[str]
    wanted: frozenset[str] = frozenset()  # wagers put down wherever they can be
    most: int = _PLAIN
    spots: int = 1
    tries: int = 24  # 0: chance chooses


def possible_results(game: Game[Any], wager: str) -> list[str]:
    """Which results a wager's pays allow."""
    pays = game.pays[wager].values()
    signs = {(pay.win > 0) - (pay.win < 0) if isinstance(pay, Odds) else 1 for pay in pays}
    return [result for result, sign in zip(RESULTS, (1, -1, 0), strict=True) if sign in signs]


def worked_examples(order: Order) -> list[Examples]:
    """The examples of every wager of the game, those that follow from others included."""
    known: Known = {}
    for opened in _tables(order):
        game = order.asked(opened[-1])
        asked = [name for each in opened for name in order.group(each)]
        _gather(Search(game, opened, asked), known)
        for wager in asked:
            wanted = frozenset(order.group(wager))
            if any(_can_be_dealt(order, wager, result) for result in _lacking(game, wager, known)):
                _gather(Search(game, opened, [wager], wanted, _ONE_SPOT), known)
                spots = game.terms.spots or 1
                _gather(Search(game, opened, [wager], wanted, _MANY_SPOTS, spots, tries=0), known)
    return [_examples(order, wager, known) for each in order.wagers for wager in order.group(each)]


def _tables(order: Order) -> Iterator[list[str]]:
    """Tables on which every wager comes up, each with the main wager it may need."""
    main = [name for name in order.wagers if order.book.wager[name].kind == "main"]
    others = [name for name in order.wagers if name not in main]
    if order.book.most_wagers and len(order.wagers) > order.book.most_wagers:
        yield from ([*main, name] for name in others)
    else:
        yield [*main, *others]


def _gather(search: Search, known: Known) -> None:
    """Look through seeded rounds, one after the other, for what is still missing."""
    game = search.game
    wagers = opening_wagers(game, search.opened)
    asked = {(name, result) for name in search.asked for result in possible_results(game, name)}
    for seed in range(1, search.most + 1):
        if not (open_ := asked - known.keys()):
            return
        dealt = walked_round(game, [wagers] * search.spots, seed, search.wanted, tries=search.tries)
        for (seat, wager), lines in _by_wager(dealt).items():
            key = (wager, _result(lines))
            if key in open_ and key not in known:
                known[key] = _example(game, dealt, seat, wager, lines)


def _by_wager(dealt: DealtRound) -> dict[tuple[int, str], list[Line]]:
    found: dict[tuple[int, str], list[Line]] = {}
    for line in dealt.lines:
        found.setdefault((line.seat, line.wager), []).append(line)
    return found


def _result(lines: list[Line]) -> str:
    return _sign(sum(line.net for line in lines))


def _sign(net: int | Fraction) -> str:
    return "win" if net > 0 else "lose" if net < 0 else "push"


def _example(game: Game[Any], dealt: DealtRound, seat: int, wager: str, lines: list[Line]) -> Example:
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


def _choices(game: Game[Any], seat: Seat) -> Iterator[str]:
    for choice in seat.choices:
        about = f" ({title(game.terms, choice.about)})" if choice.about in game.wagers else ""
        yield choice.name + (f" {dollars(choice.cents)}" if choice.cents else "") + about


def _examples(order: Order, wager: str, known: Known) -> Examples:
    game, entry = order.table, order.book.wager[wager]
    possible = possible_results(game, wager)
    lacking = _lacking(game, wager, known)
    undealt = [result for result in lacking if not _can_be_dealt(order, wager, result)]
    return Examples(
        entry.title,
        entry.clause,
        tuple(known[wager, result] for result in possible if (wager, result) in known),
        tuple(result for result in RESULTS if result not in possible),
        tuple(undealt),
        tuple(result for result in lacking if result not in undealt),
    )


def _lacking(game: Game[Any], wager: str, known: Known) -> list[str]:
    return [result for result in possible_results(game, wager) if (wager, result) not in known]


def _can_be_dealt(order: Order, wager: str, result: str) -> bool:
    """Whether the exact analysis knows a deal and choices that end so; yes where it lists none."""
    opening = order.book.wager[wager].of or wager
    situations = analyze(Question(order.asked(opening), opening)).situations
    settled = {line for each in situations for law in each.laws.values() for lines in law for line in lines}
    return not settled or any(name == wager and _sign(net) == result for name, _, net, *_ in settled)
