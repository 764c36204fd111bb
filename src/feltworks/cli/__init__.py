"""What can a person ask on the command line? One file per command, found by its name."""
