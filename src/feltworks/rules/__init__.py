"""The grammar that every game is written in: what a round is, what may happen next, and who is paid."""
