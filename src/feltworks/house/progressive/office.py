"""What happens in the office: seed, bank account, deposit test, maximum, adjustments (SP.15, SP.17, WA.4)."""

from datetime import date

from feltworks.errors import BadAmount, NotNow, UnknownName
from feltworks.house.progressive.acts import (
    Adjustment,
    Deposit,
    Maximum,
    Opening,
    Receipt,
    Seeding,
    Seizure,
    Withdrawal,
)
from feltworks.house.progressive.additions import pour
from feltworks.house.progressive.chart import (
    BANK,
    BORNE,
    HOUSE,
    JACKPOT,
    OVERFLOW,
    PRIZES,
    RECEIPTS,
    SEED,
)
from feltworks.house.progressive.fund import ABOVE_MAXIMUM, IN_PLAY, RULES, STOPPED, Fund, amount
from feltworks.money import MOST_CENTS, Cents, dollars


def open_fund(fund: Fund, act: Opening, day: date) -> None:
    """SP.15: the house puts up the seed."""
    fund.enter(day)
    fund.move(SEED, JACKPOT, act.terms.seed)


def seed(fund: Fund, act: Seeding, day: date) -> None:
    """SP.15: more seed, to be recovered like the first; or prize money held back joins the jackpot."""
    fund.enter(day)
    amount(act.cents + act.from_overflow, "seed")
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
    pour(fund, HOUSE, amount(act.cents, "prize money"))


def deposit(fund: Fund, act: Deposit, day: date) -> None:
    """WAC 230-15-455: accrued funds go into a bank account of their own."""
    fund.enter(day)
    fund.move(BANK, HOUSE, amount(act.cents, "deposit"))


def withdraw(fund: Fund, act: Withdrawal, day: date) -> None:
    """The house is custodian: it takes back only what the prizes do not need."""
    fund.enter(day)
    spare = max(fund.holds(BANK) - fund.owed, 0)
    if type(act.cents) is not int or not 0 < act.cents <= spare:
        needed = f"the prizes need {dollars(fund.owed)} of the {dollars(fund.holds(BANK))} in the bank"
        raise BadAmount("withdrawal", act.cents, f"{needed}, so it may be up to {dollars(spare)}")
    fund.move(HOUSE, BANK, act.cents)


def check_bank(fund: Fund, day: date) -> None:
    """WAC 230-15-455: all prizes lie in the bank, or the game stops at once."""
    fund.enter(day)
    if fund.missing:
        fund.becomes(state=STOPPED)
    else:
        fund.becomes(state=IN_PLAY, tested=day)


def seize(fund: Fund, act: Seizure, day: date) -> None:
    """WAC 230-15-715: the game stops until the posted prize is replaced."""
    fund.enter(day)
    fund.move(HOUSE, BANK, amount(act.cents, "seizure", most=fund.holds(BANK)))
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
        lowered = amount(-act.cents, f"reduction of the {act.account}", most=fund.holds(act.account))
        fund.move(act.account, _gains(fund, act, lowered), lowered, act.reason)


def _raise(fund: Fund, act: Adjustment) -> None:
    if act.reason != "malfunction":
        raise BadAmount("adjustment", act.cents, f"{act.reason} lowers a prize; give a negative amount")
    if act.account == JACKPOT:
        _check_maximum(fund, act.cents)
    fund.move(BORNE, act.account, amount(act.cents, "correction"))


def _gains(fund: Fund, act: Adjustment, lowered: Cents) -> str:
    """Which account is credited with what a prize loses."""
    if act.reason == "malfunction":
        return BORNE
    if act.reason == "gross receipts":
        if act.account == JACKPOT:
            raise NotNow("the displayed jackpot never goes to gross receipts; only prizes not displayed may")
        return RECEIPTS
    if act.reason == "seed recovery":
        amount(lowered, "recovery of the seed", most=fund.holds(SEED))
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
