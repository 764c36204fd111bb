"""The application as visitors meet it: a real server on loopback, kept in a folder of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.web.player import Visitor
from tests.web.serving import served


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with served(tmp_path) as found:
        yield found


@pytest.fixture
def visitor(address: str) -> Iterator[Callable[[str], Visitor]]:
    met: list[Visitor] = []

    def arrives(name: str) -> Visitor:
        met.append(Visitor(address, name))
        return met[-1]

    yield arrives
    for each in met:
        each.close()
