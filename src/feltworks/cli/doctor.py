"""`felt doctor`: examines an installation of the server and says what to correct."""

from pathlib import Path
from typing import Final

import click
from click.exceptions import Exit

from feltworks.cli.options import json_option, words_option
from feltworks.cli.output import Cell, Page, Table, print_json

TROUBLE: Final = 1
_STYLES: Final = {"ok": "green", "warning": "yellow", "failed": "bold red"}
_FOLDER: Final = click.Path(path_type=Path)


@click.command()
@click.option("--data", type=_FOLDER, default="feltworks-data", help="The folder for open tables.")
@words_option("--database", metavar="TEXT", help="The books' database, if it is not in that folder.")
@words_option("--public-url", metavar="TEXT", help="The address that browsers use.")
@click.option("--backups", type=_FOLDER, help="The folder that backups are written to.")
@click.option("--certificates", type=_FOLDER, help="A file of certificates to trust besides the system's.")
@json_option
def doctor(
    data: Path,
    database: str,
    public_url: str,
    backups: Path | None,
    certificates: Path | None,
    as_json: bool,
) -> None:
    """Examine an installation of the server.

    Permissions, keys, disk, clock, database, tables, backups and TLS. Nothing is changed.
    """
    from feltworks.web.doctor import Installation, examine

    findings = examine(Installation(data, database, public_url, backups, certificates))
    if as_json:
        print_json({"healthy": all(f.verdict != "failed" for f in findings), "findings": findings})
    else:
        page, table = Page(), Table("check", "", "finding", gap=2)
        for finding in findings:
            table.add_row(Cell(finding.check), Cell(finding.verdict, _STYLES[finding.verdict]), Cell(finding.says))
        page.print(table)
        for finding in findings:
            if finding.do:
                page.print(f"{finding.check}: {finding.do}.")
        page.close()
    if any(finding.verdict == "failed" for finding in findings):
        raise Exit(TROUBLE)
