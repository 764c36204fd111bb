"""Cheaper guards of the journal on PostgreSQL, and a posting in one round trip; SQLite keeps its own guards."""

from feltworks.house.storage.migration import upgrade_by

revision, down_revision = "0004", "0003"
upgrade = upgrade_by("0004_append")
