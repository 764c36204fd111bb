"""Which pays give a wager the target edge, and how does the edge depend on each of them?"""
