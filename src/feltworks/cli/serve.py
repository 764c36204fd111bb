"""The web application on this machine."""

from pathlib import Path
from typing import Annotated

import typer


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8000,
    database: Annotated[str, typer.Option(help="The books' database; SQLite in the folder by default.")] = "",
    public_url: Annotated[str, typer.Option(help="The address browsers use, if another one.")] = "",
    allow_host: Annotated[list[str] | None, typer.Option(help="A further name of this server.")] = None,
    proxy: Annotated[list[str] | None, typer.Option(help="The address of a proxy to believe.")] = None,
    data: Annotated[Path, typer.Option(help="The folder that tables are kept in.")] = Path("feltworks-data"),
    seat_kept: Annotated[
        int, typer.Option(min=10, max=86400, help="Seconds a seat is kept for a player who has gone.")
    ] = 180,
    unused: Annotated[
        int, typer.Option(min=60, max=31_536_000, help="Seconds a guest's table stays without anybody.")
    ] = 3600,
) -> None:
    """Serve the tables, the laboratory and the books to browsers. Play money only."""
    from feltworks.web.app import create_app
    from feltworks.web.data_folder import hold
    from feltworks.web.server import public_address, serve
    from feltworks.web.tables.clock import Times

    times = Times(away=float(seat_kept), unused=float(unused), unused_private=max(86400.0, float(unused)))
    address = public_address(host, public_url, allow_host or ())
    at = address.origin or f"http://{'localhost' if host == '127.0.0.1' else host}:{port}"
    with hold(data):
        typer.echo(f"Feltworks is at {at} (Ctrl-C stops it)")
        serve(create_app(data, database, times=times, address=address), host, port, proxies=proxy or ())
