"""Users, and the books of the tables: drop periods, numbered slips, signatures, wagers and tasks."""

from alembic import op

from feltworks.house.storage.migration import run_scripts

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables and the triggers that keep them append-only and their numbers without a gap."""
    for name in ("0002_tables", "0002_triggers"):
        run_scripts(op.get_bind(), name)
