"""A progressive in a PAR sheet: its return by the posted amount, break-even, hits and growth."""

from fractions import Fraction
from typing import Final

from msgspec import Struct

from feltworks.analysis.solvers.progressive import JACKPOTS, POLICIES, Outlook, Progressive, outlook
from feltworks.money import Cents
from feltworks.reports.wager_sheet import WagerSheet
from feltworks.rules.pay_table import Fixed, Share

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
