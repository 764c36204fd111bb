"""What knowing a card is worth, and what counting cards is worth, for any game; it serves the house."""
