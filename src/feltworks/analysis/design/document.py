"""Writes the JSON document of a design: the nearest tables, and how the edge depends on every pay and option."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.analyze import analyze
from feltworks.analysis.design.drafts import Drafts, Solved, pay_text
from feltworks.analysis.design.search import Between, Goal, Grid, default_range, nearest_tables, pieces_of
from feltworks.analysis.documents import answer_document
from feltworks.analysis.figures import Figures, exact_number
from feltworks.analysis.progress import Progress
from feltworks.analysis.question import Question, chosen_options, parse_question
from feltworks.errors import BadOption


class DesignRequest(Struct, frozen=True):
    """The options of a design."""

    game: str
    wager: str
    target: Fraction | None = None
    pay_table: str | None = None
    decks: int | None = None
    chosen: Sequence[str] = ()
    within: Mapping[str, Sequence[Fraction]] = {}
    keep: Sequence[str] = ()
    hit: Between = Between()
    deviation: Between = Between()
    what_if: Sequence[str] = ()
    wanted: int = 5
    pieces: bool = True  # whether to compute the edge as a function of every pay


def design_document(request: DesignRequest, progress: Progress | None = None) -> dict[str, Any]:
    """Computes a design and writes its JSON document."""
    question = parse_question(
        request.game,
        request.wager,
        pay_table=request.pay_table,
        decks=request.decks,
        chosen=request.chosen,
    )
    drafts = Drafts(question, progress, expected=1 + (request.wanted if request.target is not None else 0))
    now = drafts.solve(drafts.pays)
    document: dict[str, Any] = {
        "game": request.game,
        "wager": request.wager,
        "pay_table": question.game.terms.pay_tables[request.wager],
        "now": _table_document(drafts, now, None),
    }
    if request.target is not None:
        grid = Grid(drafts, request.within, request.keep)
        goal = Goal(request.target, request.hit, request.deviation)
        nearest = nearest_tables(drafts, grid, goal, request.wanted)
        document |= {
            "target": exact_number(request.target),
            "tables": [_table_document(drafts, table, request.target) for table in nearest.tables],
            "searched": grid.size,
            "solved": drafts.solved,
            "complete": nearest.complete,
        }
    document["slopes"] = {row: exact_number(-now.weights[row]) for row in drafts.rows}
    document["rows"] = [_row_document(drafts, row, request) for row in drafts.rows]
    if request.what_if:
        document["what_if"] = [_what_if(request, option) for option in request.what_if]
    return document


def draft_answer(
    name: str, question: Question, changes: Sequence[str], progress: Progress | None = None
) -> dict[str, Any]:
    """Analyzes a wager under a draft with the draft's best play; `draft` compares its rows with the table's."""
    drafts = Drafts(question)
    pays = drafts.changed_by(changes)
    draft_question = drafts.question_with(pays)
    answer = analyze(draft_question, progress)
    weights = drafts.weights_of(answer)
    rows = [
        {
            "row": row,
            "table": pay_text(drafts.pays[row]),
            "pay": pay_text(pays[row]),
            "slope": exact_number(-weights[row]) if row in weights else None,
        }
        for row in drafts.rows
    ]
    deviations = [
        *question.game.terms.deviations,
        *(f"{row['row']} pays {row['pay']}, not {row['table']}" for row in rows if row["pay"] != row["table"]),
    ]
    return answer_document(name, draft_question, answer) | {
        "as_approved": not deviations,
        "deviations": deviations,
        "draft": {"rows": rows, "toml": drafts.toml(pays)},
    }


def _table_document(drafts: Drafts, solved: Solved, target: Fraction | None) -> dict[str, Any]:
    figures = solved.figures
    document: dict[str, Any] = {
        "pays": {row: pay_text(pay) for row, pay in solved.pays.items()},
        "changed": {
            row: [pay_text(drafts.pays[row]), pay_text(pay)]
            for row, pay in solved.pays.items()
            if pay != drafts.pays[row]
        },
        "house_edge": exact_number(figures.house_edge),
        "element_of_risk": exact_number(figures.element_of_risk),
        "hit_frequency": exact_number(figures.hit_frequency),
        "standard_deviation": figures.standard_deviation,
        "toml": drafts.toml(solved.pays),
    }
    if target is not None:
        document["distance"] = exact_number(abs(figures.house_edge - target))
    return document


def _row_document(drafts: Drafts, row: str, request: DesignRequest) -> dict[str, Any]:
    """Writes how one unit more on a row changes the edge, and the edge over a range of pays in linear pieces."""
    pay, now = drafts.pays[row], drafts.solve(drafts.pays)
    document: dict[str, Any] = {"row": row, "pay": pay_text(pay), "per_unit": exact_number(-now.weights[row])}
    if request.pieces and not drafts.is_slow:
        values = request.within.get(row) or default_range(pay)
        pieces = pieces_of(drafts, row, values[0], values[-1])
        document["pieces"] = [
            {
                "from": str(piece.least),
                "to": str(piece.most),
                "edge_at_from": exact_number(piece.edge_at_least),
                "slope": exact_number(piece.slope),
            }
            for piece in pieces
        ]
        document["pieces_to"] = str(values[-1])
        document["turns"] = [exact_number(piece.least) for piece in pieces[1:]]
    return document


def _what_if(request: DesignRequest, option: str) -> dict[str, Any]:
    """Computes the edge with another value of an option."""
    book = catalog.rulebook(request.game)
    name = option.partition("=")[0]
    if not chosen_options(book, [option], None):
        raise BadOption("--what-if", option, "option=value")
    others = [each for each in request.chosen if each.partition("=")[0] != name]
    question = parse_question(
        request.game,
        request.wager,
        pay_table=request.pay_table,
        decks=None if name == "decks" else request.decks,
        chosen=[*others, option],
    )
    figures = analyze(question).figures
    edge = figures.house_edge
    return {"option": option, "house_edge": exact_number(edge) if isinstance(figures, Figures) else edge}
