"""The laboratory over HTTP: exact figures, papers and simulations, computed by worker processes."""
