"""The web application on this machine."""

from pathlib import Path
from typing import Annotated

import typer


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8000,
    database: Annotated[str, typer.Option(help="The books' database; SQLite in the folder by default.")] = "",
    data: Annotated[Path, typer.Option(help="The folder that tables are kept in.")] = Path("feltworks-data"),
) -> None:
    """Serve the tables, the laboratory and the books to browsers. Play money only."""
    from feltworks.web.app import create_app
    from feltworks.web.data_folder import hold
    from feltworks.web.listening import listen

    with hold(data):
        typer.echo(
            f"Feltworks is at http://{'localhost' if host == '127.0.0.1' else host}:{port} (Ctrl-C stops it)"
        )
        listen(create_app(data, database), host, port)
