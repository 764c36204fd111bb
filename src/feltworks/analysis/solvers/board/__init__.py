"""The solver of games in which two hands share a board, with choices while it is turned."""
