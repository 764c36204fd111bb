"""Amounts and names as slips have them; anything else is refused before it is written."""

from feltworks.errors import BadAmount, BadOption
from feltworks.money import MOST_CENTS, Cents


def check_cents(what: str, cents: object, least: Cents) -> None:
    """Refuse what is no whole number of cents, or too few."""
    if type(cents) is not int or not least <= cents <= MOST_CENTS:
        raise BadAmount(what, cents, f"a whole number of cents, {least} or more")


def check_table_name(table: str) -> None:
    """A table's number is permanent and stands on its box."""
    if not table.strip() or table != table.strip() or len(table) > 40 or not table.isprintable():
        raise BadOption("table", table, "a table's number or name, up to 40 printable characters")
