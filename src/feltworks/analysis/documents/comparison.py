"""Compares one wager under all its pay tables, drafts and deck counts, as rows and as a JSON document."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypedDict

from feltworks import catalog
from feltworks.analysis.analyze import analyze
from feltworks.analysis.cache import cache_key, load_or_compute
from feltworks.analysis.design.drafts import Drafts, read_draft
from feltworks.analysis.documents import exact_number
from feltworks.analysis.documents.request import parse_question
from feltworks.analysis.progress import Progress, part_of
from feltworks.analysis.question import Question
from feltworks.rules.rulebook.model import PayTable


class ComparisonRow(TypedDict):
    """The house edge of the wager under one pay table with one number of decks."""

    pay_table: str
    decks: int
    house_edge: Fraction | float


def comparison_document(game: str, wager: str, rows: Sequence[ComparisonRow]) -> dict[str, Any]:
    """Writes the JSON document of a comparison."""
    compared = [{**row, "house_edge": exact_number(row["house_edge"])} for row in rows]
    return {"game": game, "wager": wager, "compared": compared}


def compare(
    game: str,
    wager: str,
    chosen: Sequence[str] = (),
    progress: Progress | None = None,
    drafts: Sequence[Path] = (),
) -> list[ComparisonRow]:
    """Compares the wager under every pay table and deck count, from the cache if it is there, and under drafts."""
    questions = _questions(game, wager, chosen)
    tables = [(path.stem, read_draft(path, wager)) for path in drafts]  # first, so that bad files are refused early
    rows: list[ComparisonRow] = load_or_compute(
        lambda: cache_key("compare", questions), lambda: _rows(questions, progress)
    )
    first = questions[0].game.terms.pay_tables[wager] if tables else ""
    own = [question for question in questions if tables and question.game.terms.pay_tables[wager] == first]
    return rows + [_draft_row(question, name, table) for name, table in tables for question in own]


def _draft_row(question: Question, name: str, table: PayTable) -> ComparisonRow:
    """Solves the wager under a draft with the draft's own best play."""
    drafts = Drafts(question)
    edge = drafts.solve(drafts.pays_of(table)).figures.house_edge
    return ComparisonRow(pay_table=name, decks=question.game.terms.decks, house_edge=edge)


def _questions(game: str, wager: str, chosen: Sequence[str]) -> list[Question]:
    if game not in catalog.games():
        catalog.game(game)
    book = catalog.rulebook(game)
    decks: Iterable[int | None] = range(1, 9) if "decks" in book.option else [book.cards.decks]
    if any(option.startswith("decks=") for option in chosen):  # then compare only the pay tables
        decks = [None]
    tables = book.pay_table.get(wager, {"1": None})
    return [
        parse_question(game, wager, pay_table=table, decks=count, chosen=chosen) for table in tables for count in decks
    ]


def _rows(questions: list[Question], progress: Progress | None) -> list[ComparisonRow]:
    rows = []
    for done, question in enumerate(questions):
        terms = question.game.terms
        part = part_of(progress, done, len(questions))
        edge = analyze(question, part).figures.house_edge
        rows.append(ComparisonRow(pay_table=terms.pay_tables[question.wager], decks=terms.decks, house_edge=edge))
        if progress:
            progress(done + 1, len(questions))
    return rows
