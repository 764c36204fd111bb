"""Which base games are there, and how is each dealt and judged? One file a game, found by its name."""
