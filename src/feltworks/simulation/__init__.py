"""Simulates rounds with compiled loops, on one machine or many, and adds up their results."""
