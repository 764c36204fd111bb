"""Writers that are killed in the middle of their work, and the count afterwards.

`python -m tests.house.faults URL --kills 30` forks writers that post contributions and wins to one
progressive, kills one of them with SIGKILL at random moments and starts it again, and then compares what the
writers were told with what the journal says. A writer that starts again repeats, under the same key, what it
has no answer for.
"""

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

from feltworks.house.journal.book import Page, book_number, postings
from feltworks.house.progressive.acts import Act, Contribution, ProgressiveRound, key_of
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.progressive.terms import encode
from feltworks.house.rebuild import verify_progressive
from feltworks.house.storage.migration import open_database
from tests.house.desk import CINCOS, FIRST_DAY, FLUSH, NOTHING, ROYALS, signed, terms
from tests.house.floor import hire
from tests.house.fold import folded

ROUNDS = [(CINCOS, NOTHING), (ROYALS[0], FLUSH), (*ROYALS[:2], CINCOS), (NOTHING, ROYALS[3]), ROYALS]


def work(writer: int, number: int) -> list[Act]:
    """What a writer posts as its number-th piece of work, in one go; always the same."""
    chance = random.Random(f"{writer}/{number}")
    kind = chance.random()
    if kind < 0.15:
        return [ProgressiveRound(str(writer), str(number), chance.choice(ROUNDS))]
    wagers = chance.randint(1, 6)
    if kind < 0.3:
        return [Contribution(str(writer), f"{number}.{n}", wagers) for n in range(15)]
    return [Contribution(str(writer), str(number), wagers)]


def write(url: str, name: str, writer: int, told: Path) -> None:
    """Post one piece of work after another and note each one that was acknowledged; never ends by itself."""
    ledger = Ledger(open_database(url), name)
    note = os.open(told, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    number = acknowledged(told)
    while True:
        ledger.post_all([(act, signed(act)) for act in work(writer, number)])
        os.write(note, b".")
        number += 1


def acknowledged(told: Path) -> int:
    return told.stat().st_size if told.exists() else 0


class Writers:
    """Processes of which one or the other dies."""

    def __init__(self, url: str, name: str, folder: Path, count: int) -> None:
        self.url, self.name = url, name
        self.told = [folder / str(writer) for writer in range(count)]
        self.running = {writer: self.start(writer) for writer in range(count)}

    def start(self, writer: int) -> int:
        child = os.fork()
        if not child:
            try:
                write(self.url, self.name, writer, self.told[writer])
            finally:
                os._exit(1)
        return child

    def kill(self, writer: int) -> None:
        os.kill(self.running[writer], signal.SIGKILL)
        _, status = os.waitpid(self.running.pop(writer), 0)
        if not os.WIFSIGNALED(status):
            raise SystemExit(f"writer {writer} ended by itself")

    def kill_at_random(self, kills: int, deadline: float) -> int:
        chance = random.Random()
        for killed in range(kills):
            time.sleep(chance.uniform(0.005, 0.12))
            writer = chance.choice(list(self.running))
            self.kill(writer)
            self.running[writer] = self.start(writer)
            if time.monotonic() > deadline:
                return killed + 1
        return kills

    def stop(self) -> None:
        time.sleep(0.3)
        for writer in list(self.running):
            self.kill(writer)


def troubles(url: str, name: str, told: list[Path]) -> Iterator[str]:
    """Whatever is missing, doubled or wrong after the last writer has died."""
    database = open_database(url)
    with database.transaction() as connection:
        Page(connection, name)  # whatever a dead writer's server is still finishing is finished now
    with database.snapshot() as connection:
        journal = list(postings(connection, book_number(connection, name)))
    posted = {posting.key: posting.facts for posting in journal[1:]}
    for writer, notes in enumerate(told):
        answered = acknowledged(notes)
        for number in range(answered):
            for act in work(writer, number):
                if posted.pop(key := key_of(act, FIRST_DAY), None) != encode(act):
                    yield f"acknowledged {key} is not in the journal as it was posted"
        unanswered = [posted.pop(key_of(act, FIRST_DAY), None) for act in work(writer, answered)]
        if any(unanswered) and not all(unanswered):
            yield f"half of {writer}/{answered} is in the journal"
    yield from (f"nobody posted {key}" for key in posted)
    yield from verify_progressive(database, name).troubles
    kept = Ledger(database, name).balances().accounts
    if kept != (told_again := folded(posting.facts for posting in journal).of):
        yield f"the accounts say {kept}, the events {told_again}"
    database.close()


def main(arguments: list[str]) -> int:
    """Run the trial and say what came of it."""
    asked = argparse.ArgumentParser()
    asked.add_argument("url")
    asked.add_argument("--kills", type=int, default=300)
    asked.add_argument("--writers", type=int, default=3)
    asked.add_argument("--seconds", type=float, default=600)
    options = asked.parse_args(arguments)
    name = f"faults {uuid4().hex}"
    database = open_database(options.url)
    hire(database)
    Ledger.open(database, name, terms(increment=56), signed("opening"))
    database.close()  # nothing of it may be carried over a fork
    with tempfile.TemporaryDirectory(prefix="felt-faults-") as folder:
        writers = Writers(options.url, name, Path(folder), options.writers)
        killed = writers.kill_at_random(options.kills, time.monotonic() + options.seconds)
        writers.stop()
        found = list(troubles(options.url, name, writers.told))
        pieces = sum(map(acknowledged, writers.told))
    said = "; ".join(found[:5]) or "nothing is missing and nothing is doubled"
    sys.stdout.write(f"{killed} kills, {pieces} pieces of work acknowledged: {said}\n")
    return 1 if found or not pieces else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
