"""How to play: the best strategy, lists a person can remember, and strategies read from files."""
