"""What does a document say? The facts of an approved game as data, read from TOML and checked."""

from feltworks.rules.rulebook.model import Option, OptionValue, PayTable, Rulebook, WagerEntry

__all__ = ["Option", "OptionValue", "PayTable", "Rulebook", "WagerEntry"]
