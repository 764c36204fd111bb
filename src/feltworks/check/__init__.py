"""Does a game keep what every game promises? Its files load, its rounds are dealt and settled rightly."""

from feltworks.check.check import check_game
from feltworks.check.faults import Fault

__all__ = ["Fault", "check_game"]
