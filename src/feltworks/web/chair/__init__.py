"""The dealer's chair: a person deals by the procedure's steps, and every step is checked by the rules."""
