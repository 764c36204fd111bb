"""Showdowns of any hands against all deals of short decks: unequal sizes, own orders, up cards, several raises."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest
from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.referee import exact_net
from feltworks.analysis.solvers.showdown import solver
from feltworks.analysis.solvers.showdown.duel import Duel
from feltworks.analysis.solvers.showdown.solver import showdown
from feltworks.analysis.solvers.showdown.spot import NoShowdown
from feltworks.analysis.solvers.showdown.subsets import AvoidingCounts, Subsets
from feltworks.cards import Card, Rank, Shoe, cards, standard_shoe
from feltworks.errors import FeltError
from feltworks.hands.hand import Hand
from feltworks.hands.poker import FLUSH, HIGH_CARD, PAIR, STANDARD, STRAIGHT, BestHand, PokerHand, Ranking
from feltworks.machine.walk import Settled, SettledLine
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, FACE_DOWN, SEAT, Choice, HandOf, Round, Seat
from feltworks.rules.rulebook.load import parse_rulebook
from feltworks.rules.steps import Decide, Draw, Offer, Step, Turn
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Own, Verdict, Wager
from tests.conftest import forget_games

TWO_CARD = Ranking(categories=(PAIR, FLUSH, STRAIGHT, HIGH_CARD), ranks=STANDARD.ranks, wheel=True, size=2)
OTHER = Ranking(categories=(FLUSH, PAIR, HIGH_CARD), ranks=STANDARD.ranks, size=2)  # a flush above a pair
WILD = Ranking(categories=(PAIR, FLUSH, HIGH_CARD), ranks=STANDARD.ranks, wild=frozenset([Rank.TWO]), size=2)
DECKS = [
    "Ac Ad Kc Kd Qc Qd Jc 9d",
    "2c 2d 2h 3c 3d 4h 5s 6s",
    "Ah Kh Qh Ad Kd Qd 2s 2c",
    "7c 7c 7d 8d 8d 9h 2h 3s",  # equal faces
    "Jo Ac Ad Kh 9s 8s 2c 2d",
]


class Low(Hand, frozen=True):
    """A hand of one's own: ranks summed up, an ace counting one; the fewer the better."""

    any_order = True
    total: int = 0
    pairs: frozenset[int] = frozenset()

    def add(self, card: Card) -> "Low":
        rank = 1 if card.rank is Rank.ACE else int(card.rank)
        return Low(self.total + rank, self.pairs ^ {rank})

    def __lt__(self, other: "Low") -> bool:
        return self.total > other.total

    def __gt__(self, other: "Low") -> bool:
        return self.total < other.total


class Facts(Struct, frozen=True):
    mine: Any
    theirs: Any
    choice: str | None


class Ante(Wager[Facts]):
    name = "ante"
    outcomes = frozenset(["fold", "not qualified", "higher", "higher + bonus", "equal", "lower", "lower + bonus"])

    def judge(self, standing: Facts) -> Verdict | None:
        mine, theirs = standing.mine, standing.theirs
        if standing.choice == "fold":
            return Verdict("fold", "", ("DU.1",))
        if mine is None or theirs is None:
            return None
        if SmallDuel.fails(theirs):
            return Verdict("not qualified", "", ("DU.1",))
        if mine > theirs:
            return Verdict("higher + bonus" if SmallDuel.earns(mine) else "higher", "", ("DU.1",))
        if theirs > mine:
            return Verdict("lower + bonus" if SmallDuel.earns(mine) else "lower", "", ("DU.1",))
        return Verdict("equal", "", ("DU.1",))


class Raise(Ante):
    name = "raise"
    outcomes = frozenset(["not qualified", "higher", "equal", "lower"])

    def judge(self, standing: Facts) -> Verdict | None:
        verdict = super().judge(standing)
        return verdict and Verdict(verdict.outcome.partition(" + ")[0], "", ("DU.1",))


class Side(Wager[Facts]):
    """A wager on the player's own cards, with a hand of its own."""

    name = "side"
    hand: ClassVar[HandOf[Any]] = HandOf(Low(), ((SEAT, None),))
    outcomes = frozenset(["low", "high"])

    def judge(self, standing: Own[Facts, Low]) -> Verdict | None:  # type: ignore[override]
        return Verdict("low" if standing.hand.total < 20 else "high", "", ("DU.1",)) if standing.table.mine else None


class SmallDuel(Game[Facts]):
    wager_types = (Ante, Raise, Side)
    own, house, up = 2, 2, 0
    mine: Hand = PokerHand(TWO_CARD)
    theirs: Hand = PokerHand(TWO_CARD)

    @staticmethod
    def fails(hand: Any) -> bool:
        return hand.total > 24 if isinstance(hand, Low) else hand.category == "high card" and hand.ranks[0] < 10

    @staticmethod
    def earns(hand: Any) -> bool:
        return len(hand.pairs) < 2 if isinstance(hand, Low) else hand.category == "pair"

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.lies(0, self.own - 1):
            yield Draw(0, self.own)
        elif not r.lies(DEALER, self.house - 1):
            if self.up and not r.lies(DEALER, 0):
                yield Draw(DEALER)
            else:
                yield Draw(DEALER, self.house - self.up, down=True)
        elif not r.seats[0].choices:
            offer = self.terms.offer("raise", "raise", r.seats[0])
            assert offer is not None
            yield Decide(0, (Offer("fold"), offer) if not self.earns(self._mine(r)) else (offer,))
        elif self.undecided(r) and not r.is_turned(DEALER, self.house - 1):
            yield Turn(DEALER, self.up, self.house - self.up)

    def _mine(self, r: Round) -> Any:
        hand = r.hand(0, self.mine)
        return getattr(hand, "value", hand)

    def standing(self, r: Round, seat: int) -> Facts:
        choices = r.seats[seat].choices
        mine = self._mine(r) if r.lies(0, self.own - 1) else None
        theirs = r.hand(DEALER, self.theirs) if r.is_turned(DEALER, self.house - 1) else None
        return Facts(mine, getattr(theirs, "value", theirs), choices[0].name if choices else None)


def duel(own: int, house: int, up: int, mine: Hand, theirs: Hand, times: str = '["1", "2", "3"]') -> SmallDuel:
    kind = type("OneDuel", (SmallDuel,), {"own": own, "house": house, "up": up, "mine": mine, "theirs": theirs})
    bonus = {"higher + bonus": "3 to 1", "lower + bonus": "1 to 2"}
    even = {"not qualified": "1 to 1", "higher": "1 to 1", "equal": "push", "lower": "lose"}
    pays = {"ante": {"fold": "lose", **even, **bonus}, "raise": even | {"not qualified": "push"}}
    pays["side"] = {"low": "3 to 2", "high": "lose"}
    text = 'title = "Duel"\ngame = "duel"\njurisdiction = "none"\ncards = { decks = 1, shuffle = "every round" }\n'
    text += '[clause]\n"DU.1" = "The game."\n'
    for name, more in (("ante", 'kind = "main"'), ("raise", f'kind = "derived"\nof = "ante"\ntimes = {times}')):
        text += f'[wager.{name}]\ntitle = "{name}"\nclause = "DU.1"\n{more}\n'
    text += '[wager.side]\ntitle = "Side"\nkind = "bonus"\nclause = "DU.1"\n'
    for name, rows in pays.items():
        text += f'[pay_table.{name}.1]\nclause = "DU.1"\n[pay_table.{name}.1.pays]\n'
        text += "".join(f'"{outcome}" = "{pay}"\n' for outcome, pay in rows.items())
    game: SmallDuel = kind(Terms(parse_rulebook(text, name="duel", file="duel.toml")))
    return game


def shoe_of(codes: str) -> Shoe:
    return Shoe(Counter(cards(codes)))


def plain_law(game: SmallDuel, shoe: Shoe, stakes: dict[str, int]) -> dict[Settled, Fraction]:
    """Every deal one by one: in each situation the choice that brings most, of equal ones the one that wagers less."""
    law, situations = Counter[Settled](), 0
    deck = shoe.all_cards()
    for mine in combinations(range(len(deck)), game.own):
        rest = [place for place in range(len(deck)) if place not in mine]
        for up in combinations(rest, game.up):
            hidden = combinations([place for place in rest if place not in up], game.house - game.up)
            houses = [[deck[place] for place in (*up, *others)] for others in hidden]
            results = play_all(game, stakes, [deck[place] for place in mine], houses)
            law.update(max(results, key=lambda met: (_total(met, "net"), -_total(met, "wagered"))))
            situations += len(houses)
    return {settled: Fraction(ways, situations) for settled, ways in law.items()}


def _total(met: list[Settled], what: str) -> Fraction:
    return sum((Fraction(getattr(line, what)) for settled in met for line in settled), Fraction(0))


def play_all(game: Game, stakes: dict[str, int], mine: list[Card], houses: list[list[Card]]) -> Iterator[list[Settled]]:
    """For each choice how it comes out against every hand of the dealer's."""
    step = deal(game, Round((Seat(stakes),)), mine, houses[0])[1]
    assert isinstance(step, Decide)
    for choice in [Choice(offer.name, cents) for offer in step.offers for cents in {offer.least, offer.most}]:
        yield [settle_deal(game, stakes, mine, house, choice) for house in houses]


def settle_deal(game: Game, stakes: dict[str, int], mine: list[Card], house: list[Card], choice: Choice) -> Settled:
    r, step = deal(game, Round((Seat(stakes),)), mine, house)
    assert isinstance(step, Decide)
    r, over = deal(game, advance(r, step, choice), mine, house)
    assert over is None
    return tuple(SettledLine(line.wager, line.outcome, exact_net(line), line.wagered) for line in game.settle(r))


def deal(game: Game, r: Round, mine: list[Card], house: list[Card]) -> tuple[Round, Step | None]:
    while isinstance(step := game.awaits(r), Draw | Turn):
        place = step.to if isinstance(step, Draw) else step.at
        begin = step.index if isinstance(step, Turn) else len(r.at(place))
        faces = (house if place == DEALER else mine)[begin : begin + step.count]
        down = isinstance(step, Draw) and step.down
        r = advance(r, step, (FACE_DOWN,) * step.count if down else tuple(faces))
    return r, step


GAMES = {
    "best of three each": (3, 3, 0, BestHand(TWO_CARD, of=3), BestHand(TWO_CARD, of=3)),
    "dealer has one more": (2, 3, 1, PokerHand(TWO_CARD), BestHand(TWO_CARD, of=3)),
    "dealer has one less": (3, 2, 0, BestHand(TWO_CARD, of=3), PokerHand(TWO_CARD)),
    "dealer goes by another ranking": (2, 2, 1, PokerHand(TWO_CARD), PokerHand(OTHER)),
    "wild cards": (3, 3, 1, BestHand(WILD, of=3), BestHand(WILD, of=3)),
    "lowball": (3, 3, 1, Low(), Low()),
    "lowball, dealer has more": (2, 4, 0, Low(), Low()),
}


@lru_cache
def game_of(shape: str) -> SmallDuel:
    return duel(*GAMES[shape])


@pytest.mark.parametrize(
    ("shape", "deck"), [(shape, DECKS[at % 5]) for n, shape in enumerate(GAMES) for at in (n, n + 2, n + 4)]
)
def test_the_law_of_any_showdown_is_that_of_all_its_deals(shape: str, deck: str) -> None:
    game, shoe = game_of(shape), shoe_of(deck)
    if Rank.JOKER in {face.rank for face in shoe} and not isinstance(game.mine, Low):
        shoe = shoe.without(cards("Jo"))
    stakes = {"ante": 200, "side": 100}
    solved = showdown(game, wagers=stakes, shoe=shoe)
    assert solved.law == plain_law(game, shoe, stakes)


def test_some_of_those_hands_fold_and_some_raise_more_or_less() -> None:
    solved = [showdown(game_of("lowball"), shoe=shoe_of(deck)) for deck in DECKS[:3]]
    made = {choice for each in solved for choice, hands in each.hands_by_choice.items() if hands.any()}
    assert {"fold", "raise $1", "raise $3"} <= made


def test_a_choice_is_worth_what_the_dealers_hands_bring_with_the_card_in_sight() -> None:
    game = game_of("dealer has one more")
    shoe = shoe_of("Ac Ad Kc Kd Qc Qd Jc 9d 8h 7h 4s")
    solved = showdown(game, wagers={"ante": 100}, shoe=shoe)
    hand, up = cards("Kc 9d"), cards("Qd")[0]
    rest = [face for face in shoe if face not in (*hand, up)]
    brought = Fraction(0)
    houses = list(combinations(rest, 2))
    for house in houses:
        mine, theirs = TWO_CARD.value(hand), BestHand(TWO_CARD, of=3)
        for face in (up, *house):
            theirs = theirs.add(face)
        assert theirs.value is not None
        brought += 1 if game.fails(theirs.value) else 0 if mine == theirs.value else 4 if mine > theirs.value else -4
    assert solved.decision(hand, up).worth["raise $3"] == brought / len(houses)


# Counting by inclusion and exclusion


@pytest.mark.parametrize(
    ("suits", "groups"), [((3, 3, 3, 0), (3, 1)), ((3, 3, 2, 2), (2, 2)), ((4, 3, 2, 1), (1,) * 4)]
)
def test_hands_that_avoid_cards_are_counted(suits: tuple[int, ...], groups: tuple[int, ...]) -> None:
    chance, size = Random(3), 3
    sets, deck = Subsets(suits, groups, 5), sum(suits)
    rows, _ = sets.classes(size)
    places = np.array([chance.randrange(5) for _ in range(rows.max() + 1)], np.int16)[rows]
    counts = AvoidingCounts(sets, places, size, 4)
    hands = {each: places[int(sets.numbers(np.array([each]))[0])] for each in combinations(range(deck), size)}
    for mine in combinations(range(deck), 3):
        up = chance.choice([-1, *(card for card in range(deck) if card not in mine)])
        met = [p for each, p in hands.items() if not set(mine) & set(each) and (up < 0 or up in each)]
        bounds = np.array([[0, 2, 3, 5]])
        below = counts.below(np.array([mine]), np.array([up]), bounds)
        assert below.tolist() == [[sum(place < bound for place in met) for bound in bounds[0]]]


def test_classes_of_sets_are_as_many_as_hands_up_to_suits() -> None:
    # The textbook's 1,755 flops and 16,432 hands of four cards that differ by more than suits
    sets = Subsets((13,) * 4, (4,), 4)
    assert [len(sets.classes(count)[1]) for count in range(5)] == [1, 13, 169, 1755, 16432]


# What is refused


class Ordered(Low, frozen=True):
    any_order = False


def test_hands_in_which_the_order_of_the_cards_counts_are_left_to_others() -> None:
    with pytest.raises(NoShowdown, match="the order of the cards counts"):
        showdown(duel(2, 2, 0, Ordered(), Ordered()), shoe=shoe_of(DECKS[0]))


def test_hands_that_are_too_many_are_refused_in_one_sentence() -> None:
    sentence = r"7 cards against 7 of 52 are too many hands.*about [0-9,]+ comparisons.*felt simulate"
    with pytest.raises(FeltError, match=sentence):
        showdown(duel(7, 7, 0, Low(), Low()), shoe=standard_shoe())


def test_a_deck_too_small_for_both_hands_is_refused() -> None:
    with pytest.raises(FeltError, match="7 cards"):
        showdown(duel(3, 4, 0, Low(), Low()), shoe=shoe_of("Ac Kc Qc Jc Tc 9c"))


def test_ranked_hands_have_the_same_law_when_only_the_rules_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(catalog.GAME_FOLDERS, str(catalog.examples_folder()))
    forget_games()
    game, stakes = catalog.game("three-card-poker"), {"ante": 100_00, "pair-plus": 100_00}
    ranked = showdown(game, wagers=stakes).law
    monkeypatch.setattr(solver, "meetings_of", Duel)
    assert showdown(game, wagers=stakes).law == ranked
    monkeypatch.undo()
    forget_games()
