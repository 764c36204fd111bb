"""Drafts of a pay table: each is solved with its own best play, and its edge is linear while play stays the same."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from feltworks.analysis.figures import Figures
from feltworks.analysis.progress import Progress, part_of
from feltworks.analysis.question import Answer, Question
from feltworks.analysis.referee import Law
from feltworks.errors import BadOption, FeltError, UnknownName
from feltworks.machine.walk import SettledLine
from feltworks.money import Odds
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Pay, parse_pay
from feltworks.rules.rulebook.model import OptionPay, PayTable

Pays = Mapping[str, Fraction]  # what each row pays per unit
MOST_ODDS = 100_000  # to 1
_BONUS = "bonus "  # before the name of a row that is paid besides


class Solved(Struct, frozen=True):
    """A draft with its figures, and their linear dependence on its rows while the play stays the same."""

    pays: Pays
    figures: Figures
    constant: Fraction  # the player's mean net apart from the rows
    weights: Mapping[str, Fraction]  # by row: the gain in mean net for one unit more

    def expectation(self, pays: Pays) -> Fraction:
        """Returns the player's mean net with other pays and the same play: never more than with best play."""
        return self.constant + sum((self.weights[row] * pays[row] for row in self.weights), Fraction(0))


class Drafts:
    """The drafts of one wager's pay table; caches the solution of each."""

    def __init__(self, question: Question, progress: Progress | None = None, expected: int = 1) -> None:
        """`progress` is told of the solved tables; `expected` is about how many there will be."""
        question.check()
        self.question, self.game = question, question.game
        self._progress, self._expected = progress, expected
        self.table = self.game.terms.pay_table(question.wager)
        self.pays: Pays = self._written_rows(self.table)
        self._paid = [n for n, judge in self.game.wagers.items() if (judge.paid_by or n) == question.wager]
        self._coefficients = {name: self._linear(name) for name in self._paid}
        self._known: dict[tuple[Fraction, ...], Solved] = {}
        self._answer: Answer | None = None
        self.solved = 0

    @property
    def rows(self) -> list[str]:
        """The rows that win, which a draft may change."""
        return [row for row, pay in self.pays.items() if pay > 0]

    def slopes(self, row: str) -> dict[tuple[str, str], Fraction]:
        """Returns, by wager and outcome, how much more it pays for one unit more on a row."""
        return {
            (wager, outcome): slopes[row]
            for wager, outcomes in self._coefficients.items()
            for outcome, slopes in outcomes.items()
            if row in slopes
        }

    def check_row(self, row: str) -> None:
        """Refuses a row that no draft may change."""
        if row not in self.rows:
            raise UnknownName("row", row, self.rows, of=f"the {self.question.wager} table")

    @property
    def is_linear(self) -> bool:
        """Whether there are no choices, so that one solution gives the edge of every draft."""
        answer = self._first_answer()
        if answer.notes.keys() & {"streets", "draw"}:
            return False
        if board := answer.notes.get("board"):
            return not board.boards.root.choices  # type: ignore[attr-defined]  # notes hold any solver
        if "showdown" in answer.notes:
            return not self.question.group - {self.question.wager}
        return all(len(situation.laws) == 1 for situation in answer.situations)

    @property
    def is_slow(self) -> bool:
        """Whether a draft takes about a minute to solve, so that only a few can be solved."""
        return "board" in self._first_answer().notes and not self.is_linear

    def solve(self, pays: Pays) -> Solved:
        """Solves a draft with its own best play."""
        key = tuple(pays[row] for row in self.pays)
        if key not in self._known:
            self._known[key] = self._solve(pays)
            self.solved += 1
            if self._progress:
                self._progress(self.solved, max(self._expected, self.solved))
        return self._known[key]

    def _part(self) -> Progress | None:
        """The progress of the next table."""
        return part_of(self._progress, self.solved, max(self._expected, self.solved + 1))

    def toml(self, pays: Pays) -> str:
        """Writes a draft in the format of a rulebook."""
        table = self._table(pays)
        wager = self.question.wager
        lines = [
            f"[pay_table.{wager}.draft]",
            f'clause = "{table.clause}"',
            f"[pay_table.{wager}.draft.pays]",
        ]
        lines += [f'"{row}" = "{pay}"' for row, pay in table.pays.items()]
        if table.bonus:
            lines += [
                f"[pay_table.{wager}.draft.bonus]",
                *(f'"{row}" = "{p}"' for row, p in table.bonus.items()),
            ]
        return "\n".join(lines) + "\n"

    def pays_of(self, table: PayTable) -> Pays:
        """Returns the pays of a draft from a file; refuses one with other rows than the table."""
        try:
            pays = self._written_rows(table)
        except ValueError as trouble:
            raise FeltError(f"the draft of {self.question.wager}: {trouble}") from None
        if pays.keys() != self.pays.keys():
            row = min(pays.keys() ^ self.pays.keys())
            raise UnknownName("row", row, list(self.pays), of=f"the {self.question.wager} table")
        return pays

    def changed_by(self, words: Sequence[str]) -> Pays:
        """Returns the pays of the table with these changes, such as `natural 9=5 to 2`."""
        pays = dict(self.pays)
        for word in filter(None, words):
            row, _, text = word.rpartition("=")
            self.check_row(row)
            try:
                pays[row] = Odds.parse(text).exact
            except ValueError:
                raise BadOption("draft", word, "a row and its odds, such as pair=3 to 2") from None
            if not 0 < pays[row] <= MOST_ODDS:
                raise BadOption("draft", word, f"odds above 0 and up to {MOST_ODDS:,} to 1")
        return pays

    def question_with(self, pays: Pays) -> Question:
        """Returns the same question under a draft."""
        return msgspec.structs.replace(self.question, game=self.game_with(pays))

    def _written_rows(self, table: PayTable) -> dict[str, Fraction]:
        options = self.game.terms.options
        rows: dict[str, Fraction] = {}
        for row, text in table.pays.items():
            pay = parse_pay(str(options[text.option]) if isinstance(text, OptionPay) else text)
            if not isinstance(pay, Odds):
                raise FeltError(f"the row {row!r} pays {pay}; a design works with odds alone")
            rows[row] = pay.exact
        return rows | {_BONUS + row: Odds.parse(text).exact for row, text in table.bonus.items()}

    def _table(self, pays: Pays) -> PayTable:
        """Returns the pay table with other pays."""
        base = {row: pay_text(pays[row]) for row in self.table.pays}
        bonus = {row: pay_text(pays[_BONUS + row]) for row in self.table.bonus}
        return msgspec.structs.replace(self.table, pays=base, bonus=bonus)

    def _outcomes(self, name: str, pays: Pays) -> dict[str, Fraction]:
        judge = self.game.wagers[name]
        priced = judge.pays(self._table(pays))
        return {row: pay.exact for row, pay in priced.items() if isinstance(pay, Odds)}

    def _linear(self, name: str) -> dict[str, dict[str, Fraction]]:
        """Returns, by outcome, how much more it pays for one unit more on each row."""
        before = self._outcomes(name, self.pays)
        slopes: dict[str, dict[str, Fraction]] = {outcome: {} for outcome in before}
        for row in self.rows:
            after = self._outcomes(name, {**self.pays, row: self.pays[row] + 1})
            for outcome, pay in after.items():
                if pay != before[outcome]:
                    slopes[outcome][row] = pay - before[outcome]
        return slopes

    def game_with(self, pays: Pays) -> Game:
        """Returns the game under a draft."""
        game, table = copy(self.game), self._table(pays)
        changed: dict[str, Mapping[str, Pay]] = dict(game.pays)
        for name in self._paid:
            priced = game.wagers[name].pays(table)
            changed[name] = {outcome: priced[outcome] for outcome in game.pays[name]}
        game.pays = changed
        return game

    def _first_answer(self) -> Answer:
        from feltworks.analysis.analyze import analyze

        if self._answer is None:
            self._answer = analyze(self.question, self._part())
        return self._answer

    def _solve(self, pays: Pays) -> Solved:
        figures, law = self._figures_and_law(pays)
        if not isinstance(figures, Figures) or law is None:
            raise FeltError(f"the {self.question.wager} wager is played hand by hand: use `felt analyze` for a table")
        weights = self.weights(law)
        explained = sum((weight * pays[row] for row, weight in weights.items()), Fraction(0))
        return Solved(dict(pays), figures, figures.expectation - explained, weights)

    def weights(self, law: Law) -> dict[str, Fraction]:
        """Returns, by row, how much more the player wins for one unit more on it with the play of this law."""
        unit = self.question.unit
        parts = ((w, outcome, chance * Fraction(at, unit)) for s, chance in law.items() for w, outcome, _, at in s)
        return self._add_up(parts)

    def weights_of(self, answer: Answer) -> dict[str, Fraction]:
        """Returns the weights of the rows in an answer; empty if the wager is played hand by hand."""
        law = self._law_of(answer)
        if law is not None:
            return self.weights(law)
        wager, outcomes = self.question.wager, answer.figures.outcomes
        if any(row.name not in self._coefficients[wager] for row in outcomes):
            return {}
        return self._add_up((wager, row.name, Fraction(row.probability) * row.wagered) for row in outcomes)

    def _add_up(self, parts: Iterable[tuple[str, str, Fraction]]) -> dict[str, Fraction]:
        """Adds up the weight of each row from the outcomes of wagers and the mean amount on each."""
        weights = dict.fromkeys(self.rows, Fraction(0))
        for wager, outcome, amount in parts:
            for row, slope in self._coefficients.get(wager, {}).get(outcome, {}).items():
                weights[row] += amount * slope
        return weights

    def _figures_and_law(self, pays: Pays) -> tuple[Any, Law | None]:
        from feltworks.analysis.analyze import analyze

        first = self._first_answer()
        if pays == self.pays:
            return first.figures, self._law_of(first)
        game = self.game_with(pays)
        if showdown := first.notes.get("showdown"):
            again: Any = showdown.reprice(game)  # type: ignore[attr-defined]  # notes hold any solver
            return again.figures_of(self.question.wager), again.law
        answer = analyze(self.question_with(pays), self._part())
        return answer.figures, self._law_of(answer)

    def _law_of(self, answer: Answer) -> Law | None:
        """Returns the law of every wager on the spot from the solver that answered; None if it gives none."""
        if answer.law is not None:
            return answer.law
        solvers = (answer.notes.get(name) for name in ("showdown", "streets", "board", "draw"))
        solved: Any = next(filter(None, solvers), None)
        if solved:
            law: Law = solved.law
            return law
        wager, unit = self.question.wager, self.question.unit
        rows = answer.figures.outcomes if isinstance(answer.figures, Figures) else ()
        if not rows or not {row.name for row in rows} <= self.game.pays[wager].keys():
            return None
        # Only this wager is made, and the outcomes are its own
        lines = [(SettledLine(wager, row.name, row.net * unit, int(unit * row.wagered)), row) for row in rows]
        return {(line,): row.probability for line, row in lines}


class _DraftFile(Struct, forbid_unknown_fields=True):
    """The format in which the laboratory and `felt design` write a pay table to a file."""

    pay_table: Mapping[str, Mapping[str, PayTable]]


def read_draft(path: Path, wager: str) -> PayTable:
    """Reads the draft of a wager's pay table from a file; refuses a bad file in one sentence."""
    try:
        tables = msgspec.toml.decode(path.read_bytes(), type=_DraftFile).pay_table.get(wager, {})
    except OSError as trouble:
        raise FeltError(f"the draft {path} cannot be read: {trouble.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as trouble:
        raise FeltError(f"the draft {path} cannot be used: {trouble}") from None
    if len(tables) != 1:
        raise FeltError(f"the draft {path} has to hold one pay table of {wager}, [pay_table.{wager}.draft]")
    return next(iter(tables.values()))


def pay_text(pay: Fraction) -> str:
    """Formats a pay as a rulebook writes it."""
    return str(Odds.of(pay))
