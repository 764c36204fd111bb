"""Wagers on a progressive jackpot: what they return, and how the jackpot grows."""
