"""Packages that only some users need: installed as extras, and named in one sentence where one is missing."""

from collections.abc import Mapping
from importlib import import_module
from typing import Final, Literal

from msgspec import Struct

from feltworks.errors import MissingExtra

ExtraName = Literal["cluster", "pdf", "plots", "postgresql"]


class Extra(Struct, frozen=True):
    """An optional package: the module it brings, its name, and what it is needed for."""

    module: str
    package: str
    purpose: str


EXTRAS: Final[Mapping[ExtraName, Extra]] = {
    "cluster": Extra("distributed", "Dask distributed", "simulating on a cluster"),
    "pdf": Extra("weasyprint", "WeasyPrint", "writing PDF"),
    "plots": Extra("matplotlib", "Matplotlib", "drawing plots"),
    "postgresql": Extra("psycopg", "psycopg", "keeping books and tables in PostgreSQL"),
}


def require(name: ExtraName) -> None:
    """Import the module of an extra, or refuse with the command that installs it.

    Called right before the module is used, so that nobody else pays for loading it.
    """
    extra = EXTRAS[name]
    try:
        import_module(extra.module)
    except ModuleNotFoundError as missing:
        if missing.name != extra.module:  # it is installed, and lacks a package of its own
            raise
        raise MissingExtra(extra.purpose, extra.package, name) from None
