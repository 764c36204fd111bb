"""Wagers that the player's first two cards and the up card decide, alone and together."""
