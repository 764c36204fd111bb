"""An act applied to a fund: the one place that says which rule carries out which posting."""

from datetime import date

from feltworks.house.progressive import day_end, office, play, removal
from feltworks.house.progressive.acts import (
    Act,
    Adjustment,
    Contribution,
    DayEnd,
    Deposit,
    DepositTest,
    Maximum,
    OfficeAct,
    Opening,
    Receipt,
    Removal,
    RoundPlayed,
    Seeding,
    Seizure,
    Withdrawal,
)
from feltworks.house.progressive.fund import Fund
from feltworks.house.progressive.terms import Wagered


def apply(fund: Fund, wagered: Wagered, act: Act, day: date) -> None:
    """Carry an act out in memory; what does not fit is refused and the fund is to be thrown away."""
    match act:
        case Contribution():
            play.contribute(fund, wagered, act, day)
        case RoundPlayed():
            play.play_round(fund, wagered, act, day)
        case DayEnd():
            day_end.end_day(fund, act, day)
        case Removal():
            removal.remove(fund, act, day)
        case _:
            _apply_in_office(fund, act, day)


def _apply_in_office(fund: Fund, act: OfficeAct, day: date) -> None:
    match act:
        case Opening():
            office.open_fund(fund, act, day)
        case Seeding():
            office.seed(fund, act, day)
        case Deposit():
            office.deposit(fund, act, day)
        case Withdrawal():
            office.withdraw(fund, act, day)
        case DepositTest():
            office.check_bank(fund, day)
        case Seizure():
            office.seize(fund, act, day)
        case Maximum():
            office.impose_maximum(fund, act, day)
        case Adjustment():
            office.adjust(fund, act, day)
        case Receipt():
            office.receive(fund, act, day)


def explained(act: Act) -> str:
    """Why something is posted, where the act says it all by itself; empty where somebody has to say it."""
    match act:
        case Opening():
            return "progressive opened and seeded"
        case Contribution() | RoundPlayed():
            return f"round {act.round} at table {act.table}"
        case DayEnd():
            return "box counted at the day's end"
        case Deposit():
            return "accrued prizes deposited"
        case DepositTest():
            return "bank account compared with the prizes"
        case _:
            return ""
