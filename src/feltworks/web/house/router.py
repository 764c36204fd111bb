"""Where the house's pages are served, and what a refusal is called over HTTP."""

from typing import Any, Final

from litestar import Request, Response, Router
from litestar.di import Provide

from feltworks.errors import BadAmount, BadOption, FeltError, LoginRefused, NotPermitted, StorageTrouble
from feltworks.web.house import (
    approving,
    checking,
    doing,
    floor,
    jackpots,
    journals,
    login,
    people,
    table_acts,
)
from feltworks.web.house import table_reading as reading
from feltworks.web.house.asking import person_of
from feltworks.web.house.office import NotLoggedIn, TooManyLogins
from feltworks.web.house.signing import NotSigned
from feltworks.web.notices import list_notices
from feltworks.web.rooms import NoSuchTable

_STATUS: Final[dict[type[FeltError], int]] = {
    NotLoggedIn: 401,
    LoginRefused: 401,
    NotPermitted: 403,
    NotSigned: 403,
    NoSuchTable: 404,
    StorageTrouble: 503,
    TooManyLogins: 503,
}


def _refused(_: Request[Any, Any, Any], trouble: FeltError) -> Response[dict[str, Any]]:
    """One sentence, its kind, and the field that it is about where there is one."""
    status = next((code for kind, code in _STATUS.items() if isinstance(trouble, kind)), 400)
    told = {"error": str(trouble), "kind": type(trouble).__name__, "field": _field(trouble)}
    return Response({**told, "rule": getattr(trouble, "rule", None)}, status_code=status)


def _field(trouble: FeltError) -> str | None:
    if isinstance(trouble, BadOption):
        return trouble.option
    return trouble.what if isinstance(trouble, BadAmount) else None


router: Final = Router(
    "/api/house",
    route_handlers=[
        login.log_in,
        login.log_out,
        login.me,
        login.change_password,
        login.actions,
        list_notices,
        checking.check,
        approving.approvals,
        approving.record,
        *table_acts.HANDLERS,
        *reading.HANDLERS,
        *doing.HANDLERS,
        *floor.HANDLERS,
        *jackpots.HANDLERS,
        *journals.HANDLERS,
        *people.HANDLERS,
    ],
    dependencies={"person": Provide(person_of, sync_to_thread=True)},
    exception_handlers={FeltError: _refused},
    tags=["house"],
)
