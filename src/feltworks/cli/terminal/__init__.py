"""`felt play`: cards, prompts and sentences of a table in the terminal, for any game."""
