"""Office acts: seed, bank account, deposit test, maximum, adjustment, removal (SP.15, SP.17, SP.19, WA.4)."""

from datetime import date, timedelta
from typing import Final

from feltworks.errors import BadAmount, BadDay, NotNow, PostingRefused, UnknownName
from feltworks.house.progressive import acts
from feltworks.house.progressive.fund import (
    ABOVE_MAXIMUM,
    BANK,
    BORNE,
    BOX,
    HOUSE,
    IN_PLAY,
    JACKPOT,
    OVERFLOW,
    PRIZES,
    RECEIPTS,
    REMOVED,
    RULES,
    SEED,
    STOPPED,
    TRAY,
    UNCOUNTED,
    Fund,
    check_amount,
    fill_prizes,
)
from feltworks.money import MOST_CENTS, Cents, dollars


def open_fund(fund: Fund, act: acts.Opening, day: date) -> None:
    """SP.15: the house puts up the seed."""
    fund.enter_day(day)
    fund.move(SEED, JACKPOT, act.terms.seed)


def add_seed(fund: Fund, act: acts.Seeding, day: date) -> None:
    """SP.15: add seed, recovered like the first seed, or move overflow into the jackpot."""
    fund.enter_day(day)
    check_amount(act.cents + act.from_overflow, "seed")
    for cents in (act.cents, act.from_overflow):
        if type(cents) is not int or cents < 0:
            raise BadAmount("seed", cents, "it takes a positive whole number of cents")
    if act.from_overflow > fund.balance(OVERFLOW):
        raise BadAmount("overflow", act.from_overflow, f"it holds {dollars(fund.balance(OVERFLOW))} (house rule)")
    _check_maximum(fund, act.cents + act.from_overflow)
    fund.move(SEED, JACKPOT, act.cents)
    fund.move(OVERFLOW, JACKPOT, act.from_overflow, RULES)


def receive(fund: Fund, act: acts.Receipt, day: date) -> None:
    """Divide prize money from a removed progressive among the prizes; it recovers no seed."""
    fund.enter_day(day)
    fill_prizes(fund, HOUSE, check_amount(act.cents, "prize money"))


def deposit(fund: Fund, act: acts.Deposit, day: date) -> None:
    """WAC 230-15-455: accrued funds go into a separate bank account."""
    fund.enter_day(day)
    fund.move(BANK, HOUSE, check_amount(act.cents, "deposit"))


def withdraw(fund: Fund, act: acts.Withdrawal, day: date) -> None:
    """Withdraw only money that the prizes do not need: the house is their custodian."""
    fund.enter_day(day)
    spare = max(fund.balance(BANK) - fund.owed, 0)
    if type(act.cents) is not int or not 0 < act.cents <= spare:
        needed = f"the prizes need {dollars(fund.owed)} of the {dollars(fund.balance(BANK))} in the bank"
        raise BadAmount("withdrawal", act.cents, f"{needed}, so it may be up to {dollars(spare)} (WAC 230-15-671)")
    fund.move(HOUSE, BANK, act.cents)


def check_deposit(fund: Fund, _: acts.DepositTest, day: date) -> None:
    """WAC 230-15-455: stop the game at once unless the bank account covers all prizes."""
    fund.enter_day(day)
    if fund.missing:
        fund.update(state=STOPPED)
    else:
        fund.update(state=IN_PLAY, tested=day)


def seize(fund: Fund, act: acts.Seizure, day: date) -> None:
    """WAC 230-15-715: the game stops until the posted prize is replaced."""
    fund.enter_day(day)
    fund.move(HOUSE, BANK, check_amount(act.cents, "seizure", most=fund.balance(BANK)))
    fund.update(state=STOPPED)


def impose_maximum(fund: Fund, act: acts.Maximum, day: date) -> None:
    """WAC 230-15-685: a maximum is at least the amount displayed when it is imposed."""
    fund.enter_day(day)
    least = max(fund.balance(JACKPOT), fund.terms.seed)
    if act.cents is not None and (type(act.cents) is not int or not least <= act.cents <= MOST_CENTS):
        allowed = f"the jackpot stands at {dollars(fund.balance(JACKPOT))}; it may be {dollars(least)} or more"
        raise BadAmount("maximum", act.cents, f"{allowed} (WAC 230-15-685)")
    fund.update(maximum=act.cents)


def adjust(fund: Fund, act: acts.Adjustment, day: date) -> None:
    """WAC 230-15-695: prizes are lowered for the listed reasons only; errors are corrected up or down."""
    fund.enter_day(day)
    if act.account not in PRIZES:
        raise UnknownName("prize account", act.account, PRIZES)
    if act.cents > 0:
        _raise_prize(fund, act)
    else:
        lowered = check_amount(-act.cents, f"reduction of the {act.account}", most=fund.balance(act.account))
        credit = _credit_account(fund, act, lowered)
        _check_smallest_seed(fund, act, lowered)
        fund.move(act.account, credit, lowered, act.reason)


def _check_smallest_seed(fund: Fund, act: acts.Adjustment, lowered: Cents) -> None:
    """SP.15: a jackpot in play is never posted below the smallest seed."""
    left = fund.balance(JACKPOT) - lowered
    if fund.terms.keeps_smallest_seed and act.account == JACKPOT and left < fund.rules.seed:
        raise BadAmount(
            "reduction of the jackpot",
            lowered,
            f"it would leave {dollars(left)}; a jackpot in play is posted with {dollars(fund.rules.seed)} "
            "or more (SP.15)",
        )


def _raise_prize(fund: Fund, act: acts.Adjustment) -> None:
    if act.reason != "malfunction":
        raise BadAmount(
            "adjustment", act.cents, f"{act.reason} lowers a prize; give a negative amount (WAC 230-15-695)"
        )
    if act.account == JACKPOT:
        _check_maximum(fund, act.cents)
    fund.move(BORNE, act.account, check_amount(act.cents, "correction"))


def _credit_account(fund: Fund, act: acts.Adjustment, lowered: Cents) -> str:
    """The account that receives the amount by which a prize is lowered."""
    if act.reason == "malfunction":
        return BORNE
    if act.reason == "gross receipts":
        _check_not_displayed(act.account)
        return RECEIPTS
    if act.reason == "seed recovery":
        check_amount(lowered, "recovery of the seed", most=fund.balance(SEED))
        return SEED
    most = fund.standing.maximum
    excess = 0 if most is None or act.account != JACKPOT else fund.balance(JACKPOT) - most
    if lowered > excess:
        raise BadAmount(
            f"amount {ABOVE_MAXIMUM}", lowered, f"the jackpot is {dollars(max(excess, 0))} above it (WAC 230-15-695)"
        )
    return OVERFLOW


def _check_not_displayed(account: str) -> None:
    if account == JACKPOT:
        raise NotNow(
            "the displayed jackpot never goes to gross receipts; only prizes not displayed may (WAC 230-15-695)"
        )


def _check_maximum(fund: Fund, cents: Cents) -> None:
    most = fund.standing.maximum
    if most is not None and fund.balance(JACKPOT) + cents > most:
        room = dollars(max(most - fund.balance(JACKPOT), 0))
        raise BadAmount(
            "addition", cents, f"the jackpot has a maximum of {dollars(most)}; it takes {room} (WAC 230-15-685)"
        )


PLAYERS: Final = "players"
GROSS_RECEIPTS: Final = "gross receipts"
SEED_RECOVERY: Final = "seed recovery"
ANOTHER: Final = "progressive "  # followed by its name: the money becomes a prize there
DESTINATIONS: Final = (PLAYERS, GROSS_RECEIPTS, SEED_RECOVERY, f"{ANOTHER}NAME")


def announce_removal(fund: Fund, act: acts.RemovalNotice, day: date) -> None:
    """SP.19: post the notice; the removal follows after the time set in the terms."""
    fund.enter_day(day)
    if not act.authority.strip():
        raise PostingRefused("a notice names the rule or approval that it follows (SP.19)")
    if fund.standing.noticed is not None:
        raise NotNow(f"the notice was posted on {fund.standing.noticed} already (SP.19)")
    fund.update(noticed=day)


def remove(fund: Fund, act: acts.Removal, day: date) -> None:
    """SP.19: distribute the prizes by the plan, settle the rest with the house, and close."""
    _check(fund, act, day)
    for share in act.plan:
        _distribute(fund, share)
    for account in PRIZES:
        if left := fund.balance(account):
            raise BadAmount(
                "removal", left, f"the plan leaves {dollars(left)} of the {account} unaccounted for (SP.19)"
            )
    fund.move(BORNE, SEED, fund.balance(SEED))
    fund.move(BORNE, TRAY, fund.balance(TRAY))
    fund.move(HOUSE, BANK, fund.balance(BANK))
    fund.update(state=REMOVED)


def _check(fund: Fund, act: acts.Removal, day: date) -> None:
    fund.enter_day(day)
    if fund.standing.day is not None or fund.balance(BOX) or fund.balance(UNCOUNTED):
        raise NotNow("the day has to be ended and its box counted before the progressive is taken out of play (SP.16)")
    if not act.authority.strip():
        raise PostingRefused("a removal names the rule or approval that it follows (SP.19)")
    # The text of WAC 230-15-710 is unverified, so the time of notice is a setting of the house.
    if fund.terms.edition > 1:
        _check_notice(fund, act)
    due = act.noticed + timedelta(days=fund.terms.notice_days or 0)
    if day < due:
        raise BadDay(day, f"the notice of {act.noticed} allows the removal from {due} on (SP.19)")


def _check_notice(fund: Fund, act: acts.Removal) -> None:
    """Check that the notice was posted on the stated day, and that every payee is named."""
    if fund.standing.noticed is None:
        raise NotNow("post the notice of the removal first; it has its own day (SP.19)")
    if act.noticed != fund.standing.noticed:
        raise BadDay(act.noticed, f"the notice was posted on {fund.standing.noticed} (SP.19)")
    for share in act.plan:
        if share.to == PLAYERS and not share.payee.strip():
            raise PostingRefused(f"name who is paid the {dollars(share.cents)} of the {share.account} (SP.19)")


def _distribute(fund: Fund, share: acts.Share) -> None:
    if share.account not in PRIZES:
        raise UnknownName("prize account", share.account, PRIZES)
    cents = check_amount(share.cents, f"part of the {share.account}", most=fund.balance(share.account))
    if share.to == GROSS_RECEIPTS:
        _check_not_displayed(share.account)
        fund.move(share.account, RECEIPTS, cents, GROSS_RECEIPTS)
    elif share.to == SEED_RECOVERY:
        check_amount(cents, "recovery of the seed", most=fund.balance(SEED))
        fund.move(share.account, SEED, cents, SEED_RECOVERY)
    elif share.to == PLAYERS or recipient(share):
        fund.move(share.account, HOUSE, cents, "removal")
    else:
        raise UnknownName("destination", share.to, DESTINATIONS)


def recipient(share: acts.Share) -> str:
    """The progressive that receives this share; empty if none does."""
    return share.to.removeprefix(ANOTHER).strip() if share.to.startswith(ANOTHER) else ""


def transfers(act: acts.Removal) -> dict[str, Cents]:
    """The amount that each other progressive receives."""
    amounts: dict[str, Cents] = {}
    for share in act.plan:
        if name := recipient(share):
            amounts[name] = amounts.get(name, 0) + share.cents
    return amounts
