"""Many rounds through `felt settle -`, every line held against the oracle's own settlement."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.oracle import blackjack_family, fu_bacc, plain, spanish_poker

FAMILIES = {
    "fu-bacc": fu_bacc,
    "spanish-poker": spanish_poker,
    "blackjack-family": blackjack_family,
}
CLAUSE = re.compile(r"^(FB|AD|LB|SP|LL|BJ|WA|M)\.\d+$")


@dataclass(frozen=True)
class Case:
    """One line of input; `settlement` is what must come back, or nothing where the line must be refused."""

    text: str
    settlement: dict[str, Any] | None
    reason: str = ""


def legal_cases(family: str, rounds: int, seed: int) -> list[Case]:
    """Random rounds in order, with their settlements."""
    rng, module = random.Random(f"{family} legal {seed}"), FAMILIES[family]
    documents = [module.random_round(rng) for _ in range(rounds)]
    return [Case(json.dumps(doc), module.expected(doc)) for doc in documents]


def illegal_cases(family: str, rounds: int, seed: int) -> list[Case]:
    """Random rounds with one fault each, and lines that are no rounds at all."""
    rng, module = random.Random(f"{family} illegal {seed}"), FAMILIES[family]
    cases = []
    for _ in range(rounds):
        if rng.random() < 0.05:
            text, reason = plain.bad_line(rng)
        else:
            doc, reason = module.illegal_round(rng)
            text = json.dumps(doc)
        cases.append(Case(text, None, reason))
    return cases


def mixed_cases(family: str, rounds: int, seed: int) -> list[Case]:
    """Three legal rounds to one illegal, in random order: a refusal must leave its neighbours alone."""
    refused = rounds // 4
    cases = legal_cases(family, rounds - refused, seed) + illegal_cases(family, refused, seed)
    random.Random(f"{family} order {seed}").shuffle(cases)
    return cases


def junk_lines(family: str, rounds: int, seed: int) -> list[str]:
    """Legal rounds in which one value, anywhere, became something else: an answer each, whatever it is."""
    rng, module = random.Random(f"{family} junk {seed}"), FAMILIES[family]
    junk: list[Any] = [
        None,
        0,
        -1,
        1,
        1.5,
        1e308,
        10**30,
        True,
        False,
        "",
        "x",
        "é",
        [],
        {},
        [None],
        {"a": 1},
    ]
    lines = []
    for _ in range(rounds):
        doc = json.loads(json.dumps(module.random_round(rng)))
        holder, at = rng.choice(list(places(doc)))
        holder[at] = rng.choice(junk)
        lines.append(json.dumps(doc))
    return lines


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON document that holds a value: the object or list, and the key or index."""
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for at in keys:
        yield value, at
        yield from places(value[at])


def felt() -> str:
    """The console command beside the running interpreter."""
    return str(Path(sys.executable).with_name("felt"))


def settle_once(lines: list[str]) -> tuple[list[Any], str]:
    """What one `felt settle -` answers line for line, and what it says on standard error."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as given:
        given.write("".join(text + "\n" for text in lines))
        given.seek(0)
        command = [felt(), "settle", "-"]
        run = subprocess.run(command, stdin=given, capture_output=True, text=True, check=False)
    answers = [json.loads(answer) for answer in run.stdout.split("\n") if answer]
    return answers, run.stderr.strip()[-500:]


def settle(lines: list[str], most_breaks: int = 300) -> list[Any]:
    """An answer to every line; where the run breaks off, that is its line's answer and the rest go on."""
    answers: list[Any] = []
    for _ in range(most_breaks):
        more, said = settle_once(lines[len(answers) :])
        answers += more
        if len(answers) > len(lines):
            raise AssertionError(f"{len(lines)} lines in, {len(answers)} out")
        if len(answers) == len(lines):
            return answers
        answers.append({"broke off": said})
        if len(answers) == len(lines):
            return answers
    raise AssertionError(f"felt settle broke off {most_breaks} times, last with: {said}")


# --- holding an answer against the oracle -----------------------------------------------------------------


def line_key(x: dict[str, Any]) -> tuple[str, bool]:
    """A seat has one line per wager, and one more where it is a toke."""
    return x["wager"], bool(x.get("toke"))


def award_differences(want: dict[str, Any] | None, got: dict[str, Any] | None) -> list[str]:
    """A Gran Progressive award; a losing line has none, or one of nothing."""
    if want is None:
        return [f"award {got}, expected none"] if got and got.get("cents") else []
    if not got:
        return [f"no award, expected {want}"]
    found = [
        f"award {key} {got.get(key)!r}, expected {want[key]!r}"
        for key in ("cents", "from")
        if got.get(key) != want[key]
    ]
    if want["share"] is not None and (not got.get("share") or Fraction(got["share"]) != want["share"]):
        found.append(f"award share {got.get('share')!r}, expected {want['share']}")
    return found


def line_differences(want: dict[str, Any], got: dict[str, Any]) -> list[str]:
    """One wager."""
    name = want["wager"] + (" toke" if want.get("toke") else "")
    found = [
        f"{name}: {key} {got.get(key)!r}, expected {want[key]!r}"
        for key in ("wagered", "result", "net")
        if got.get(key) != want[key] or isinstance(got.get(key), float)
    ]
    if "award" in want:
        found += [f"{name}: {x}" for x in award_differences(want["award"], got.get("award"))]
    if want["result"] != "void":
        if not got.get("because"):
            found.append(f"{name}: no reason given")
        if not CLAUSE.match(str(got.get("clause"))):
            found.append(f"{name}: deciding clause {got.get('clause')!r}")
        if got.get("clause") not in got.get("clauses", [got.get("clause")]):
            found.append(f"{name}: the deciding clause is not among {got['clauses']}")
    return found


def differences(want: dict[str, Any], got: Any) -> list[str]:
    """Everything in which an answer departs from the oracle's settlement."""
    if isinstance(got, dict) and "broke off" in got:
        return [f"the run broke off: {got['broke off']}"]
    if not isinstance(got, dict) or "seats" not in got:
        return [f"refused or no settlement: {got!r}"]
    if len(want["seats"]) != len(got["seats"]):
        return [f"{len(got['seats'])} seats, expected {len(want['seats'])}"]
    found = []
    for number, (mine, theirs) in enumerate(zip(want["seats"], got["seats"], strict=True)):
        where = f"seat {number}: "
        a, b = {line_key(x): x for x in mine["lines"]}, {line_key(x): x for x in theirs["lines"]}
        if len(b) != len(theirs["lines"]):
            found.append(where + "a wager has two lines")
        found += [f"{where}no line for {key}" for key in a if key not in b]
        found += [f"{where}unexpected line {b[key]}" for key in b if key not in a]
        found += [where + x for key in a if key in b for x in line_differences(a[key], b[key])]
        if theirs.get("net") != mine["net"]:
            found.append(f"{where}net {theirs.get('net')!r}, expected {mine['net']}")
        if (theirs.get("toke_net") or 0) != mine["toke_net"]:
            found.append(f"{where}toke_net {theirs.get('toke_net')!r}, expected {mine['toke_net']}")
    if "jackpot" in want:
        theirs = got.get("jackpot") or {}
        found += [
            f"jackpot {key} {theirs.get(key)!r}, expected {value}"
            for key, value in want["jackpot"].items()
            if theirs.get(key) != value
        ]
    if bool(got.get("as_approved")) == bool(got.get("deviations")):
        found.append(f"as_approved {got.get('as_approved')!r} with deviations {got.get('deviations')!r}")
    return found


@dataclass(frozen=True)
class Mismatch:
    """A line that was not answered as the oracle says."""

    case: Case
    got: Any
    found: list[str]

    def kind(self) -> str:
        """A few words by which mismatches of the same sort can be counted."""
        if self.case.settlement is None:
            return f"{self.found[0].split(':')[0]}: {self.case.reason.split(':')[0]}"
        return re.sub(r"\d+", "n", self.found[0])[:70]

    def __str__(self) -> str:
        wanted = "an error: " + self.case.reason
        if self.case.settlement is not None:
            wanted = json.dumps(self.case.settlement, default=str)
        return "\n".join(
            [
                *self.found,
                f"  document: {self.case.text}",
                f"  expected: {wanted}",
                f"  got:      {json.dumps(self.got)}",
            ]
        )


def mismatches(cases: list[Case]) -> list[Mismatch]:
    """Run all cases through one `felt settle -` and collect what does not agree."""
    collected = []
    for case, got in zip(cases, settle([case.text for case in cases]), strict=True):
        if case.settlement is not None:
            found = differences(case.settlement, got)
        else:
            refused = isinstance(got, dict) and set(got) == {"error"} and isinstance(got["error"], str)
            found = [] if refused and got["error"] else [f"not refused: {case.reason}"]
            if isinstance(got, dict) and "broke off" in got:
                found = [f"the run broke off: {case.reason}"]
        if found:
            collected.append(Mismatch(case, got, found))
    return collected


def report(collected: list[Mismatch], total: int, show: int = 3) -> str:
    """How many, and the first few in full."""
    first = "\n\n".join(str(x) for x in collected[:show])
    return f"{len(collected)} of {total} lines disagree\n\n{first}"
