"""The examination of an installation by `felt doctor`: each finding says what is wrong and what to do.

The checks change nothing, so they may run while the server does.
"""

import datetime
import email.utils
import gzip
import http.client
import itertools
import os
import shutil
import socket
import ssl
import stat
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

from msgspec import Struct
from sqlalchemy import Connection, text

from feltworks.errors import BadOption, FeltError, LogError
from feltworks.house.storage.migration import open_to_read
from feltworks.table.log import check_log, entries
from feltworks.web.connections import public_origin
from feltworks.web.data_folder import KEY_BYTES, Notices, read_order, sentence_of, table_paths
from feltworks.web.health import LEAST_FREE
from feltworks.web.workers import Channel, Workers

Verdict = Literal["ok", "warning", "failed"]
LITTLE_SPACE: Final = 1 << 30  # bytes; the warning comes well before the server is not ready
OLD_BACKUP: Final = datetime.timedelta(days=2)
SHORT_VALIDITY: Final = datetime.timedelta(days=14)
MOST_SKEW: Final = 120.0  # seconds that this clock may differ from another one
PATIENCE: Final = 10.0
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class Installation(Struct, frozen=True):
    """Where the parts of an installation are; an empty text or None means that a part is absent."""

    data: Path
    database: str = ""
    public_url: str = ""
    backups: Path | None = None
    certificates: Path | None = None  # trusted in addition to those of the system


class Finding(Struct, frozen=True):
    """The result of one check, and what to do if it is not `ok`."""

    check: str
    verdict: Verdict
    says: str
    do: str = ""


def examine(installation: Installation) -> list[Finding]:
    """Run all checks; those of the data folder only if it exists, as a server of several processes has none."""
    data, checks = installation.data, [check_backups, check_tls]
    if data.is_dir():
        checks[:0] = check_permissions, check_keys, check_space, check_clock, check_tables, check_database
    elif installation.database:
        checks.insert(0, check_database)
    findings = [finding for check in checks for finding in check(installation)]
    if data.is_dir() or installation.database:
        return findings
    do = f"start felt serve --data {data} once, or name the folder with --data"
    says = f"there is no folder {data}"
    if data.exists():
        says, do = f"{data} is not a folder", "name the data folder of felt serve with --data"
    return [Finding("data folder", "failed", says, do), *findings]


def check_permissions(installation: Installation) -> Iterator[Finding]:
    """Check that only the owner can read the data folder: it holds live hands, keys and books."""
    data = installation.data
    paths = [data, *data.rglob("*")]
    readable = [path for path in paths if _mode(path) & _OTHERS]
    foreign = [path for path in paths if path.lstat().st_uid != data.stat().st_uid]
    if readable:
        says = f"others may read {readable[0]}{f' and {len(readable) - 1} more' if readable[1:] else ''}"
        yield Finding("permissions", "failed", says, f"chmod -R go= {data}")
    if foreign:
        says = f"another user owns {foreign[0]}{f' and {len(foreign) - 1} more' if foreign[1:] else ''}"
        yield Finding("permissions", "failed", says, f"chown -R the service's user {data}")
    if os.geteuid() == 0 and data.stat().st_uid == 0:
        do = "run the service as a user of its own"
        yield Finding("permissions", "warning", f"{data} belongs to root", do)
    elif not readable and not foreign:
        yield Finding("permissions", "ok", f"{len(paths)} files and folders are for their owner alone")


def _mode(path: Path) -> int:
    return 0 if path.is_symlink() else stat.S_IMODE(path.stat().st_mode)


def check_keys(installation: Installation) -> Iterator[Finding]:
    """Check the key that encrypts session cookies."""
    path = installation.data / "session.key"
    if not path.exists():
        yield Finding("keys", "warning", "there is no session.key yet", "felt serve makes one when it starts")
    elif not path.is_file() or path.stat().st_size != KEY_BYTES:
        do = "restore it from a backup; or restart felt serve, which makes a new one and ends all sessions"
        yield Finding("keys", "failed", f"session.key is not a file of {KEY_BYTES} bytes", do)
    else:
        yield Finding("keys", "ok", "session.key is whole")


def check_space(installation: Installation) -> Iterator[Finding]:
    """Check the free disk space, since a full disk stops every table."""
    free = shutil.disk_usage(installation.data).free
    verdict: Verdict = "failed" if free < LEAST_FREE else "warning" if free < LITTLE_SPACE else "ok"
    do = "" if verdict == "ok" else "make room, or delete old tables in the folder closed"
    yield Finding("disk", verdict, f"{free >> 20:,} MB are free", do)


def check_clock(installation: Installation) -> Iterator[Finding]:
    """Check the clock, on which law and approvals depend: a file dated in the future means it was set back."""
    newest = max((path.lstat().st_mtime for path in installation.data.rglob("*")), default=0.0)
    now = datetime.datetime.now(datetime.UTC)
    if newest - time.time() > MOST_SKEW:
        latest = datetime.datetime.fromtimestamp(min(newest, 2**37), datetime.UTC)  # datetime's latest year
        says = f"it is {now:%Y-%m-%d %H:%M} UTC, and a file of the data folder is of {latest:%Y-%m-%d %H:%M}"
        yield Finding("clock", "failed", says, "set the clock by a time server (timedatectl set-ntp true)")
    else:
        yield Finding("clock", "ok", f"it is {now:%Y-%m-%d %H:%M} UTC, after every file of the data folder")


def check_database(installation: Installation) -> Iterator[Finding]:
    """Check that the books can be read and are of this version, and check the tables in PostgreSQL."""
    file = installation.data / "house.sqlite"
    if not installation.database and not file.exists():
        yield Finding("database", "warning", "there are no books yet", "felt serve makes them")
        return
    try:
        database = open_to_read(installation.database or f"sqlite:///{file}")
        try:
            with database.snapshot() as connection:
                books = connection.execute(text("SELECT count(*) FROM book")).scalar_one()
                yield Finding("database", "ok", f"the books answer and hold {books} journals")
                if not database.is_sqlite:
                    yield from _findings_of_shared_tables(connection)
        finally:
            database.close()
    except (FeltError, OSError) as error:
        do = "restore the last backup, and run felt house verify"
        if "of version" in str(error):
            do = "start felt serve, which brings older books up to date; newer ones need the newer program"
        elif "there are no books" in str(error):
            do = "start felt serve with the same --database once, or correct --database"
        elif installation.database:
            do = "compare --database with the server's address, user and name, and look whether it runs"
        yield Finding("database", "failed", sentence_of(error), do)


def _findings_of_shared_tables(connection: Connection) -> Iterator[Finding]:
    """Find tables in PostgreSQL that could not be opened or whose log has lost or changed lines."""
    if connection.execute(text("SELECT to_regclass('felt_live.game_table')")).scalar() is None:
        yield Finding("tables", "warning", "there are no tables in the database yet", "felt serve --workers makes them")
        return
    rows = connection.execute(text("SELECT id, trouble FROM felt_live.game_table WHERE closed IS NULL ORDER BY id"))
    troubles = {id_: trouble or _trouble_in_lines(connection, id_) for id_, trouble in rows.all()}
    damaged = {id_: trouble for id_, trouble in troubles.items() if trouble}
    for id_, trouble in damaged.items():
        do = f"restore the table {id_} from a dump of the database, or close it; the others go on"
        yield Finding("tables", "failed", f"table {id_}: {trouble}", do)
    if not damaged:
        yield Finding("tables", "ok", f"the logs of {len(troubles)} tables in the database have whole seals")


def _trouble_in_lines(connection: Connection, id_: str) -> str:
    """What is wrong with a table's log; the oldest round of a pruned log may lack its beginning."""
    sql = text("SELECT line FROM felt_live.line WHERE table_id = :id ORDER BY n")
    lines = [bytes(line) for line in connection.execute(sql, {"id": id_}).scalars()]
    whole = list(itertools.dropwhile(lambda line: b'"type":"opened"' not in line, lines))
    try:
        entries(whole or lines)
    except LogError as error:
        return sentence_of(error) if lines else ""
    return ""


def check_tables(installation: Installation) -> Iterator[Finding]:
    """Check the seal of every line of every log, older rounds included."""
    damaged, rounds, folders = 0, 0, table_paths(installation.data)
    for folder in folders:
        try:
            read_order(folder)
            rounds += check_log(folder / "log")
        except (FeltError, OSError) as error:
            damaged += 1
            do = f"restore {folder} from a backup, or move it away; the other tables open without it"
            yield Finding("tables", "failed", f"table {folder.name}: {sentence_of(error)}", do)
    if not damaged:
        yield Finding("tables", "ok", f"{rounds} rounds at {len(folders)} tables have whole seals")


def damaged_tables(data: Path, _: Channel) -> list[Finding]:
    """Find tables with damaged files; a job for a worker process, since long logs take long to read."""
    return [finding for finding in check_tables(Installation(data)) if finding.verdict == "failed"]


async def report_damage(data: Path, notices: Notices, workers: Workers) -> None:
    """Check every log, older rounds included, and add a notice for each damaged table."""
    with suppress(FeltError):  # the server stops before the check has finished
        for finding in await workers.do(partial(damaged_tables, data)):
            table, _, says = finding.says.partition(": ")
            notices.add(f"log, {table}", FeltError(says), finding.do)


def check_backups(installation: Installation) -> Iterator[Finding]:
    """Check that the newest backup is recent, complete and readable for its owner only."""
    folder = installation.backups
    if folder is None:
        yield Finding("backups", "warning", "no folder of backups was named", "name it with --backups")
        return
    files = [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []
    newest = max(files, key=lambda path: path.stat().st_mtime, default=None)
    do = "run the backup (systemctl start felt-backup) and look at its log"
    if newest is None:
        yield Finding("backups", "failed", f"{folder} holds no backup", do)
        return
    age = datetime.timedelta(seconds=max(0.0, time.time() - newest.stat().st_mtime))
    if age > OLD_BACKUP:
        yield Finding("backups", "failed", f"the newest backup, {newest.name}, is {age.days} days old", do)
    elif not _is_whole(newest):
        yield Finding("backups", "failed", f"the newest backup, {newest.name}, is empty or damaged", do)
    elif _mode(newest) & _OTHERS:
        says = f"others may read the backup {newest.name}"
        yield Finding("backups", "failed", says, f"chmod -R go= {folder}")
    else:
        yield Finding("backups", "ok", f"the newest backup, {newest.name}, is less than two days old")


def _is_whole(backup: Path) -> bool:
    """Whether an archive of `felt-backup` can be read to its end; any other backup only must not be empty."""
    if not backup.name.endswith(".tar.gz"):
        return backup.stat().st_size > 0
    try:
        with gzip.open(backup) as archive:  # the checksum at its end is verified
            return sum(map(len, iter(lambda: archive.read(1 << 20), b""))) > 0
    except (OSError, EOFError, zlib.error):
        return False


def check_tls(installation: Installation) -> Iterator[Finding]:
    """Check that the public address answers over TLS with a valid certificate and sends HSTS."""
    if not installation.public_url:
        yield Finding("tls", "warning", "no public address was named", "name it with --public-url")
        return
    try:
        origin = urlsplit(public_origin(installation.public_url))
    except BadOption:
        origin = urlsplit("")
    if origin.scheme != "https" or not origin.hostname:
        do = "put a reverse proxy with TLS in front, and name its https address with --public-url"
        yield Finding("tls", "failed", f"{installation.public_url} is not an https address", do)
    elif installation.certificates and not installation.certificates.is_file():
        do = "name a file of certificates in PEM with --certificates, or leave it out"
        yield Finding("tls", "failed", f"there is no file {installation.certificates}", do)
    else:
        yield from _findings_of_tls(origin.hostname, origin.port or 443, installation.certificates)


def _findings_of_tls(host: str, port: int, trusted: Path | None) -> Iterator[Finding]:
    try:
        yield from _findings_of_answer(host, port, trusted)
    except socket.gaierror:
        do = "enter the name in the DNS, or correct --public-url"
        yield Finding("tls", "failed", f"the name {host} is not known", do)
    except ssl.SSLError as error:
        do = "renew the certificate, and look at the log of the reverse proxy"
        yield Finding("tls", "failed", f"{host}: {error.reason or error}", do)
    except (OSError, http.client.HTTPException) as error:
        do = "start the reverse proxy, and open the port in the firewall"
        yield Finding("tls", "failed", f"{host}:{port} does not answer: {sentence_of(error)}", do)


def _findings_of_answer(host: str, port: int, trusted: Path | None) -> Iterator[Finding]:
    context = ssl.create_default_context(cafile=str(trusted) if trusted else None)
    connection = http.client.HTTPSConnection(host, port, timeout=PATIENCE, context=context)
    connection.request("GET", "/healthz")
    assert isinstance(connection.sock, ssl.SSLSocket)
    certificate = connection.sock.getpeercert() or {}
    answer = connection.getresponse()
    answer.read()
    connection.close()
    ends = datetime.datetime.fromtimestamp(ssl.cert_time_to_seconds(str(certificate["notAfter"])), datetime.UTC)
    left = ends - datetime.datetime.now(datetime.UTC)
    if left < SHORT_VALIDITY:
        do = "renew the certificate"
        yield Finding("tls", "warning", f"the certificate of {host} ends on {ends:%Y-%m-%d}", do)
    else:
        yield Finding("tls", "ok", f"the certificate of {host} is valid until {ends:%Y-%m-%d}")
    yield from _findings_of_headers(host, answer)


def _findings_of_headers(host: str, answer: http.client.HTTPResponse) -> Iterator[Finding]:
    if answer.status != http.client.OK:
        do = "read the answer of /healthz and /readyz, and the log of felt serve"
        yield Finding("server", "failed", f"{host} answers /healthz with {answer.status}", do)
    elif not answer.getheader("strict-transport-security"):
        do = f"start felt serve with --public-url https://{host}"
        yield Finding("server", "failed", "browsers are not told to stay on TLS (HSTS)", do)
    else:
        yield Finding("server", "ok", f"{host} is healthy, and browsers stay on TLS")
    if date := answer.getheader("date"):
        skew = abs(email.utils.parsedate_to_datetime(date).timestamp() - time.time())
        if skew > MOST_SKEW:
            says = f"this clock and that of {host} differ by {skew:,.0f} seconds"
            yield Finding("clock", "failed", says, "set both by a time server")
