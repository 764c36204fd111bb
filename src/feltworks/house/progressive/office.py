"""Acts of the office: seed, bank account, deposit test, maximum, adjustment, removal (SP.15–SP.19)."""

from datetime import date, timedelta
from typing import Final

from feltworks.errors import BadAmount, BadDay, NotNow, PostingRefused, UnknownName
from feltworks.house.progressive.accounts import (
    BANK,
    BORNE,
    BOX,
    HOUSE,
    JACKPOT,
    OVERFLOW,
    PRIZES,
    RECEIPTS,
    SEED,
    TRAY,
    UNCOUNTED,
)
from feltworks.house.progressive.acts import (
    Adjustment,
    Deposit,
    Maximum,
    Opening,
    Receipt,
    Removal,
    Seeding,
    Seizure,
    Share,
    Withdrawal,
)
from feltworks.house.progressive.fund import (
    ABOVE_MAXIMUM,
    IN_PLAY,
    REMOVED,
    RULES,
    STOPPED,
    Fund,
    check_amount,
    fill_prizes,
)
from feltworks.money import MOST_CENTS, Cents, dollars


def open_fund(fund: Fund, act: Opening, day: date) -> None:
    """SP.15: the house puts up the seed."""
    fund.enter(day)
    fund.move(SEED, JACKPOT, act.terms.seed)


def add_seed(fund: Fund, act: Seeding, day: date) -> None:
    """SP.15: more seed, to be recovered like the first; or prize money held back joins the jackpot."""
    fund.enter(day)
    check_amount(act.cents + act.from_overflow, "seed")
    for cents in (act.cents, act.from_overflow):
        if type(cents) is not int or cents < 0:
            raise BadAmount("seed", cents, "it takes a positive whole number of cents")
    if act.from_overflow > fund.holds(OVERFLOW):
        raise BadAmount("overflow", act.from_overflow, f"it holds {dollars(fund.holds(OVERFLOW))}")
    _check_maximum(fund, act.cents + act.from_overflow)
    fund.move(SEED, JACKPOT, act.cents)
    fund.move(OVERFLOW, JACKPOT, act.from_overflow, RULES)


def receive(fund: Fund, act: Receipt, day: date) -> None:
    """Prize money of a progressive taken out of play is divided as an addition, but recovers no seed."""
    fund.enter(day)
    fill_prizes(fund, HOUSE, check_amount(act.cents, "prize money"))


def deposit(fund: Fund, act: Deposit, day: date) -> None:
    """WAC 230-15-455: accrued funds go into a bank account of their own."""
    fund.enter(day)
    fund.move(BANK, HOUSE, check_amount(act.cents, "deposit"))


def withdraw(fund: Fund, act: Withdrawal, day: date) -> None:
    """The house is custodian: it takes back only what the prizes do not need."""
    fund.enter(day)
    spare = max(fund.holds(BANK) - fund.owed, 0)
    if type(act.cents) is not int or not 0 < act.cents <= spare:
        needed = f"the prizes need {dollars(fund.owed)} of the {dollars(fund.holds(BANK))} in the bank"
        raise BadAmount("withdrawal", act.cents, f"{needed}, so it may be up to {dollars(spare)}")
    fund.move(HOUSE, BANK, act.cents)


def test_deposit(fund: Fund, day: date) -> None:
    """WAC 230-15-455: all prizes lie in the bank, or the game stops at once."""
    fund.enter(day)
    if fund.missing:
        fund.becomes(state=STOPPED)
    else:
        fund.becomes(state=IN_PLAY, tested=day)


def seize(fund: Fund, act: Seizure, day: date) -> None:
    """WAC 230-15-715: the game stops until the posted prize is replaced."""
    fund.enter(day)
    fund.move(HOUSE, BANK, check_amount(act.cents, "seizure", most=fund.holds(BANK)))
    fund.becomes(state=STOPPED)


def impose_maximum(fund: Fund, act: Maximum, day: date) -> None:
    """WAC 230-15-685: a maximum is at least what is displayed when it is imposed."""
    fund.enter(day)
    least = max(fund.holds(JACKPOT), fund.terms.seed)
    if act.cents is not None and (type(act.cents) is not int or not least <= act.cents <= MOST_CENTS):
        allowed = f"the jackpot stands at {dollars(fund.holds(JACKPOT))}; it may be {dollars(least)} or more"
        raise BadAmount("maximum", act.cents, allowed)
    fund.becomes(maximum=act.cents)


def adjust(fund: Fund, act: Adjustment, day: date) -> None:
    """WAC 230-15-695: prizes are lowered for the listed reasons only; an error is corrected both ways."""
    fund.enter(day)
    if act.account not in PRIZES:
        raise UnknownName("prize account", act.account, PRIZES)
    if act.cents > 0:
        _raise(fund, act)
    else:
        lowered = check_amount(-act.cents, f"reduction of the {act.account}", most=fund.holds(act.account))
        fund.move(act.account, _gains(fund, act, lowered), lowered, act.reason)


def _raise(fund: Fund, act: Adjustment) -> None:
    if act.reason != "malfunction":
        raise BadAmount("adjustment", act.cents, f"{act.reason} lowers a prize; give a negative amount")
    if act.account == JACKPOT:
        _check_maximum(fund, act.cents)
    fund.move(BORNE, act.account, check_amount(act.cents, "correction"))


def _gains(fund: Fund, act: Adjustment, lowered: Cents) -> str:
    """Which account is credited with what a prize loses."""
    if act.reason == "malfunction":
        return BORNE
    if act.reason == "gross receipts":
        if act.account == JACKPOT:
            raise NotNow("the displayed jackpot never goes to gross receipts; only prizes not displayed may")
        return RECEIPTS
    if act.reason == "seed recovery":
        check_amount(lowered, "recovery of the seed", most=fund.holds(SEED))
        return SEED
    most = fund.standing.maximum
    excess = 0 if most is None or act.account != JACKPOT else fund.holds(JACKPOT) - most
    if lowered > excess:
        raise BadAmount(
            f"amount {ABOVE_MAXIMUM}", lowered, f"the jackpot is {dollars(max(excess, 0))} above it"
        )
    return OVERFLOW


def _check_maximum(fund: Fund, cents: Cents) -> None:
    most = fund.standing.maximum
    if most is not None and fund.holds(JACKPOT) + cents > most:
        room = dollars(max(most - fund.holds(JACKPOT), 0))
        raise BadAmount("addition", cents, f"the jackpot has a maximum of {dollars(most)}; it takes {room}")


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
    cents = check_amount(share.cents, f"part of the {share.account}", most=fund.holds(share.account))
    if share.to == GROSS_RECEIPTS:
        if share.account == JACKPOT:
            raise NotNow("the displayed jackpot never goes to gross receipts; only prizes not displayed may")
        fund.move(share.account, RECEIPTS, cents, GROSS_RECEIPTS)
    elif share.to == SEED_RECOVERY:
        check_amount(cents, "recovery of the seed", most=fund.holds(SEED))
        fund.move(share.account, SEED, cents, SEED_RECOVERY)
    elif share.to == PLAYERS or recipient(share):
        fund.move(share.account, HOUSE, cents, "removal")
    else:
        raise UnknownName("destination", share.to, DESTINATIONS)


def recipient(share: Share) -> str:
    """The progressive that this part goes on to, if it does."""
    return share.to.removeprefix(ANOTHER).strip() if share.to.startswith(ANOTHER) else ""


def transfers(act: Removal) -> dict[str, Cents]:
    """What each other progressive receives."""
    found: dict[str, Cents] = {}
    for share in act.plan:
        if name := recipient(share):
            found[name] = found.get(name, 0) + share.cents
    return found
