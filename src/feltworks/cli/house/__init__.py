"""The house's books: what may be offered, who may do what, and where the money is."""
