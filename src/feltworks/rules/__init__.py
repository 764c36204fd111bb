"""What is a round, what may happen next, and who is paid? The grammar every game is written in."""
