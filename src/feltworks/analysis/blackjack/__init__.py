"""Blackjack and the wagers that wait for its dealer's hand: figures, answers, and how they vary together."""
