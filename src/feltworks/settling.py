"""The former address of `feltworks.written.settle`, for tests of one's own games that import from here."""

from feltworks.written.settle import settle_finished, settle_line

__all__ = ["settle_finished", "settle_line"]
