"""Shuffles, the three kinds of shoe, commitments to their seeds, and statistical tests of the deal."""
