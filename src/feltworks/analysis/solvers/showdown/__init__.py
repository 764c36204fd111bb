"""A hand against a dealer's hand from the rest of the deck: the showdown solver."""
