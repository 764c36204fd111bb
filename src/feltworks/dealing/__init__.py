"""Shuffles, the three kinds of shoe, commitments to seeds, and statistical tests of the deal."""
