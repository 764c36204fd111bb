"""The pages: one document for all of them, and what it is made of."""

from importlib.resources import files
from pathlib import Path
from typing import Any

from litestar import MediaType, Router, get
from litestar.datastructures import CacheControlHeader
from litestar.file_system import BaseLocalFileSystem
from litestar.static_files import create_static_files_router
from litestar.types import FileInfo, PathType

YEAR = 365 * 24 * 3600
STATIC = Path(str(files("feltworks.web"))) / "static"
PAGES = [
    "/",
    "/table/{rest:path}",
    "/lab",
    "/lab/{rest:path}",
    "/house",
    "/house/{rest:path}",
    "/rules",
    "/rules/{rest:path}",
    "/chair",
    "/chair/{rest:path}",
]


@get(
    PAGES,
    media_type=MediaType.HTML,
    sync_to_thread=False,
    include_in_schema=False,
    cache_control=CacheControlHeader(no_cache=True),
)
def page() -> str:
    """Every page is the same document; the browser side knows which one is meant."""
    return (STATIC / "index.html").read_text(encoding="utf-8")


class AssetFiles(BaseLocalFileSystem):
    """The disk, on which a name that no file can have is simply not found."""

    async def info(self, path: PathType, **more: Any) -> FileInfo:
        try:
            return await super().info(path, **more)
        except (OSError, ValueError) as trouble:  # too long, or with a NUL in it
            raise FileNotFoundError(path) from trouble


def assets() -> Router:
    """What is named after its own contents may be kept for ever."""
    forever = CacheControlHeader(max_age=YEAR, immutable=True, public=True)
    return create_static_files_router(
        path="/assets",
        directories=[STATIC / "assets"],
        file_system=AssetFiles(),
        cache_control=forever,
        include_in_schema=False,
    )
