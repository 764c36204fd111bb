"""`felt serve`: the web application on this machine."""

from pathlib import Path

import click


@click.command()
@click.option("--host", default="127.0.0.1", help="The address to listen on.")
@click.option("--port", default=8000, help="The port to listen on.")
@click.option(
    "--database",
    default="",
    show_default=False,
    help="The books' database; unless given, SQLite in the data folder.",
)
@click.option(
    "--public-url",
    default="",
    show_default=False,
    help="The address that browsers use, if it is another one.",
)
@click.option("--allow-host", multiple=True, metavar="NAME", help="Another host name of this server.")
@click.option("--proxy", multiple=True, metavar="ADDRESS", help="The address of a trusted reverse proxy.")
@click.option(
    "--data", type=click.Path(path_type=Path), default="feltworks-data", help="The folder for open tables."
)
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
def serve(
    host: str,
    port: int,
    database: str,
    public_url: str,
    allow_host: tuple[str, ...],
    proxy: tuple[str, ...],
    data: Path,
    seat_kept: int,
    unused: int,
) -> None:
    """Serve the tables, the laboratory and the books to browsers.

    Play money only.
    """
    from feltworks.web.app import create_app
    from feltworks.web.data_folder import hold
    from feltworks.web.server import public_address, serve
    from feltworks.web.tables.clock import Times

    times = Times(away=float(seat_kept), unused=float(unused), unused_private=max(86400.0, float(unused)))
    address = public_address(host, public_url, allow_host)
    url = address.origin or f"http://{'localhost' if host == '127.0.0.1' else host}:{port}"
    with hold(data):
        click.echo(f"Feltworks is at {url} (Ctrl-C stops it)")
        serve(create_app(data, database, times=times, address=address), host, port, proxies=proxy)
