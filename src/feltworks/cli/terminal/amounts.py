"""Money as people type it and as the table calls it out."""

import re
from typing import Final

from feltworks.errors import BadOption
from feltworks.money import Cents

WRITTEN: Final = r"\$?(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]{1,12})(?:\.[0-9]{1,2})?(?![\w.])"
_DOLLARS: Final = re.compile(WRITTEN)
_CENTS: Final = re.compile(r"([0-9]{1,14}) ?(?:c|¢|cents?)")


def typed_amount(text: str) -> Cents | None:
    """Read dollars, with or without their sign, or cents that say so; None where it is no amount.

    >>> typed_amount("7.5"), typed_amount("$1,500"), typed_amount("250c"), typed_amount("7.505")
    (750, 150000, 250, None)
    """
    said = text.strip()
    if cents := _CENTS.fullmatch(said):
        return int(cents[1])
    if not _DOLLARS.fullmatch(said):
        return None
    whole, _, part = said.lstrip("$").replace(",", "").partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0") if part else 0)


def amount_option(name: str, text: str, *, least: Cents = 0) -> Cents:
    """An amount from the command line."""
    cents = typed_amount(text)
    if cents is None or cents < least:
        raise BadOption(name, text, "an amount such as $500, 7.50 or 750c")
    return cents
