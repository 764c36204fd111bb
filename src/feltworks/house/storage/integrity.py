"""Checks that a database is sound and has the tables, triggers and reasons of this version."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from sqlalchemy import Connection, exists, func, select, text
from sqlalchemy.exc import DBAPIError

from feltworks.errors import StorageTrouble
from feltworks.house.storage.database import Database
from feltworks.house.storage.migration import NEWEST, create_tables
from feltworks.house.storage.schema import metadata

Definitions = Mapping[tuple[str, str], str]  # the kind of object, its name and its definition
_SCRATCH: Final = "felt_check"
_MOST_LISTED: Final = 20

_SQLITE: Final = (
    "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL "
    "AND NOT (type = 'table' AND name IN ('alembic_version', 'sqlite_stat1', 'sqlite_stat4'))"
)
_REASONS: Final = "SELECT 'reason', name || ': ' || debit || ' to ' || credit, 'listed' FROM reason"
# PostgreSQL prints definitions without the schema if it is first in the search path.
_POSTGRESQL: Final = (
    """SELECT 'table', relname, concat(relkind, relpersistence, relrowsecurity, relforcerowsecurity, ', ',
        (SELECT count(*) FROM pg_inherits WHERE inhparent = pg_class.oid), ' tables below it')
    FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind <> 'i'
    AND relname <> 'alembic_version'""",
    """SELECT 'column', table_name || '.' || column_name,
        concat_ws(' ', data_type, is_nullable, collation_name, replace(column_default, current_schema() || '.', ''))
    FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name <> 'alembic_version'""",
    """SELECT 'constraint', conrelid::regclass::text || '.' || conname,
        concat(pg_get_constraintdef(oid), convalidated)
    FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND conrelid <> 0
    AND conrelid::regclass::text <> 'alembic_version'""",
    """SELECT 'index', relname, concat(
        replace(pg_get_indexdef(indexrelid), current_schema() || '.', ''), indisvalid, indisready, indislive)
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relnamespace = current_schema()::regnamespace AND indrelid::regclass::text <> 'alembic_version'""",
    """SELECT 'trigger', tgrelid::regclass::text || '.' || tgname,
        replace(pg_get_triggerdef(pg_trigger.oid), current_schema() || '.', '') || tgenabled::text
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal""",
    """SELECT 'function', concat(proname, '(', pg_get_function_identity_arguments(oid), ')'),
        replace(CASE WHEN prokind = 'a' THEN 'aggregate' ELSE pg_get_functiondef(oid) END, current_schema() || '.', '')
    FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')""",
    """SELECT 'operator', oid::regoperator::text, oprcode::text FROM pg_operator
    WHERE oprnamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_operator.oid AND deptype = 'e')""",
    """SELECT 'rule', tablename || '.' || rulename, definition FROM pg_rules WHERE schemaname = current_schema()""",
    """SELECT 'policy', tablename || '.' || policyname, concat(qual, with_check) FROM pg_policies
    WHERE schemaname = current_schema()""",
    """SELECT 'foreign key', tgrelid::regclass::text || '.' || count(*),
        string_agg(DISTINCT tgenabled::text, '')
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE relnamespace = current_schema()::regnamespace AND tgisinternal
    AND tgrelid::regclass::text <> 'alembic_version' GROUP BY tgrelid""",
)


def schema_faults(database: Database) -> Iterator[str]:
    """Compare the definitions of a database with those that this version creates."""
    if database.is_sqlite:
        with database.snapshot() as connection:
            stored, due = _read(connection, _SQLITE, _REASONS), _definitions_in_a_file()
    else:
        stored, due = _compare_on_server(database)
    yield from _differences(stored, due)
    with database.snapshot() as connection:
        yield from _setting_faults(connection)


@cache
def _definitions_in_a_file() -> Definitions:
    """The definitions that this version creates in every SQLite file."""
    fresh = Database("sqlite://")
    with fresh.transaction() as connection:
        create_tables(connection)
        due = _read(connection, _SQLITE, _REASONS)
    fresh.close()
    return due


def _setting_faults(connection: Connection) -> Iterator[str]:
    """Find settings that would stop triggers, and table versions written by hand."""
    versions = sorted(connection.execute(text("SELECT version_num FROM alembic_version")).scalars())
    if versions != [NEWEST]:
        yield f"the tables are of versions {', '.join(versions)}; this Feltworks has {NEWEST}"
    if connection.dialect.name == "postgresql":
        kept = "SELECT count(*) FROM pg_db_role_setting WHERE array_to_string(setconfig, ' ') LIKE :setting"
        role = connection.execute(text("SHOW session_replication_role")).scalar()
        if role != "origin" or connection.execute(text(kept), {"setting": "%session_replication_role%"}).scalar_one():
            yield "the server is set to another session_replication_role than origin, so that no trigger fires"
        for name in connection.execute(text("SELECT evtname FROM pg_event_trigger")).scalars():
            yield f"the server has an event trigger {name}, which no version of these books makes"
        path = connection.execute(text("SELECT current_schemas(true)")).scalar_one()
        if next(name for name in path if not name.startswith("pg_temp")) != "pg_catalog":
            yield f"the server looks for functions in {', '.join(path)} in this order; its own come first"


def _compare_on_server(database: Database) -> tuple[Definitions, Definitions]:
    """Create the tables of this version in a schema that is rolled back, and read both definitions."""
    with database.engine.connect() as connection, connection.begin() as transaction:
        stored = _read(connection, *_POSTGRESQL, _REASONS)
        try:
            connection.execute(text(f"CREATE SCHEMA {_SCRATCH}"))
            connection.execute(text(f"SET LOCAL search_path TO {_SCRATCH}"))
            create_tables(connection)
            due = _read(connection, *_POSTGRESQL, _REASONS)
        except DBAPIError as trouble:
            message = str(trouble.orig).partition("\n")[0]
            raise StorageTrouble(f"the tables cannot be compared with this version's: {message}") from trouble
        finally:
            transaction.rollback()
    return stored, due


def _read(connection: Connection, *statements: str) -> Definitions:
    return {
        (kind, name): " ".join(str(definition).split())
        for statement in statements
        for kind, name, definition in connection.execute(text(statement))
    }


def _differences(stored: Definitions, due: Definitions) -> Iterator[str]:
    faults = [f"the {kind} {name} is missing" for kind, name in sorted(due.keys() - stored.keys())]
    faults += [
        f"there is a {kind} {name} that this version does not have" for kind, name in sorted(stored.keys() - due.keys())
    ]
    faults += [
        f"the {kind} {name} is not that of this version"
        for kind, name in sorted(due.keys() & stored.keys())
        if stored[kind, name] != due[kind, name]
    ]
    yield from faults[:_MOST_LISTED]
    if (more := len(faults) - _MOST_LISTED) > 0:
        yield f"{more} more tables, triggers or reasons differ"


def integrity_faults(database: Database) -> Iterator[str]:
    """Run the database's own check of itself."""
    with database.snapshot() as connection:
        if database.is_sqlite:
            for (finding,) in connection.execute(text("PRAGMA integrity_check(20)")):
                if finding != "ok":
                    yield f"the database file is damaged: {finding}"
            for table, row, parent, _ in connection.execute(text("PRAGMA foreign_key_check")).fetchmany(20):
                yield f"a row of {table} ({row}) refers to one of {parent} that does not exist"
            return
        yield from _reference_faults(connection)
        has_check = connection.execute(text("SELECT 1 FROM pg_extension WHERE extname = 'amcheck'")).scalar()
        if has_check:
            yield from _index_faults(connection)


def _reference_faults(connection: Connection) -> Iterator[str]:
    """Check every row's references again: PostgreSQL checks them only while its own triggers fire."""
    for table in metadata.sorted_tables:
        for key in table.foreign_key_constraints:
            parent = key.referred_table
            pairs = [(element.parent, element.column) for element in key.elements]
            has_parent = exists().where(*(column == referred for column, referred in pairs))
            names_one = [column.is_not(None) for column, _ in pairs]
            lost = select(func.count()).select_from(table).where(*names_one, ~has_parent)
            if count := connection.execute(lost).scalar_one():
                yield f"{count} rows of {table.name} refer to a row of {parent.name} that does not exist"


def _index_faults(connection: Connection) -> Iterator[str]:
    """Have PostgreSQL check its indexes, if the extension amcheck is installed."""
    names = "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()"
    for name in connection.execute(text(names)).scalars().all():
        try:
            with connection.begin_nested():
                connection.execute(text("SELECT bt_index_check(CAST(:name AS regclass))"), {"name": name})
        except DBAPIError as trouble:
            yield f"the index {name} is damaged: {str(trouble.orig).partition(chr(10))[0]}"
