"""Checks that a game keeps the common promises: its files load, and its rounds are dealt and settled correctly."""

from feltworks.check.check import check_game
from feltworks.check.faults import Fault

__all__ = ["Fault", "check_game"]
