"""Papers about a game. Every figure is computed when a paper is made."""
