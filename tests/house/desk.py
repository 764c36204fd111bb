"""The desk at which a test posts: days that follow one another, keys that never repeat, two persons."""

from datetime import date, timedelta
from itertools import count
from typing import Any

from msgspec.structs import replace

from feltworks.house.journal.posting import Voucher
from feltworks.house.progressive.acts import (
    Act,
    Contribution,
    DayEnd,
    Deposit,
    DepositTest,
    ProgressiveRound,
    Removal,
    RemovalNotice,
    Share,
    key_of,
)
from feltworks.house.progressive.ledger import Ledger, LedgerPosting
from feltworks.house.progressive.terms import ProgressiveTerms

FIRST_DAY = date(2008, 8, 1)
ROYALS = ("7c Jc Qc Kc Ac", "7d Jd Qd Kd Ad", "7h Jh Qh Kh Ah", "7s Js Qs Ks As")
CINCOS = "6c 6d 6h 6s Jo"
STRAIGHT_FLUSH, FLUSH, NOTHING = "2h 3h 4h 5h 6h", "2s 3s 4s 5s Ks", "2c 3d 4c 5d Kh"
QUADS = "5c 5d 5h 5s 2c"
TEAM = {"by": "abe", "witness": "cara"}  # who count a box with sue, and posted none of its wagers
_KEYS, _ROUNDS = count(1), count(1)


def terms(**settings: Any) -> ProgressiveTerms:
    return ProgressiveTerms(approval="internal controls of 2008", **settings)


def signed(key: str | Act = "", day: date = FIRST_DAY, **more: Any) -> Voucher:
    """A voucher of two persons under this key, under that of a round, or under a new one."""
    said = {"by": "ann", "witness": "bob", "explanation": "as the test says", **more}
    return Voucher(key=(key if isinstance(key, str) else key_of(key, day)) or f"key {next(_KEYS)}", day=day, **said)


def lost(wagers: int = 1, day: date = FIRST_DAY, **more: Any) -> tuple[Contribution, Voucher]:
    """The losing wagers of a round that was not posted before, and their voucher."""
    act = Contribution("1", f"lost {next(_ROUNDS)}", wagers)
    return act, signed(act, day, **more)


def count_twice(ledger: Ledger, cents: int, day: date) -> DayEnd:
    """The end of a day whose box holds this much in dollars and cents; sue has counted it before."""
    count = {pieces: number for pieces, number in ((100, cents // 100), (1, cents % 100)) if number} or {100: 0}
    ledger.tally(count, signed(day=day, by="sue", witness=None))
    return DayEnd(first=count)


class Desk:
    """One progressive and the day it is."""

    def __init__(self, ledger: Ledger, day: date = FIRST_DAY) -> None:
        self.ledger, self.day = ledger, day

    def post(self, act: Act, **more: Any) -> LedgerPosting:
        return self.ledger.post(act, signed(act, self.day, **more))

    def lose(self, wagers: int) -> LedgerPosting:
        """Post so many losing wagers, up to five a round."""
        rounds = [min(wagers - before, 5) for before in range(0, wagers, 5)]
        return self.ledger.post_all([lost(number, self.day) for number in rounds])[-1]

    def play(self, *hands: str, **more: Any) -> LedgerPosting:
        return self.post(ProgressiveRound("1", f"{next(_ROUNDS)}", hands, **more))

    def end_day(self, counted: int | None = None) -> LedgerPosting:
        box = count_twice(self.ledger, self["box"] if counted is None else counted, self.day)
        booked = self.post(box, **TEAM)
        self.day += timedelta(days=1)
        return booked

    def bring(self, cents: int) -> None:
        """A day whose box adds so much, after which the bank account holds all prizes."""
        self.lose(1)
        self.end_day(cents)
        self.cover()

    def remove(self, *plan: Share, authority: str = "WAC 230-15-710") -> LedgerPosting:
        """Post the notice of a removal, unless it is posted, and then the removal."""
        if (noticed := self.ledger.balances().standing.noticed) is None:
            self.post(RemovalNotice(authority))
            noticed = self.day
        named = tuple(replace(share, payee="those who played") for share in plan)
        return self.post(Removal(noticed, authority, named))

    def cover(self) -> None:
        if missing := self.ledger.balances().missing:
            self.post(Deposit(missing))
        self.post(DepositTest())

    def __getitem__(self, account: str) -> int:
        return self.ledger.balances().accounts[account]

    @property
    def prizes(self) -> tuple[int, int, int]:
        return self["jackpot"], self["backup"], self["second-backup"]

    @property
    def state(self) -> str:
        return self.ledger.balances().standing.state
