"""Cheaper guards of the journal on PostgreSQL, and a posting in one round trip."""

from alembic import op

from feltworks.house.storage.migration import run_scripts

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Replace the guards of lines and postings by cheaper ones with the same rules; SQLite keeps its own."""
    run_scripts(op.get_bind(), "0004_append")
