"""The former address of `feltworks.written.settle`, kept for tests of own games that import it."""

from feltworks.written.settle import settle_finished, settle_line

__all__ = ["settle_finished", "settle_line"]
