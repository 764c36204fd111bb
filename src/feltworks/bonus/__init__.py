"""The bonus wagers of the base games: one file for each, found by its name; they read only the game's standing."""
