"""Settles written rounds, for disputes, training and outside checks.

The settlement sheet of a round has every line with its money, its reason and its clauses.
"""

import datetime
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct, field

from feltworks import catalog
from feltworks.cards import Card
from feltworks.errors import FeltError, ImpossibleRound
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Award
from feltworks.rules.round import Round
from feltworks.rules.wager import Line, result_of
from feltworks.written.record import FinishedHand, FinishedRound, FinishedSeat
from feltworks.written.replay import open_round, replay


class AwardSheet(Struct, frozen=True, gc=False, omit_defaults=True):
    """A prize other than odds: its amount, its source, and its share of the meter."""

    cents: Cents
    from_: str = field(name="from")
    share: str = ""


class HandSheet(Struct, frozen=True, gc=False):
    """One hand of a wager that is placed on several hands."""

    cards: list[str]
    wagered: Cents
    result: str
    net: Cents
    because: str


class LineSheet(Struct, frozen=True, gc=False, omit_defaults=True):
    """One wager of a seat: its result and the reason."""

    wager: str
    wagered: Cents
    result: str
    net: Cents
    because: str
    clause: str | None
    clauses: Sequence[str]
    toke: bool = False
    award: AwardSheet | None = None
    hands: Sequence[HandSheet] = ()


class SeatSheet(Struct, frozen=True, gc=False, omit_defaults=True):
    """The lines of a seat, and the net of its player."""

    lines: list[LineSheet]
    net: Cents
    toke_net: Cents | None = None


class JackpotSheet(Struct, frozen=True, gc=False):
    """The posted jackpot before and after the round."""

    before: Cents
    paid: Cents
    after: Cents


class Sheet(Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """The answer of `felt settle` to a finished round."""

    seats: list[SeatSheet]
    jackpot: JackpotSheet | None = None
    as_approved: bool
    deviations: list[str]


def settlement_sheet(game: Game, finished: FinishedRound, r: Round) -> Sheet:
    """The sheet of a round played to its end."""
    by_seat: list[list[Line]] = [[] for _ in r.seats]
    paid = 0
    for line in game.settle(r):
        by_seat[line.seat].append(line)
        if line.award is not None and line.award.share:
            paid += line.award.cents
    seats = [_seat_sheet(game, r, n, lines, finished.seats[n]) for n, lines in enumerate(by_seat)]
    return _close_sheet(game, seats, finished, paid)


def void_sheet(game: Game, finished: FinishedRound, r: Round) -> Sheet:
    """The sheet of a voided round: every wager is returned."""
    because = f"Voided, the wager is returned: {finished.void}"
    seats = []
    for seat in r.seats:
        lines = [_void_line(name, cents, because) for name, cents in seat.wagers.items()]
        tokes = [_void_line(name, cents, because, toke=True) for name, cents in seat.tokes.items()]
        seats.append(SeatSheet(lines + tokes, 0, 0 if tokes else None))
    return _close_sheet(game, seats, finished, 0)


def _close_sheet(game: Game, seats: list[SeatSheet], finished: FinishedRound, paid: Cents) -> Sheet:
    before, deviations = finished.meters.get("jackpot"), game.terms.deviations
    return Sheet(
        seats=seats,
        jackpot=None if before is None else JackpotSheet(before, paid, before - paid),
        as_approved=not deviations,
        deviations=list(deviations),
    )


def _void_line(wager: str, cents: Cents, because: str, *, toke: bool = False) -> LineSheet:
    return LineSheet(wager, cents, "void", 0, because, None, (), toke)


def _seat_sheet(game: Game, r: Round, number: int, lines: list[Line], finished: FinishedSeat) -> SeatSheet:
    written, net, wagers = [], 0, game.wagers
    begun: list[tuple[str, bool]] = []  # a wager on several hands has one line, at its first hand
    for line in lines:
        if not line.toke:
            net += line.net
        if not wagers[line.wager].divides:
            written.append(_line_sheet(line))
        elif not line.part:
            written.append(_line_sheet(line, *game.part_cards(r, number, line.wager)))
        elif (on := (line.wager, line.toke)) not in begun:
            begun.append(on)
            parts = [part for part in lines if (part.wager, part.toke) == on]
            hands = game.part_cards(r, number, line.wager)
            written.append(_split_line_sheet(parts, hands, finished.hands))
    toke_net = sum(line.net for line in lines if line.toke) if finished.tokes else None
    return SeatSheet(written, net, toke_net)


def _line_sheet(line: Line, hand: tuple[Card, ...] = ()) -> LineSheet:
    """The line of a wager, with its hand if the wager has one."""
    wagered, net, clauses, award = line.wagered, line.net, line.clauses, line.award
    result, reason = result_of(net), line.reason
    return LineSheet(
        line.wager,
        wagered,
        result,
        net,
        reason,
        clauses[0],
        clauses,
        line.toke,
        None if award is None else _award_sheet([award]),
        [HandSheet([face.code for face in hand], wagered, result, net, reason)] if hand else (),
    )


def _award_sheet(awards: Sequence[Award]) -> AwardSheet:
    """The sum of one or several prizes."""
    shares = [award.share for award in awards if award.share is not None]
    total = sum(shares, Fraction(0))
    return AwardSheet(
        sum(award.cents for award in awards),
        " and ".join(dict.fromkeys(award.source for award in awards)),
        f"{total.numerator}/{total.denominator}" if shares else "",
    )


def _split_line_sheet(
    parts: list[Line], hands: Sequence[tuple[Card, ...]], written: list[FinishedHand] | None
) -> LineSheet:
    """One line for a wager on several hands, with those hands."""
    shown = zip(hands, parts, strict=True) if hands else ()  # games need not list the cards of their hands
    played = [
        HandSheet([face.code for face in hand], part.wagered, part.result, part.net, part.reason)
        for hand, part in shown
    ]
    first, net = parts[0], sum(part.net for part in parts)
    awards = [part.award for part in parts if part.award is not None]
    return LineSheet(
        first.wager,
        sum(part.wagered for part in parts),
        result_of(net),
        net,
        " ".join(dict.fromkeys(part.reason for part in parts)),
        first.clauses[0],
        list(dict.fromkeys(clause for part in parts for clause in part.clauses)),
        first.toke,
        _award_sheet(awards) if awards else None,
        _order_hands(played, written) if played else (),
    )


def _order_hands(played: list[HandSheet], written: list[FinishedHand] | None) -> list[HandSheet]:
    """The hands in the order of the written round."""
    if not written:
        return played
    ordered = []
    for listed in written:
        place = next(i for i, hand in enumerate(played) if hand.cards == listed.cards)
        ordered.append(played.pop(place))
    return ordered


_decoder = msgspec.json.Decoder(FinishedRound)
_NO_WAGERS = frozenset[str]()


class Refusal(msgspec.Struct, frozen=True):
    """The error in a written round or its line."""

    error: str


def settle_line(line: bytes | str) -> dict[str, Any]:
    """Settle one written round; an error is returned as `{"error": ...}`.

    >>> settle_line("[]")["error"]
    'the line is not a finished round: Expected `object`, got `array`'
    """
    answer: dict[str, Any] = msgspec.to_builtins(settle_or_refuse(line))
    return answer


def settle_finished(finished: FinishedRound) -> dict[str, Any]:
    """Settle a finished round; raises `FeltError` if it cannot have happened."""
    sheet: dict[str, Any] = msgspec.to_builtins(_settle(finished))
    return sheet


def settle_or_refuse(line: bytes | str) -> Sheet | Refusal:
    """The sheet of one written round, or the error in it."""
    try:
        return _settle(_decoder.decode(line))
    except FeltError as trouble:
        return Refusal(str(trouble))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as trouble:
        return Refusal(f"the line is not a finished round: {trouble}")


def _settle(finished: FinishedRound) -> Sheet:
    """Replay a finished round through the rules and settle it."""
    table = game_of(finished)
    if finished.void is not None:
        return void_sheet(table, finished, _replay_void(table, finished))
    return settlement_sheet(table, finished, replay(table, finished))


def _replay_void(table: Game, finished: FinishedRound) -> Round:
    """A voided round: complete if it was played to its end, otherwise its opening wagers alone."""
    opening = open_round(table, finished)
    try:
        return replay(table, finished)
    except FeltError:
        return opening


def game_of(finished: FinishedRound) -> Game:
    """The game that dealt a round, with the options it names."""
    options, pay_tables, key = finished.options, finished.pay_tables, b""
    wagers = [seat.wagers for seat in finished.seats]
    wagers += [seat.tokes for seat in finished.seats if seat.tokes]
    names: frozenset[str] = _NO_WAGERS.union(*wagers)
    if options or pay_tables:
        try:
            key = msgspec.json.encode([options, pay_tables])
        except TypeError:
            raise ImpossibleRound("options and pay tables are JSON values by name") from None
    return _game(finished.game, key, names, _limit(finished))


@lru_cache(maxsize=1024)
def _game(name: str, key: bytes, wagers: frozenset[str], limit: Cents | None) -> Game:
    options, pay_tables = msgspec.json.decode(key) if key else ({}, {})
    options = {**catalog.rulebook(name).offers_for(sorted(wagers)), **options}
    return catalog.game(name, options=options, pay_tables=pay_tables, limit=limit)


def _limit(finished: FinishedRound) -> Cents | None:
    """WA.1: the legal limit on a single wager, given as an amount or by its date."""
    if finished.limit is not None:
        if finished.limit <= 0:
            raise ImpossibleRound("the limit is a positive whole number of cents")
        return finished.limit
    if finished.date is None:
        return None
    return limit_on(finished.date, catalog.rulebook(finished.game).jurisdiction)


@lru_cache(maxsize=256)
def limit_on(date: str, jurisdiction: str = "washington") -> Cents:
    """The single-wager limit of a jurisdiction on a day.

    >>> limit_on("2024-01-31")
    40000
    """
    try:
        day = datetime.date.fromisoformat(date)
    except ValueError:
        raise ImpossibleRound(f"{date!r} is no date; write it like 2024-01-31") from None
    dated = catalog.rulebook(jurisdiction).law["wager-limit"]
    in_force = [entry for entry in dated if entry.from_ <= day]
    if not in_force:
        raise ImpossibleRound(f"no wager limit is known before {dated[0].from_}")
    return in_force[-1].cents
