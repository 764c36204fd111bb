"""The solver of blackjack and games like it: the worth of a hand against a shoe of known composition."""
