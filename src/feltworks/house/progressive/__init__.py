"""The books of a progressive jackpot: on which account is each cent of the players' wagers?"""
