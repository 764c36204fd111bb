"""A real PostgreSQL for tests, started where it is needed and gone afterwards."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from sqlalchemy import create_engine, make_url, text

_NUMBERS = count(1)


@contextmanager
def postgresql() -> Iterator[str]:
    """The URL of a fresh server."""
    with tempfile.TemporaryDirectory(prefix="felt-pg-") as folder:
        runtime = Path(folder) / "run"
        runtime.mkdir(mode=0o700)
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)  # pgserver reads it when it is imported
        import pgserver

        server = pgserver.get_server(Path(folder) / "pg", cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


def new_database(server_url: str, name: str) -> str:
    """An empty database whose name begins so; every one has a place of its own, as seals are noted by place."""
    server, name = make_url(server_url), f"{name}_{next(_NUMBERS)}"
    engine = create_engine(server.set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return server.set(database=name).render_as_string(hide_password=False)
