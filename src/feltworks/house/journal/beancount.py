"""Exports a book of the journal as plain text that beancount reads and checks."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta

from sqlalchemy import Connection

from feltworks.house.journal.book import account_kinds, book_number, days_of, postings
from feltworks.house.journal.posting import Posting
from feltworks.money import Cents

_CURRENCY = "USD"
_FILED = {
    "asset": "Assets",
    "cost": "Expenses",
    "prize": "Liabilities",
    "owed": "Liabilities",
    "income": "Income",
    "house": "Equity",
}


def beancount_lines(
    name: str, kinds: Mapping[str, str], postings: Iterable[Posting], days: tuple[str, str] | None
) -> Iterator[str]:
    """The lines of a beancount file; accounts are named by their kinds and the name of the book.

    `days` are the first and the last day of the book's postings, None where it has none. Postings are not
    always in the order of their days: a table is opened today before yesterday's box is counted.
    """
    if days is None:
        return
    accounts = _account_names(name, kinds)
    sums: dict[str, Cents] = dict.fromkeys(accounts, 0)
    yield from _header(name, days[0], accounts)
    for posting in postings:
        yield from _transaction(posting, accounts) if posting.entries else _note(posting, accounts)
        for line in posting.entries:
            sums[line.debit] += line.cents
            sums[line.credit] -= line.cents
    yield from _balance_checks(days[1], accounts, sums)


def _account_names(name: str, kinds: Mapping[str, str]) -> dict[str, str]:
    """A beancount name for every account; accounts whose names would be the same get a number.

    >>> _account_names("b", {"tray of A 1": "asset", "tray of A-1": "asset"})["tray of A-1"]
    'Assets:B:Tray-of-A-1-2'
    """
    under, taken = _account_name(name), set[str]()
    names = {}
    for account, kind in sorted(kinds.items()):
        plain = word = f"{_FILED[kind]}:{under}:{_account_name(account)}"
        count = 1
        while word in taken:
            count += 1
            word = f"{plain}-{count}"
        taken.add(word)
        names[account] = word
    return names


def export_lines(connection: Connection, name: str) -> Iterator[str]:
    """The beancount lines of one book."""
    number = book_number(connection, name)
    kinds = account_kinds(connection, number)
    return beancount_lines(name, kinds, postings(connection, number), days_of(connection, number))


def _header(name: str, day: str, accounts: Mapping[str, str]) -> Iterator[str]:
    yield f'option "title" {_quote(name)}'
    yield f'option "operating_currency" "{_CURRENCY}"'
    yield ""
    yield from (f"{day} open {account} {_CURRENCY}" for account in accounts.values())


def _transaction(posting: Posting, accounts: Mapping[str, str]) -> Iterator[str]:
    yield ""
    yield f"{posting.day} * {_quote(posting.kind)} {_quote(posting.explanation)}"
    yield f"  number: {posting.number}"
    yield f"  key: {_quote(posting.key)}"
    yield f"  made: {_quote(posting.made_at)}"
    if posting.days_late:
        yield f"  late: {posting.days_late}"
    yield f"  by: {_quote(posting.made_by)}"
    if posting.witness is not None:
        yield f"  witness: {_quote(posting.witness)}"
    yield f'  seal: "{posting.hash.hex()}"'
    for line in posting.entries:
        yield f"  {accounts[line.debit]}  {_amount(line.cents)}"
        if line.reason is not None:
            yield f"    reason: {_quote(line.reason)}"
        yield f"  {accounts[line.credit]}  {_amount(-line.cents)}"


def _note(posting: Posting, accounts: Mapping[str, str]) -> Iterator[str]:
    """A posting without entries is a note on the first account; in a book without accounts, an event."""
    text = _quote(f"{posting.kind}: {posting.explanation}")
    account = next(iter(accounts.values()), None)
    yield ""
    yield f"{posting.day} note {account} {text}" if account else f'{posting.day} event "posting" {text}'


def _balance_checks(day: str, accounts: Mapping[str, str], sums: Mapping[str, Cents]) -> Iterator[str]:
    """The balance of every account; dated the next day, since beancount checks at the start of a day."""
    morning = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    yield ""
    for account, filed in accounts.items():
        yield f"{morning} balance {filed}  {_number(sums[account])} ~ 0 {_CURRENCY}"


def _amount(cents: Cents) -> str:
    return f"{_number(cents)} {_CURRENCY}"


def _number(cents: Cents) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _account_name(name: str) -> str:
    """An account name in beancount's form: letters, digits and hyphens, beginning with a capital or digit.

    >>> _account_name("gran progressive #1")
    'Gran-progressive--1'
    """
    word = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name)
    word = word.lstrip("-") or "Book"
    return f"{word[0].upper()}{word[1:]}"
