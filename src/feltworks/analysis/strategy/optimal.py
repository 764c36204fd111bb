"""The best strategy of a wager: the value of every choice, the play by poker hands, and the strategy as a file."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from feltworks.analysis.analyze import analyze
from feltworks.analysis.question import OPTIMAL, Answer, Question
from feltworks.analysis.shape import is_played_by_hand, main_wager_of, ranking_of, shoe_game_of
from feltworks.analysis.solvers.counts import Situation
from feltworks.analysis.solvers.draw import DrawSolver
from feltworks.analysis.solvers.setting import SettingSolver
from feltworks.analysis.solvers.showdown.solver import Showdown
from feltworks.analysis.solvers.streets.solver import StreetsSolver
from feltworks.analysis.strategy.decisions import kind_of
from feltworks.analysis.strategy.file import Part, Row, write_parts
from feltworks.analysis.strategy.lines import write_chart
from feltworks.analysis.strategy.phrases import Vocabulary, up_card_words, vocabulary_of
from feltworks.cards import Card
from feltworks.errors import BadOption, FeltError
from feltworks.hands.poker import HandValue
from feltworks.rules.sights import PlayerView, player_view

_MOST_SIGHTS = 200_000  # of a street that a file can list


class SolvedSight(Struct, frozen=True):
    """What a player can see: its probability, the mean value of every choice, and the best choice.

    Hands that differ only in suits are merged, even if the solver distinguishes them; then `best` may name
    several choices with their shares, and `optimum` is above each choice's value.
    """

    view: PlayerView
    probability: Fraction
    values: Mapping[str, Fraction]  # per unit of the wager in question
    best: Mapping[str, Fraction]  # by choice: the share of hands for which it is best
    optimum: Fraction
    by_suits: Mapping[tuple[int, ...], str] = {}  # where suits decide: the choice by the size of each suit

    @property
    def choice(self) -> str:
        """The best choice; of several the one with the largest share."""
        return max(self.best, key=lambda name: self.best[name])


class Strategy(Struct, frozen=True):
    """Best play of a wager: its answer, its situations, and the vocabulary of its rules."""

    question: Question
    answer: Answer
    decided: tuple[SolvedSight, ...]
    vocabulary: Vocabulary

    @property
    def optimum(self) -> Fraction:
        """The mean net of best play on the wagers it is made for, per unit of the wager in question."""
        return sum((sight.probability * sight.optimum for sight in self.decided), Fraction(0))


def optimal_strategy(question: Question) -> Strategy:
    """Finds the best choice in every situation of a wager; refuses a wager with nothing to decide."""
    answer = analyze(question)
    solved = answer.notes.get("showdown")
    if isinstance(solved, Showdown):
        by_card = solved.has_up_card and ranking_of(question.game)
        words = up_card_words(by_card) if by_card else vocabulary_of(question.game, solved.classes.values)
        decided = _hands_by_card(solved, question, words) if by_card else _hands(solved, question)
    else:
        decided = [solve_sight(each, question, player_view(each.shown, list(each.laws))) for each in answer.situations]
        words = vocabulary_of(question.game)
    if all(len(each.values) < 2 for each in decided):
        title = question.game.terms.rulebook.wager[question.wager].title
        raise FeltError(f"{title} leaves nothing to decide; name a wager that is played, or put one beside it")
    return Strategy(question, answer, tuple(decided), words)


def solve_sight(situation: Situation, question: Question, view: PlayerView) -> SolvedSight:
    """Finds the best choice in a situation that is seen like this."""
    values = {name: situation.value(name, question.serving) / question.unit for name in situation.laws}
    best = situation.best(question.serving)
    return SolvedSight(view, situation.probability, values, {best: Fraction(1)}, values[best])


def _hands_by_card(solved: Showdown, question: Question, words: Vocabulary) -> list[SolvedSight]:
    """Lists the hands with the dealer's card, merging those that the words do not tell apart."""
    classes, merged = solved.classes, dict[tuple[int, ...], tuple[PlayerView, list[Any]]]()
    for up, weights, picks, worths, names in solved.choices_by_up_card():
        assert up is not None
        if not all(offered.all() for offered in solved.open_choices().values()):
            title = question.game.terms.rulebook.title
            raise FeltError(f"{title} offers different choices to different hands; felt strategy has a chart of it")
        dealt: Any = weights.astype(object)
        shares = [np.where(picks == place, dealt, 0) for place in range(len(names))]
        best = np.take_along_axis(worths, picks[None], axis=0)[0]
        sums = _sum_groups([dealt, dealt * best, *(dealt * worths), *shares], classes.value)
        for hand, each in zip(classes.examples, zip(*sums, strict=True), strict=True):
            view = PlayerView(hand, (up.face,), tuple(names))
            _, totals = merged.setdefault(tuple(words.of(view).values()), (view, [0] * len(each)))
            totals[:] = [total + more for total, more in zip(totals, each, strict=True)]
    unit = Fraction(solved.unit, solved.worth_divisor * question.unit)
    whole = sum(totals[0] for _, totals in merged.values())
    sights = []
    for view, (ways, optimum, *rest) in merged.values():
        if not ways:
            continue
        values, often = rest[: len(view.offers)], rest[len(view.offers) :]
        sights.append(
            SolvedSight(
                view,
                Fraction(ways, whole),
                {name: unit * worth / ways for name, worth in zip(view.offers, values, strict=True)},
                {name: Fraction(share, ways) for name, share in zip(view.offers, often, strict=True) if share},
                unit * optimum / ways,
            )
        )
    return sights


def _hands(solved: Showdown, question: Question) -> list[SolvedSight]:
    """Lists the hands, merging those of one value and the same ranks, since charts leave suits out."""
    classes = solved.classes
    if not all(isinstance(value, HandValue) for value in classes.values):
        title = question.game.terms.rulebook.title
        raise FeltError(
            f"{title} is decided with hands of its own, for which there are no charts yet;"
            " felt analyze shows what part of each kind of hand makes each choice"
        )
    _, first, group = np.unique(
        classes.kind * len(classes.values) + classes.value, return_index=True, return_inverse=True
    )
    worth, divisor = solved.worth()
    unit = Fraction(solved.unit, divisor * question.unit)
    names, worths = list(worth), np.array(list(worth.values()), dtype=object)
    offered = solved.open_choices()
    may = np.array([offered[name] for name in names])
    ways = _sum_groups([classes.hands], group)[0]
    picks = np.where(may, worths, worths.min() - 1).argmax(axis=0)
    best_worths = np.take_along_axis(worths, picks[None], axis=0)
    values, bests = _sum_groups(worths * classes.hands, group), _sum_groups(best_worths * classes.hands, group)[0]
    shares = _sum_groups([np.where(picks == number, classes.hands, 0) for number in range(len(names))], group)
    total = int(classes.hands.sum())
    by_suits = _divided_by_suits(solved, group, [names[number] for number in picks])
    offers = [[name for name, is_offered in zip(names, may[:, row], strict=True) if is_offered] for row in first]
    worth_of = dict(zip(names, values, strict=True))
    return [
        SolvedSight(
            PlayerView(classes.cards(int(row)), (), tuple(offers[place])),
            Fraction(ways[place], total),
            {name: unit * worth_of[name][place] / ways[place] for name in offers[place]},
            {name: Fraction(s[place], ways[place]) for name, s in zip(names, shares, strict=True) if s[place]},
            unit * bests[place] / ways[place],
            by_suits.get(place, {}),
        )
        for place, row in enumerate(first)
    ]


def _divided_by_suits(solved: Showdown, group: Any, choices: Sequence[str]) -> dict[int, dict[tuple[int, ...], str]]:
    """For each group with several choices, returns the choice by the number of cards of each suit.

    Empty for a group whose choices do not follow from these numbers.
    """
    rows: dict[int, list[int]] = {}
    for row, place in enumerate(group):
        rows.setdefault(int(place), []).append(row)
    by_group = {}
    for place, group_rows in rows.items():
        if len({choices[row] for row in group_rows}) > 1:
            pairs = {(_suit_sizes(solved.classes.cards(row)), choices[row]) for row in group_rows}
            by_suits = dict(pairs)
            by_group[place] = by_suits if len(by_suits) == len(pairs) else {}
    return by_group


def _suit_sizes(held: Iterable[Card]) -> tuple[int, ...]:
    """Counts the cards of each suit, the longest first.

    >>> from feltworks.cards import cards
    >>> _suit_sizes(cards("As Ks 4h 3d 2s Jo"))
    (3, 1, 1)
    """
    return tuple(sorted(Counter(card.suit for card in held if card.suit is not None).values(), reverse=True))


def _sum_groups(rows: Iterable[Any], group: Any) -> list[list[int]]:
    """Sums whole numbers by group, as Python integers; no group is empty."""
    order = np.argsort(group, kind="stable")
    begins = np.searchsorted(group[order], np.arange(int(group.max()) + 1))
    return [list(map(int, np.add.reduceat(np.asarray(row, dtype=object)[order], begins))) for row in rows]


class HandPlay(Struct, frozen=True):
    """A kind of hand: its probability, and the share of such hands that makes each choice."""

    hand: str
    probability: Fraction
    parts: dict[str, Fraction]

    @property
    def choice(self) -> str | None:
        """The choice of all such hands; None if it depends on the other cards."""
        return next(iter(self.parts)) if len(self.parts) == 1 else None


def hand_plays(solved: Showdown) -> list[HandPlay]:
    """Lists the kinds of hands with their choices; empty if there is nothing to decide."""
    names = list(solved.choices_by_value)
    if len(names) < 2:
        return []
    ways = np.stack(list(solved.choices_by_value.values()), axis=1)
    by_words: dict[str, Counter[str]] = {}
    for value, row in reversed([*zip(solved.classes.values, ways.tolist(), strict=True)]):  # the weakest come first
        by_words.setdefault(value.words, Counter()).update(dict(zip(names, row, strict=True)))
    total = int(ways.sum())
    return [_hand_play(words, parts, total) for words, parts in by_words.items() if parts.total()]


def _hand_play(words: str, parts: Counter[str], total: int) -> HandPlay:
    hands = parts.total()
    shares = {choice: Fraction(ways, hands) for choice, ways in parts.most_common() if ways}
    return HandPlay(words, Fraction(hands, total), shares)


def hand_rows(solved: Showdown) -> Iterator[Row]:
    """Yields the choice of each class of hands as rows of a strategy file."""
    if solved.has_up_card:
        title = solved.game.terms.rulebook.title
        raise FeltError(f"{title} is decided with a card of the dealer's in sight, which a file cannot express")
    if len(solved.hands_by_choice) > 1:
        yield from (Row(" ".join(map(str, hand)), choice) for hand, choice in solved.choices())


def check_savable(path: Path, question: Question) -> None:
    """Refuses, before any work, a strategy that no file can hold and a name that `--strategy` does not accept."""
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
    """Writes the play of an answer to a file that `--strategy` accepts."""
    if isinstance(chart := answer.notes.get("chart"), Mapping):
        write_chart(path, game, question.wager, chart)
        return
    parts = {about: Part(tuple(rows)) for about, rows in strategy_parts(question, answer).items() if rows}
    if not parts:
        raise BadOption("--save-strategy", str(path), f"a wager with a decision, not {question.wager} played like this")
    write_parts(path, game, question.wager, parts)


def strategy_parts(question: Question, answer: Answer) -> dict[str, list[Row]]:
    """Returns the choice in every kind of situation, by decision; "" is the only decision of a game."""
    solved = answer.notes
    if isinstance(streets := solved.get("streets"), StreetsSolver):
        return _street_rows(streets)
    if isinstance(draw := solved.get("draw"), DrawSolver):
        picks = zip(map(draw.classes.cards, range(len(draw.classes))), draw.picks.tolist(), strict=True)
        return {"": [Row(" ".join(map(str, hand)), draw.names[pick]) for hand, pick in picks]}
    if isinstance(setting := solved.get("setting"), SettingSolver):
        return {"": [Row(" ".join(map(str, hand)), choice) for hand, choice in setting.choices()]}
    if solved.get("board"):
        title = question.game.terms.rulebook.title
        raise FeltError(f"{title} has too many boards to list in a file; write rules for them")
    return {"": list(strategy_rows(question, answer))}


def _street_rows(solved: StreetsSolver) -> dict[str, list[Row]]:
    """Returns, by street, a row for each class of cards, or for each amount on the spot if that matters too."""
    choices: dict[str, dict[tuple[str, str], dict[Fraction, str]]] = {}
    if any(solved.picks(street).size > _MOST_SIGHTS for street in solved.streets.root.decisions()):
        title = solved.game.terms.rulebook.title
        raise FeltError(f"{title} has too many hands and dealer's cards to list in a file; write rules for them")
    for decision in solved.decisions():
        sight = " ".join(map(str, decision.cards)), str(decision.up or "")
        by_money = choices.setdefault(decision.street.about, {}).setdefault(sight, {})
        money = solved.view(decision.street, ()).wagered
        if by_money.setdefault(money, decision.best) != decision.best:
            title = solved.game.terms.rulebook.title
            raise FeltError(f"{title} has choices that depend on more than cards and money, which no file can express")
    return {about: [row for item in sights.items() for row in _money_rows(*item)] for about, sights in choices.items()}


def _money_rows(sight: tuple[str, str], by_money: Mapping[Fraction, str]) -> Iterator[Row]:
    cards, dealer = sight
    if len({*by_money.values()}) == 1:
        yield Row(cards, next(iter(by_money.values())), dealer)
        return
    for money, choice in by_money.items():
        yield Row(cards, choice, dealer, wagered=int(money) if money.denominator == 1 else str(money))


def strategy_rows(question: Question, answer: Answer) -> Iterator[Row]:
    """Yields the choice in every kind of situation; if only suits make a difference, the commonest choice."""
    solved = answer.notes.get("showdown")
    if isinstance(solved, Showdown):
        yield from hand_rows(solved)
        return
    examples: dict[Hashable, tuple[str, str]] = {}
    weights: dict[Hashable, dict[str, Fraction]] = {}
    for situation, choice in zip(answer.situations, answer.choices, strict=True):
        if len(situation.laws) > 1:
            view = player_view(situation.shown, ())
            kind = kind_of(question.game, view.cards, view.dealer)
            examples.setdefault(kind, (" ".join(map(str, view.cards)), " ".join(map(str, view.dealer))))
            parts = weights.setdefault(kind, {})
            parts[choice] = parts.get(choice, Fraction(0)) + situation.probability
    for kind, (hand_words, dealer_words) in examples.items():
        parts = weights[kind]
        yield Row(hand_words, max(parts, key=lambda name: parts[name]), dealer_words)
