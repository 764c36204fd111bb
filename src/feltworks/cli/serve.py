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
) -> None:
    """Serve the tables, the laboratory and the books to browsers. Play money only."""
    from feltworks.web.app import create_app
    from feltworks.web.listening import listen
    from feltworks.web.public_address import public_address

    address = public_address(host, public_url, allow_host or ())
    at = address.origin or f"http://{'localhost' if host == '127.0.0.1' else host}:{port}"
    typer.echo(f"Feltworks is at {at} (Ctrl-C stops it)")
    listen(create_app(data, database, address=address), host, port, proxies=proxy or ())
