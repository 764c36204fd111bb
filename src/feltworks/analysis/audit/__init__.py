"""Checks every printed figure against its rules, and computes the edge under other readings of a document."""
