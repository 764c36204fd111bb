"""The journal in double entry, its guards, and the progressive."""

from alembic import op

from feltworks.house.storage.migration import run_scripts

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables and the triggers that keep them append-only and balanced."""
    run_scripts(op.get_bind(), "0001_journal")
