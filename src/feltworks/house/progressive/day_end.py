"""The day's end: the box is counted, the tray made good, and the rest divided (SP.16)."""

from datetime import date

from feltworks.errors import BadAmount, BadDay
from feltworks.house.progressive.acts import DayEnd
from feltworks.house.progressive.additions import add
from feltworks.house.progressive.chart import BORNE, BOX, FEE, HOUSE, TRAY, UNCOUNTED
from feltworks.house.progressive.fund import Fund
from feltworks.house.progressive.terms import part_of
from feltworks.money import MOST_CENTS, Cents


def end_day(fund: Fund, act: DayEnd, day: date) -> None:
    """Count the box, take back what the tray paid, take the fee, and add the rest for the next day."""
    fund.enter(day)
    if day <= fund.standing.closed:
        raise BadDay(day, f"the box of {fund.standing.closed} has been counted already")
    _count(fund, fund.holds(BOX) if act.counted is None else act.counted)
    _recover_tray(fund)
    # SP.16: the rest, less an allowed fee, is added to the jackpot; fractions of a cent stay with it
    fund.move(UNCOUNTED, FEE, part_of(fund.holds(UNCOUNTED), fund.terms.fee))
    add(fund, UNCOUNTED, fund.holds(UNCOUNTED))
    fund.becomes(day=None, closed=day)


def _count(fund: Fund, counted: Cents) -> None:
    """What lies in the box is what counts, whatever the wagers add up to; then it goes to the cage."""
    if type(counted) is not int or not 0 <= counted <= MOST_CENTS:
        raise BadAmount("count of the box", counted, "it takes a whole number of cents")
    over = counted - fund.holds(BOX)
    if over > 0:
        fund.move(BOX, UNCOUNTED, over)
    else:
        # A jackpot that has grown already does not fall because the box is short.
        short = min(-over, fund.holds(UNCOUNTED))
        fund.move(UNCOUNTED, BOX, short)
        fund.move(BORNE, BOX, -over - short)
    fund.move(HOUSE, BOX, counted)


def _recover_tray(fund: Fund) -> None:
    """SP.16: the house may take out what the tray paid that day, as far as the box holds it."""
    if fund.terms.recovers_tray:
        fund.move(UNCOUNTED, TRAY, min(fund.holds(TRAY), fund.holds(UNCOUNTED)))
    if not (fund.terms.recovers_tray and fund.terms.carries_shortfall):
        fund.move(BORNE, TRAY, fund.holds(TRAY))
