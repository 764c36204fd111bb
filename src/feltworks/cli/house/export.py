"""`felt house export`: the journal for other bookkeepers."""

import sys

from feltworks.cli.house import asking
from feltworks.cli.house.asking import Name, Url


def export(name: Name, database: Url = asking.DEFAULT_URL) -> None:
    """Print a journal as a beancount file."""
    from feltworks.house.journal.beancount import beancount_lines
    from feltworks.house.journal.book import account_kinds, book_number, postings

    with asking.kept_books(database).snapshot() as connection:
        number = book_number(connection, name)
        for line in beancount_lines(name, account_kinds(connection, number), postings(connection, number)):
            sys.stdout.write(f"{line}\n")
