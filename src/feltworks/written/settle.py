"""Settles written rounds, for disputes, training and outside checks."""

import datetime
from functools import lru_cache
from typing import Any

import msgspec

from feltworks import catalog
from feltworks.errors import FeltError, ImpossibleRound
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import Round
from feltworks.written.record import FinishedRound
from feltworks.written.replay import open_round, replay
from feltworks.written.sheet import Sheet, settlement_sheet, void_sheet

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
