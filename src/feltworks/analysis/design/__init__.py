"""Which pays give a wager the edge that is wanted, and how does the edge hang on each of them?"""
