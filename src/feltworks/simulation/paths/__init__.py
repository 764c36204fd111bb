"""Simulates a bankroll step by step over a player's sessions or a house's days."""
