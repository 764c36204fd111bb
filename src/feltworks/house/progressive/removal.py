"""Taking a progressive out of play: no cent of it may be left unaccounted for (SP.19)."""

from datetime import date, timedelta
from typing import Final

from feltworks.errors import BadAmount, BadDay, NotNow, PostingRefused, UnknownName
from feltworks.house.progressive.acts import Removal, Share
from feltworks.house.progressive.chart import (
    BANK,
    BORNE,
    BOX,
    HOUSE,
    JACKPOT,
    PRIZES,
    RECEIPTS,
    SEED,
    TRAY,
    UNCOUNTED,
)
from feltworks.house.progressive.fund import REMOVED, Fund, amount
from feltworks.money import Cents, dollars

PLAYERS: Final = "players"
GROSS_RECEIPTS: Final = "gross receipts"
SEED_RECOVERY: Final = "seed recovery"
ANOTHER: Final = "progressive "  # and its name: the money goes on as a prize there
DESTINATIONS: Final = (PLAYERS, GROSS_RECEIPTS, SEED_RECOVERY, f"{ANOTHER}NAME")


def remove(fund: Fund, act: Removal, day: date) -> None:
    """SP.19: follow the plan, settle what is left between fund and house, and close."""
    _check(fund, act, day)
    for share in act.plan:
        _distribute(fund, share)
    for account in PRIZES:
        if left := fund.holds(account):
            raise BadAmount(
                "removal", left, f"the plan leaves {dollars(left)} of the {account} unaccounted for"
            )
    fund.move(BORNE, SEED, fund.holds(SEED))
    fund.move(BORNE, TRAY, fund.holds(TRAY))
    fund.move(HOUSE, BANK, fund.holds(BANK))
    fund.becomes(state=REMOVED)


def _check(fund: Fund, act: Removal, day: date) -> None:
    fund.enter(day)
    if fund.standing.day is not None or fund.holds(BOX) or fund.holds(UNCOUNTED):
        raise NotNow(
            "the day has to be ended and its box counted before the progressive is taken out of play"
        )
    if not act.authority.strip():
        raise PostingRefused("a removal names the rule or approval that it follows (SP.19)")
    # WAC 230-15-710 is not known to us in its wording: how long a notice hangs is the house's setting.
    due = act.noticed + timedelta(days=fund.terms.notice_days or 0)
    if day < due:
        raise BadDay(day, f"the notice of {act.noticed} allows the removal from {due} on")


def _distribute(fund: Fund, share: Share) -> None:
    if share.account not in PRIZES:
        raise UnknownName("prize account", share.account, PRIZES)
    cents = amount(share.cents, f"part of the {share.account}", most=fund.holds(share.account))
    if share.to == GROSS_RECEIPTS:
        if share.account == JACKPOT:
            raise NotNow("the displayed jackpot never goes to gross receipts; only prizes not displayed may")
        fund.move(share.account, RECEIPTS, cents, GROSS_RECEIPTS)
    elif share.to == SEED_RECOVERY:
        amount(cents, "recovery of the seed", most=fund.holds(SEED))
        fund.move(share.account, SEED, cents, SEED_RECOVERY)
    elif share.to == PLAYERS or heir(share):
        fund.move(share.account, HOUSE, cents, "removal")
    else:
        raise UnknownName("destination", share.to, DESTINATIONS)


def heir(share: Share) -> str:
    """The progressive that this part goes on to, if it does."""
    return share.to.removeprefix(ANOTHER).strip() if share.to.startswith(ANOTHER) else ""


def inherited(act: Removal) -> dict[str, Cents]:
    """What each other progressive receives."""
    found: dict[str, Cents] = {}
    for share in act.plan:
        if name := heir(share):
            found[name] = found.get(name, 0) + share.cents
    return found
