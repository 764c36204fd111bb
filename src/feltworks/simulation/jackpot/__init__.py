"""How does a progressive jackpot grow and pay over years?"""
