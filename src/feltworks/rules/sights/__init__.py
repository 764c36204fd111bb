"""What does a player go by when a decision comes? Games and wagers declare it, of the trade or their own."""
