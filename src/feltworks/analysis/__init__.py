"""What does a wager really cost? Exact answers, by walking the rules that live play uses."""
