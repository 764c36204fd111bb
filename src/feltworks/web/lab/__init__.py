"""The laboratory in the browser: exact figures, papers and simulations, computed by worker processes."""
