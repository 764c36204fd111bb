"""A real PostgreSQL for tests, started where it is needed and gone afterwards."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
