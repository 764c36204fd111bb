"""What was posted, when, by whom and why: append-only, in double entry, each posting sealing the last."""
