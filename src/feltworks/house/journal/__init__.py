"""The journal: append-only postings in double entry, each sealed over the one before it."""
