"""What are known cards and counted cards worth to a player, in any game? The house uses the answers."""
