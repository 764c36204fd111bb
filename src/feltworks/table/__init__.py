"""A live table: seats, stacks, the dealer's procedure, take and pay, and the log of every round."""
