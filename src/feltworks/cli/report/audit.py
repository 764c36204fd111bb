"""`felt report audit`: the documents' figures and open wordings, audited."""

from typing import Annotated

import typer

from feltworks.cli.report.asking import HERE, AsJson, Day, Output, ordered


def audit(
    game: Annotated[str | None, typer.Argument(help="One game; all that were approved unless named.")] = None,
    day: Day = None,
    output: Output = HERE,
    as_json: AsJson = False,
) -> None:
    """Print the audit report: each printed figure, ours, and what differences and readings mean in money."""
    from feltworks.cli.report.printing import printed
    from feltworks.reports.audited import all_games
    from feltworks.reports.catalogue import audit_paper

    orders = [ordered(name, None, None, None, day) for name in ([game] if game else all_games())]
    printed(output, lambda: audit_paper(orders), as_json=as_json)
