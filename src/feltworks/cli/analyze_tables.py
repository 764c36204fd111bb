"""An answer as people read it: tables made from its document."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

from feltworks.cli.output import PLAY_MONEY, console, new_table
from feltworks.money import dollars

if TYPE_CHECKING:
    from rich.table import Table

    from feltworks.analysis.analyze import Question

_LABELS = {
    "house_edge": "house edge",
    "element_of_risk": "element of risk",
    "average_wager": "average wager",
    "hit_frequency": "hit frequency",
    "push_frequency": "push frequency",
}
_MOST_ROWS = 40


def show(question: "Question", said: dict[str, Any]) -> None:
    """Print all of it, the figures first."""
    screen = console()
    for table in _tables(question, said):
        screen.print(table.title, style="bold")  # over the whole width, however narrow the table is
        table.title = None
        screen.print(table)
    for remark in said.get("remarks", ()):
        screen.print(remark)
    screen.print(PLAY_MONEY, style="dim")


def _tables(question: "Question", said: dict[str, Any]) -> "Iterator[Table]":
    yield _summary(question, said)
    yield _outcomes(said)
    if "strategy" in said:
        from feltworks.cli.analyze_play import play_tables

        yield from play_tables(question, said["strategy"])
    if "by_size" in said:
        yield _by_size(said)
    if "return_by_jackpot" in said:
        yield from _progressive(said)
    if "round" in said:
        yield from _round(said)


def percent(number: dict[str, Any]) -> str:
    """A share as people read it."""
    return f"{number['value']:.4%}"


def _summary(question: "Question", said: dict[str, Any]) -> "Table":
    book = question.game.terms.rulebook
    decks = f"{said['decks']} decks" if said["decks"] > 1 else "1 deck"
    played = {"optimal": "played best"}.get(said["played"], f"played {said['played']}")
    title = (
        f"{book.title}: {book.wager[question.wager].title}, pay table {said['pay_table']}, {decks}, {played}"
    )
    table = new_table("figure", "exact", "value", title=title)
    for key, label in _LABELS.items():
        value = percent(said[key]) if key != "average_wager" else f"{said[key]['value']:.4f}"
        table.add_row(label, said[key]["exact"] or "", value)
    table.add_row("standard deviation", "", f"{said['standard_deviation']:.4f}")
    if "jackpot" in said:
        table.add_row("jackpot", "", dollars(said["jackpot"]))
    if "fixed_return" in said:
        table.add_row("fixed return", said["fixed_return"]["exact"], percent(said["fixed_return"]))
    if "break_even_jackpot" in said:
        even = said["break_even_jackpot"]
        table.add_row("break-even jackpot", f"{even['exact']} cents", dollars(round(even["value"])))
    return table


def _outcomes(said: dict[str, Any]) -> "Table":
    rows = [(row["outcome"], Fraction(row["net"]), row["probability"]["value"]) for row in said["outcomes"]]
    title = "Outcomes, per unit opened with"
    if len(rows) > _MOST_ROWS:  # a blackjack round with its splits: by what it nets
        title = "Results, per unit opened with (--json lists every outcome)"
        nets = groupby(sorted(rows, key=lambda row: -row[1]), key=lambda row: row[1])
        rows = [("", net, sum(row[2] for row in same)) for net, same in nets]
    table = new_table("outcome", "net", "probability", "one in", title=title)
    for name, net, likely in rows:
        words = name or ("win" if net > 0 else "lose" if net < 0 else "push")
        table.add_row(words, _signed(net), f"{likely:.6%}", f"{1 / likely:,.1f}")
    return table


def _signed(net: Fraction) -> str:
    return f"{'+' if net > 0 else '−' if net < 0 else ''}{abs(net)}"


def _by_size(said: dict[str, Any]) -> "Table":
    chip = dollars(said["options"]["chip"])
    title = f"In whole chips of {chip}, rounded {said['options']['breakage']}"
    table = new_table("wager", "house edge, exact", "house edge", "by rounding", title=title)
    for row in said["by_size"]:
        edge = row["house_edge"]
        more = edge["value"] - said["house_edge"]["value"]
        table.add_row(dollars(row["wager"]), edge["exact"] or "", percent(edge), f"{more:+.4%}")
    return table


def _progressive(said: dict[str, Any]) -> "Iterator[Table]":
    seats = f"{said['seats']} seats" if said["seats"] > 1 else "1 seat"
    table = new_table("jackpot", "return", title=f"Return by jackpot, {seats} in action")
    for row in said["return_by_jackpot"]:
        table.add_row(dollars(row["jackpot"]), percent(row["return"]))
    yield table
    hits = new_table("award", "one wager wins it every", "the table", title="Rounds between hits")
    for award, rounds in said["rounds_between"].items():
        at_table = said["rounds_between_at_table"].get(award)
        hits.add_row(award, f"{rounds['value']:,.1f}", f"{at_table['value']:,.1f}" if at_table else "")
    yield hits
    for policy in said["growth"]["seed_recovery"]:
        title = f"The fund while nobody wins from it; seed recovery: {policy['policy']}"
        funds = new_table("rounds", "recovered", "jackpot", "backup", "second backup", title=title)
        for fund in policy["funds"]:
            lying = [fund[key] for key in ("recovered", "primary", "backup", "second_backup")]
            funds.add_row(f"{fund['rounds']:,}", *(dollars(round(each["value"])) for each in lying))
        yield funds


def _round(said: dict[str, Any]) -> "Iterator[Table]":
    whole = said["round"]
    by_itself = new_table("wager", "ratio", "house edge", "exact", "deviation", title="On the same spot")
    for name, row in said["beside"].items():
        edge = row["house_edge"]
        by_itself.add_row(
            name, row["ratio"], percent(edge), edge["exact"] or "", f"{row['standard_deviation']:.4f}"
        )
    by_itself.add_row(
        "whole round, net",
        "",
        f"{whole['mean']['value']:+.6f}",
        whole["mean"]["exact"] or "",
        f"{whole['standard_deviation']:.6f}",
    )
    yield by_itself
    names = list(whole["covariance"])
    title = "Covariance, per unit of the wager in question"
    table = new_table("", *names, title=title)
    for one, row in whole["covariance"].items():
        table.add_row(one, *(f"{row[other]['value']:.6f}" for other in names))
    yield table
    yield _distribution(names, whole["distribution"])
    if "turning_ratios" in said:
        yield _turning(said["turning_ratios"])


def _distribution(names: list[str], rows: list[dict[str, Any]]) -> "Table":
    title = (
        "All wagers together"
        if len(rows) <= _MOST_ROWS
        else f"All wagers together, the {_MOST_ROWS} likeliest"
    )
    table = new_table("net", "probability", *names, title=title)
    kept = sorted(rows, key=lambda row: -row["probability"]["value"])[:_MOST_ROWS]
    for row in rows:
        if row in kept:
            outcomes = [f"{row['outcomes'][name]} {_signed(Fraction(row['nets'][name]))}" for name in names]
            table.add_row(_signed(Fraction(row["net"])), f"{row['probability']['value']:.6%}", *outcomes)
    return table


def _turning(turns: list[dict[str, Any]]) -> "Table":
    of, to = turns[0]["of"], turns[0]["to"]
    shown = turns[:_MOST_ROWS]
    more = f", the first {len(shown)} of {len(turns)}" if len(turns) > len(shown) else ""
    table = new_table(
        f"{of} / {to}", "decimal", "what changes", title=f"Ratios at which the play changes{more}"
    )
    for turn in shown:
        changes = "; ".join(
            f"{' '.join(each['cards'])} against {' '.join(each['dealer'])}: {each['from']} → {each['to']}"
            for each in turn["changes"]
        )
        table.add_row(turn["ratio"]["exact"], f"{turn['ratio']['value']:.4f}", changes)
    return table
