"""The journal for other bookkeepers: plain text that beancount reads and checks."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta

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


def beancount_lines(name: str, kinds: Mapping[str, str], postings: Iterable[Posting]) -> Iterator[str]:
    """The lines of a file; accounts are filed by their kinds and under the book's name."""
    under = _spelled(name)
    accounts = {account: f"{_FILED[kind]}:{under}:{_spelled(account)}" for account, kind in kinds.items()}
    sums: dict[str, Cents] = dict.fromkeys(accounts, 0)
    day = ""
    for posting in postings:
        if not day:
            yield from _opening(name, posting.day, accounts)
        day = posting.day
        yield from _transaction(posting, accounts) if posting.entries else _note(posting, accounts)
        for line in posting.entries:
            sums[line.debit] += line.cents
            sums[line.credit] -= line.cents
    if day:
        yield from _closing(day, accounts, sums)


def _opening(name: str, day: str, accounts: Mapping[str, str]) -> Iterator[str]:
    yield f'option "title" {_quoted(name)}'
    yield f'option "operating_currency" "{_CURRENCY}"'
    yield ""
    yield from (f"{day} open {account} {_CURRENCY}" for account in accounts.values())


def _transaction(posting: Posting, accounts: Mapping[str, str]) -> Iterator[str]:
    yield ""
    yield f"{posting.day} * {_quoted(posting.kind)} {_quoted(posting.explanation)}"
    yield f"  number: {posting.number}"
    yield f"  key: {_quoted(posting.key)}"
    yield f"  by: {_quoted(posting.made_by)}"
    if posting.witness is not None:
        yield f"  witness: {_quoted(posting.witness)}"
    yield f'  seal: "{posting.hash.hex()}"'
    for line in posting.entries:
        yield f"  {accounts[line.debit]}  {_amount(line.cents)}"
        if line.reason is not None:
            yield f"    reason: {_quoted(line.reason)}"
        yield f"  {accounts[line.credit]}  {_amount(-line.cents)}"


def _note(posting: Posting, accounts: Mapping[str, str]) -> Iterator[str]:
    """What moves no money is a note beside the first account."""
    account = next(iter(accounts.values()))
    yield ""
    yield f"{posting.day} note {account} {_quoted(f'{posting.kind}: {posting.explanation}')}"


def _closing(day: str, accounts: Mapping[str, str], sums: Mapping[str, Cents]) -> Iterator[str]:
    """What every account has to come to; beancount compares in the morning, so on the next day."""
    morning = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    yield ""
    for account, filed in accounts.items():
        yield f"{morning} balance {filed}  {_number(sums[account])} ~ 0 {_CURRENCY}"


def _amount(cents: Cents) -> str:
    return f"{_number(cents)} {_CURRENCY}"


def _number(cents: Cents) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _spelled(name: str) -> str:
    """Beancount takes letters, digits and hyphens, the first a capital or a digit.

    >>> _spelled("gran progressive #1")
    'Gran-progressive--1'
    """
    spelled = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name)
    spelled = spelled.lstrip("-") or "Book"
    return f"{spelled[0].upper()}{spelled[1:]}"
