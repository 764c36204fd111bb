"""What leaves the laboratory on paper? Every figure is asked for at the moment of printing."""
