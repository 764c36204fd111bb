"""The books of a progressive jackpot: they account for each cent of the players' wagers."""
