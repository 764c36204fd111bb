"""The register of the house: records of the floor other than slips, as entries signed by two persons.

An entry is never changed: strike it, and make another.
"""

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, select

from feltworks.errors import BadAmount, BadDay, BadOption, NotNow, PostingRefused, UnknownName
from feltworks.house.approvals import find_approval
from feltworks.house.closing import check_day_is_open
from feltworks.house.configuration import POSTED, check_table
from feltworks.house.duties import APART, Signature, check_signatures, plain_letters
from feltworks.house.entries import (
    ACCOUNTS,
    CASH_RULE,
    FORWARD,
    KINDS,
    OUT_ONCE,
    PLACES,
    REPORT_WITHIN,
    REPORTED_ABOVE,
    REPORTS_FROM,
    STRIKE,
    EntryKind,
    RegisterEntry,
    RegisterLine,
    Strike,
    cash_on,
    check_entry,
    check_hours,
    check_key,
    check_stock,
    check_unstruck,
    count_chips,
    decode_register,
    register_lines,
    stock,
)
from feltworks.house.journal.book import BALANCES, Page, find_book, open_page, postings_of_kinds
from feltworks.house.journal.posting import Posting
from feltworks.house.law import check_not_future
from feltworks.house.storage.database import Database
from feltworks.house.storage.schema import account, book
from feltworks.house.storage.schema import posting as posting_table
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import BOOK as TABLES_BOOK
from feltworks.house.tables.accounts import CAGE
from feltworks.house.tables.acts import ROUNDS_A_DAY, Closer, Denominations, decode_act
from feltworks.house.tables.tasks import TaskOrder, number_tasks, store_tasks
from feltworks.house.users import roles
from feltworks.money import Cents, dollars

BOOK: Final = "house register"
KIND: Final = "register"


class Register:
    """The register of a house."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, entry: RegisterEntry, *, by: str, second: str, day: datetime.date) -> int:
        """Enter something; returns the number of the posting."""
        entry = check_entry(entry, day)
        check_not_future(day)
        with self.database.transaction() as connection:
            page = open_page(connection, BOOK, KIND, ACCOUNTS)
            check_day_is_open(connection, day)
            entry = _check_on_floor(connection, entry, day)
            if entry.kind == "licence" and plain_letters(entry.name) in map(plain_letters, (by, second)):
                raise PostingRefused(f"{entry.name} cannot record an own licence; two others do ({APART})")
            return _post(page, entry, f"{entry.kind}: {entry.name}, {entry.says}", by, second, day).number

    def strike(self, number: int, why: str, *, by: str, second: str, day: datetime.date) -> int:
        """Strike an entry, with the reason."""
        check_not_future(day)
        with self.database.transaction() as connection:
            open_page(connection, BOOK, KIND, ACCOUNTS)
            check_day_is_open(connection, day)
            return strike(connection, number, why, by=by, second=second, day=day)

    def lines(self, kind: EntryKind | None = None) -> list[RegisterLine]:
        """All entries, including struck ones, the oldest first."""
        with self.database.snapshot() as connection:
            return read_register(connection, *([kind] if kind else []))

    def balances(self) -> dict[str, Cents]:
        """The booked money in vault and cage; the cage's as of its last count and transfers."""
        with self.database.snapshot() as connection:
            return read_balances(connection)


def read_balances(connection: Connection) -> dict[str, Cents]:
    """The money in vault and cage, read within a transaction."""
    rows = select(account.c.name, account.c.cents).join_from(account, book).where(book.c.name == BOOK)
    return {name: int(cents) for name, cents in connection.execute(rows) if name in PLACES[:2]}


def strike(
    connection: Connection,
    number: int,
    why: str,
    *,
    by: str,
    second: str,
    day: datetime.date,
    action: str = "",
) -> int:
    """Strike an entry within a transaction; `action` decides who signs, as slips strike entries too."""
    if not why.strip():
        raise PostingRefused("say why the entry is struck (house rule: nothing is struck without a reason)")
    page = open_page(connection, BOOK, KIND, ACCOUNTS)
    lines = {line.number: line for line in read_register(connection)}
    if number not in lines:
        raise UnknownName("entry of the register", number, list(lines)[-20:])
    if lines[number].struck:
        raise NotNow(f"entry {number} is struck already (house rule: an entry ends once)")
    if day < lines[number].day:
        raise BadDay(day, f"entry {number} is of {lines[number].day} (house rule: nothing ends before it began)")
    check_unstruck(lines, number)
    if KINDS[lines[number].entry.kind].action == "cage" and lines[number].entry.kind != "imprest":
        raise NotNow(f"entry {number} moved money; move it back by another entry (house rule: money is never struck)")
    why = why.strip()
    return _post(page, Strike(number, why), f"entry {number} struck: {why}", by, second, day, action=action).number


def _check_on_floor(connection: Connection, entry: RegisterEntry, day: datetime.date) -> RegisterEntry:
    """Refuse an entry that contradicts the others; returns it with the fields that the books fill in."""
    lines = read_register(connection, entry.kind)
    if entry.kind in FORWARD and lines and day < (latest := max(line.day for line in lines)):
        raise BadDay(day, f"the {entry.kind} entries have gone on to {latest} (house rule: the books move forward)")
    if entry.kind in OUT_ONCE:
        for line in lines:
            if plain_letters(line.entry.name) == plain_letters(entry.name) and line.holds_on(day):
                ends = KINDS[entry.kind].ends
                raise NotNow(
                    f"{entry.kind} {entry.name} is entered already ({line.number}); it is {ends} first "
                    "(house rule: an entry ends once)"
                )
    if entry.kind == "licence":
        for line in lines:
            is_same = plain_letters(line.entry.says) == plain_letters(entry.says)
            if line.holds_on(day) and is_same and line.entry.name != entry.name:
                raise PostingRefused(
                    f"licence {entry.says} is that of {line.entry.name} (entry {line.number} of the register); "
                    f"nobody signs under two names ({APART})"
                )
    if entry.kind in ("rating", "transaction"):
        check_not_excluded(connection, entry.name, day)
    if entry.kind == "rating":
        _check_rating(connection, entry, day)
    if entry.kind == "shift":
        known = roles(connection)
        if entry.name not in known:
            raise UnknownName("user", entry.name, sorted(known))
        check_licences(read_register(connection, "licence"), [entry.name], day)
    if entry.kind in ("cards", "chips"):
        check_stock(entry, stock(lines))
        if entry.says == "destroyed":
            check_inventory(connection, "destruction", entry.pieces)
    if entry.kind == "transfer":
        _check_transfer(connection, entry)
    if entry.kind == "request":
        check_inventory(connection, "request", entry.pieces, entry.table)
    if entry.kind == "key":
        check_key(entry, lines, roles(connection), day)
    if entry.kind == "imprest":
        find_approval(connection, "imprest", entry.says, day, entry.cents)
    if entry.kind == "drop schedule":
        check_hours(entry)
    if entry.kind == "cash reporting":
        _check_revenue(connection, entry, day)
    if entry.kind == "cage count" and entry.name == "cage":
        return replace(entry, moved=_moved_by_tables(connection) - sum(line.entry.moved for line in lines))
    return entry


def _check_revenue(connection: Connection, entry: RegisterEntry, day: datetime.date) -> None:
    """Refuse an entry that cash reporting does not apply if the books show more than the limit in a year."""
    won = _win_of_a_year(connection, day)
    if entry.name == "does not apply" and won > REPORTS_FROM:
        raise PostingRefused(
            f"cash is reported: these books show {dollars(won)} in a year, and a house above {dollars(REPORTS_FROM)} "
            f"reports it ({CASH_RULE})"
        )


def _win_of_a_year(connection: Connection, day: datetime.date) -> Cents:
    year = periods.between(connection, day - datetime.timedelta(days=365), day)
    return sum(box.sums.win for box in year if box.state == "counted")


def _reports_cash(connection: Connection, day: datetime.date) -> bool:
    """Whether the house reports cash: always, unless it entered that it does not and its own books agree.

    An unneeded report breaks no rule; a missing one does.
    """
    said = [line for line in read_register(connection, "cash reporting") if line.holds_on(day) and line.day <= day]
    return not said or said[-1].entry.name == "applies" or _win_of_a_year(connection, day) > REPORTS_FROM


def _check_transfer(connection: Connection, entry: RegisterEntry) -> None:
    if entry.name == entry.says:
        raise BadOption("transfer, from which place", entry.says, "another place than it goes to")
    held = read_balances(connection).get(entry.says)
    if held is not None and entry.cents > held:
        raise BadAmount("transfer", entry.cents, f"the {entry.says} holds {dollars(held)} (house rule)")


def _check_rating(connection: Connection, entry: RegisterEntry, day: datetime.date) -> None:
    """Refuse a rating at a table that had no box on the day, or of a wager that it does not offer."""
    boxes = [box for box in periods.of_day(connection, day) if box.table == entry.table and box.state != "void"]
    if not boxes:
        raise UnknownName(f"table with a box of {day}", entry.table, periods.tables(connection))
    offered: dict[str, list[Cents]] = {}
    for wager in (wager for box in boxes for wager in check_table(box.order).wagers):
        offered.setdefault(wager.wager, []).append(wager.most)
    if entry.says not in offered:
        raise UnknownName("wager", entry.says, sorted(offered), of=f"table {entry.table}")
    if entry.cents > (most := max(offered[entry.says], default=0)):
        raise BadAmount(f"{entry.says} wager", entry.cents, f"the table posts up to {dollars(most)} ({POSTED}, WA.1)")
    today = [line.entry for line in read_register(connection, "rating") if line.day == day and not line.struck]
    same = [plain_letters(entry.name), entry.table, entry.says]
    before = sum(one.count for one in today if [plain_letters(one.name), one.table, one.says] == same)
    if before + entry.count > ROUNDS_A_DAY:
        raise BadAmount("number of rounds", str(entry.count), f"up to {ROUNDS_A_DAY:,} rounds a day (house rule)")


def _moved_by_tables(connection: Connection) -> Cents:
    """The net amount that fills, credits and first trays moved into the cage since the books began."""
    here = (book.c.name == TABLES_BOOK) & (account.c.name == CAGE)
    return int(connection.execute(select(account.c.cents).join_from(account, book).where(here)).scalar() or 0)


def _post(
    page: Page,
    act: RegisterEntry | Strike,
    why: str,
    by: str,
    second: str,
    day: datetime.date,
    *,
    action: str = "",
) -> Posting:
    connection, entry = page.connection, act if isinstance(act, RegisterEntry) else None
    action = action or (KINDS[entry.kind].action if entry else "register")
    signers = check_signatures(action, {"recorder": by, "second person": second}, roles(connection))
    check_on_duty(connection, signers, page.today, entry.table if entry and action == "request" else "")
    raised = number_tasks(connection, page.moment, _tasks(connection, entry, day) if entry else ())
    facts = {**msgspec.to_builtins(act), "tasks": raised} if raised else act
    lines = register_lines(act, dict(map(tuple, BALANCES.all(connection, page.book))))
    posting = page.post(entry.kind if entry else STRIKE, facts, lines, day=day, by=by, witness=second, why=why)
    store_tasks(connection, page.book, posting, raised, subject=entry.name if entry else "")
    return posting


def _tasks(connection: Connection, entry: RegisterEntry, day: datetime.date) -> Iterator[TaskOrder]:
    """The tasks of an entry; the cash of one person on one day is added up, in and out apart."""
    if entry.kind != "transaction" or not _reports_cash(connection, day):
        return
    lines = read_register(connection, "transaction")
    for each in sorted({day, datetime.date.today()}):
        before = cash_on(lines, each)[plain_letters(entry.name), entry.says]
        if before <= REPORTED_ABOVE < before + entry.cents:
            late = "" if each == day else f", {dollars(entry.cents)} of it entered late for {day}"
            says = f"{entry.name}: {entry.says} of {dollars(before + entry.cents)} on {each}{late}"
            asks = f"{says}; more than {dollars(REPORTED_ABOVE)} is reported ({CASH_RULE})"
            yield TaskOrder("notice", asks, REPORT_WITHIN)
            return


def read_register(connection: Connection, *kinds: EntryKind) -> list[RegisterLine]:
    """Every entry, or those of some kinds, read within a transaction."""
    number = find_book(connection, BOOK)
    if number is None:
        return []
    lines: dict[int, RegisterLine] = {}
    wanted: Sequence[str] = (*kinds, KIND, STRIKE) if kinds else ()  # older books posted every kind as KIND
    for row in postings_of_kinds(connection, number, wanted):
        act = decode_register(row.facts)
        if isinstance(act, Strike):
            if act.entry in lines:
                lines[act.entry] = replace(lines[act.entry], struck=act.why)
        elif not kinds or act.kind in kinds:
            signed = tuple(filter(None, (row.made_by, row.witness)))
            day = datetime.date.fromisoformat(row.day)
            lines[row.number] = RegisterLine(row.number, day, act, signed, made_at=row.made_at)
    return list(lines.values())


def check_on_duty(connection: Connection, signers: Iterable[Signature], day: datetime.date, table: str = "") -> None:
    """Refuse signers without a valid licence; of what is signed at a table, also those who are not on shift there."""
    lines, signers = read_register(connection, "licence", "shift"), tuple(signers)
    check_licences(lines, [signer.person for signer in signers], day)
    if table:
        _check_shifts(connection, lines, signers, table, day)


def check_licences(lines: Iterable[RegisterLine], people: Iterable[str], day: datetime.date) -> None:
    """Refuse a signature of somebody whose licence is on record and not valid on the day.

    A house that keeps licences elsewhere enters none; then nobody is refused.
    """
    licences = [line for line in lines if line.entry.kind == "licence"]
    for person in people:
        own = [line for line in licences if plain_letters(line.entry.name) == plain_letters(person)]
        if own and not any(line.holds_on(day) for line in own):
            last = own[-1]
            ended = f"was struck: {last.struck}" if last.struck else f"ran out on {last.entry.until}"
            raise PostingRefused(
                f"{person} may not sign on {day}: the licence {ended} (entry {last.number} of the register; "
                "house rule: who signs is licensed)"
            )


def _check_shifts(
    connection: Connection, lines: Iterable[RegisterLine], signers: Iterable[Signature], table: str, day: datetime.date
) -> None:
    """Refuse a signature of somebody who is not on shift, or on shift at another table.

    Our reading: a house keeps the shifts of a role from the first one that it enters on a day; of a role without any,
    nobody is refused.
    """
    lines = [line for line in lines if line.entry.kind == "shift" and line.day <= day]
    known = roles(connection)
    kept = {known.get(line.entry.name) for line in lines if line.day == day or line.holds_on(day)}
    present = {line.entry.name: plain_letters(line.entry.table) for line in lines if line.holds_on(day)}
    for signer in signers:
        if signer.role in kept and present.get(signer.person) not in ("", plain_letters(table)):
            where = "not on shift" if signer.person not in present else "on shift at another table"
            raise PostingRefused(
                f"{signer.person} is {where} and cannot sign a slip of table {table}: enter the shift in the register, "
                "or somebody else signs (house rule: who signs a slip is on shift there)"
            )


def check_inventory(connection: Connection, slip: str, pieces: Denominations, table: str = "") -> None:
    """Refuse a slip with chips that the house never had, or that lie in the locked trays of other tables.

    A house that keeps its inventory elsewhere enters none.
    """
    lines = read_register(connection, "chips") if pieces else []
    if all(line.struck for line in lines):
        return
    held, locked = count_chips(lines), chips_in_trays(connection, besides=table)
    for cents, number in pieces.items():
        if number > held[cents] - locked[cents]:
            trays = f", {locked[cents]} of them in the trays of other tables" if locked[cents] else ""
            raise NotNow(
                f"the {slip} has {number} chips of {dollars(cents)}, and the chip inventory has {held[cents]}{trays} "
                "(house rule: the records that WAC 230-15-730 asks for add up)"
            )


def chips_in_trays(connection: Connection, *, besides: str = "") -> Counter[Cents]:
    """The chips in locked trays, by their closers that were counted piece by piece."""
    chips, p, closers = Counter[Cents](), posting_table.c, []
    for table in periods.tables(connection):
        newest = next(periods.of_table(connection, table), None)
        if table != besides and newest is not None and (closer := newest.last("closer")):
            closers.append(closer.number)
    of_tables = select(p.facts).join(book, book.c.id == p.book).where(book.c.name == TABLES_BOOK)
    for facts in connection.execute(of_tables.where(p.number.in_(closers))).scalars():
        act = decode_act(facts)
        chips.update(act.pieces if isinstance(act, Closer) else {})
    return chips


def check_not_excluded(connection: Connection, player: str, day: datetime.date) -> None:
    """WAC 230-23-020: excluded persons are not paid; our reading: nor are they seated."""
    for line in read_register(connection, "excluded person"):
        if plain_letters(line.entry.name) == plain_letters(player) and line.holds_on(day):
            raise PostingRefused(
                f"{player.strip()} is excluded (entry {line.number} of the register): not seated (house rule), and "
                "winnings are not paid (WAC 230-23-020)"
            )


def serve_request(
    connection: Connection,
    number: int,
    slip: str,
    table: str,
    cents: Cents,
    pieces: Denominations,
    *,
    by: str,
    second: str,
) -> None:
    """WAC 230-15-525, 230-15-530: a slip answers the request that was signed for it, once and in full."""
    line = next((line for line in read_register(connection, "request") if line.number == number), None)
    name = f"entry {number} of the register"
    if line is None or line.struck:
        raise NotNow(f"{name} is not an open request (house rule: a request is answered once)")
    if (line.entry.name, line.entry.table, line.entry.cents) != (slip, table, cents):
        says = f"a {line.entry.name} of {dollars(line.entry.cents)} at table {line.entry.table}"
        raise PostingRefused(f"{name} asks for {says}; the slip has to say the same (house rule)")
    if pieces and pieces != {each: count for each, count in line.entry.pieces.items() if count}:
        raise PostingRefused(f"{name} asks for other pieces; the slip has to say the same (house rule)")
    strike(connection, number, f"answered by a {slip}", by=by, second=second, day=line.day, action="answer")
