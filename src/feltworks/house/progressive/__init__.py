"""A progressive jackpot as the house keeps it: where does each cent of the players' wagers lie?"""
