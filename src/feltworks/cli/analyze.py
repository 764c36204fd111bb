"""`felt analyze`: the exact figures of a wager with these pays, decks and options, and its best play."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click
from msgspec.structs import asdict

from feltworks.cli.options import Option, QuestionOptions, game_argument, json_option, option_group
from feltworks.cli.output import Page, Table
from feltworks.money import Cents, dollars

if TYPE_CHECKING:
    from feltworks.analysis.analyze import Question


class AnalyzeOptions(QuestionOptions, frozen=True, kw_only=True):
    """The wager to analyse, how it is played, and what else to compute."""

    jackpot: Annotated[Cents | None, Option("The posted jackpot in cents.", metavar="CENTS")]
    seats: Annotated[int, Option("How many seats wager on the jackpot.")] = 1
    strategy: Annotated[
        str, Option("How it is played: optimal, always-hit, basic, ..., or a .json file.", metavar="NAME|FILE")
    ] = "optimal"
    save_strategy: Annotated[Path | None, Option("Write the strategy to this .json file.", metavar="FILE")]
    by_size: Annotated[
        str, Option("The edge in whole chips by amount wagered, in cents: 500,1000 or 500-2500.", metavar="CENTS")
    ] = ""


@click.command()
@game_argument
@option_group("options", AnalyzeOptions)
@json_option
def analyze(game: str, options: AnalyzeOptions, as_json: bool) -> None:
    """Show the exact figures of a wager, and its best play."""
    from feltworks.analysis.documents import cached_answer
    from feltworks.analysis.question import parse_question
    from feltworks.analysis.strategy.file import is_strategy_file, read_strategy
    from feltworks.cli.progress import progress_bar

    asked, strategy = asdict(options), options.strategy
    save_strategy = asked.pop("save_strategy")
    plays = read_strategy(Path(strategy)) if is_strategy_file(strategy) else None
    question = parse_question(game, **asked, plays=plays)
    if save_strategy is not None:
        _save(save_strategy, game, question)
    with progress_bar("Analysing") as progress:
        document = cached_answer(game, question, progress)
    if as_json:
        from feltworks.cli.output import print_json

        print_json(document)
    else:
        show(question, document)


def _save(path: Path, game: str, question: "Question") -> None:
    from feltworks.analysis import analyze as analysis
    from feltworks.analysis.strategy.optimal import check_savable, save
    from feltworks.cli.progress import progress_bar

    check_savable(path, question)
    with progress_bar("Analysing") as progress:
        answer = analysis.analyze(question, progress)
    save(path, game, question, answer)


Document = dict[str, Any]  # made by analysis.documents
Rows = list[Document]
_LABELS = {
    "house_edge": "house edge",
    "element_of_risk": "element of risk",
    "average_wager": "average wager",
    "hit_frequency": "hit frequency",
    "push_frequency": "push frequency",
}
_MOST_ROWS = 40
_MOST_NAMED_COLUMNS = 6  # wider charts show the first letters of choices


def show(question: "Question", answer: Document) -> None:
    """Print the answer, the figures first."""
    page = Page()
    for table in _tables(question, answer):
        page.print(table)
    for remark in answer.get("remarks", ()):
        page.print(remark)
    page.close()


def _tables(question: "Question", answer: Document) -> Iterator[Table | str]:
    yield _summary(question, answer)
    yield _outcomes(answer)
    if "strategy" in answer:
        yield from _play(question, answer["strategy"])
    if "by_size" in answer:
        yield _by_size(answer)
    if "return_by_jackpot" in answer:
        yield from _progressive(answer)
    if "round" in answer:
        yield from _round(answer)


def percent(number: Document) -> str:
    """A number as a percentage."""
    return f"{number['value']:.4%}"


def _summary(question: "Question", answer: Document) -> Table:
    book = question.game.terms.rulebook
    decks = f"{answer['decks']} decks" if answer["decks"] > 1 else "1 deck"
    played = {"optimal": "played best"}.get(answer["played"], f"played {answer['played']}")
    wager = f"{book.title}: {book.wager[question.wager].title}"
    title = f"{wager}, pay table {answer['pay_table']}, {decks}, {played}"
    table = Table("figure", "exact", "value", title=title)
    for key, label in _LABELS.items():
        value = percent(answer[key]) if key != "average_wager" else f"{answer[key]['value']:.4f}"
        table.add_row(label, answer[key]["exact"] or "", value)
    table.add_row("standard deviation", "", f"{answer['standard_deviation']:.4f}")
    if "jackpot" in answer:
        table.add_row("jackpot", "", dollars(answer["jackpot"]))
    if "fixed_return" in answer:
        table.add_row("fixed return", answer["fixed_return"]["exact"], percent(answer["fixed_return"]))
    if "break_even_jackpot" in answer:
        even = answer["break_even_jackpot"]
        table.add_row("break-even jackpot", f"{even['exact']} cents", dollars(round(even["value"])))
    return table


def _outcomes(answer: Document) -> Table:
    rows = [(row["outcome"], Fraction(row["net"]), row["probability"]["value"]) for row in answer["outcomes"]]
    title = "Outcomes, per unit of the opening wager"
    if len(rows) > _MOST_ROWS:  # as for a blackjack round with splits: show one row for each net result
        title = "Results, per unit of the opening wager (--json lists every outcome)"
        nets = groupby(sorted(rows, key=lambda row: -row[1]), key=lambda row: row[1])
        rows = [("", net, sum(row[2] for row in same)) for net, same in nets]
    table = Table("outcome", "net", "probability", "one in", title=title)
    for name, net, likely in rows:
        words = name or ("win" if net > 0 else "lose" if net < 0 else "push")
        table.add_row(words, _with_sign(net), f"{likely:.6%}", f"{1 / likely:,.1f}")
    return table


def _with_sign(net: Fraction) -> str:
    return f"{'+' if net > 0 else '−' if net < 0 else ''}{abs(net)}"


def _by_size(answer: Document) -> Table:
    chip = dollars(answer["options"]["chip"])
    title = f"In whole chips of {chip}, rounded {answer['options']['breakage']}"
    table = Table("wager", "house edge, exact", "house edge", "by rounding", title=title)
    for row in answer["by_size"]:
        edge = row["house_edge"]
        more = edge["value"] - answer["house_edge"]["value"]
        table.add_row(dollars(row["wager"]), edge["exact"] or "", percent(edge), f"{more:+.4%}")
    return table


def _progressive(answer: Document) -> Iterator[Table]:
    seats = f"{answer['seats']} seats" if answer["seats"] > 1 else "1 seat"
    table = Table("jackpot", "return", title=f"Return by jackpot, {seats} in action")
    for row in answer["return_by_jackpot"]:
        table.add_row(dollars(row["jackpot"]), percent(row["return"]))
    yield table
    hits = Table("award", "one wager", "the whole table", title="Rounds between hits")
    for award, rounds in answer["rounds_between"].items():
        at_table = answer["rounds_between_at_table"].get(award)
        hits.add_row(award, f"{rounds['value']:,.1f}", f"{at_table['value']:,.1f}" if at_table else "")
    yield hits
    for policy in answer["growth"]["seed_recovery"]:
        title = f"The jackpot while nobody wins it; seed recovery: {policy['policy']}"
        funds = Table("rounds", "recovered", "jackpot", "backup", "second backup", title=title)
        for fund in policy["funds"]:
            amounts = [fund[key]["value"] for key in ("recovered", "primary", "backup", "second_backup")]
            funds.add_row(f"{fund['rounds']:,}", *(dollars(round(amount)) for amount in amounts))
        yield funds


def _round(answer: Document) -> Iterator[Table]:
    whole = answer["round"]
    wagers = Table("wager", "ratio", "house edge", "exact", "deviation", title="On the same spot")
    for name, row in answer["beside"].items():
        edge = row["house_edge"]
        wagers.add_row(name, row["ratio"], percent(edge), edge["exact"] or "", f"{row['standard_deviation']:.4f}")
    wagers.add_row(
        "whole round, net",
        "",
        f"{whole['mean']['value']:+.6f}",
        whole["mean"]["exact"] or "",
        f"{whole['standard_deviation']:.6f}",
    )
    yield wagers
    names = list(whole["covariance"])
    title = "Covariance, per unit of the wager analysed"
    table = Table("", *names, title=title)
    for one, row in whole["covariance"].items():
        table.add_row(one, *(f"{row[other]['value']:.6f}" for other in names))
    yield table
    yield _distribution(names, whole["distribution"])
    if "turning_ratios" in answer:
        yield _turning_ratios(answer["turning_ratios"])


def _distribution(names: list[str], rows: Rows) -> Table:
    title = "All wagers together" if len(rows) <= _MOST_ROWS else f"All wagers together, the {_MOST_ROWS} likeliest"
    table = Table("net", "probability", *names, title=title)
    likeliest = sorted(rows, key=lambda row: -row["probability"]["value"])[:_MOST_ROWS]
    for row in rows:
        if row in likeliest:
            outcomes = [f"{row['outcomes'][name]} {_with_sign(Fraction(row['nets'][name]))}" for name in names]
            table.add_row(_with_sign(Fraction(row["net"])), f"{row['probability']['value']:.6%}", *outcomes)
    return table


def _turning_ratios(turns: Rows) -> Table:
    of, to = turns[0]["of"], turns[0]["to"]
    first = turns[:_MOST_ROWS]
    more = f", the first {len(first)} of {len(turns)}" if len(turns) > len(first) else ""
    table = Table(f"{of} / {to}", "decimal", "what changes", title=f"Ratios at which the play changes{more}")
    for turn in first:
        changes = "; ".join(
            f"{' '.join(change['cards'])} against {' '.join(change['dealer'])}: {change['from']} → {change['to']}"
            for change in turn["changes"]
        )
        table.add_row(turn["ratio"]["exact"], f"{turn['ratio']['value']:.4f}", changes)
    return table


def _play(question: "Question", rows: Rows) -> Iterator[Table | str]:
    """Tables of how often each choice is made, and with which hands, and what the labels of the last one mean."""
    yield _how_often(question, rows)
    if "hand" in rows[0]:
        yield _by_hand(rows)
    elif chart := _chart(question, rows):
        yield chart
        if (sights := question.game.sights) and sights.chart.meaning:
            yield f"{sights.chart.meaning[0].upper()}{sights.chart.meaning[1:]}."


def _shares(row: Document) -> dict[str, float]:
    if "choices" not in row:
        return {row["choice"]: row["probability"]["value"]}
    return {name: part["value"] * row["probability"]["value"] for name, part in row["choices"].items()}


def _how_often(question: "Question", rows: Rows) -> Table:
    shares: dict[str, float] = {}
    for row in rows:
        for name, share in _shares(row).items():
            shares[name] = shares.get(name, 0) + share
    wagered = f" for a wager of {dollars(question.unit)}" if any("$" in name for name in shares) else ""
    table = Table("choice", "how often", title=f"Best play{wagered} (felt strategy shows more)")
    for name, share in sorted(shares.items(), key=lambda item: -item[1]):
        table.add_row(name, f"{share:.2%}")
    return table


def _by_hand(rows: Rows) -> Table:
    """A row for neighbouring hands with the same choice, from the best to the worst."""
    table = Table("hand", "what to do", title="By hand, the best first")
    for words, run in groupby(rows, key=_hand_words):
        hands = [row["hand"] for row in run]
        names = hands[0] if len(hands) == 1 else f"{hands[0]} down to {hands[-1]}"
        table.add_row(names, words)
    return table


def _hand_words(row: Document) -> str:
    if row["choice"]:
        return str(row["choice"])
    parts = (f"{name} {part['value']:.0%} of them" for name, part in row["choices"].items())
    return f"by the other cards: {', '.join(parts)}"


def _chart(question: "Question", rows: Rows) -> Table | None:
    """A chart of choices by two facts of the situation; a cell names all choices made there."""
    from feltworks.cards import cards
    from feltworks.rules.sights import PlayerView

    if not (sights := question.game.sights):
        return None
    chart = sights.summary or sights.chart
    situations = [PlayerView(cards(row["cards"]), cards(row["dealer"])) for row in rows]
    places = [(chart.down.label(situation), chart.across.label(situation)) for situation in situations]
    corner = " \\ ".join(filter(None, (chart.down.title, chart.across.title)))
    return _grid(rows, places, corner)


def _grid(rows: Rows, places: list[tuple[str, str]], corner: str) -> Table:
    cells: dict[tuple[str, str], dict[str, None]] = {}
    for row, place in zip(rows, places, strict=True):
        cells.setdefault(place, {})[row["choice"]] = None
    columns = sorted({column for _, column in cells})
    short = len(columns) > _MOST_NAMED_COLUMNS
    names = dict.fromkeys(row["choice"] for row in rows)
    words = {name: name[0].upper() if short else name for name in names}
    legend = ": " + ", ".join(f"{words[name]} {name}" for name in sorted(names)) if short else ""
    table = Table(corner, *columns, title=f"What to do{legend}")
    for name in sorted({line for line, _ in cells}, key=lambda name: name.rjust(2)):  # numbers by their size
        choices = [cells.get((name, column), {}) for column in columns]
        between = "/" if short else " or "
        table.add_row(name, *(between.join(words[choice] for choice in cell) for cell in choices))
    return table
