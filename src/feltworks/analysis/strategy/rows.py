"""The play of an answer, situation by situation, as a strategy file says it."""

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path

from feltworks.analysis.question import OPTIMAL, Answer, Question
from feltworks.analysis.shape import is_played_by_hand, main_wager_of, shoe_game_of
from feltworks.analysis.showdown.hand_choices import hand_rows
from feltworks.analysis.showdown.solver import Showdown
from feltworks.analysis.strategy.chart_file import write_chart
from feltworks.analysis.strategy.file import Row, write_strategy
from feltworks.analysis.strategy.seen import kind_of
from feltworks.errors import BadOption
from feltworks.rules.round import face_up


def check_saved(path: Path, question: Question) -> None:
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
