"""How is a game dealt to people? Seats, stacks, the dealer's procedure, take and pay, and the record."""
