"""The printed layout of the cloth, drawn from the wagers of a game's rulebook."""
