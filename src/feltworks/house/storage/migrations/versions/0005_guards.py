"""Cheaper guards of the journal on PostgreSQL, with the same rules."""

from alembic import op

from feltworks.house.storage.migration import run_scripts

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Replace the guards of lines, postings and books; SQLite keeps its own."""
    run_scripts(op.get_bind(), "0005_guards")
