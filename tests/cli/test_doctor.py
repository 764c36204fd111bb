"""`felt doctor` on installations with one thing wrong each."""

import asyncio
import json
import os
import shutil
import sqlite3
import tarfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from feltworks.cli.main import main
from feltworks.house.storage.migration import open_database
from feltworks.web.data_folder import Notices, session_key
from feltworks.web.doctor import Finding, Installation, examine, report_damage
from feltworks.web.tables.messages import read_action
from feltworks.web.tables.order import NewTable
from feltworks.web.tables.room import Guest
from feltworks.web.tables.rooms import Rooms
from feltworks.web.tables.router import act
from feltworks.web.workers import Workers

ANN = Guest("a", "Ann")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `data`, where three rounds were played, and `backups`."""
    house = tmp_path_factory.mktemp("house")
    house.chmod(0o700)

    async def scene() -> None:
        rooms = Rooms(house / "data")
        room = rooms.open(NewTable("fu-bacc"))
        actions = [("sit", {"spot": 1, "stack": 100_00})]
        for number in (1, 2, 3):
            actions.append(("wager", {"spot": 1, "wagers": {"ante": 5_00}}))
            actions.append(("ready", {}))
            actions.append(("choose", {"spot": 1, "round": number, "name": "fold"}))
        for kind, fields in actions:
            act(room, ANN, read_action(json.dumps({"id": 1, "type": kind, **fields})))
            room.save()
        rooms.close()

    session_key(house / "data")
    asyncio.run(scene())
    open_database(f"sqlite:///{house / 'data' / 'house.sqlite'}").close()
    (house / "backups").mkdir(mode=0o700)
    with tarfile.open(house / "backups" / "today.tar.gz", "w:gz") as archive:
        archive.add(house / "data", ".")
    (house / "backups" / "today.tar.gz").chmod(0o600)
    return house


def troubles(house: Path, *, verdict: str = "failed", public_url: str = "") -> list[Finding]:
    findings = examine(Installation(house / "data", backups=house / "backups", public_url=public_url))
    return [finding for finding in findings if finding.verdict == verdict]


def _log(house: Path) -> Path:
    return next((house / "data" / "tables").iterdir()) / "log"


def _readable(house: Path) -> None:
    _log(house).chmod(0o644)


def _short_key(house: Path) -> None:
    (house / "data" / "session.key").write_bytes(b"short")


def _changed_line_of_the_first_round(house: Path) -> None:
    log = _log(house)
    log.write_bytes(log.read_bytes().replace(b'"name":"fold"', b'"name":"flod"', 1))


def _lost_round(house: Path) -> None:
    log = _log(house)
    lines = log.read_bytes().splitlines(keepends=True)
    openings = [place for place, line in enumerate(lines) if b'"type":"opened"' in line]
    log.write_bytes(b"".join(lines[: openings[1]] + lines[openings[2] :]))


def _no_order(house: Path) -> None:
    _log(house).with_name("order.json").unlink()


def _no_books(house: Path) -> None:
    (house / "data" / "house.sqlite").write_bytes(b"this was a database once, and is none now" * 99)


def _old_backup(house: Path) -> None:
    week_ago = time.time() - 7 * 86400
    os.utime(house / "backups" / "today.tar.gz", (week_ago, week_ago))


def _cut_off_backup(house: Path) -> None:
    backup = house / "backups" / "today.tar.gz"
    backup.write_bytes(backup.read_bytes()[:-100])


def _key_that_is_a_folder(house: Path) -> None:
    (house / "data" / "session.key").unlink()
    (house / "data" / "session.key").mkdir(mode=0o700)


def _newer_books(house: Path) -> None:
    with closing(sqlite3.connect(house / "data" / "house.sqlite")) as books, books:
        books.execute("UPDATE alembic_version SET version_num = '9999'")


def _no_backup(house: Path) -> None:
    (house / "backups" / "today.tar.gz").unlink()


def _clock_set_back(house: Path) -> None:
    tomorrow = time.time() + 86400
    os.utime(_log(house), (tomorrow, tomorrow))


@pytest.mark.parametrize(
    ("damage", "check", "says"),
    [
        (_readable, "permissions", "/log"),
        (_short_key, "keys", "not a file of 32 bytes"),
        (_key_that_is_a_folder, "keys", "not a file of 32 bytes"),
        (_changed_line_of_the_first_round, "tables", "round 1 of the log: line"),
        (_lost_round, "tables", "round 2 of the log does not follow the one before"),
        (_no_order, "tables", "order.json"),
        (_no_books, "database", ""),
        (_newer_books, "database", "of version 9999"),
        (_old_backup, "backups", "7 days old"),
        (_no_backup, "backups", "holds no backup"),
        (_cut_off_backup, "backups", "empty or damaged"),
        (_clock_set_back, "clock", "and a file of the data folder is of"),
    ],
)
def test_each_trouble_is_found_and_says_what_to_do(
    damage: Callable[[Path], None], check: str, says: str, house: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(house, tmp_path / "house")
    assert troubles(copy) == []
    damage(copy)
    (finding,) = troubles(copy)
    assert finding.check == check
    assert says in finding.says
    assert finding.do


def test_every_file_that_others_may_read_is_counted(house: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(house, tmp_path / "house")
    _readable(copy)
    (finding,) = troubles(copy)
    assert finding.says == f"others may read {_log(copy)}"
    (copy / "data" / "session.key").chmod(0o640)
    (finding,) = troubles(copy)
    assert finding.says.startswith("others may read ")
    assert finding.says.endswith(" and 1 more")


def test_a_public_address_without_tls_or_server_is_found(house: Path) -> None:
    (plain,) = troubles(house, public_url="http://cards.example")
    assert (plain.check, plain.says) == ("tls", "http://cards.example is not an https address")
    (malformed,) = troubles(house, public_url="https://[")
    assert (malformed.check, malformed.says) == ("tls", "https://[ is not an https address")
    (unknown,) = troubles(house, public_url="https://house.invalid")
    assert (unknown.says, "DNS" in unknown.do) == ("the name house.invalid is not known", True)
    (silent,) = troubles(house, public_url="https://localhost:1")
    assert (silent.check, "does not answer" in silent.says) == ("tls", True)


def test_a_database_out_of_reach_is_no_damaged_database(tmp_path: Path) -> None:
    installation = Installation(tmp_path / "no folder", "postgresql://felt@127.0.0.1:1/felt")
    (finding,) = [finding for finding in examine(installation) if finding.verdict == "failed"]
    assert (finding.check, "restore" in finding.do, "--database" in finding.do) == ("database", False, True)


def test_without_a_folder_only_the_folder_is_missing(tmp_path: Path) -> None:
    (finding,) = [found for found in examine(Installation(tmp_path / "nowhere")) if found.verdict == "failed"]
    assert (finding.check, "felt serve --data" in finding.do) == ("data folder", True)


def test_the_command_prints_findings_and_ends_with_their_verdict(
    house: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = shutil.copytree(house, tmp_path / "house")
    command = ["doctor", "--data", str(copy / "data"), "--backups", str(copy / "backups")]
    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["healthy"]
    assert {finding["check"] for finding in document["findings"]} >= {"permissions", "disk", "tables", "tls"}
    _readable(copy)
    assert main(command) == 1
    assert f"permissions: chmod -R go= {copy / 'data'}." in capsys.readouterr().out
    assert main(["doctor", "--data", str(tmp_path / "nowhere")]) == 1


def test_a_server_tells_the_staff_of_damage_in_older_rounds(house: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(house, tmp_path / "house")
    _changed_line_of_the_first_round(copy)

    async def scene() -> list[str]:
        notices, workers = Notices(), Workers(1)
        try:
            await report_damage(copy / "data", notices, workers)
        finally:
            await workers.close()
        return [notice.says for notice in notices.all()]

    (says,) = asyncio.run(scene())
    assert says.startswith("round 1 of the log: line")
