"""Still cheaper guards of lines, postings and books on PostgreSQL, with the same rules; SQLite keeps its own."""

from feltworks.house.storage.migration import upgrade_by

revision, down_revision = "0005", "0004"
upgrade = upgrade_by("0005_guards")
