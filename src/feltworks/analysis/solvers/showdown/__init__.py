"""The showdown solver: a hand against a dealer's hand from the rest of the deck."""
