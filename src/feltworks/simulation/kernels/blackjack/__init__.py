"""Blackjack with its bonus wagers at machine speed, every rule of BJ.1 and every way its cards are dealt."""

from feltworks.simulation.kernels.blackjack.simulated import BlackjackKernel, kernel

__all__ = ["BlackjackKernel", "kernel"]
