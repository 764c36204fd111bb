"""The former address of `feltworks.written`, for rules and tests of one's own games that import from here."""

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    return getattr(import_module("feltworks.written.record"), name)
