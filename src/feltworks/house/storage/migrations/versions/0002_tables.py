"""Users, and the books of the tables: drop periods, numbered slips, signatures, wagers and tasks."""

from feltworks.house.storage.migration import upgrade_by

revision, down_revision = "0002", "0001"
upgrade = upgrade_by("0002_tables", "0002_triggers")
