"""How the application listens: what it asks of the machine before the first player comes, and what it logs."""

import logging
import resource
from collections.abc import Iterator

import pytest

from feltworks.web.app import create_app
from feltworks.web.server import MANY_FILES, Site, allow_many_files


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


def test_a_message_that_is_no_text_is_one_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    Site(create_app, "127.0.0.1", 0).config(create_app())
    log = logging.getLogger("uvicorn.error")
    log.addHandler(caplog.handler)
    try:
        raise ValueError
    except ValueError:
        log.exception("Invalid UTF-8 sequence received from client.")  # as uvicorn has it
        log.exception("a fault of ours")
    finally:
        log.removeHandler(caplog.handler)
    assert [record.exc_info is None for record in caplog.records[:1]] == [True]
    assert caplog.records[-1].exc_info is not None
