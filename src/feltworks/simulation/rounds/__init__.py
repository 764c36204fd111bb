"""How is a round dealt at machine speed? One file per base game, found by the name of its rules file."""
