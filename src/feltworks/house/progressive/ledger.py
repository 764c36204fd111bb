"""The books of one progressive: what is posted to it is kept, once and to the cent, or refused."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from feltworks.errors import PostingRefused
from feltworks.house.journal.book import BALANCES, EarlierPosting, Page, read_head
from feltworks.house.journal.posting import Entry, Voucher
from feltworks.house.progressive.accounts import CHART, JACKPOT, SIGNS
from feltworks.house.progressive.acts import Act, Opening, Receipt, Removal, kind_of
from feltworks.house.progressive.dispatch import post_act
from feltworks.house.progressive.fund import Fund, Standing
from feltworks.house.progressive.meter import Meter, read_amounts
from feltworks.house.progressive.office import transfers
from feltworks.house.progressive.permissions import check_duties, check_mode
from feltworks.house.progressive.records import (
    STANDING,
    check_day,
    create,
    parse_standing,
    progressive_names,
    read_standing,
    read_terms,
    save_standing,
)
from feltworks.house.progressive.terms import ProgressiveTerms, ProgressiveWager, encode
from feltworks.house.storage.database import Database
from feltworks.house.storage.statements import fetch_many
from feltworks.house.users import ROLES, roles
from feltworks.money import Cents


class LedgerPosting(Struct, frozen=True):
    """What a posting did; `repeated` where the same was posted before under its key and nothing was done."""

    number: int
    entries: tuple[Entry, ...] = ()
    repeated: bool = False


class Balances(Struct, frozen=True):
    """Where the money lies, as people speak of it, and how the game stands."""

    name: str
    standing: Standing
    accounts: dict[str, Cents]
    owed: Cents
    missing: Cents
    postings: int


class Ledger:
    """One progressive in the books.

    >>> from datetime import date
    >>> from feltworks.house.progressive.acts import Contribution
    >>> from feltworks.house.storage.migration import open_database
    >>> from feltworks.house.users import Users
    >>> books = open_database("sqlite://")
    >>> for name, role in {"eve": "administrator", "ann": "accounting", "bob": "cage"}.items():
    ...     hired = Users(books).add(name, role, "a long password", by="eve")
    >>> voucher = Voucher(key="opening", day=date(2008, 8, 1), by="ann", witness="bob")
    >>> gran = Ledger.open(books, "gran", ProgressiveTerms(approval="controls of 2008"), voucher)
    >>> gran.post(Contribution("3", "17", wagers=2), replace(voucher, key="3/17")).entries
    (Entry(debit='box', credit='uncounted', cents=200, reason=None),)
    >>> gran.balances().accounts["jackpot"]
    50000
    """

    def __init__(self, database: Database, name: str) -> None:
        self.database, self.name = database, name
        with database.snapshot() as connection:
            self.terms = read_terms(connection, name)
        self.wagered = ProgressiveWager(self.terms)

    @classmethod
    def open(cls, database: Database, name: str, terms: ProgressiveTerms, signed: Voucher) -> "Ledger":
        """Open a progressive of this name with its seed; the same opening again finds what is there."""
        terms.check()
        check_day(signed)
        with database.transaction() as connection:
            if name in progressive_names(connection):
                _check_same(connection, name, Opening(terms), signed)
            else:
                _check_allowed(roles(connection), terms, [(Opening(terms), signed)])
                create(connection, name, terms, signed)
        return cls(database, name)

    def post(self, act: Act, signed: Voucher) -> LedgerPosting:
        """Post one act; when this returns it is on disk."""
        return self.post_all([(act, signed)])[0]

    def post_all(self, acts: Sequence[tuple[Act, Voucher]]) -> list[LedgerPosting]:
        """Post several acts at once: all of them, or none if one is refused."""
        for act, signed in acts:
            check_day(signed)
            if isinstance(act, Opening):
                raise PostingRefused("a progressive is opened once")
        with self.database.transaction() as connection:
            booked = _posted(connection, self.name, self.terms, self.wagered, acts)
            for (act, signed), done in zip(acts, booked, strict=True):
                if isinstance(act, Removal) and not done.repeated:
                    self._hand_on(connection, act, signed)
            return booked

    def balances(self) -> Balances:
        """Every account as it stands now."""
        with self.database.snapshot() as connection:
            book, number, balances = read_head(connection, self.name)
            fund = Fund(self.terms, read_standing(connection, book), balances)
        accounts = {account: fund.holds(account) for account in CHART}
        return Balances(self.name, fund.standing, accounts, fund.owed, fund.missing, number)

    def _hand_on(self, connection: Connection, act: Removal, signed: Voucher) -> None:
        """What a removal leaves to other progressives is posted there in the same transaction."""
        why = replace(signed, key=f"{signed.key} from {self.name}", explanation=f"from {self.name}, removed")
        for name, cents in sorted(transfers(act).items()):
            if name == self.name:
                raise PostingRefused("a progressive taken out of play cannot be its own heir")
            terms = read_terms(connection, name)
            _posted(connection, name, terms, ProgressiveWager(terms), [(Receipt(cents, self.name), why)])


def _posted(
    connection: Connection,
    name: str,
    terms: ProgressiveTerms,
    wagered: ProgressiveWager,
    acts: Sequence[tuple[Act, Voucher]],
) -> list[LedgerPosting]:
    """Lock the book, carry the acts out in memory, and hand the database what they bring about."""
    page = Page(connection, name)
    stands, holds, people = fetch_many(connection, (STANDING, page.book), (BALANCES, page.book), ROLES)
    before = parse_standing(stands)
    fund = _fund(page, terms, before, dict(map(tuple, holds)))
    earlier = page.earlier([signed.key for _, signed in acts])
    _check_allowed(dict(map(tuple, people)), terms, [pair for pair in acts if pair[1].key not in earlier])
    booked = [_post_one(page, fund, wagered, act, signed, earlier) for act, signed in acts]
    page.write()
    save_standing(connection, page.book, before, fund.standing)
    return booked


def _fund(page: Page, terms: ProgressiveTerms, standing: Standing, balances: dict[str, Cents]) -> Fund:
    """The fund as its locked page leaves it, with a meter that can look up the day's earlier postings."""
    shown = balances[JACKPOT] * SIGNS[JACKPOT]
    in_journal = read_amounts(page.connection, page.book, page.number, shown)
    return Fund(terms, standing, balances, Meter(shown, in_journal))


def _check_allowed(
    people: Mapping[str, str], terms: ProgressiveTerms, acts: Sequence[tuple[Act, Voucher]]
) -> None:
    """What the books cannot see from their money: who signs, and whether the day's law knows this mode."""
    # A batch is mostly of one kind by one person, which is looked at once.
    alike = {(type(act), signed.by, signed.witness, signed.day): (act, signed) for act, signed in acts}
    for act, signed in alike.values():
        check_duties(kind_of(act), signed, people)
        check_mode(terms, act, signed.day)


def _post_one(
    page: Page,
    fund: Fund,
    wagered: ProgressiveWager,
    act: Act,
    signed: Voucher,
    earlier: dict[str, EarlierPosting],
) -> LedgerPosting:
    if before := earlier.get(signed.key):
        return _repeated(before, encode(act), signed)
    posting = post_act(page, fund, wagered, act, signed)
    earlier[signed.key] = EarlierPosting(posting.number, posting.kind, posting.day, posting.facts)
    return LedgerPosting(posting.number, posting.entries)


def _check_same(connection: Connection, name: str, act: Opening, signed: Voucher) -> None:
    found = Page(connection, name).earlier([signed.key]).get(signed.key)
    if found is None:
        raise PostingRefused(f"there is a progressive {name} already; give the new one another name")
    _repeated(found, encode(act), signed)


def _repeated(before: EarlierPosting, facts: str, signed: Voucher) -> LedgerPosting:
    """The same again is no second posting; anything else under an old key is a mistake."""
    if (before.facts, before.day) != (facts, signed.day.isoformat()):
        raise PostingRefused(
            f"the key {signed.key} stands for posting {before.number} ({before.kind} on {before.day}), "
            "which is not the same; give a new key"
        )
    return LedgerPosting(before.number, repeated=True)
