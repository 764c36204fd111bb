"""Checks every printed figure against its rules, and prices the other readings of a document."""
