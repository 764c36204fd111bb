"""Marks of postings, tasks of every book, closed periods, and indexes for verification and reports."""

from secrets import token_hex

from alembic import op
from sqlalchemy import text

from feltworks.house.storage.migration import run_scripts

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add what an auditor needs; the books get a name of their own, under which their key is kept."""
    run_scripts(op.get_bind(), "0003_tables")
    run_scripts(op.get_bind(), "0003_triggers")
    op.get_bind().execute(text("INSERT INTO house (id, books) VALUES (1, :books)"), {"books": token_hex(8)})
