"""Where the books are kept: one database, SQLite or PostgreSQL, that guards them itself."""
