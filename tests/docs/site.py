"""The site's own generator, as MkDocs loads it."""

import sys
from functools import cache

from tests.docs.pages import ROOT

GENERATOR = ROOT / "docs" / "generate"


@cache
def generated() -> dict[str, str]:
    """Every generated page by its place in the site."""
    before = list(sys.path)
    sys.path.insert(0, str(GENERATOR))
    try:
        from hook import pages  # type: ignore[import-not-found]
    finally:
        sys.path[:] = before
    made: dict[str, str] = pages()
    return made
