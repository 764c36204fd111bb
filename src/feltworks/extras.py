"""Optional packages, installed as extras; one sentence names a missing one."""

from collections.abc import Mapping
from importlib import import_module
from typing import Final, Literal

from msgspec import Struct

from feltworks.errors import MissingExtra

ExtraName = Literal["cluster", "pdf", "plots", "postgresql"]


class Extra(Struct, frozen=True):
    """An optional package: its module, its name, and its purpose."""

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

    Called immediately before the module is used, so that other users do not wait for it.
    """
    extra = EXTRAS[name]
    try:
        import_module(extra.module)
    except ModuleNotFoundError as missing:
        if missing.name != extra.module:  # it is installed, but a package that it needs is missing
            raise
        raise MissingExtra(extra.purpose, extra.package, name) from None
