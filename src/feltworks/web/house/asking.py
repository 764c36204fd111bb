"""What every page of the house asks alike: words, amounts and days within bounds, and who is asking."""

import datetime
from typing import Annotated, Any

from litestar import Request
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import QueryParameter
from msgspec import Meta

from feltworks.errors import UnknownName
from feltworks.house.users import Person
from feltworks.money import MOST_CENTS
from feltworks.web.house.office import NotLoggedIn, Office

Connection = Request[Any, Any, Any]
Asker = NamedDependency[Person]  # whoever is logged in
_PRINTED = r"^[^\x00-\x1f\x7f\ud800-\udfff]*$"  # what can be written on a slip
Word = Annotated[str, Meta(max_length=60, pattern=_PRINTED)]
Words = Annotated[str, Meta(max_length=400, pattern=_PRINTED)]
Password = Annotated[str, Meta(max_length=200)]
Amount = Annotated[int, Meta(ge=0, le=MOST_CENTS)]
Count = Annotated[int, Meta(ge=0, le=10**9)]
Day = datetime.date
AskedDay = Annotated[
    datetime.date | None, QueryParameter(description="A day as 2024-01-31; today unless given.")
]
Named = Annotated[str, QueryParameter(max_length=60)]


def today() -> datetime.date:
    """The gambling day of the house's clock."""
    return datetime.date.today()


def office_of(state: State) -> Office:
    """The office of this server."""
    found: Office = state.office
    return found


def login_of(request: Connection) -> object:
    """The key of a login that this browser carries, if it carries one."""
    session = request.session if isinstance(request.session, dict) else {}
    return session.get("login")


def person_of(request: Connection, state: State) -> Person:
    """Whoever is logged in, in the role of this moment: what the browser carries says nothing of it."""
    office = office_of(state)
    key = login_of(request)
    name = office.logins.whose(key)
    if name is None:
        raise NotLoggedIn
    try:
        return office.users.person(name)
    except UnknownName:  # dismissed in the meantime
        office.logins.end(key)
        raise NotLoggedIn from None
