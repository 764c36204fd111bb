"""Durable contributions a second to a progressive whose journal holds a million postings, on each database.

Beside them stand two yardsticks of the same run, on the same disk and database: a plain table that takes one
row a transaction, and one that takes a batch of rows. Both are measured in turns, so that other work on the
machine falls on both; the ratio is the median of the turns. CPU time is that of this process and of the database
server, so it says what one free core would do while others work beside it. At the end the whole journal is
verified: its CPU time, and how much memory that takes. The command line may name another number of postings.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial
from itertools import count
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median
from tempfile import TemporaryDirectory

from sqlalchemy import text

from feltworks.house.journal.posting import Voucher
from feltworks.house.progressive.acts import Contribution, key_of
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.progressive.terms import ProgressiveTerms, encode
from feltworks.house.rebuild import verify_progressive
from feltworks.house.storage.database import Database
from feltworks.house.storage.migration import open_database

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.house.floor import hire
from tests.house.servers import postgresql

DAY = date(2008, 8, 1)
NAME = "large"
_ROUNDS = count(1)
WANTED = (1_000, 10_000)  # one at a time, in batches
BATCH = 1_000
AT_ONCE = 20_000  # postings of one transaction while the journal is filled
SECONDS, TURNS = 1.0, 9
MEASURED = 5_000  # postings of which the CPU time is taken
_PLAIN = (
    "CREATE TABLE plain (number BIGINT PRIMARY KEY, key TEXT NOT NULL, day TEXT NOT NULL, "
    "facts TEXT NOT NULL, cents BIGINT NOT NULL)"
)
_ROW = "INSERT INTO plain VALUES (:number, :key, :day, :facts, :cents)"


def lost() -> tuple[Contribution, Voucher]:
    """The losing wager of another round, under its own key as it comes when nobody gives one."""
    act = Contribution("1", f"{next(_ROUNDS)}", 1)
    return act, Voucher(key=key_of(act, DAY), day=DAY, by="ann", witness="bob")


def rate(work: Callable[[], int]) -> float:
    """How much of some work is done in a second."""
    done, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < SECONDS:
        done += work()
    return done / spent


def cpu(folder: str) -> float:
    """CPU seconds of this process and of the server processes that work in a folder."""
    ticks = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if folder and os.readlink(process / "cwd").startswith(folder):
                fields = (process / "stat").read_text().rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
        except OSError:
            continue  # it has ended, or is another user's
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def post(ledger: Ledger, rows: int) -> int:
    return len(ledger.post_all([lost() for _ in range(rows)]))


def fill(ledger: Ledger, postings: int) -> None:
    """So many contributions, a few transactions long."""
    for begin in range(0, postings, AT_ONCE):
        post(ledger, min(AT_ONCE, postings - begin))


class Yardstick:
    """A plain table in the same database: what its disk and its driver allow."""

    def __init__(self, database: Database) -> None:
        self._database, self._number = database, 0
        with database.transaction() as connection:
            connection.execute(text(_PLAIN))

    def insert(self, rows: int) -> int:
        """One transaction of so many rows."""
        with self._database.transaction() as connection:
            connection.execute(text(_ROW), [self._row() for _ in range(rows)])
        return rows

    def _row(self) -> dict[str, object]:
        self._number += 1
        act, voucher = lost()
        return {"number": self._number, "key": voucher.key, "day": DAY.isoformat(), "facts": encode(act), "cents": 100}


def measure(kind: str, url: str, postings: int) -> None:
    database = open_database(url)
    server = "" if database.is_sqlite else str(database.url.query["host"])
    hire(database)
    voucher = Voucher(key="opening", day=DAY, by="ann", witness="bob")
    ledger = Ledger.open(database, NAME, ProgressiveTerms(approval="bench", increment=56), voucher)
    begun = time.perf_counter()
    fill(ledger, postings)
    print(f"{kind}: {postings:,} postings filled in {time.perf_counter() - begun:.0f} s")
    yardstick = Yardstick(database)
    for name, rows, wanted in zip(("one at a time", "in batches"), (1, BATCH), WANTED, strict=True):
        turns = [(rate(partial(yardstick.insert, rows)), rate(partial(post, ledger, rows))) for _ in range(TURNS)]
        plain, ours = (median(column) for column in zip(*turns, strict=True))
        ratio = median(ours / plain for plain, ours in turns)
        print(
            f"{kind}: {ours:,.0f} durable contributions a second {name} (wanted {wanted:,}), {ratio:.2f} of the"
            f" {plain:,.0f} rows that a plain table takes; fastest turn {max(turn[1] for turn in turns):,.0f}",
            flush=True,
        )
        spent = cpu(server)
        done = sum(post(ledger, rows) for _ in range(MEASURED // rows))
        each = (cpu(server) - spent) / done
        print(f"{kind}: {each * 1e6:.0f} µs of CPU each {name}: {1 / each:,.0f} a second of one core", flush=True)
    asked = 1 / rate(lambda: bool(ledger.balances()))
    print(f"{kind}: its balances are read in {asked * 1e3:.2f} ms (wanted: milliseconds)")
    check(kind, database)
    database.close()


def check(kind: str, database: Database) -> None:
    """Verify the journal; resident memory is compared before and after, since the peak counts what went before."""
    begun, before = time.process_time(), getrusage(RUSAGE_SELF).ru_maxrss
    verified = verify_progressive(database, NAME)
    spent, grown = time.process_time() - begun, getrusage(RUSAGE_SELF).ru_maxrss - before
    assert verified.holds, verified.troubles[:3]
    print(f"{kind}: {verified.postings:,} postings verified in {spent:.1f} s of CPU, {grown / 1024:.0f} MB more memory")


@contextmanager
def sqlite() -> Iterator[str]:
    with TemporaryDirectory(prefix="felt-bench-") as folder:
        yield f"sqlite:///{Path(folder) / 'books.sqlite'}"


def main() -> None:
    postings = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for kind in (sqlite, postgresql):
        with kind() as url:
            measure(kind.__name__, url, postings)


if __name__ == "__main__":
    main()
