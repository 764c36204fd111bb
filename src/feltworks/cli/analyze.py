"""The exact figures of a wager, under its pays, decks and options, played as well as it can be played."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.analysis.analyze import Answer, Question
    from feltworks.rules.rulebook import Rulebook


def analyze(
    game: Annotated[str, typer.Argument(help="The game, as felt games lists it.")],
    wager: Annotated[str, typer.Option(help="The wager in question.")],
    pay_table: Annotated[str | None, typer.Option(help="Its pay table; the first unless named.")] = None,
    decks: Annotated[int | None, typer.Option(help="How many decks the shoe holds.")] = None,
    chosen: Annotated[list[str] | None, typer.Option("--set", help="An option, as soft17=hit.")] = None,
    beside: Annotated[
        list[str] | None, typer.Option(help="What else lies on the spot: ante, or ante=1/3 of the wager.")
    ] = None,
    exposed: Annotated[str, typer.Option(help='Cards known to be out of the shoe, as "7h 7d Ac".')] = "",
    jackpot: Annotated[int | None, typer.Option(help="The posted jackpot in cents.")] = None,
    strategy: Annotated[str, typer.Option(help="How blackjack is played: optimal, basic, ...")] = "optimal",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Show the exact house edge of a wager, every outcome, and how it is played best."""
    from feltworks.analysis.analyze import analyze as answered

    question = questioned(
        game,
        wager,
        pay_table=pay_table,
        decks=decks,
        chosen=chosen or [],
        beside=beside or [],
        exposed=exposed,
        jackpot=jackpot,
        strategy=strategy,
    )
    answer = answered(question)
    if as_json:
        from feltworks.cli.output import print_json

        print_json(document(game, question, answer))
    else:
        _print(question, answer)


def questioned(
    name: str,
    wager: str,
    *,
    pay_table: str | None = None,
    decks: int | None = None,
    chosen: Sequence[str] = (),
    beside: Sequence[str] = (),
    exposed: str = "",
    jackpot: int | None = None,
    strategy: str = "optimal",
) -> "Question":
    """The question as a command line asks it."""
    from feltworks import catalog
    from feltworks.analysis.analyze import Question
    from feltworks.cards import cards

    if name not in catalog.games():
        catalog.game(name)
    book = catalog.rulebook(name)
    standing = _ratios(beside)
    options = _options(book, chosen, decks, [wager, *standing])
    pay_tables = {wager: pay_table} if pay_table else {}
    if jackpot is not None and jackpot < 0:
        raise BadOption("--jackpot", jackpot, "a whole number of cents")
    game = catalog.game(name, options=options, pay_tables=pay_tables)
    return Question(game, wager, standing, cards(exposed), jackpot, strategy)


def _options(
    book: "Rulebook", chosen: Sequence[str], decks: int | None, wagers: list[str]
) -> dict[str, object]:
    options: dict[str, object] = {}
    for said in chosen:
        key, equals, value = said.partition("=")
        if not equals:
            raise BadOption("--set", said, "option=value, such as soft17=hit")
        options[key] = value
    if decks is not None and ("decks" in book.option or decks != book.cards.decks):
        if "decks" not in book.option:
            raise BadOption("--decks", decks, f"{book.cards.decks}, the decks of {book.title}")
        options["decks"] = decks
    # SP.20: a table that says nothing else offers the main wager and what is asked about
    if book.most_wagers and "offers" not in options:
        members = book.option["offers"].members or []
        options["offers"] = [w for w in members if w in wagers or book.wager[w].leave_out == "never"]
    return options


def _ratios(beside: Sequence[str]) -> dict[str, Fraction | None]:
    ratios: dict[str, Fraction | None] = {}
    for said in (part for each in beside for part in each.split(",")):
        name, equals, ratio = said.strip().partition("=")
        try:
            ratios[name] = Fraction(ratio) if equals else None
        except (ValueError, ZeroDivisionError):
            raise BadOption("--beside", said, "a wager, or a wager and its ratio such as ante=1/3") from None
    return ratios


def exactly(value: Fraction | float) -> dict[str, object]:
    """A number as the exact fraction, where there is one, and as a decimal."""
    exact = f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else None
    return {"exact": exact, "value": float(value)}


def document(name: str, question: "Question", answer: "Answer") -> dict[str, Any]:
    """The answer as others rely on it."""
    terms, figures = question.game.terms, answer.figures
    said: dict[str, Any] = {
        "game": name,
        "wager": question.wager,
        "pay_table": terms.pay_tables[question.wager],
        "decks": terms.decks,
        "options": terms.options,
        "house_edge": exactly(figures.house_edge),
        "element_of_risk": exactly(figures.element_of_risk),
        "average_wager": exactly(figures.average_wager),
        "hit_frequency": exactly(figures.hit_frequency),
        "push_frequency": exactly(figures.push_frequency),
        "standard_deviation": figures.standard_deviation,
        "outcomes": [
            {"outcome": row.name, "probability": exactly(row.probability), "net": str(row.net)}
            for row in figures.outcomes
        ],
    }
    for key, value in answer.notes.items():
        if isinstance(value, Fraction):
            said[key] = exactly(value)
        elif isinstance(value, int):
            said[key] = value
    if strategy := list(_strategy(question, answer)):
        said["strategy"] = strategy
    return said


def _strategy(question: "Question", answer: "Answer") -> Any:
    """Each situation with the choice and the worth of every choice, per unit of the wager."""
    for situation, choice in zip(answer.situations, answer.choices, strict=True):
        if len(situation.laws) > 1:
            shown = situation.shown
            values = {
                name: situation.value(name, question.serving) / question.unit for name in situation.laws
            }
            yield {
                "cards": [str(face) for face in shown.seats[0].cards if hasattr(face, "code")],
                "dealer": [str(face) for face in shown.dealer if hasattr(face, "code")],
                "probability": exactly(situation.probability),
                "choice": choice,
                "values": {name: exactly(value) for name, value in values.items()},
            }


def _print(question: "Question", answer: "Answer") -> None:
    from feltworks.cli.output import PLAY_MONEY, console, new_table

    terms, figures, screen = question.game.terms, answer.figures, console()
    title = f"{terms.rulebook.title}: {terms.rulebook.wager[question.wager].title}"
    summary = new_table("figure", "exact", "value", title=title)
    for label, value in (
        ("house edge", figures.house_edge),
        ("element of risk", figures.element_of_risk),
        ("average wager", figures.average_wager),
        ("hit frequency", figures.hit_frequency),
        ("push frequency", figures.push_frequency),
    ):
        shown = f"{float(value):.4%}" if label != "average wager" else f"{float(value):.4f}"
        summary.add_row(label, str(exactly(value)["exact"] or ""), shown)
    summary.add_row("standard deviation", "", f"{figures.standard_deviation:.4f}")
    for key, note in answer.notes.items():
        if isinstance(note, Fraction):
            summary.add_row(
                key.replace("_", " "), f"{note.numerator}/{note.denominator}", f"{float(note):,.4f}"
            )
    screen.print(summary)
    outcomes = new_table("outcome", "net", "probability", "one in", title="Outcomes, per unit opened with")
    for row in figures.outcomes:
        outcomes.add_row(
            row.name, str(row.net), f"{float(row.probability):.6%}", f"{float(1 / row.probability):,.1f}"
        )
    screen.print(outcomes)
    screen.print(PLAY_MONEY, style="dim")
