"""The laboratory's documents as tables for a spreadsheet."""

from typing import Any

from feltworks.spreadsheet import Rows, csv_text

Document = dict[str, Any]


def written(rows: Rows) -> bytes:
    """Rows as comma-separated values, with the mark by which spreadsheets know the encoding."""
    return csv_text(rows).encode("utf-8-sig")


def outcome_rows(document: Document) -> Rows:
    """Every outcome of a wager."""
    yield ["outcome", "net", "wagered", "probability", "exact", "ways", "of"]
    for row in document["outcomes"]:
        likely = row["probability"]
        told = [row["outcome"], row["net"], row["wagered"], likely["value"], likely["exact"]]
        yield [*told, row.get("ways", ""), row.get("of", "")]


def comparison_rows(document: Document) -> Rows:
    """A wager by pay table and decks."""
    yield ["pay table", "decks", "house edge", "exact"]
    for row in document["compared"]:
        yield [row["pay_table"], row["decks"], row["house_edge"]["value"], row["house_edge"]["exact"]]


def strategy_rows(document: Document) -> Rows:
    """Every cell of every chart, with what each choice is worth where that was asked for."""
    cells = [cell for chart in document["charts"] for cell in chart["cells"]]
    names = list(dict.fromkeys(name for cell in cells for name in cell.get("values", ())))
    yield ["chart", "row", "column", "choice", "otherwise", *names]
    for chart in document["charts"]:
        for cell in chart["cells"]:
            place = [chart["title"], cell[chart["down"]], cell[chart["across"]]]
            worth = cell.get("values", {})
            values = [worth[name]["value"] if name in worth else "" for name in names]
            yield [*place, cell["choice"], cell.get("otherwise", ""), *values]


def audit_rows(document: Document) -> Rows:
    """Every printed figure beside the computed one."""
    fields = ["game", "wager", "pay_table", "decks", "quantity", "published"]
    yield [*fields, "computed", "exact", "match", "clause", "finding"]
    for row in document["figures"]:
        found = row["computed"]
        told = [row[key] for key in fields]
        yield [*told, found["value"], found["exact"], row["match"], row["clause"], row["finding"]]
