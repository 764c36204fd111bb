"""The journal in double entry, its guards, and the progressive."""

from feltworks.house.storage.migration import upgrade_by

revision, down_revision = "0001", None
upgrade = upgrade_by("0001_journal")
