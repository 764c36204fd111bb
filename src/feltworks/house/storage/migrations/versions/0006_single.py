"""One statement checks a posting and moves the head of its book on PostgreSQL; SQLite keeps its own."""

from feltworks.house.storage.migration import upgrade_by

revision, down_revision = "0006", "0005"
upgrade = upgrade_by("0006_single")
