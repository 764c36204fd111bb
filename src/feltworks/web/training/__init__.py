"""Dealer training: a person deals by the procedure, and the rules check every step."""
