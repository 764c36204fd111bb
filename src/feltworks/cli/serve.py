"""`felt serve`: runs the web application on this machine."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Final, NoReturn, get_args

import click
import msgspec
from msgspec import Struct

from feltworks.cli.options import FILE, Option, option_group
from feltworks.errors import BadOption, FeltError, UnknownName

if TYPE_CHECKING:  # slow to import
    from feltworks.web.server import Site

ENVIRONMENT: Final = "FELT_SERVE"  # the prefix of variables such as FELT_SERVE_PORT for --port
_SECONDS: Final = 0.5  # between two checks of the files
_STOPPING_SECONDS: Final = 10.0
_SUFFIXES: Final = (".py", ".toml")
_FELT: Final = "from feltworks.cli.main import run; run()"
Marks = dict[Path, tuple[int, int]]


class ServeSettings(Struct, frozen=True, kw_only=True, rename="kebab"):
    """The settings, each from an option, an environment variable or a key of a TOML file."""

    host: Annotated[str, Option("The address to listen on.")] = "127.0.0.1"
    port: Annotated[int, Option("The port to listen on.", type=click.IntRange(0, 65535))] = 8000
    database: Annotated[str, Option("The books' database; unless given, SQLite in the data folder.")] = ""
    public_url: Annotated[str, Option("The address that browsers use, if it is another one.")] = ""
    allow_host: Annotated[tuple[str, ...], Option("Another host name of this server.", metavar="NAME")]
    proxy: Annotated[
        tuple[str, ...], Option("The address of a trusted reverse proxy, or its network.", metavar="ADDRESS")
    ]
    metrics: Annotated[str, Option("Serve the metrics at this address.", metavar="HOST:PORT")] = ""
    data: Annotated[Path, Option("The folder for open tables.")] = Path("feltworks-data")
    workers: Annotated[int, Option("Processes that share the tables in PostgreSQL.", type=click.IntRange(0, 64))] = 0
    relay: Annotated[str, Option("The host where other processes reach these.", metavar="ADDRESS")] = "127.0.0.1"
    seat_kept: Annotated[
        int, Option("Seconds until a disconnected player loses the seat.", type=click.IntRange(10, 86400))
    ] = 180
    unused: Annotated[
        int, Option("Seconds until a guest's empty table is closed.", type=click.IntRange(60, 31_536_000))
    ] = 3600
    demo: Annotated[bool, Option("Serve a demo house; its people and books are deleted when the server stops.")] = False

    def url(self, port: int) -> str:
        """The URL that browsers use; `port` is the one that the server listens on."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.public_url.rstrip("/") or f"http://{'localhost' if host == '127.0.0.1' else host}:{port}"


_KINDS: Final[dict[object, tuple[type, str]]] = {
    int: (int, "a whole number"),
    bool: (bool, "true or false"),
    tuple[str, ...]: (list, 'a list of texts, such as ["10.0.0.1"]'),
}
_TEXT: Final = str, 'a text in quotation marks, such as "127.0.0.1"'


def read_settings(path: Path) -> dict[str, object]:
    """Read the settings in a file, by the names of the command's parameters."""
    try:
        given = msgspec.toml.decode(path.read_bytes(), type=dict[str, object])
        return dict(_read_setting(key, value) for key, value in given.items())
    except (msgspec.DecodeError, FeltError) as trouble:
        raise FeltError(f"the settings in {path} cannot be used: {trouble}") from None
    except UnicodeDecodeError:
        raise FeltError(f"the settings in {path} cannot be used: the file is not UTF-8 text") from None
    except OSError as trouble:
        raise FeltError(f"the settings in {path} cannot be read: {trouble.strerror}") from None


def _read_setting(key: str, value: object) -> tuple[str, object]:
    fields = {field.encode_name: field for field in msgspec.structs.fields(ServeSettings)}
    if key not in fields:
        raise UnknownName("setting", key, fields)
    kind, words = _KINDS.get(get_args(fields[key].type)[0], _TEXT)
    parts = value if isinstance(value, list) else ()
    if type(value) is not kind or not all(isinstance(part, str) for part in parts):
        raise BadOption(key, value, words)
    return fields[key].name, value


def check_environment(names: Iterable[str]) -> None:
    """Refuse unknown FELT_SERVE_ variables, as a misspelt setting would be ignored silently."""
    known = {f"{ENVIRONMENT}_{param.name}".upper(): param for param in serve.params}
    for name in names:
        if name.startswith(f"{ENVIRONMENT}_") and name not in known:
            raise UnknownName("setting", name, known)


def _use_settings(context: click.Context, _: click.Parameter, path: Path | None) -> None:
    """Make a file's settings the defaults, which environment and command line override."""
    if path is not None:
        context.default_map = read_settings(path)


@contextmanager
def demo_house() -> Iterator[tuple[Path, str]]:
    """Create a temporary data folder and books with people and tables in them."""
    from feltworks.house.storage.migration import open_database
    from feltworks.web.house.people import furnish

    with TemporaryDirectory(prefix="feltworks-demo-") as folder:
        url = f"sqlite:///{folder}/house.sqlite"
        database = open_database(url)
        furnish(database)
        database.close()
        yield Path(folder), url


def _watch() -> None:
    """Run the same command without `--watch` in a process that is restarted after each change."""
    from feltworks import catalog

    arguments = [argument for argument in sys.argv[1:] if argument != "--watch"]
    serve_and_watch(arguments, catalog.own_folders(), {f"{ENVIRONMENT}_WATCH": "0"})


@click.command(context_settings={"auto_envvar_prefix": ENVIRONMENT})
@click.option(
    "--config",
    type=FILE,
    is_eager=True,
    expose_value=False,
    callback=_use_settings,
    help="A TOML file with these options; FELT_SERVE_PORT and the like come before it.",
)
@option_group("settings", ServeSettings)
@click.option("--watch", is_flag=True, help="Restart when a file of the games in FELT_GAMES changes.")
def serve(settings: ServeSettings, watch: bool) -> None:
    """Serve the tables, the laboratory and the books to browsers.

    Play money only.
    """
    check_environment(os.environ)
    if watch:
        _watch()
        return
    is_elsewhere = settings.database or settings.workers or settings.public_url
    if settings.demo and (is_elsewhere or settings.host not in ("127.0.0.1", "localhost")):
        raise FeltError(
            "--demo logs anybody in and has books of its own, so it serves this machine alone;"
            " leave out --database, --workers, --public-url and --host"
        )
    if settings.workers:
        sys.exit(_serve_with_workers(settings))
    elif settings.demo:
        with demo_house() as (folder, books):
            _serve_folder(settings, folder, demo_books=books)
    else:
        _serve_folder(settings, settings.data)


def _site(settings: ServeSettings) -> "Site":
    """The site: the application with these settings and its address."""
    from feltworks.web.app import create_app
    from feltworks.web.connections import check_proxies, public_address
    from feltworks.web.health import parse_address
    from feltworks.web.server import Site
    from feltworks.web.tables.clock import Times

    unused = float(settings.unused)
    times = Times(away=float(settings.seat_kept), unused=unused, unused_private=max(86400.0, unused))
    address = public_address(settings.host, settings.public_url, settings.allow_host)
    metrics_at = parse_address("--metrics", settings.metrics) if settings.metrics else None
    make_app = partial(
        create_app, database=settings.database, times=times, address=address, shows_metrics=not metrics_at
    )
    return Site(make_app, settings.host, settings.port, check_proxies(settings.proxy), metrics_at)


def _serve_folder(settings: ServeSettings, data: Path, demo_books: str = "") -> None:
    """Serve the tables of a folder in this process; a demo house has its own books."""
    site = _site(settings)
    from feltworks.web.data_folder import hold
    from feltworks.web.server import listen

    with listen(site.host, site.port) as listener, hold(data):
        click.echo(f"Feltworks is at {settings.url(listener.getsockname()[1])} (Ctrl-C stops it)")
        app = site.make_app(data, database=demo_books, is_demo=True) if demo_books else site.make_app(data)
        site.serve(app, [listener])


def _serve_with_workers(settings: ServeSettings) -> int:
    """Serve the tables of a database in several processes and return the exit status."""
    site = _site(settings)
    from feltworks.web.connections import check_proxies
    from feltworks.web.server import Supervisor, check_database

    check_proxies([settings.relay], "--relay")
    check_database(settings.database)
    supervisor = Supervisor(site, settings.database, settings.relay, settings.workers)
    words = f"{settings.url(supervisor.port)} with {settings.workers} processes"
    click.echo(f"Feltworks is at {words} (Ctrl-C stops it)")
    return supervisor.watch()


# Watching one's own games: the server runs in a separate process, so that a restart reloads rules, workers and caches
# and restores tables from the data folder. If a game is broken the server starts without it.


def serve_and_watch(arguments: Sequence[str], folders: Sequence[Path], environment: dict[str, str]) -> None:
    """Run `felt` with these arguments until it ends, and restart it after each change in the folders."""
    if not folders:
        raise FeltError("--watch needs a folder with games: name it in FELT_GAMES, or give --examples")
    signal.signal(signal.SIGTERM, _stop_on_signal)
    marks, server = _marks(folders), _start(arguments, environment)
    try:
        while (status := server.poll()) is None:
            time.sleep(_SECONDS)
            before, marks = marks, _marks(folders)
            if changed := sorted({path.name for path, _ in before.items() ^ marks.items()}):
                click.echo(f"{', '.join(changed)} changed: the server starts again.")
                _stop(server)
                server = _start(arguments, environment)
    finally:
        _stop(server)
    if status:
        raise click.exceptions.Exit(status)


def _marks(folders: Sequence[Path]) -> Marks:
    """The modification time and size of each file of the games."""
    marks: Marks = {}
    for folder in folders:
        for path in folder.glob("*"):
            if path.suffix in _SUFFIXES and not path.name.startswith("test_"):
                try:
                    status = path.stat()
                except FileNotFoundError:  # an editor is replacing it
                    continue
                marks[path] = status.st_mtime_ns, status.st_size
    return marks


def _start(arguments: Sequence[str], environment: dict[str, str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", _FELT, *arguments], env={**os.environ, **environment})


def _stop(server: "subprocess.Popen[bytes]") -> None:
    """Stop the server gracefully; if it does not end in time, kill it."""
    if server.poll() is None:
        server.terminate()
        try:
            server.wait(_STOPPING_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _stop_on_signal(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
