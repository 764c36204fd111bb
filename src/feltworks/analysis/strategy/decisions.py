"""Lists the decisions of a spot before any of them is solved, and finds the chooser that answers them.

Decisions are of one kind if no strategy distinguishes between what the player sees at them.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import inf, lcm
from random import Random
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from feltworks.analysis.question import OPTIMAL, PRACTICAL, Question, is_practical, rules_in
from feltworks.analysis.shape import estimate, ranking_of, shoe_game_of
from feltworks.analysis.solvers.counts import tables_of
from feltworks.analysis.solvers.fixed import FirstDeal, is_decided_by_deal
from feltworks.analysis.strategy.facts import Facts, Range, facts_for
from feltworks.analysis.strategy.file import Between, Cards, Chooser, Condition, Part, Row, Rule, StrategyFile
from feltworks.cards import Card, Shoe, Suit, cards
from feltworks.errors import BadOption, FeltError, one_of
from feltworks.hands.hand import chosen_cards
from feltworks.machine.felt import CardsRead
from feltworks.machine.node import TooManyStates, choices_of, names_of
from feltworks.machine.sights import SightWalk
from feltworks.machine.tables import derive_kinds
from feltworks.machine.walk import WalkTooLong
from feltworks.money import Cents
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Place, Round, Seat
from feltworks.rules.sights import PlayerView, player_view, seat_view
from feltworks.rules.steps import Decide, Draw, Peek

_ALWAYS = "always-"
_TRIALS = 200  # rounds with random choices that collect the decisions of a longer game


def view_words(view: PlayerView) -> str:
    """Describes what a view shows for an error message."""
    at = f" at {view.about}" if view.about else ""
    on = f" on {' '.join(map(str, view.board))}" if view.board else ""
    against = f" against {' '.join(map(str, view.dealer))}" if view.dealer else ""
    return " ".join(map(str, view.cards)) + on + against + at


def view_of(game: Game, r: Round, step: Decide) -> PlayerView:
    """Returns what the deciding seat sees; the board joins the seat's cards where both make one growing hand."""
    choices = sorted(choices_of(step), key=lambda choice: choice.cents or 0)
    view = player_view(r, names_of(choices), step.seat, step.about)
    if view.board and joins_board(game):
        return replace(view, cards=(*view.cards, *view.board), board=())
    return view


@lru_cache(maxsize=32)
def joins_board(game: Game) -> bool:
    """Whether the cards of a seat and of the board make one growing hand."""
    return ranking_of(game) is not None and estimate(game).solver == "streets"


def open_decisions(question: Question) -> Iterator[PlayerView]:
    """Yields one decision of each kind with more than one choice; for longer games those met in trial rounds."""
    kinds: set[Hashable] = set()
    for decision in _views(question):
        kind = decision.about, kind_of(question.game, decision.cards, decision.dealer, decision.board)
        if len(decision.offers) > 1 and kind not in kinds:
            kinds.add(kind)
            yield decision


def _views(question: Question) -> Iterator[PlayerView]:
    game, shoe = question.game, question.shoe
    if shoe_game_of(game):
        yield from _first_deal_views(question, game, shoe)
    elif ranking_of(game):
        yield from _poker_views(question, shoe)
    else:
        with suppress(CardsRead, TooManyStates, WalkTooLong):
            yield from _machine_views(question, game, shoe)
            return
        yield from trial_views(game, question.stakes, shoe)


def _machine_views(question: Question, game: Game, shoe: Shoe) -> Iterator[PlayerView]:
    """Yields the first decisions that the compiled rules lead to."""
    tables = tables_of(game, tuple(question.stakes.items()), tuple(question.posted.items()))
    walk = SightWalk(tables, shoe)
    walk.check_length()
    for decision in walk.decisions():
        if step := tables.steps.get(decision.state):
            names = tuple(offer.name for offer in sorted(step.offers, key=lambda offer: offer.most))
            yield seat_view(decision.mine, decision.house, names, step.about)


def _first_deal_views(question: Question, game: Game, shoe: Shoe) -> Iterator[PlayerView]:
    """Yields the decisions of wagers that the first deal of a spot decides, for every two cards."""
    stakes = {name: cents for name, cents in question.stakes.items() if is_decided_by_deal(game, name)}
    deal = FirstDeal(game, stakes, shoe)
    for pair in deal.pairs() if stakes else ():
        for step in game.open_decisions(deal.show(pair)):
            yield PlayerView(pair, (), tuple(offer.name for offer in step.offers), about=step.about)


def _poker_views(question: Question, shoe: Shoe) -> Iterator[PlayerView]:
    """Yields every class of whole hands if nothing else is seen; otherwise the views of trial rounds."""
    from feltworks.analysis.solvers.showdown.hands import hand_classes
    from feltworks.analysis.solvers.showdown.spot import NoShowdown, Spot, choice_labels, ranking_for

    meters = dict.fromkeys(question.meters, 0)
    spot = Spot(question.game, question.stakes, meters)
    try:
        classes = hand_classes(shoe, ranking_for(question.game))
        house = classes.examples[0]
        open_ = choice_labels(spot.choices(house, house))
        is_alone = not spot.up_cards(house)
    except NoShowdown:  # such as a game with a board
        is_alone = False
    if not is_alone:
        yield from trial_views(question.game, question.stakes, shoe, question.posted)
        return
    for row in range(len(classes)) if len(open_) > 1 else ():
        yield PlayerView(classes.cards(row), (), open_)


def trial_views(
    game: Game, stakes: Mapping[str, Cents], shoe: Shoe, meters: Mapping[str, Cents] | None = None
) -> Iterator[PlayerView]:
    """Yields the decisions of trial rounds with random cards and random choices."""
    chance, deck = Random(1), list(shoe.all_cards())
    for _ in range(_TRIALS):
        r = Round((Seat(dict(stakes)),), meters=dict(meters or {}))
        chance.shuffle(deck)
        left, lying = iter(deck), dict[Place, list[Card]]()
        while (step := game.awaits(r)) is not None:
            if isinstance(step, Decide):
                yield view_of(game, r, step)
                r = advance(r, step, chance.choice(list(choices_of(step))))
            elif isinstance(step, Draw):
                drawn = tuple(next(left) for _ in range(step.count))
                lying.setdefault(step.to, []).extend(drawn)
                r = advance(r, step, (FACE_DOWN,) * step.count if step.down else drawn)
            elif isinstance(step, Peek):
                r = advance(r, step, peek_answer(step, lying[step.at][step.index]))
            else:
                r = advance(r, step, tuple(lying[step.at][step.index : step.index + step.count]))


def chooser(question: Question) -> Chooser | None:
    """Returns the chooser of the strategy, None for best play; refuses a strategy that leaves a decision open."""
    if question.plays is not None:
        return _from_file(question, question.plays)
    if question.strategy == OPTIMAL:
        return None
    if is_practical(question.strategy):
        from feltworks.analysis.strategy.practical import practical_strategies

        return practical_strategies(replace(question, strategy=OPTIMAL), rules_in(question.strategy))[-1]
    wanted = question.strategy.removeprefix(_ALWAYS)
    if wanted == question.strategy or not any(wanted in view.offers for view in open_decisions(question)):
        names = dict.fromkeys(name for view in _decisions(question) for name in view.offers)
        known = [OPTIMAL, *(_ALWAYS + name for name in names), f"{PRACTICAL}3", "the name of a .json file"]
        raise BadOption("--strategy", question.strategy, one_of(known))
    if estimate(question.game).solver == "board":  # this solver applies a strategy file to all boards at once
        return Follower(question.game, _always(question, wanted), question.strategy)
    return lambda view: wanted if wanted in view.offers else view.offers[0]


def _always(question: Question, wanted: str) -> StrategyFile:
    """Writes a strategy file that makes one choice wherever it is open, and else wagers the least."""
    parts = {
        view.about: Part(rules=(Rule(wanted if wanted in view.offers else view.offers[0]),))
        for view in open_decisions(question)
    }
    return StrategyFile(rules=parts.pop("", Part()).rules, decisions=parts)


def _decisions(question: Question) -> list[PlayerView]:
    """Lists the decisions; refuses a spot without any."""
    if decisions := list(open_decisions(question)):
        return decisions
    words = f"{OPTIMAL} here: nothing is decided for {question.wager}"
    raise BadOption("--strategy", question.strategy, words)


def _from_file(question: Question, file: StrategyFile) -> Chooser:
    decisions = _decisions(question)
    _check_parts(question, file, decisions)
    follow = Follower(question.game, file, question.strategy)
    for view in decisions:
        follow(view)
    return follow


def _check_parts(question: Question, file: StrategyFile, decisions: Sequence[PlayerView]) -> None:
    """Refuses a part for an unknown decision, and rows whose cards do not match what is seen there."""
    by_name: dict[str, list[PlayerView]] = {}
    for view in decisions:
        by_name.setdefault(view.about, []).append(view)
    title = question.game.terms.rulebook.title
    for name, part in file.decisions.items():
        if name not in by_name or not name:
            known = one_of([each for each in by_name if each] or ["none: it has one decision, without a name"])
            at = _at(question.strategy, part)
            raise FeltError(f"{at} speaks of the decision {name!r}; those of {title} are {known}")
        _check_rows(question, part, by_name[name])
    _check_rows(question, file, decisions)


def _at(name: str, entry: Row | Rule | Part) -> str:
    """Names the file and line of an entry for the start of an error message."""
    return f"{name}, line {entry.line}," if entry.line else name


def _check_rows(question: Question, part: Part, like: Sequence[PlayerView]) -> None:
    """Refuses a situation with cards that are not in the shoe, or with another number of cards than lie open."""
    title, shoe = question.game.terms.rulebook.title, question.game.terms.shoe
    sizes = {(len(view.cards), len(view.dealer), len(view.board)) for view in like}
    for row in part.situations:
        view, at = _row_view(row), _at(question.strategy, row)
        if (len(view.cards), len(view.dealer), len(view.board)) not in sizes:
            words = f"{view_words(view)}; {title} is decided at {view_words(like[0])} and such"
            raise FeltError(f"{at} speaks of {words}")
        try:
            shoe.check_holds((*view.cards, *view.dealer, *view.board))
        except FeltError as trouble:
            raise FeltError(f"{at} names cards that are not in the shoe: {trouble}") from None


def _row_view(row: Row) -> PlayerView:
    return PlayerView(cards(row.cards), cards(row.dealer), (), cards(row.board))


Rows = Mapping[Hashable, Mapping[Fraction | None, Row]]  # by `kind_of`, then by the money on the spot
Column = Callable[[str], Any]  # returns the values of a fact, one or an array; None if there is no such fact
RowsOf = Callable[[Rows], Iterable[tuple[Row, NDArray[np.int64]]]]  # yields rows with the indices of their views


class _Reading(Struct, frozen=True):
    """A part of a file, indexed for lookups."""

    rows: Rows
    rules: Sequence[tuple[Rule, Sequence[tuple[str, Sequence[Range]]]]]


class Follower:
    """Looks up choices in a strategy file."""

    def __init__(self, game: Game, file: StrategyFile, name: str = "the strategy") -> None:
        self.game, self.name, self.file = game, name, file
        self.facts: Facts = facts_for(game)
        self._readings = {about: self._read(part) for about, part in file.decisions.items()}
        self._common = self._read(file)

    def __call__(self, view: PlayerView) -> str:
        """Returns the choice for a view; refuses a file that gives none, or one that is not open."""
        entry = self._entry(view)
        if entry is None:
            raise FeltError(
                f"{self.name} says nothing for {view_words(view)}, where {one_of(view.offers)} may be chosen"
            )
        choice = self._as_offered(entry, view)
        if choice not in view.offers:
            words = f"says {entry.choice} for {view_words(view)}, where {one_of(view.offers)} may be chosen"
            raise FeltError(f"{_at(self.name, entry)} {words}")
        return choice

    def readings(self, about: str) -> list[_Reading]:
        """Lists the parts that apply to a decision, its own part first."""
        own = self._readings.get(about)
        return [own, self._common] if own else [self._common]

    def fact_names(self, about: str) -> set[str]:
        """Returns the names of the facts that rules for a decision use."""
        return {name for reading in self.readings(about) for _, tests in reading.rules for name, _ in tests}

    def pick_all(self, view: PlayerView, count: int, column: Column, rows: RowsOf) -> NDArray[np.int8]:
        """Looks up many views at once: returns the index of each choice among the offers, or -1 for none."""
        picks = np.full(count, -1, np.int8)
        for reading in self.readings(view.about):
            for row, places in rows(reading.rows):
                open_places = places[picks[places] < 0]
                picks[open_places] = self._place(row, view)
            for rule, tests in reading.rules:
                fits = picks < 0
                for name, ranges in tests:
                    fact = view.wagered if name == "wagered" else column(name)
                    if fact is None:
                        raise self._unknown(rule, name, view)
                    fits &= np.logical_or.reduce([(fact >= least) & (fact <= most) for least, most in ranges])
                if fits.any():
                    picks[fits] = self._place(rule, view)
        return picks

    def _place(self, entry: Row | Rule, view: PlayerView) -> int:
        if entry.choice not in view.offers:
            words = f"says {entry.choice} at {view.about}, where {one_of(view.offers)} may be chosen"
            raise FeltError(f"{_at(self.name, entry)} {words}")
        return view.offers.index(entry.choice)

    def _unknown(self, rule: Rule, name: str, view: PlayerView) -> FeltError:
        known = one_of(self.facts.names(view)) or "no facts"
        return FeltError(f"{_at(self.name, rule)} asks for the fact {name!r}; here rules can speak of {known}")

    def _entry(self, view: PlayerView) -> Row | Rule | None:
        """Returns the first row or rule that fits; None if there is none."""
        for reading in self.readings(view.about):
            by_money = (
                reading.rows.get(kind_of(self.game, view.cards, view.dealer, view.board), {}) if reading.rows else {}
            )
            row = by_money.get(view.wagered) or by_money.get(None)
            if row is not None:
                return row
            for rule, tests in reading.rules:
                if all(self._holds(rule, name, ranges, view) for name, ranges in tests):
                    return rule
        return None

    def _holds(self, rule: Rule, name: str, ranges: Sequence[Range], view: PlayerView) -> bool:
        try:
            fact = self.facts.value(name, view)
        except KeyError:
            raise self._unknown(rule, name, view) from None
        return any(least <= fact <= most for least, most in ranges)

    def _read(self, part: Part) -> _Reading:
        rows: dict[Hashable, dict[Fraction | None, Row]] = {}
        for row in part.situations:
            view = _row_view(row)
            money = None if row.wagered is None else self._fraction(row)
            rows.setdefault(kind_of(self.game, view.cards, view.dealer, view.board), {}).setdefault(money, row)
        return _Reading(rows, [(rule, self._tests(rule)) for rule in part.rules])

    def _fraction(self, row: Row) -> Fraction:
        try:
            return Fraction(row.wagered or 0)
        except (ValueError, ZeroDivisionError):
            raise FeltError(f"{_at(self.name, row)} takes a number of wagers such as 3 or 5/2 as wagered") from None

    def _tests(self, rule: Rule) -> list[tuple[str, list[Range]]]:
        return [(name, self._ranges(rule, name, condition)) for name, condition in rule.when.items()]

    def _ranges(self, rule: Rule, name: str, condition: Condition) -> list[Range]:
        try:
            if isinstance(condition, Between):
                least = -inf if condition.least is None else self.facts.read(name, condition.least)[0]
                most = inf if condition.most is None else self.facts.read(name, condition.most)[1]
                return [(least, most)]
            values = condition if isinstance(condition, list) else [condition]
            return [self.facts.read(name, value) for value in values]
        except ValueError as trouble:
            words = f"compares the fact {name!r} with something else than its values: it takes {trouble}"
            raise FeltError(f"{_at(self.name, rule)} {words}") from None

    def _as_offered(self, entry: Row | Rule, view: PlayerView) -> str:
        """Converts a choice of cards, which a file gives by its row's cards or from the highest, to this hand."""
        places = chosen_cards(entry.choice)
        if not places or (entry.choice in view.offers and isinstance(entry, Rule) and len(view.cards) < 2):
            return entry.choice
        order = _places_in(view.cards, cards(entry.cards) if isinstance(entry, Row) else None)
        if max(places) >= len(order):
            return entry.choice
        verb = [word for word in entry.choice.split() if not word.isdecimal()]
        return " ".join([*verb, *map(str, sorted(order[place] + 1 for place in places))])


def _places_in(hand: Cards, like: Cards | None) -> list[int]:
    """Returns, for each card of a row, the index of the matching card of the hand; without a row highest first."""
    if like is not None:
        for suits in permutations(Suit):
            renamed = [(card.rank, None if card.suit is None else suits[card.suit]) for card in like]
            own = [(card.rank, card.suit) for card in hand]
            if sorted(renamed, key=str) == sorted(own, key=str):
                return [own.index(card) for card in renamed]
    highest_first = sorted(range(len(hand)), key=lambda place: -hand[place].rank)
    if like is None:
        return highest_first
    by_rank = sorted(range(len(like)), key=lambda place: -like[place].rank)  # suits do not matter here
    return [highest_first[by_rank.index(place)] for place in range(len(like))]


def kind_of(game: Game, hand: Iterable[Card], dealer: Iterable[Card] = (), board: Iterable[Card] = ()) -> Hashable:
    """Returns a key that is equal for cards that strategies do not distinguish.

    >>> from feltworks import catalog
    >>> from feltworks.cards import cards
    >>> table = catalog.game("fu-bacc")
    >>> kind_of(table, cards("Kh 5d"), cards("9s")) == kind_of(table, cards("5c Jd"), cards("9h"))
    True
    """
    own, up, shared = tuple(hand), tuple(dealer), tuple(board)
    sights = game.sights
    if sights and sights.kind:
        return sights.kind(PlayerView(own, up, board=shared))
    if ranking_of(game):  # suits may be exchanged
        suits = [tuple([_ranks(group, suit) for group in (own, up, shared)]) for suit in (*Suit, None)]
        return tuple(sorted(suits[:-1])), suits[-1]
    kinds = {} if game.has_spots else _kinds(game)  # spots have too many states to compile for this
    if kinds:
        return tuple(sorted(kinds[face] for face in own)), tuple(kinds[face] for face in (*up, *shared))
    return tuple(sorted(own)), up, shared


def _ranks(lying: Cards, suit: Suit | None) -> tuple[int, ...]:
    return tuple(sorted([face.rank for face in lying if face.suit is suit]))


@lru_cache(maxsize=16)
def _kinds(game: Game) -> Mapping[Card, int]:
    """Numbers the cards so that those that the rules treat alike, with every wager placed, are equal."""
    wagers = {name: lcm(max(opening.least, 100), 100) for name, opening in game.terms.openings.items()}
    return derive_kinds(game, Round((Seat(wagers),)))
