"""The play of a wager: its best strategy with the worth of every choice, by poker hands, and as a file."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from feltworks.analysis.analyze import analyze
from feltworks.analysis.question import OPTIMAL, Answer, Question
from feltworks.analysis.shape import is_played_by_hand, main_wager_of, shoe_game_of
from feltworks.analysis.situations import Situation
from feltworks.analysis.solvers.draw import DrawSolver
from feltworks.analysis.solvers.setting import SettingSolver
from feltworks.analysis.solvers.showdown.solver import Showdown
from feltworks.analysis.solvers.streets.solver import StreetsSolver
from feltworks.analysis.strategy.decisions import kind_of
from feltworks.analysis.strategy.file import Part, Row, write_parts
from feltworks.analysis.strategy.lines import write_chart
from feltworks.analysis.strategy.phrases import Vocabulary, vocabulary_of
from feltworks.cards import Card
from feltworks.errors import BadOption, FeltError
from feltworks.hands.poker import HandValue
from feltworks.rules.sights import PlayerView, player_view

_MOST_SIGHTS = 200_000  # of a street that is listed in a file


class SolvedSight(Struct, frozen=True):
    """What a player can see: how likely it is, what every choice is worth on average, and what is best.

    Hands that differ in suits alone stand together where a game's solver tells them apart by suits too;
    then `best` may name several choices with their shares, and `optimum` is above each choice's value.
    """

    view: PlayerView
    probability: Fraction
    values: Mapping[str, Fraction]  # per unit of the wager in question
    best: Mapping[str, Fraction]  # which part of it plays which choice
    optimum: Fraction
    by_suits: Mapping[tuple[int, ...], str] = {}  # where suits decide: how many cards each suit has

    @property
    def choice(self) -> str:
        """The best choice; where there are several, the one with the largest share."""
        return max(self.best, key=lambda name: self.best[name])


class Strategy(Struct, frozen=True):
    """Best play of a wager: its answer, its situations, and the vocabulary of its rules."""

    question: Question
    answer: Answer
    decided: tuple[SolvedSight, ...]
    vocabulary: Vocabulary

    @property
    def optimum(self) -> Fraction:
        """What best play is worth to the wagers it is made for, per unit of the wager in question."""
        return sum((each.probability * each.optimum for each in self.decided), Fraction(0))


def optimal_strategy(question: Question) -> Strategy:
    """Every situation of a wager with its best choice; refused where there is nothing to decide."""
    answer = analyze(question)
    solved = answer.notes.get("showdown")
    if isinstance(solved, Showdown):
        decided = _hands(solved, question)
        words = vocabulary_of(question.game, solved.classes.values)
    else:
        decided = [_solve_sight(each, question) for each in answer.situations]
        words = vocabulary_of(question.game)
    if all(len(each.values) < 2 for each in decided):
        title = question.game.terms.rulebook.wager[question.wager].title
        raise FeltError(f"{title} leaves nothing to decide; name a wager that is played, or put one beside it")
    return Strategy(question, answer, tuple(decided), words)


def _solve_sight(situation: Situation, question: Question) -> SolvedSight:
    values = {name: situation.value(name, question.serving) / question.unit for name in situation.laws}
    best = situation.best(question.serving)
    view = player_view(situation.shown, list(situation.laws))
    return SolvedSight(view, situation.probability, values, {best: Fraction(1)}, values[best])


def _hands(solved: Showdown, question: Question) -> list[SolvedSight]:
    """Hands of one value and the same ranks together: charts leave suits out."""
    if solved.has_up_card:
        title = question.game.terms.rulebook.title
        raise FeltError(
            f"{title} is decided with a card of the dealer's in sight, for which no rules in few words are sought;"
            " felt strategy has a chart of it"
        )
    classes = solved.classes
    if not all(isinstance(value, HandValue) for value in classes.values):
        title = question.game.terms.rulebook.title
        raise FeltError(
            f"{title} is decided with hands of its own, for which there are no charts yet;"
            " felt analyze tells what part of each kind of hand makes each choice"
        )
    _, first, group = np.unique(
        classes.kind * len(classes.values) + classes.value, return_index=True, return_inverse=True
    )
    worth, divisor = solved.worth()
    unit = Fraction(solved.unit, divisor * question.unit)
    names, worths = list(worth), np.array(list(worth.values()), dtype=object)
    offered = solved.open_choices()
    may = np.array([offered[name] for name in names])
    held = _sum_groups([classes.hands], group)[0]
    chosen = np.where(may, worths, worths.min() - 1).argmax(axis=0)
    brought = np.take_along_axis(worths, chosen[None], axis=0)
    values, bests = _sum_groups(worths * classes.hands, group), _sum_groups(brought * classes.hands, group)[0]
    shares = _sum_groups([np.where(chosen == number, classes.hands, 0) for number in range(len(names))], group)
    total = int(classes.hands.sum())
    divided = _divided_by_suits(solved, group, [names[number] for number in chosen])
    offers = [[name for name, is_offered in zip(names, may[:, row], strict=True) if is_offered] for row in first]
    worth_of = dict(zip(names, values, strict=True))
    return [
        SolvedSight(
            PlayerView(classes.cards(int(row)), (), tuple(offers[place])),
            Fraction(held[place], total),
            {name: unit * worth_of[name][place] / held[place] for name in offers[place]},
            {name: Fraction(s[place], held[place]) for name, s in zip(names, shares, strict=True) if s[place]},
            unit * bests[place] / held[place],
            divided.get(place, {}),
        )
        for place, row in enumerate(first)
    ]


def _divided_by_suits(solved: Showdown, group: Any, choices: Sequence[str]) -> dict[int, dict[tuple[int, ...], str]]:
    """For each group that makes several choices, the choice by how many cards each suit has.

    Empty where that does not tell the choices apart.
    """
    rows: dict[int, list[int]] = {}
    for row, place in enumerate(group):
        rows.setdefault(int(place), []).append(row)
    divided = {}
    for place, together in rows.items():
        if len({choices[row] for row in together}) > 1:
            pairs = {(_suit_sizes(solved.classes.cards(row)), choices[row]) for row in together}
            by_suits = dict(pairs)
            divided[place] = by_suits if len(by_suits) == len(pairs) else {}
    return divided


def _suit_sizes(held: Iterable[Card]) -> tuple[int, ...]:
    """How many cards each suit has, the longest first.

    >>> from feltworks.cards import cards
    >>> _suit_sizes(cards("As Ks 4h 3d 2s Jo"))
    (3, 1, 1)
    """
    return tuple(sorted(Counter(card.suit for card in held if card.suit is not None).values(), reverse=True))


def _sum_groups(rows: Iterable[Any], group: Any) -> list[list[int]]:
    """Sums whole numbers by group, as Python integers."""
    sums_by_row = []
    for row in rows:
        sums = np.zeros(int(group.max()) + 1, dtype=object)
        np.add.at(sums, group, np.asarray(row, dtype=object))
        sums_by_row.append([int(each) for each in sums])
    return sums_by_row


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
    for value, row in reversed([*zip(solved.classes.values, ways.tolist(), strict=True)]):  # the weakest come first
        counted.setdefault(value.words, Counter()).update(dict(zip(names, row, strict=True)))
    total = int(ways.sum())
    return [_hand_play(words, parts, total) for words, parts in counted.items() if parts.total()]


def _hand_play(words: str, parts: Counter[str], total: int) -> HandPlay:
    every = parts.total()
    shares = {choice: Fraction(ways, every) for choice, ways in parts.most_common() if ways}
    return HandPlay(words, Fraction(every, total), shares)


def hand_rows(solved: Showdown) -> Iterator[Row]:
    """What to do with each class of hands, as a strategy file says it."""
    if solved.has_up_card:
        title = solved.game.terms.rulebook.title
        raise FeltError(f"{title} is decided with a card of the dealer's in sight, which a file cannot say")
    if len(solved.hands_by_choice) > 1:
        yield from (Row(" ".join(map(str, hand)), choice) for hand, choice in solved.choices())


def check_savable(path: Path, question: Question) -> None:
    """Refuse before the work a strategy that no file can hold, and a name that no `--strategy` takes."""
    if path.suffix != ".json":
        raise BadOption("--save-strategy", str(path), "the name of a .json file")
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
    parts = {about: Part(tuple(rows)) for about, rows in strategy_parts(question, answer).items() if rows}
    if not parts:
        raise BadOption("--save-strategy", str(path), f"a wager with a decision, not {question.wager} played like this")
    write_parts(path, game, question.wager, parts)


def strategy_parts(question: Question, answer: Answer) -> dict[str, list[Row]]:
    """The choice in every kind of situation, by decision; "" where a game has one."""
    solved = answer.notes
    if isinstance(streets := solved.get("streets"), StreetsSolver):
        return _street_rows(streets)
    if isinstance(draw := solved.get("draw"), DrawSolver):
        chosen = zip(map(draw.classes.cards, range(len(draw.classes))), draw.picks.tolist(), strict=True)
        return {"": [Row(" ".join(map(str, hand)), draw.names[pick]) for hand, pick in chosen]}
    if isinstance(setting := solved.get("setting"), SettingSolver):
        return {"": [Row(" ".join(map(str, hand)), choice) for hand, choice in setting.choices()]}
    if solved.get("board"):
        title = question.game.terms.rulebook.title
        raise FeltError(f"{title} has too many boards to list in a file; write rules for them")
    return {"": list(strategy_rows(question, answer))}


def _street_rows(solved: StreetsSolver) -> dict[str, list[Row]]:
    """By street a row for each class of cards, or one for each amount on the spot where that decides."""
    chosen: dict[str, dict[tuple[str, str], dict[Fraction, str]]] = {}
    if any(solved.picks(street).size > _MOST_SIGHTS for street in solved.streets.root.decisions()):
        title = solved.game.terms.rulebook.title
        raise FeltError(f"{title} has too many hands and dealer's cards to list in a file; write rules for them")
    for decision in solved.decisions():
        sight = " ".join(map(str, decision.cards)), str(decision.up or "")
        by_money = chosen.setdefault(decision.street.about, {}).setdefault(sight, {})
        money = solved.view(decision.street, ()).wagered
        if by_money.setdefault(money, decision.best) != decision.best:
            title = solved.game.terms.rulebook.title
            raise FeltError(f"{title} is played by more than cards and money, which a file cannot say")
    return {about: [row for sight in seen.items() for row in _money_rows(*sight)] for about, seen in chosen.items()}


def _money_rows(sight: tuple[str, str], by_money: Mapping[Fraction, str]) -> Iterator[Row]:
    held, shown = sight
    if len({*by_money.values()}) == 1:
        yield Row(held, next(iter(by_money.values())), shown)
        return
    for money, choice in by_money.items():
        yield Row(held, choice, shown, wagered=int(money) if money.denominator == 1 else str(money))


def strategy_rows(question: Question, answer: Answer) -> Iterator[Row]:
    """The choice in every kind of situation; where suits alone make a difference, that of most."""
    solved = answer.notes.get("showdown")
    if isinstance(solved, Showdown):
        yield from hand_rows(solved)
        return
    shown: dict[Hashable, tuple[str, str]] = {}
    weighed: dict[Hashable, dict[str, Fraction]] = {}
    for situation, choice in zip(answer.situations, answer.choices, strict=True):
        if len(situation.laws) > 1:
            view = player_view(situation.shown, ())
            kind = kind_of(question.game, view.cards, view.dealer)
            shown.setdefault(kind, (" ".join(map(str, view.cards)), " ".join(map(str, view.dealer))))
            parts = weighed.setdefault(kind, {})
            parts[choice] = parts.get(choice, Fraction(0)) + situation.probability
    for kind, (hand_words, dealer_words) in shown.items():
        parts = weighed[kind]
        yield Row(hand_words, max(parts, key=lambda name: parts[name]), dealer_words)
