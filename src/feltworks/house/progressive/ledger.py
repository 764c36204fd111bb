"""The ledger of a progressive: each act is posted exactly once and to the cent, or refused."""

from collections.abc import Mapping, Sequence
from datetime import date
from time import monotonic
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from feltworks.errors import FeltError, NotNow, PostingRefused
from feltworks.house.closing import CLOSED_FROM, check_day_is_open
from feltworks.house.configuration import check_table as check_order
from feltworks.house.counts import check_counted, check_team, make_tally, match_tally
from feltworks.house.journal.book import (
    BALANCES,
    BY_KEY,
    Chain,
    EarlierPosting,
    Page,
    append,
    book_number,
    check_key,
    earlier_under,
    read_head,
)
from feltworks.house.journal.posting import Entry, Posting, Voucher
from feltworks.house.progressive.acts import (
    Act,
    Adjustment,
    Contribution,
    DayEnd,
    Deposit,
    Opening,
    ProgressiveRound,
    Receipt,
    Removal,
    Seeding,
    check_duties,
    check_mode,
    decode_act,
    kind_of,
    table_of,
    with_own_key,
)
from feltworks.house.progressive.fund import CHART, JACKPOT, SIGNS, Fund, Meter, Standing, read_amounts
from feltworks.house.progressive.office import transfers
from feltworks.house.progressive.play import check_spots
from feltworks.house.progressive.records import (
    STANDING,
    check_day,
    create,
    parse_standing,
    post_act,
    progressive_names,
    read_standing,
    read_terms,
    save_standing,
    tasks_of,
)
from feltworks.house.progressive.terms import ProgressiveTerms, ProgressiveWager, encode
from feltworks.house.register import check_not_excluded, check_on_duty
from feltworks.house.storage.database import Database, Read
from feltworks.house.tables import periods
from feltworks.house.tables.acts import Denominations, check_plausible
from feltworks.house.tables.tasks import TaskOrder, number_tasks, store_tasks
from feltworks.house.users import ROLES, roles
from feltworks.money import Cents

_CHECKED_FOR: Final = 5.0  # seconds in which one writer's licence and shift are not looked up again


class LedgerPosting(Struct, frozen=True):
    """A posting and its entries; `repeated` if the same act was posted before under this key."""

    number: int
    entries: tuple[Entry, ...] = ()
    repeated: bool = False


class Head(Struct, frozen=True):
    """The state of a ledger's book after its own last posting."""

    number: int
    seal: bytes
    standing: Standing
    balances: Mapping[str, Cents]
    people: Mapping[str, str]
    tables_elsewhere: bool = False  # whether these books have no table of the game
    signed: tuple[date, str, str | None] | None = None  # the day and signers of wagers that passed the checks
    checked: float = 0.0  # when licences and shifts were last looked up


class Balances(Struct, frozen=True):
    """The amount on every account, and the standing of the progressive."""

    name: str
    standing: Standing
    accounts: dict[str, Cents]
    owed: Cents
    missing: Cents
    postings: int


class Ledger:
    """One progressive in the books.

    >>> from datetime import date
    >>> from feltworks.house.progressive.acts import Contribution, key_of
    >>> from feltworks.house.storage.migration import open_database
    >>> from feltworks.house.users import Users
    >>> books = open_database("sqlite://")
    >>> for name, role, second in (("eve", "administrator", None), ("ann", "accounting", None), ("bob", "cage", "ann")):
    ...     hired = Users(books).add(name, role, "a long password", by="eve", second=second)
    >>> voucher = Voucher(key="opening", day=date(2008, 8, 1), by="ann", witness="bob")
    >>> gran = Ledger.open(books, "gran", ProgressiveTerms(approval="controls of 2008"), voucher)
    >>> lost = Contribution("3", "17", wagers=2)
    >>> gran.post(lost, replace(voucher, key=key_of(lost, voucher.day))).entries
    (Entry(debit='box', credit='uncounted', cents=200, reason=None),)
    >>> gran.balances().accounts["jackpot"]
    50000
    """

    def __init__(self, database: Database, name: str) -> None:
        self.database, self.name = database, name
        with database.snapshot() as connection:
            self.terms = read_terms(connection, name)
            self.book = book_number(connection, name)
        self.wager, self._rules = ProgressiveWager(self.terms), self.terms.meter_rules
        self._head: Head | None = None

    @classmethod
    def open(cls, database: Database, name: str, terms: ProgressiveTerms, voucher: Voucher) -> "Ledger":
        """Open a progressive with its seed; the same opening again returns the existing one."""
        terms.check()
        check_day(voucher)
        check_key(voucher.key)
        with database.transaction() as connection:
            if name in progressive_names(connection):
                _check_same(connection, name, Opening(terms), voucher)
            else:
                _check_allowed(roles(connection), terms, [(Opening(terms), voucher)], connection)
                create(connection, name, terms, voucher)
        return cls(database, name)

    def post(self, act: Act, voucher: Voucher) -> LedgerPosting:
        """Post one act; it is on disk when this returns."""
        return self.post_all([(act, voucher)])[0]

    def post_all(self, acts: Sequence[tuple[Act, Voucher]]) -> list[LedgerPosting]:
        """Post several acts: all of them, or none if one is refused."""
        acts = [(act, with_own_key(act, voucher)) for act, voucher in acts]
        for act, voucher in acts:
            check_day(voucher)
            if not table_of(act):
                check_key(voucher.key)
            if isinstance(act, Opening):
                raise PostingRefused("a progressive is opened once (house rule: one name, one book)")
            if isinstance(act, Receipt):
                raise PostingRefused(f"prize money comes with the removal of {act.source} (SP.19)")
            if isinstance(act, Seeding | Deposit | Adjustment):
                check_plausible(kind_of(act), act.cents)
            if isinstance(act, DayEnd) and (act.second or act.third):
                raise PostingRefused("give your own count alone; the first one was entered before (WAC 230-15-615)")
        if appended := self._append(acts):
            return [appended]
        with self.database.transaction() as connection:
            booked, head = _post_acts(connection, self.name, self.book, self.terms, self.wager, acts)
            for (act, voucher), done in zip(acts, booked, strict=True):
                if isinstance(act, Removal) and not done.repeated:
                    self._transfer(connection, act, voucher)
        self._head = head
        return booked

    def _append(self, acts: Sequence[tuple[Act, Voucher]]) -> LedgerPosting | None:
        """Post one act of losing wagers in one round trip; None if it has to be posted the ordinary way.

        The database refuses it unless the last posting of the book is still this ledger's own.
        """
        head, self._head = self._head, None
        if head is None or not head.tables_elsewhere or len(acts) != 1 or monotonic() > head.checked + _CHECKED_FOR:
            return None
        ((act, voucher),) = acts
        if not isinstance(act, Contribution):
            return None
        fund = Fund(self.terms, head.standing, head.balances, rules=self._rules)
        key = self.database.engine.get_execution_options().get("house_key")
        chain = Chain(self.name, head.number, head.seal, key)
        signed = (voucher.day, voucher.by, voucher.witness)
        try:
            check_spots(act, self.wager.spots)
            if signed != head.signed:
                _check_allowed(head.people, self.terms, acts)
            posting = post_act(chain, fund, self.wager, act, voucher)
        except FeltError:
            return None
        if fund.standing != head.standing or not append(self.database, self.book, chain, head.people):
            return None
        self._head = replace(head, number=posting.number, seal=posting.hash, balances=fund.balances, signed=signed)
        return LedgerPosting(posting.number, posting.entries)

    def tally(self, count: Denominations, voucher: Voucher) -> LedgerPosting:
        """Enter the first person's own count of the box; the books do not reveal it."""
        with self.database.snapshot() as connection:
            act = make_tally(connection, self.name, count, voucher)
        return self.post(act, voucher)

    def balances(self) -> Balances:
        """The current amount on every account."""
        with self.database.snapshot() as connection:
            book, number, balances = read_head(connection, self.name)
            fund = Fund(self.terms, read_standing(connection, book), balances)
        accounts = {account: fund.balance(account) for account in CHART}
        return Balances(self.name, fund.standing, accounts, fund.owed, fund.missing, number)

    def _transfer(self, connection: Connection, act: Removal, voucher: Voucher) -> None:
        """Post what a removal transfers to other progressives, in the same transaction."""
        why = replace(voucher, key=f"{voucher.key} from {self.name}", explanation=f"from {self.name}, removed")
        for name, cents in sorted(transfers(act).items()):
            if name == self.name:
                raise PostingRefused("choose a different progressive to receive the balance (SP.19)")
            terms = read_terms(connection, name)
            book = book_number(connection, name)
            _post_acts(connection, name, book, terms, ProgressiveWager(terms), [(Receipt(cents, self.name), why)])


def _post_acts(
    connection: Connection,
    name: str,
    book: int,
    terms: ProgressiveTerms,
    wager: ProgressiveWager,
    acts: Sequence[tuple[Act, Voucher]],
) -> tuple[list[LedgerPosting], Head]:
    """Lock the book, carry out the acts in memory, and store the result; on a server in two round trips."""
    first_day = min(voucher.day for _, voucher in acts).isoformat() if acts else ""
    keys = [voucher.key for _, voucher in acts]
    reads: list[Read] = [(STANDING, book), (BALANCES, book), ROLES, (CLOSED_FROM, first_day)]
    page = Page(connection, name, *reads, *[(BY_KEY, book, key) for key in keys[:1]])
    standings, balances, people, closed, *known = page.reads
    before = parse_standing(standings)
    fund = _fund(page, terms, before, dict(map(tuple, balances)))
    earlier = earlier_under(keys[0], known[0]) if len(keys) == 1 else page.earlier(keys)
    acts = [(match_tally(page, act, voucher) if isinstance(act, DayEnd) else act, voucher) for act, voucher in acts]
    _check_allowed(dict(map(tuple, people)), terms, [pair for pair in acts if pair[1].key not in earlier], connection)
    for act, voucher in acts:
        if closed and voucher.key not in earlier:
            check_day_is_open(connection, voucher.day)
        if isinstance(act, DayEnd) and act.is_counted_twice and voucher.key not in earlier:
            check_team(connection, page.book, dict(map(tuple, people)), act, voucher)
    elsewhere = _check_rounds(connection, terms, wager, [pair for pair in acts if pair[1].key not in earlier])
    raised: list[tuple[Posting, tuple[TaskOrder, ...]]] = []
    booked = [_post_one(page, fund, wager, act, voucher, earlier, raised) for act, voucher in acts]
    save_standing(connection, page.book, before, fund.standing)
    page.write(commit=not raised and not any(isinstance(act, Removal | Receipt) for act, _ in acts))
    for posting, orders in raised:
        tasks = number_tasks(connection, page.moment, orders)
        store_tasks(connection, page.book, posting, tasks, subject=name)
    now, roles_of = monotonic(), dict(map(tuple, people))
    return booked, Head(page.number, page.last, fund.standing, fund.balances, roles_of, elsewhere, checked=now)


def _check_rounds(
    connection: Connection, terms: ProgressiveTerms, wager: ProgressiveWager, acts: Sequence[tuple[Act, Voucher]]
) -> bool:
    """Hold rounds against open tables and their spots; returns whether these books have no table of the game."""
    played = [(act, voucher.day) for act, voucher in acts if isinstance(act, Contribution | ProgressiveRound)]
    seats = {place: check_table(connection, terms, *place) for place in {(act.table, day) for act, day in played}}
    for act, day in played:
        spots = seats[act.table, day]
        if spots or isinstance(act, Contribution):  # the hands of other rounds are settled by the rules of the game
            check_spots(act, spots or wager.spots)
    return bool(seats) and not any(seats.values())


def _fund(page: Page, terms: ProgressiveTerms, standing: Standing, balances: dict[str, Cents]) -> Fund:
    """The fund at the head of a locked page, with a meter that reads the day's earlier postings on demand."""
    shown = balances[JACKPOT] * SIGNS[JACKPOT]
    in_journal = read_amounts(page.connection, page.book, page.number, shown)
    return Fund(terms, standing, balances, Meter(shown, in_journal))


def _check_allowed(
    people: Mapping[str, str],
    terms: ProgressiveTerms,
    acts: Sequence[tuple[Act, Voucher]],
    connection: Connection | None = None,
) -> None:
    """Check the signers, and whether the law of the day allows this mode of running a jackpot.

    With a connection, also their licences, and the shifts of those who sign at a table.
    """
    # Most acts of a batch are of one kind by one person at one table; check each combination once.
    alike = {
        (type(act), table_of(act), voucher.by, voucher.witness, voucher.day): (act, voucher) for act, voucher in acts
    }
    for act, voucher in alike.values():
        signers = check_duties(kind_of(act), voucher, people)
        check_mode(terms, act, voucher.day)
        if connection is not None:
            check_on_duty(connection, signers, date.today(), table_of(act))
            for share in act.plan if isinstance(act, Removal) else ():
                check_not_excluded(connection, share.payee, voucher.day)


def check_table(connection: Connection, terms: ProgressiveTerms, table: str, day: date) -> int | None:
    """The seats of a table that was open with this wager on the day; refuse any other table.

    None if these books have no table of the game, as a house may keep the books of its tables elsewhere.
    """
    if not periods.knows_game(connection, terms.game, day):
        return None
    boxes = [box for box in periods.of_day(connection, day) if (box.table, box.game) == (table, terms.game)]
    checks = [check_order(box.order) for box in boxes if box.state not in ("void", "counted")]
    offered = [check.seats for check in checks if terms.wager in {wager.wager for wager in check.wagers}]
    if not offered:
        raise NotNow(
            f"table {table} was not open with {terms.wager} on {day}, so nothing was won or lost there; a round is "
            "held against an open table that offers the wager (house rule, for WAC 230-15-671)"
        )
    return max(offered)


def _post_one(
    page: Page,
    fund: Fund,
    wager: ProgressiveWager,
    act: Act,
    voucher: Voucher,
    earlier: dict[str, EarlierPosting],
    raised: list[tuple[Posting, tuple[TaskOrder, ...]]],
) -> LedgerPosting:
    if before := earlier.get(voucher.key):
        return _repeat(before, encode(act), voucher)
    if isinstance(act, DayEnd):
        check_counted(fund, act)
    posting = post_act(page, fund, wager, act, voucher)
    if orders := tuple(tasks_of(fund.terms, act, posting.entries, voucher.day)):
        raised.append((posting, orders))
    earlier[voucher.key] = EarlierPosting(posting.number, posting.kind, posting.day, posting.facts)
    return LedgerPosting(posting.number, posting.entries)


def _check_same(connection: Connection, name: str, act: Opening, voucher: Voucher) -> None:
    before = Page(connection, name).earlier([voucher.key]).get(voucher.key)
    if before is None:
        raise PostingRefused(
            f"there is a progressive {name} already; give the new one another name (house rule: one name, one book)"
        )
    _repeat(before, encode(act), voucher)


def _repeat(before: EarlierPosting, facts: str, voucher: Voucher) -> LedgerPosting:
    """Return the earlier posting of the same act; refuse another act under its key."""
    if (before.facts, before.day) != (facts, voucher.day.isoformat()):
        if isinstance(act := decode_act(before.facts), Contribution | ProgressiveRound):
            raise PostingRefused(
                f"round {act.round} at table {act.table} is posted already (posting {before.number} of {before.day}); "
                "a round is posted once and whole, with all hands (house rule, for WAC 230-15-671)"
            )
        before.refuse(voucher.key)
    return LedgerPosting(before.number, repeated=True)
