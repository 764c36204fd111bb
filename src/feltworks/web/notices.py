"""What the server could not open: a sentence in its log, and on the house's pages for the staff."""

import logging
from typing import Final

from litestar import get
from litestar.datastructures import State
from msgspec import Struct

from feltworks.errors import FeltError, brief
from feltworks.house.duties import check_permitted
from feltworks.web.house.asking import Asker

LOG: Final = logging.getLogger("feltworks")


class Notice(Struct, frozen=True):
    """One part of the house that is not open, and why."""

    about: str
    says: str


class Notices:
    """All notices since the server started, one for each subject."""

    def __init__(self) -> None:
        self._by_subject: dict[str, Notice] = {}

    def add(self, about: str, trouble: Exception, consequence: str) -> None:
        """Write a notice to the log and keep it for the staff."""
        notice = Notice(about, f"{sentence_of(trouble)}; {consequence}")
        self._by_subject[about] = notice
        LOG.warning("%s: %s", notice.about, notice.says)

    def all(self) -> list[Notice]:
        return list(self._by_subject.values())

    def __contains__(self, about: str) -> bool:
        return about in self._by_subject


def sentence_of(trouble: Exception) -> str:
    """What went wrong, on one line."""
    if isinstance(trouble, FeltError):
        text = str(trouble)
    elif isinstance(trouble, OSError) and trouble.strerror:
        name = str(trouble.filename or "").rpartition("/")[2]
        text = f"{name}: {trouble.strerror.lower()}" if name else trouble.strerror.lower()
    else:
        text = f"{type(trouble).__name__}: {brief(str(trouble))}"
    return " ".join(text.split())


@get("/notices", sync_to_thread=False)
def list_notices(state: State, person: Asker) -> list[Notice]:
    """The tables, games and files that the server could not open, for the staff."""
    check_permitted(person.name, person.role, "reading")
    found: Notices = state.notices
    return found.all()
