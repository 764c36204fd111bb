"""Days of the books: what is posted has happened, so never on a day to come."""

from datetime import date

from feltworks.errors import BadDay


def check_has_come(day: date) -> None:
    """Refuse a day to come: days only go on, so one mistyped would close the books to all before it."""
    if day > (today := date.today()):
        raise BadDay(day, f"it has not come yet; today is {today}")
