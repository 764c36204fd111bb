"""Ctrl-C that comes when the counting is over: the result is told all the same, and a second one stops it."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def late_interrupts_forgiven() -> Iterator[None]:
    """Hear Ctrl-C as ever until `counting_is_over`; afterwards let the first one pass."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def counting_is_over() -> None:
    """From here on a result exists that should not be lost."""
    signal.signal(signal.SIGINT, _forgiven_once)


def _forgiven_once(_signal: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
