"""The base games: how each is dealt and judged. One file for each game, found by its name."""
