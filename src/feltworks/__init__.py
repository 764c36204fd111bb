"""Feltworks plays, proves and runs house-banked card games from one definition of their rules.

Play money only: a laboratory and a back office, not an online casino.
"""

__version__ = "0.1.0"
