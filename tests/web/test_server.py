"""How the application listens: what it asks of the machine before the first player comes."""

import resource
from collections.abc import Iterator

import pytest

from feltworks.web.server import MANY_FILES, allow_many_files


@pytest.fixture
def hard_limit() -> Iterator[int]:
    """The most files that this process may open at all; what it may open now is put back afterwards."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield hard if hard != resource.RLIM_INFINITY else MANY_FILES
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_server_may_open_as_many_files_as_the_machine_grants(hard_limit: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    allow_many_files()
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (min(hard_limit, MANY_FILES), hard)
