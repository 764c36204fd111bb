"""What is a hand worth against a shoe of known composition? The solver of blackjack and games like it."""
