"""Solves blackjack and similar games: the worth of every hand against a shoe of known composition."""
