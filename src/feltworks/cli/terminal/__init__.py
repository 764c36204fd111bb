"""How does a table look and sound in a terminal? Drawn cards, prompts and sentences, for any game."""
