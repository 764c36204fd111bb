"""The play of an answer as rows of a strategy file, and by the names of poker hands."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np
from msgspec import Struct

from feltworks.analysis.question import OPTIMAL, Answer, Question
from feltworks.analysis.shape import is_played_by_hand, main_wager_of, shoe_game_of
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.solver import Showdown
from feltworks.analysis.strategy.chart_file import write_chart
from feltworks.analysis.strategy.file import Chooser, Row, write_strategy
from feltworks.analysis.strategy.visible_facts import kind_of
from feltworks.errors import BadOption, FeltError
from feltworks.rules.round import face_up


class HandPlay(Struct, frozen=True):
    """A kind of hand: how likely it is, and what part of such hands makes each choice."""

    hand: str
    probability: Fraction
    parts: dict[str, Fraction]

    @property
    def choice(self) -> str | None:
        """The choice of all of them; None where the other cards decide."""
        return next(iter(self.parts)) if len(self.parts) == 1 else None


def hand_plays(solved: Showdown) -> list[HandPlay]:
    """Hands by their names, as the spot was played; none where nothing is decided."""
    names = list(solved.choices_by_value)
    if len(names) < 2:
        return []
    ways = np.stack(list(solved.choices_by_value.values()), axis=1)
    counted: dict[str, Counter[str]] = {}
    for value, row in sorted(zip(solved.classes.values, ways.tolist(), strict=True), reverse=True):
        counted.setdefault(value.words, Counter()).update(dict(zip(names, row, strict=True)))
    total = int(ways.sum())
    return [_hand_play(words, parts, total) for words, parts in counted.items() if parts.total()]


def _hand_play(words: str, parts: Counter[str], total: int) -> HandPlay:
    every = parts.total()
    shares = {choice: Fraction(ways, every) for choice, ways in parts.most_common() if ways}
    return HandPlay(words, Fraction(every, total), shares)


def _choices_of(solved: Showdown, follow: Chooser | None = None) -> tuple[list[str], Ints]:
    """The choices there are, and which one every class of hands makes; of equal ones the first."""
    worth, _ = solved.worth()
    names = list(worth)
    if follow is None:
        best: Ints = np.argmax(np.array(list(worth.values())), axis=0)
        return names, best
    choices = [follow(solved.classes.cards(row), (), names) for row in range(len(solved.classes))]
    return names, np.array([names.index(name) for name in choices])


def hand_rows(solved: Showdown, follow: Chooser | None = None) -> Iterator[Row]:
    """What to do with each class of hands, as a strategy file says it."""
    if solved.has_up_card:
        title = solved.game.terms.rulebook.title
        raise FeltError(f"{title} is decided with a card of the dealer's in sight, which a file cannot say")
    names, chosen = _choices_of(solved, follow)
    for row, choice in enumerate(chosen.tolist() if len(names) > 1 else ()):
        yield Row(" ".join(map(str, solved.classes.cards(row))), names[choice])


def check_savable(path: Path, question: Question) -> None:
    """Refuse before the work what no strategy file can say."""
    game = shoe_game_of(question.game)
    if game is None or not is_played_by_hand(game, question.wager):
        return
    if main_wager_of(game) not in question.stakes:
        raise BadOption("--save-strategy", str(path), f"a wager with a decision, not {question.wager} alone")
    if question.strategy == OPTIMAL:
        chart = "a chart such as that of --strategy basic: best play goes by exact cards"
        raise BadOption("--save-strategy", str(path), chart)


def save(path: Path, game: str, question: Question, answer: Answer) -> None:
    """Write the play of an answer to a file that `--strategy` takes."""
    if isinstance(chart := answer.notes.get("chart"), Mapping):
        write_chart(path, game, question.wager, chart)
        return
    rows = list(strategy_rows(question, answer))
    if not rows:
        raise BadOption(
            "--save-strategy", str(path), f"a wager with a decision, not {question.wager} played like this"
        )
    write_strategy(path, game, question.wager, rows)


def strategy_rows(question: Question, answer: Answer) -> Iterator[Row]:
    """What is chosen in every kind of situation; the choice of most where suits alone make a difference."""
    solved = answer.notes.get("showdown")
    if isinstance(solved, Showdown):
        yield from hand_rows(solved, answer.follows)
        return
    shown: dict[Hashable, tuple[str, str]] = {}
    weighed: dict[Hashable, dict[str, Fraction]] = {}
    for situation, choice in zip(answer.situations, answer.choices, strict=True):
        if len(situation.laws) > 1:
            hand, dealer = face_up(situation.shown.seats[0].cards), face_up(situation.shown.dealer)
            kind = kind_of(question.game, hand, dealer)
            shown.setdefault(kind, (" ".join(map(str, hand)), " ".join(map(str, dealer))))
            parts = weighed.setdefault(kind, {})
            parts[choice] = parts.get(choice, Fraction(0)) + situation.probability
    for kind, (hand_words, dealer_words) in shown.items():
        parts = weighed[kind]
        yield Row(hand_words, max(parts, key=lambda name: parts[name]), dealer_words)
