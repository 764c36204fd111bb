"""Ctrl-C after the counting: forgiven once, so that the result is told."""

import signal

import pytest

from feltworks.cli.progress import counting_is_over, late_interrupts


def test_ctrl_c_stops_what_still_counts() -> None:
    with pytest.raises(KeyboardInterrupt), late_interrupts():
        signal.raise_signal(signal.SIGINT)


def test_one_late_ctrl_c_is_forgiven_and_a_second_stops() -> None:
    before = signal.getsignal(signal.SIGINT)
    with late_interrupts():
        counting_is_over()
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
