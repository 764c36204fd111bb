"""Solvers by the shape of a game: counted situations, first deals, showdowns, shoe games and jackpots."""
