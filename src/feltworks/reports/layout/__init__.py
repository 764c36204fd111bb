"""What is printed on the cloth? The layout of a game, drawn from its rulebook's wagers."""
