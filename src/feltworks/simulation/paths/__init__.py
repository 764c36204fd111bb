"""How does a bankroll fare? Sessions of a player and days of a house, followed step by step."""
