"""Lists the decisions of a spot before any of them is solved, and finds who answers them."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct

from feltworks.analysis.question import OPTIMAL, Question
from feltworks.analysis.shape import ranking_of, shoe_game_of
from feltworks.analysis.solvers.counts import tables_of
from feltworks.analysis.solvers.first_deal import FirstDeal, is_decided_by_deal
from feltworks.analysis.strategy.file import Between, Chooser, Condition, Hand, Rule, StrategyFile
from feltworks.analysis.strategy.visible_facts import Fact, bound, facts_of, kind_of
from feltworks.cards import Shoe, cards
from feltworks.errors import BadOption, FeltError, one_of
from feltworks.machine.felt import CardsRead
from feltworks.machine.graph import TooManyStates
from feltworks.machine.sights import SightWalk
from feltworks.machine.walk import WalkTooLong
from feltworks.rules.game import Game

_ALWAYS = "always-"


class OpenDecision(Struct, frozen=True):
    """A decision: the cards in hand, what the dealer shows, and what may be chosen, the least money first."""

    cards: Hand
    dealer: Hand
    open: tuple[str, ...]

    @property
    def words(self) -> str:
        """The sight as a sentence names it."""
        against = f" against {' '.join(map(str, self.dealer))}" if self.dealer else ""
        return " ".join(map(str, self.cards)) + against


def open_decisions(question: Question) -> Iterator[OpenDecision]:
    """Every sight of the spot at which there is something to choose, one of each kind."""
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


def _machine_sights(question: Question, game: Game[Any], shoe: Shoe) -> Iterator[OpenDecision]:
    """The first decisions that the compiled rules lead to."""
    tables = tables_of(game, tuple(question.stakes.items()), tuple(question.posted.items()))
    walk = SightWalk(tables, shoe)
    walk.check_length()
    for decision in walk.decisions():
        if step := tables.steps.get(decision.state):
            offers = sorted(step.offers, key=lambda offer: offer.most)
            yield OpenDecision(decision.mine, decision.house, tuple(offer.name for offer in offers))


def _first_deal_sights(question: Question, game: Game[Any], shoe: Shoe) -> Iterator[OpenDecision]:
    """What wagers ask that the first deal of a spot decides, with every two cards held then."""
    stakes = {name: cents for name, cents in question.stakes.items() if is_decided_by_deal(game, name)}
    deal = FirstDeal(game, stakes, shoe)
    for pair in deal.pairs() if stakes else ():
        for step in game.open_decisions(deal.show(pair)):
            yield OpenDecision(pair, (), tuple(offer.name for offer in step.offers))


def _poker_sights(question: Question, shoe: Shoe) -> Iterator[OpenDecision]:
    from feltworks.analysis.solvers.showdown.hands import hand_classes
    from feltworks.analysis.solvers.showdown.spot import Spot, ranking_for

    meters = dict.fromkeys(question.meters, 0)
    classes = hand_classes(shoe, ranking_for(question.game))
    spot, house = Spot(question.game, question.stakes, meters), classes.examples[0]
    open_ = tuple(choice.name for choice in spot.choices(house, house))
    if len(open_) > 1:
        if question.plays and spot.up_cards(house):
            title = question.game.terms.rulebook.title
            raise FeltError(
                f"{title} is decided with a card of the dealer's in sight, for which no file speaks"
            )
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
            raise FeltError(
                f"{file_name} says {choice} for {each.words}, where {one_of(each.open)} may be chosen"
            )
    return lambda hand, dealer, open_: follow.choice_for(hand, dealer) or open_[0]


def _check_rows(question: Question, file: StrategyFile, like: OpenDecision) -> None:
    """Refuse a situation with cards that are not in the shoe, or more or fewer than are seen here."""
    title, shoe = question.game.terms.rulebook.title, question.game.terms.shoe
    for row in file.situations:
        held, shown = cards(row.cards), cards(row.dealer)
        for face in (*held, *shown):
            shoe.check_holds([face])
        if (len(held), len(shown)) != (len(like.cards), len(like.dealer)):
            words = OpenDecision(held, shown, ()).words
            raise FeltError(
                f"{question.strategy} speaks of {words}; {title} is decided at {like.words} and such"
            )


class Follower:
    """Looks up choices in a strategy file."""

    def __init__(self, game: Game[Any], file: StrategyFile, name: str = "the strategy") -> None:
        self.game, self.name = game, name
        self._rows = {
            kind_of(game, cards(row.cards), cards(row.dealer)): row.choice
            for row in reversed(file.situations)
        }
        self._rules = [(rule.choice, self._tests(rule)) for rule in file.rules]

    def choice_for(self, hand: Hand, dealer: Hand = ()) -> str | None:
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
