"""Whatever is posted in whatever order: nothing is lost, nothing is doubled, and a second telling agrees."""

from collections import defaultdict
from contextlib import suppress
from datetime import date, timedelta
from fractions import Fraction
from itertools import count

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from feltworks.errors import FeltError
from feltworks.house.journal.book import book_number, postings
from feltworks.house.journal.posting import Voucher
from feltworks.house.progressive.acts import (
    Act,
    Adjustment,
    Contribution,
    DayEnd,
    Deposit,
    DepositTest,
    Maximum,
    ProgressiveRound,
    Seeding,
    Seizure,
    Share,
    Withdrawal,
)
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.rebuild import verify_progressive
from feltworks.house.storage.database import Database
from tests.house.desk import (
    CINCOS,
    FLUSH,
    NOTHING,
    QUADS,
    ROYALS,
    STRAIGHT_FLUSH,
    TEAM,
    Desk,
    count_twice,
    signed,
    terms,
)
from tests.house.fold import POTS, Pots

_NAMES = (f"sequence {number}" for number in count(1))
PARTS = st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)])
PRIZES = POTS[:4]
WINNING = st.sampled_from(
    [
        (CINCOS,),
        (ROYALS[0], CINCOS, NOTHING),
        (*ROYALS[:3], CINCOS),
        ROYALS,
        (ROYALS[1], FLUSH),
        (STRAIGHT_FLUSH, NOTHING),
        (QUADS, ROYALS[2]),
        (NOTHING,),
    ]
)


class Posting(RuleBasedStateMachine):
    """A house that posts whatever comes up."""

    books: Database

    @initialize(
        recovery=PARTS,
        to_backup=PARTS,
        increment=st.sampled_from([0, 30, 100]),
        fee=st.sampled_from([Fraction(0), Fraction(1, 7)]),
        backups=st.integers(0, 2),
        carries_shortfall=st.booleans(),
        recovers_tray=st.booleans(),
    )
    def open(self, **chosen: object) -> None:
        chosen["fee_approval"] = "a letter"
        self.desk = Desk(Ledger.open(self.books, next(_NAMES), terms(**chosen), signed("opening")))
        self.pots, self.read = Pots(), 0
        self.shown: defaultdict[date, list[int]] = defaultdict(list)  # on the meter, by day
        self.last: tuple[Act, Voucher] | None = None

    def count(self, cents: int | None) -> None:
        """Count the box at the day's end; the first count may be refused like anything else."""
        with suppress(FeltError):
            self.post(DayEnd() if cents is None else count_twice(self.desk.ledger, cents, self.desk.day))

    def post(self, act: Act) -> None:
        """Post what may be refused; what was refused has changed nothing."""
        before = self.desk.ledger.balances()
        voucher = signed(act, self.desk.day, **(TEAM if isinstance(act, DayEnd) else {}))
        try:
            self.desk.ledger.post(act, voucher)
            self.last = act, voucher
        except FeltError:
            assert self.desk.ledger.balances() == before

    @rule(wagers=st.integers(0, 7))
    def lose(self, wagers: int) -> None:
        self.post(Contribution("1", f"lost {self.desk.ledger.balances().postings}", wagers))

    @rule(wagers=st.integers(1, 400))
    def lose_for_hours(self, wagers: int) -> None:
        before = self.desk.ledger.balances()
        try:
            self.desk.lose(wagers)
        except FeltError:
            assert self.desk.ledger.balances() == before

    @rule(hands=WINNING, back=st.none() | st.integers(0, 5), from_bank=st.booleans())
    def win(self, hands: tuple[str, ...], back: int | None, from_bank: bool) -> None:
        """The amount posted when the round began is one of the last that the meter showed that day."""
        shown = self.shown[self.desk.day] or [self.desk["jackpot"]]
        posted = None if back is None else shown[max(-1 - back, -len(shown))]
        round_ = str(self.desk.ledger.balances().postings)
        self.post(ProgressiveRound("1", round_, hands, posted, "bank" if from_bank else "house"))

    @rule(hands=WINNING, off=st.integers(-500, 500))
    def claim(self, hands: tuple[str, ...], off: int) -> None:
        """Whatever the meter never showed that day is refused, whoever won."""
        posted = self.desk["jackpot"] + off
        if posted not in [self.desk["jackpot"], *self.shown[self.desk.day]]:
            with pytest.raises(FeltError):
                self.desk.post(ProgressiveRound("1", "claim", hands, posted))

    @rule(over=st.integers(-2_000, 2_000), many=st.integers(0, 900_000), idle=st.booleans())
    def end_day(self, over: int, many: int, idle: bool) -> None:
        counted = None if idle else max(self.desk["box"] + over + many, 0)
        closed = self.desk.ledger.balances().standing.closed
        self.count(counted)
        if self.desk.ledger.balances().standing.closed != closed:
            self.desk.day += timedelta(days=1)

    @rule(short=st.sampled_from([0, 0, 0, 1]))
    def test_bank(self, short: int) -> None:
        self.post(Deposit(self.desk.ledger.balances().missing - short))
        self.post(DepositTest())

    @rule(cents=st.integers(-10, 100_000), seized=st.booleans())
    def take_out(self, cents: int, seized: bool) -> None:
        self.post(Seizure(cents) if seized else Withdrawal(cents))

    @rule(above=st.none() | st.integers(-10, 300_000))
    def limit(self, above: int | None) -> None:
        self.post(Maximum(None if above is None else self.desk["jackpot"] + above))

    @rule(
        account=st.sampled_from([*PRIZES, "bank"]),
        cents=st.integers(-30_000, 500),
        reason=st.sampled_from(["malfunction", "above maximum", "gross receipts", "seed recovery"]),
    )
    def adjust(self, account: str, cents: int, reason: str) -> None:
        self.post(Adjustment(account, cents, reason))  # type: ignore[arg-type]

    @rule(cents=st.integers(0, 60_000), overflow=st.integers(0, 1_000))
    def seed(self, cents: int, overflow: int) -> None:
        self.post(Seeding(cents, overflow))

    @precondition(lambda self: self.last is not None)
    @rule()
    def repeat(self) -> None:
        assert self.last is not None
        before = self.desk.ledger.balances()
        assert self.desk.ledger.post(*self.last).repeated
        assert self.desk.ledger.balances() == before

    @invariant()
    def a_second_telling_agrees(self) -> None:
        self.hear()
        now = self.desk.ledger.balances()
        assert now.accounts == self.pots.of
        assert (now.standing.started, now.standing.maximum) == (self.pots.started, self.pots.maximum)
        assert (now.standing.state == "stopped") == (self.pots.stopped and not self.pots.removed)
        self.nothing_is_lost(now.accounts)

    def nothing_is_lost(self, accounts: dict[str, int]) -> None:
        held = sum(accounts[name] for name in ("seed", "tray", "box", "bank", "house", "borne"))
        owed = sum(accounts[name] for name in (*PRIZES, "uncounted", "fee", "receipts"))
        assert held == owed
        assert all(cents >= 0 for name, cents in accounts.items() if name not in ("house", "borne"))

    def hear(self) -> None:
        with self.books.snapshot() as connection:
            number = book_number(connection, self.desk.ledger.name)
            for posting in postings(connection, number, first=self.read + 1):
                shown = self.shown[date.fromisoformat(posting.day)]
                shown += [self.pots.of["jackpot"]] if not shown else []  # as the day began
                self.pots.happens(posting.facts)
                shown.append(self.pots.of["jackpot"])
                self.read = posting.number

    def teardown(self) -> None:
        if not hasattr(self, "desk"):
            return
        self.count(self.desk["box"])
        self.desk.day += timedelta(days=1)
        plan = tuple(Share(name, self.desk[name], "players") for name in PRIZES if self.desk[name])
        self.desk.remove(*plan)
        self.a_second_telling_agrees()
        assert self.desk.state == "removed"
        left = {name for name, cents in self.desk.ledger.balances().accounts.items() if cents}
        assert left <= {"house", "borne", "fee", "receipts"}
        assert verify_progressive(self.books, self.desk.ledger.name).troubles == []


def run(books: Database, *, sequences: int, steps: int, steady: bool = True) -> None:
    """Post so many sequences of so many steps."""

    class OnTheseBooks(Posting):
        pass

    OnTheseBooks.books = books
    chosen = settings(
        max_examples=sequences,
        stateful_step_count=steps,
        deadline=None,
        derandomize=steady,
        database=None,
        phases=[Phase.generate],  # making a failing sequence shorter would take longer than reading it
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(OnTheseBooks, settings=chosen)


@pytest.mark.clause("SP.15", "SP.16", "SP.17", "SP.18", "SP.19")
def test_any_sequence_keeps_the_books_and_agrees_with_a_second_telling(books: Database) -> None:
    run(books, sequences=18 if books.is_sqlite else 4, steps=40)  # `make soak` posts for longer
