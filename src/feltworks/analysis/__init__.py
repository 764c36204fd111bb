"""Exact figures of every wager, by walking the rules that live play uses."""
