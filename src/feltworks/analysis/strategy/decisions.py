"""Lists the decisions of a spot before any of them is solved, and finds who answers them.

Decisions are alike where a strategy makes no difference between what the player sees there.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from math import lcm
from typing import Any

from msgspec import Struct

from feltworks.analysis.question import OPTIMAL, Question
from feltworks.analysis.shape import high_rank_of, ranking_of, shoe_game_of
from feltworks.analysis.solvers.counts import tables_of
from feltworks.analysis.solvers.first_deal import FirstDeal, is_decided_by_deal
from feltworks.analysis.strategy.file import Between, Cards, Chooser, Condition, Rule, StrategyFile
from feltworks.cards import JOKER, Card, Shoe, Suit, cards
from feltworks.errors import BadOption, FeltError, one_of
from feltworks.hands.poker import HandValue
from feltworks.machine.felt import CardsRead
from feltworks.machine.sides import TooManyStates
from feltworks.machine.sights import SightWalk
from feltworks.machine.tables import derive_kinds
from feltworks.machine.walk import WalkTooLong
from feltworks.rules.game import Game
from feltworks.rules.round import Round, Seat
from feltworks.rules.sights.sight import PlayerView

_ALWAYS = "always-"
Fact = int | bool | str | HandValue


class OpenDecision(Struct, frozen=True):
    """A decision: the cards in hand, what the dealer shows, and what may be chosen, the least money first."""

    cards: Cards
    dealer: Cards
    open: tuple[str, ...]

    @property
    def words(self) -> str:
        """The cards as an error names them."""
        against = f" against {' '.join(map(str, self.dealer))}" if self.dealer else ""
        return " ".join(map(str, self.cards)) + against


def open_decisions(question: Question) -> Iterator[OpenDecision]:
    """Every decision of the spot with more than one choice, one of each kind."""
    kinds: set[Hashable] = set()
    for decision in _sights(question):
        kind = kind_of(question.game, decision.cards, decision.dealer)
        if len(decision.open) > 1 and kind not in kinds:
            kinds.add(kind)
            yield decision


def _sights(question: Question) -> Iterator[OpenDecision]:
    game, shoe = question.game, question.shoe
    if shoe_game_of(game):
        yield from _first_deal_sights(question, game, shoe)
    elif ranking_of(game):
        yield from _poker_sights(question, shoe)
    else:
        with suppress(CardsRead, TooManyStates, WalkTooLong):
            yield from _machine_sights(question, game, shoe)


def _machine_sights(question: Question, game: Game, shoe: Shoe) -> Iterator[OpenDecision]:
    """The first decisions that the compiled rules lead to."""
    tables = tables_of(game, tuple(question.stakes.items()), tuple(question.posted.items()))
    walk = SightWalk(tables, shoe)
    walk.check_length()
    for decision in walk.decisions():
        if step := tables.steps.get(decision.state):
            offers = sorted(step.offers, key=lambda offer: offer.most)
            yield OpenDecision(decision.mine, decision.house, tuple(offer.name for offer in offers))


def _first_deal_sights(question: Question, game: Game, shoe: Shoe) -> Iterator[OpenDecision]:
    """The decisions of wagers that the first deal of a spot decides, for every two cards."""
    stakes = {name: cents for name, cents in question.stakes.items() if is_decided_by_deal(game, name)}
    deal = FirstDeal(game, stakes, shoe)
    for pair in deal.pairs() if stakes else ():
        for step in game.open_decisions(deal.show(pair)):
            yield OpenDecision(pair, (), tuple(offer.name for offer in step.offers))


def _poker_sights(question: Question, shoe: Shoe) -> Iterator[OpenDecision]:
    from feltworks.analysis.solvers.showdown.hands import hand_classes
    from feltworks.analysis.solvers.showdown.spot import Spot, choice_labels, ranking_for

    meters = dict.fromkeys(question.meters, 0)
    classes = hand_classes(shoe, ranking_for(question.game))
    spot, house = Spot(question.game, question.stakes, meters), classes.examples[0]
    open_ = choice_labels(spot.choices(house, house))
    if len(open_) > 1:
        if question.plays and spot.up_cards(house):
            title = question.game.terms.rulebook.title
            raise FeltError(f"{title} is decided with a card of the dealer's in sight, for which no file speaks")
        for row in range(len(classes)):
            yield OpenDecision(classes.cards(row), (), open_)


def chooser(question: Question) -> Chooser | None:
    """The chooser of the question's strategy, None for best play; refuses one that leaves a decision open."""
    if question.plays is not None:
        return _from_file(question, question.plays)
    if question.strategy == OPTIMAL:
        return None
    wanted = question.strategy.removeprefix(_ALWAYS)
    if wanted == question.strategy or not any(wanted in each.open for each in open_decisions(question)):
        names = dict.fromkeys(name for each in _some(question) for name in each.open)
        known = [OPTIMAL, *(_ALWAYS + name for name in names), "the name of a .json file"]
        raise BadOption("--strategy", question.strategy, one_of(known))
    return lambda _hand, _dealer, open_: wanted if wanted in open_ else open_[0]


def _some(question: Question) -> list[OpenDecision]:
    """The decisions; refuses a spot without any."""
    if decisions := list(open_decisions(question)):
        return decisions
    words = f"{OPTIMAL} here: nothing is decided for {question.wager}"
    raise BadOption("--strategy", question.strategy, words)


def _from_file(question: Question, file: StrategyFile) -> Chooser:
    title, file_name = question.game.terms.rulebook.title, question.strategy
    decisions = _some(question)
    _check_rows(question, file, decisions[0])
    follow = Follower(question.game, file, file_name)
    for each in decisions:
        choice = follow.choice_for(each.cards, each.dealer)
        if choice is None:
            raise FeltError(f"{file_name} says nothing for {each.words}; {title} needs a choice there")
        if choice not in each.open:
            raise FeltError(f"{file_name} says {choice} for {each.words}, where {one_of(each.open)} may be chosen")
    return lambda hand, dealer, open_: follow.choice_for(hand, dealer) or open_[0]


def _check_rows(question: Question, file: StrategyFile, like: OpenDecision) -> None:
    """Refuse a situation with cards that are not in the shoe, or with more or fewer than lie open here."""
    title, shoe = question.game.terms.rulebook.title, question.game.terms.shoe
    for row in file.situations:
        held, shown = cards(row.cards), cards(row.dealer)
        for face in (*held, *shown):
            shoe.check_holds([face])
        if (len(held), len(shown)) != (len(like.cards), len(like.dealer)):
            words = OpenDecision(held, shown, ()).words
            raise FeltError(f"{question.strategy} speaks of {words}; {title} is decided at {like.words} and such")


class Follower:
    """Looks up choices in a strategy file."""

    def __init__(self, game: Game, file: StrategyFile, name: str = "the strategy") -> None:
        self.game, self.name = game, name
        self._rows = {
            kind_of(game, cards(row.cards), cards(row.dealer)): row.choice for row in reversed(file.situations)
        }
        self._rules = [(rule.choice, self._tests(rule)) for rule in file.rules]

    def choice_for(self, hand: Cards, dealer: Cards = ()) -> str | None:
        """The choice for a sight; None where the file has none."""
        row = self._rows.get(kind_of(self.game, hand, dealer)) if self._rows else None
        if row is not None or not self._rules:
            return row
        facts = facts_of(self.game, hand, dealer)
        for choice, tests in self._rules:
            if all(self._holds(name, test, facts) for name, test in tests):
                return choice
        return None

    def _holds(self, name: str, test: Callable[[Any], bool], facts: Mapping[str, Fact]) -> bool:
        if name not in facts:
            known = one_of(facts) if facts else "no facts"
            raise FeltError(f"{self.name} asks for the fact {name!r}; here rules can speak of {known}")
        try:
            return test(facts[name])
        except TypeError:
            words = f"compares the fact {name!r} with something else than its values"
            raise FeltError(f"{self.name} {words}") from None

    def _tests(self, rule: Rule) -> list[tuple[str, Callable[[Any], bool]]]:
        return [(name, self._test(name, condition)) for name, condition in rule.when.items()]

    def _test(self, name: str, condition: Condition) -> Callable[[Any], bool]:
        if isinstance(condition, Between):
            least, most = (bound(self.game, name, end) for end in (condition.least, condition.most))
            return lambda fact: (least is None or fact >= least) and (most is None or fact <= most)
        listed = condition if isinstance(condition, list) else [condition]
        values = [bound(self.game, name, each) for each in listed]
        return lambda fact: fact in values


def kind_of(game: Game, hand: Iterable[Card], dealer: Iterable[Card] = ()) -> Hashable:
    """A key that is equal for all cards between which a strategy makes no difference.

    >>> from feltworks import catalog
    >>> from feltworks.cards import cards
    >>> table = catalog.game("fu-bacc")
    >>> kind_of(table, cards("Kh 5d"), cards("9s")) == kind_of(table, cards("5c Jd"), cards("9h"))
    True
    """
    held, shown = tuple(hand), tuple(dealer)
    sights = game.sights
    if sights and sights.kind:
        return sights.kind(PlayerView(held, shown))
    if ranking_of(game):  # suits have no names
        suits = [tuple(sorted(face.rank for face in held if face.suit is suit)) for suit in (*Suit, None)]
        return tuple(sorted(suits[:-1])), suits[-1], shown
    kinds = {} if game.has_spots else _kinds(game)  # spots are too many to compile for this
    if kinds:
        return tuple(sorted(kinds[face] for face in held)), tuple(kinds[face] for face in shown)
    return tuple(sorted(held)), shown


@lru_cache(maxsize=16)
def _kinds(game: Game) -> Mapping[Card, int]:
    """The cards that the compiled rules never tell apart, whatever is wagered."""
    wagers = {name: lcm(max(opening.least, 100), 100) for name, opening in game.terms.openings.items()}
    return derive_kinds(game, Round((Seat(wagers),)))


def facts_of(game: Game, hand: Iterable[Card], dealer: Iterable[Card] = ()) -> Mapping[str, Fact]:
    """The facts of a sight by name, as rules of a strategy file speak of them.

    >>> from feltworks import catalog
    >>> from feltworks.cards import cards
    >>> facts_of(catalog.game("acey-deucey-21"), cards("5h 9h"))
    {'spread': 3, 'pair': False, 'suited': True}
    """
    held = tuple(hand)
    if sights := game.sights:
        return sights.facts(PlayerView(held, tuple(dealer)))
    if ranking := ranking_of(game):
        high = high_rank_of(game, ranking)
        return {
            "hand": ranking.value(held),
            f"{high.word}_or_higher": sum(face.rank >= high for face in held),
            "joker": JOKER in held,
        }
    return {}


def bound(game: Game, fact: str, written: object) -> Any:
    """A value that a rule compares a fact with; a poker hand is written as an example of it."""
    ranking = ranking_of(game)
    if fact == "hand" and ranking and isinstance(written, str):
        example, shoe = cards(written), game.terms.shoe
        shoe.check_holds(example)
        if len(example) != ranking.size:
            raise FeltError(f"{written!r} is no hand of {game.terms.rulebook.title}: it takes {ranking.size} cards")
        return ranking.value(example)
    return written
