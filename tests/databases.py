"""Statements are compiled once in a run, not once more for each of the hundreds of databases that its tests open."""

from typing import Any, Final

from sqlalchemy import Connection, Engine, event
from sqlalchemy.util import LRUCache


class _Compiled(LRUCache[Any, Any]):
    """The cache of SQLAlchemy, whose keys begin with the one database; here they begin with its kind."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get((key[0].name, *key[1:]), default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__((key[0].name, *key[1:]), value)


_COMPILED: Final = _Compiled(2_000)


@event.listens_for(Engine, "engine_connect")
def _share(connection: Connection) -> None:
    connection.execution_options(compiled_cache=_COMPILED)
