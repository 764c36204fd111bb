"""The people of a house, each at a browser of their own, and what they sign together."""

from pathlib import Path
from typing import Any

import httpx

from feltworks.house.approvals import ApprovalBook, complete_step, record_definition, required_steps
from feltworks.house.duties import ROLES, Role
from feltworks.house.storage.migration import open_database
from feltworks.house.users import Users
from feltworks.web.house import people
from feltworks.web.house.office import today
from tests.web.player import Visitor

PASSWORD = "correct horse {}"
PEOPLE: dict[str, Role] = {
    "root": "administrator",
    **{name: role for name, role in people.PEOPLE.items() if role != "administrator"},
    "cam": "cage",
}
assert set(PEOPLE.values()) == set(ROLES)


def hire(data: Path) -> None:
    """Everybody, as `felt house users add` writes them into the books of a folder."""
    database = open_database(f"sqlite:///{data / 'house.sqlite'}")
    users = Users(database)
    for number, (name, role) in enumerate(PEOPLE.items()):
        first = f"{password_of(name)} at first" if number else password_of(name)
        users.add(name, role, first, by="root", second="ines" if number > 1 else None)
        if number:
            users.set_password(name, password_of(name), by=name)  # what others set is changed at first use
    database.close()


def approve(data: Path, game: str) -> None:
    """Put every step of a game's approval for a card room on record."""
    database, day = open_database(f"sqlite:///{data / 'house.sqlite'}"), today()
    book = ApprovalBook(database)
    done = {"met_by": "the house", "on": day, "reference": "letter", "today": day}
    steps = [complete_step(game, "card room", name, **done) for name in required_steps(game, "card room")]
    for act in (*steps, record_definition(game, "card room", "letter")):
        book.record(act, by="ines", second="root", day=day)
    database.close()


def password_of(name: str) -> str:
    return PASSWORD.format(name)


def signed(by: str, **people: str) -> dict[str, dict[str, str]]:
    """Who signs where; everybody but the one who is logged in gives a password."""
    return {
        position.replace("_", " "): {"person": name} | ({} if name == by else {"password": password_of(name)})
        for position, name in people.items()
    }


class Colleague(Visitor):
    """Somebody of the house at a browser."""

    def logs_in(self, name: str, password: str | None = None) -> httpx.Response:
        return self.post("/api/house/login", name=name, password=password or password_of(name))

    def asks(self, path: str, **query: Any) -> Any:
        answer = self.http.get(f"/api/house/{path}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def does(self, path: str, **said: Any) -> Any:
        answer = self.post(f"/api/house/{path}", **said)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def is_refused(self, path: str, status: int, **said: Any) -> dict[str, Any]:
        answer = self.post(f"/api/house/{path}", **said)
        assert answer.status_code == status, answer.text
        told: dict[str, Any] = answer.json()
        assert told["error"]
        return told
