"""What are wagers worth where two hands share a board, and choices are made while it is turned?"""
