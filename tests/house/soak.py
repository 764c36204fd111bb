"""The long trial: writers killed hundreds of times on both databases, and thousands of random postings.

`python -m tests.house.soak [KILLS] [SEQUENCES]` takes some minutes; `make test` runs the same in short.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from feltworks.house.storage.migration import open_database
from tests.house import faults, test_sequences
from tests.house.servers import postgresql


@contextmanager
def sqlite() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="felt-soak-") as folder:
        yield f"sqlite:///{Path(folder) / 'books.sqlite'}"


def main(arguments: list[str]) -> int:
    """Both databases, one after the other; the exit status says whether all went well."""
    asked = argparse.ArgumentParser()
    asked.add_argument("kills", type=int, nargs="?", default=500)
    asked.add_argument("sequences", type=int, nargs="?", default=100)
    options = asked.parse_args(arguments)
    kills, sequences = options.kills, options.sequences
    failed = 0
    for kind in (sqlite, postgresql):
        with kind() as url:
            sys.stdout.write(f"{kind.__name__}: ")
            sys.stdout.flush()
            failed += faults.main([url, "--kills", str(kills), "--writers", "4"])
            database = open_database(url)
            test_sequences.run(database, sequences=sequences, steps=100, steady=False)
            database.close()
            sys.stdout.write(f"{kind.__name__}: {sequences} sequences of up to 100 postings keep the books\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
