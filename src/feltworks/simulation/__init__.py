"""What do many rounds come to? Rounds are sampled by compiled loops, on one machine or many."""
