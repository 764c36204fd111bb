"""Values of hands: what cards are worth, without wagers, choices or money."""
