"""How an address of the laboratory answers: by the desk, refused in the page's words, or left unread."""

from typing import Any

from litestar import Request, Response
from litestar.datastructures import State

from feltworks.errors import BadOption
from feltworks.web.budget import Budgets, client_of
from feltworks.web.desk import Desk, Left
from feltworks.web.worker import Job
from feltworks.web.workers import Workers

GONE = 499  # whoever asked has left; nobody reads this
Connection = Request[Any, Any, Any]


async def answered(
    request: Connection, state: State, words: str, job: Job, media_type: str, *, saved_as: str = ""
) -> Response[Any]:
    """What a job comes to, as a browser shows it, or saves it under a name."""
    desk: Desk = state.desk
    workers: Workers = state.workers
    budgets: Budgets = state.budgets
    query = request.url.query
    key = request.url.path + (f"?{query}" if query else "")
    try:
        with budgets.questions.one(client_of(request.scope)):
            told = await desk.answer(key, words, lambda tell: workers.do(job, tell), lambda: _left(request))
    except BadOption as refused:  # the options of the command line are the fields of the page
        raise BadOption(refused.option.removeprefix("--"), refused.value, refused.allowed) from None
    except Left:
        return Response(b"", status_code=GONE)
    headers = {"content-disposition": f'attachment; filename="{saved_as}"'} if saved_as else {}
    return Response(told, media_type=media_type, headers=headers)


async def _left(request: Connection) -> None:
    """Wait until whoever asked closes the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
