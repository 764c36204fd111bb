"""`felt serve`: the web application on this machine."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click
import msgspec
from msgspec import Struct

from feltworks.cli.options import words_option
from feltworks.errors import FeltError

ENVIRONMENT: Final = "FELT_SERVE"  # the prefix of the variables: FELT_SERVE_PORT is --port


class ServeSettings(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab", omit_defaults=True):
    """A settings file in TOML; each key is an option of the command without its dashes."""

    host: str | None = None
    port: int | None = None
    database: str | None = None
    public_url: str | None = None
    allow_host: list[str] | None = None
    proxy: list[str] | None = None
    metrics: str | None = None
    data: str | None = None
    workers: int | None = None
    relay: str | None = None
    seat_kept: int | None = None
    unused: int | None = None
    demo: bool | None = None


def read_settings(path: Path) -> dict[str, Any]:
    """The settings of a file by the names of the command's parameters."""
    try:
        settings = msgspec.toml.decode(path.read_bytes(), type=ServeSettings)
    except (msgspec.DecodeError, UnicodeDecodeError) as trouble:
        raise FeltError(f"the settings in {path} cannot be used: {trouble}") from None
    except OSError as trouble:
        raise FeltError(f"the settings in {path} cannot be read: {trouble.strerror}") from None
    given = msgspec.structs.asdict(settings)
    return {name: value for name, value in given.items() if value is not None}


def _use_settings(context: click.Context, _: click.Parameter, path: Path | None) -> None:
    """Settings of a file are defaults: the environment and the command line come before them."""
    if path is not None:
        context.default_map = read_settings(path)


@contextmanager
def demo_house() -> Iterator[tuple[Path, str]]:
    """A data folder and books that end with the server, with people and tables in them."""
    from feltworks.house.storage.migration import open_database
    from feltworks.web.house.demo import furnish

    with TemporaryDirectory(prefix="feltworks-demo-") as folder:
        url = f"sqlite:///{folder}/house.sqlite"
        database = open_database(url)
        furnish(database)
        database.close()
        yield Path(folder), url


def _watch() -> None:
    """Run the same command without `--watch` in a process that is started again after a change."""
    from feltworks import catalog
    from feltworks.cli.watch import serve_and_watch

    arguments = [argument for argument in sys.argv[1:] if argument != "--watch"]
    serve_and_watch(arguments, catalog.own_folders(), {f"{ENVIRONMENT}_WATCH": "0"})


@click.command(context_settings={"auto_envvar_prefix": ENVIRONMENT})
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    is_eager=True,
    expose_value=False,
    callback=_use_settings,
    help="A TOML file with these options; FELT_SERVE_PORT and the like come before it.",
)
@click.option("--host", default="127.0.0.1", help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="The port to listen on.")
@words_option("--database", metavar="TEXT", help="The books' database; unless given, SQLite in the data folder.")
@words_option("--public-url", metavar="TEXT", help="The address that browsers use, if it is another one.")
@click.option("--allow-host", multiple=True, metavar="NAME", help="Another host name of this server.")
@click.option("--proxy", multiple=True, metavar="ADDRESS", help="The address of a trusted reverse proxy.")
@words_option("--metrics", metavar="HOST:PORT", help="An address of their own for the metrics.")
@click.option("--data", type=click.Path(path_type=Path), default="feltworks-data", help="The folder for open tables.")
@click.option("--workers", type=click.IntRange(0, 64), default=0, help="Processes that share the tables in PostgreSQL.")
@click.option("--relay", default="127.0.0.1", metavar="ADDRESS", help="Where other processes reach these.")
@click.option(
    "--seat-kept",
    type=click.IntRange(10, 86400),
    default=180,
    help="Seconds until a disconnected player loses the seat.",
)
@click.option(
    "--unused",
    type=click.IntRange(60, 31_536_000),
    default=3600,
    help="Seconds until a guest's empty table is closed.",
)
@click.option("--watch", is_flag=True, help="Start again when a file of one's own games changes.")
@click.option(
    "--demo", is_flag=True, help="A house to try out, with people and books of its own; it ends with the server."
)
def serve(
    host: str,
    port: int,
    database: str,
    public_url: str,
    allow_host: tuple[str, ...],
    proxy: tuple[str, ...],
    metrics: str,
    data: Path,
    workers: int,
    relay: str,
    seat_kept: int,
    unused: int,
    watch: bool,
    demo: bool,
) -> None:
    """Serve the tables, the laboratory and the books to browsers.

    Play money only.
    """
    if watch:
        _watch()
        return
    if demo and (database or workers or public_url or host not in ("127.0.0.1", "localhost")):
        raise FeltError(
            "--demo logs anybody in and has books of its own, so it serves this machine alone;"
            " leave out --database, --workers, --public-url and --host"
        )
    from feltworks.web import server
    from feltworks.web.address import public_address
    from feltworks.web.app import create_app
    from feltworks.web.data_folder import hold
    from feltworks.web.health import parse_address
    from feltworks.web.tables.clock import Times

    times = Times(away=float(seat_kept), unused=float(unused), unused_private=max(86400.0, float(unused)))
    address = public_address(host, public_url, allow_host)
    metrics_at = parse_address("--metrics", metrics) if metrics else None
    make_app = partial(create_app, database=database, times=times, address=address, shows_metrics=not metrics_at)
    url = address.origin or f"http://{'localhost' if host == '127.0.0.1' else host}:{port}"
    if workers:
        server.check_database(database)
        listener = server.listen(host, port)
        part = server.Part(make_app, database, relay, proxy, metrics_at)
        click.echo(f"Feltworks is at {url} with {workers} processes (Ctrl-C stops it)")
        sys.exit(server.Supervisor(part, listener, workers).watch())
    else:
        with ExitStack() as stack:
            if demo:
                data, database = stack.enter_context(demo_house())
                make_app = partial(make_app, database=database, is_demo=True)
            stack.enter_context(hold(data))
            click.echo(f"Feltworks is at {url} (Ctrl-C stops it)")
            server.serve(make_app(data), host, port, proxies=proxy, metrics_at=metrics_at)
