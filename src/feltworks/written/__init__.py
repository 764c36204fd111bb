"""Written rounds: their format, their replay through the rules, and the settlement sheet."""
