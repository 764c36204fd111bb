"""The rules compiled: which states a round can be in, found by asking the rules once for each of them."""
