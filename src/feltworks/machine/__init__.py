"""Compiles the rules of a game into tables of states; the rules are asked once for each state."""
