"""In which order do the cards come? Shuffles, the three kinds of shoe, and the proof that they were fair."""
