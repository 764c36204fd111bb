"""The database of the books, SQLite or PostgreSQL; its triggers keep the journal append-only."""
