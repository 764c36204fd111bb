"""Where is a table's money? Every slip by its number, every signature, and what the table won."""
