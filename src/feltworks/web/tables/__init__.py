"""Open tables: their rounds, clocks, seats and clients, and the lobby that lists them."""
