"""What a PAR sheet says of a progressive: its return by the meter, break-even, hits, and how it grows."""

from fractions import Fraction
from typing import Final

from msgspec import Struct

from feltworks.analysis.solvers.growth import JACKPOTS, POLICIES, Outlook, outlook
from feltworks.analysis.solvers.progressive import Progressive
from feltworks.money import Cents
from feltworks.reports.wager_sheet import WagerSheet

_FUND_ROUNDS: Final = (100, 500, 2_500, 10_000, 100_000)


class Hit(Struct, frozen=True):
    """An award and how many rounds lie between two of it, for one wager and for a full table."""

    award: str
    one_wager: Fraction
    at_table: Fraction | None


class Funded(Struct, frozen=True):
    """Where the money of so many rounds without a win lies, in cents."""

    policy: str
    rounds: int
    recovered: Fraction
    primary: Fraction
    backups: Fraction


class ProgressiveSheet(Struct, frozen=True):
    """A progressive with one seat in action and with all of them."""

    seats: int
    fixed_return: Fraction
    alone: Outlook
    full: Outlook
    break_even: Fraction
    break_even_full: Fraction
    meters: tuple[tuple[Cents, Fraction, Fraction], ...]  # posted, return alone, return at a full table
    hits: tuple[Hit, ...]
    several: Fraction  # how likely more than one seat wins from the jackpot in one round of a full table
    funds: tuple[Funded, ...]


def progressive_sheet(sheet: WagerSheet) -> ProgressiveSheet | None:
    """The sheet of a wager on a jackpot; None for any other."""
    found = sheet.answer.notes.get("progressive")
    if not isinstance(found, Progressive):
        return None
    seats = found.game.terms.spots or 1
    alone, full = outlook(found), outlook(found, seats)
    posted = sorted({*JACKPOTS, *([sheet.question.jackpot] if sheet.question.jackpot else [])})
    winners = found.winners(seats)
    return ProgressiveSheet(
        seats,
        found.fixed_return,
        alone,
        full,
        found.break_even(),
        found.break_even(seats),
        tuple((cents, alone.expected_return(cents), full.expected_return(cents)) for cents in posted),
        tuple(Hit(name, one, full.rounds_at_table.get(name)) for name, one in alone.rounds_between.items()),
        sum((chance for each, chance in winners.items() if sum(each) > 1), Fraction(0)),
        tuple(_funds(full)),
    )


def _funds(seen: Outlook) -> list[Funded]:
    return [
        Funded(policy, rounds, fund.recovered, fund.primary, fund.backup + fund.second_backup)
        for policy, part in POLICIES.items()
        for rounds, fund in seen.funds(part)
        if rounds in _FUND_ROUNDS
    ]
