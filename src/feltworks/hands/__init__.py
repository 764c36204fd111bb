"""What are these cards worth? Values of hands, without wagers, choices or money."""
