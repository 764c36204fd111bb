"""Papers about a game. Every figure is computed when the paper is made."""
