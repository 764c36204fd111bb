"""Durable contributions a second to the progressive's ledger, one at a time and in batches, on each database.

Beside them stands what the disk allows: an empty table that takes one row a transaction. Then a ledger is
filled and asked for its balances: a million lines, or as many as the command line says.
"""

import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from itertools import count
from pathlib import Path

from msgspec.structs import replace

from feltworks.house.journal.book import Page
from feltworks.house.journal.posting import Entry, Voucher
from feltworks.house.progressive.acts import Contribution
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.progressive.terms import ProgressiveTerms
from feltworks.house.storage.migration import open_database

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.house.floor import hire
from tests.house.servers import postgresql

DAY = date(2008, 8, 1)
WANTED = {"sqlite": (1_000, 10_000), "postgresql": (300, 3_000)}
BATCH = 1_000
LINES = 10_000  # of one posting, where a ledger is filled
_KEYS = count(1)


def signed(key: str = "") -> Voucher:
    return Voucher(key=key or str(next(_KEYS)), day=DAY, by="ann", witness="bob")


def rate(work: Callable[[], int], seconds: float = 2.0) -> tuple[float, float]:
    """How much of some work is done in a second, the best of four stretches, and the CPU seconds of each."""
    best = total = 0.0
    cpu = time.process_time()
    for _ in range(4):
        done, begun = 0, time.perf_counter()
        while (spent := time.perf_counter() - begun) < seconds / 4:
            done += work()
        best, total = max(best, done / spent), total + done
    return best, (time.process_time() - cpu) / total


def measure(kind: str, url: str) -> None:
    database = open_database(url)
    hire(database)
    ledger = Ledger.open(database, f"bench {kind}", ProgressiveTerms(approval="bench", increment=56), signed("opening"))

    def one() -> int:
        ledger.post(Contribution("1", "1", 1), signed())
        return 1

    def batch() -> int:
        return len(ledger.post_all([(Contribution("1", "1", 1), signed()) for _ in range(BATCH)]))

    for name, work, wanted in zip(("one at a time", "in batches"), (one, batch), WANTED[kind], strict=True):
        found, each = rate(work)
        print(
            f"{kind}: {found:,.0f} durable contributions a second {name} (wanted {wanted:,}),"
            f" {each * 1e6:.0f} µs of this process's CPU each"
        )
    database.close()


def disk(folder: Path) -> float:
    """Transactions of one row that the disk takes in a second."""
    connection = sqlite3.connect(folder / "plain.sqlite", isolation_level=None)
    for setting in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "CREATE TABLE t (a INTEGER)"):
        connection.execute(setting)

    def one() -> int:
        connection.execute("INSERT INTO t VALUES (1)")
        return 1

    found, _ = rate(one)
    connection.close()
    return found


def fill(url: str, lines: int) -> None:
    """A ledger of so many lines, written through the journal; then its balances and one more contribution."""
    database = open_database(url)
    hire(database)
    ledger = Ledger.open(database, "large", ProgressiveTerms(approval="bench", increment=56), signed("opening"))
    many = [Entry("bank", "house", 1)] * LINES
    begun = time.perf_counter()
    for _ in range(lines // LINES):
        with database.transaction() as connection:
            page = Page(connection, "large")
            page.add("bench", "{}", replace(signed(), explanation="filled"), many)
            page.write()
    filled = time.perf_counter() - begun
    asked = 1 / rate(lambda: bool(ledger.balances()))[0]
    posted = 1 / rate(lambda: bool(ledger.post(Contribution("1", "1", 1), signed())))[0]
    database.close()
    print(
        f"a ledger of {lines:,} lines, written in {filled:.0f} s, answers its balances in"
        f" {asked * 1e3:.2f} ms (wanted: milliseconds) and takes a contribution in {posted * 1e3:.2f} ms"
    )


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="felt-bench-") as made:
        yield Path(made)


def main() -> None:
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with folder() as here:
        print(f"the disk takes {disk(here):,.0f} transactions of one row a second")
        measure("sqlite", f"sqlite:///{here / 'books.sqlite'}")
    with postgresql() as url:
        measure("postgresql", url)
    with folder() as here:  # last: what it leaves behind in this process would slow the others down
        fill(f"sqlite:///{here / 'large.sqlite'}", lines)


if __name__ == "__main__":
    main()
