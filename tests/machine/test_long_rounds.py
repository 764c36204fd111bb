"""Cards that come until one matches: rounds as long as the shoe, and hands that too many cards tell apart."""

import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import ClassVar

import pytest
from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.referee import Referee
from feltworks.cards import Card, Shoe, cards
from feltworks.hands.hand import Hand
from feltworks.machine.tables import Tables
from feltworks.machine.walk import Walk, WalkTooLong
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, Round, Seat
from feltworks.rules.rulebook.load import parse_rulebook
from feltworks.rules.steps import Draw, Step
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Verdict, Wager
from feltworks.simulation.plan import Plan
from feltworks.simulation.rounds.kernel import kernel_for
from tests.designs import write
from tests.simulation.twin import check_kernel

RULEBOOK = """
title = "First Match"
game = "first_match"
jurisdiction = "none"
cards = { decks = DECKS, shuffle = "every round" }
[clause]
"FM.1" = "One card is turned; then cards come to the left and to the right by turns until one has its rank."
[wager.left]
title = "Left"
kind = "main"
clause = "FM.1"
[pay_table.left.1]
clause = "FM.1"
pays = { "left" = "9 to 10", "right" = "lose" }
"""


class Counted(Hand, frozen=True):
    """The first card's rank, how many cards followed it, and whether the last one matched."""

    rank: int = 0
    number: int = 0
    matches: bool = False

    def add(self, card: Card) -> "Counted":
        if not self.rank:
            return Counted(int(card.rank))
        return Counted(self.rank, self.number + 1, card.rank == self.rank)

    @property
    def is_left(self) -> bool:
        return self.number % 2 == 1


class Turns(Hand, frozen=True):
    """The same without the number of cards: most cards change nothing but the side."""

    rank: int = 0
    is_left: bool = False
    matches: bool = False

    def add(self, card: Card) -> "Turns":
        return Turns(self.rank, not self.is_left, card.rank == self.rank) if self.rank else Turns(int(card.rank))


class Standing(Struct, frozen=True):
    is_left: bool
    matches: bool


class Left(Wager[Standing]):
    name = "left"
    outcomes = frozenset(["left", "right"])

    def judge(self, standing: Standing) -> Verdict | None:
        if not standing.matches:
            return None
        return Verdict("left" if standing.is_left else "right", "a card matched", ("FM.1",))


class FirstMatch(Game[Standing]):
    wager_types = (Left,)
    empty: ClassVar[Counted | Turns] = Counted()

    def procedure(self, r: Round) -> Iterator[Step]:
        if self.undecided(r):
            yield Draw(BOARD)

    def standing(self, r: Round, seat: int) -> Standing:
        hand = r.hand(BOARD, self.empty)
        return Standing(hand.is_left, hand.matches)


class FirstMatchByTurns(FirstMatch):
    empty = Turns()


def first_match(kind: type[FirstMatch], decks: int = 1) -> FirstMatch:
    return kind(
        Terms(parse_rulebook(RULEBOOK.replace("DECKS", str(decks)), name="first-match", file="first-match.toml"))
    )


def chance_of_left(decks: int) -> Fraction:
    """Card by card: so many of the others match."""
    others, open_, left = 52 * decks - 1, Fraction(1), Fraction(0)
    matching = 4 * decks - 1
    for number in range(1, others + 1):
        now = open_ * Fraction(min(matching, others - number + 1), others - number + 1)
        left += now * (number % 2)
        open_ -= now
    return left


@pytest.mark.parametrize("kind", [FirstMatch, FirstMatchByTurns])
@pytest.mark.parametrize("decks", [1, 8])
def test_a_round_may_take_the_whole_shoe(kind: type[FirstMatch], decks: int) -> None:
    answer = analyze(Question(first_match(kind, decks), "left"))
    left = chance_of_left(decks)
    assert answer.figures.house_edge == 1 - left * Fraction(19, 10)


@pytest.mark.parametrize("kind", [FirstMatch, FirstMatchByTurns])
def test_a_smaller_shoe_ends_the_round_sooner(kind: type[FirstMatch]) -> None:
    """Ranks are counted together once they are alike, with the law of the plain walk over all cards."""
    table = first_match(kind)
    shoe = Shoe(dict.fromkeys(cards("2c 2d 3c 3d 3h 9c 9d"), 1))
    walk = Walk(Tables(table, {"left": 100}), shoe)
    walk.check_length()
    plain = Referee(table, shoe, lumps=False, remembers=False)
    assert walk.law() == plain.law(Round((Seat({"left": 100}),)))


class EveryCard(Hand, frozen=True):
    """Seven cards, each of which matters by itself."""

    faces: frozenset[Card] = frozenset()

    def add(self, card: Card) -> "EveryCard":
        return EveryCard(self.faces | {card})


class Sevens(FirstMatch):
    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.lies(BOARD, 6):
            yield Draw(BOARD, 7)
        elif not r.lies(DEALER, 6):
            yield Draw(DEALER, 7)

    def standing(self, r: Round, seat: int) -> Standing:
        mine, theirs = r.hand(BOARD, EveryCard()).faces, r.hand(DEALER, EveryCard()).faces
        return Standing(len(mine) == 7 and max(mine) in mine, len(theirs) == 7)


def test_a_game_with_too_many_hands_is_refused_before_the_walk_begins() -> None:
    with pytest.raises(WalkTooLong, match=r"would take about [\d,]+ steps to follow exactly"):
        analyze(Question(first_match(Sevens), "left"))


@pytest.mark.parametrize("few", ["2c 2d 3c 9h 9d Kc Kd 8s", "Ah Ad 5c 5d 6h 7h Ts Jc 4d"])
def test_counting_classes_of_kinds_changes_no_law(few: str) -> None:
    """Also where players decide: best play goes by what matters from there on."""
    table = catalog.game("fu-bacc")
    wagers, faces = dict.fromkeys(table.terms.openings, 100), cards(few)
    tables, shoe = Tables(table, wagers, faces=faces), Shoe(dict.fromkeys(faces, 1))
    plain, grouped = Walk(tables, shoe), Walk(tables, shoe)
    grouped._classes = grouped._classify()
    assert any(len(set(classes)) < len(classes) for classes in grouped._classes)
    assert grouped.law() == plain.law()


def test_seats_that_share_a_long_board_are_dealt_as_the_rules_deal_them(own_games: Path) -> None:
    """Of eight decks one round in two hundred takes more than sixty-four cards."""
    rules = f"from {__name__} import FirstMatchByTurns\n\n\nclass Match(FirstMatchByTurns):\n    pass\n"
    write(own_games, {"first_match.py": rules, "first-match.toml": RULEBOOK.replace("DECKS", "8")})
    plan = Plan("first-match", ({"left": 100}, {"left": 300}))
    check_kernel(plan, kernel_for(plan), rounds=1_000)
    command = [sys.executable, "-c", "from feltworks.cli.main import run; run()", "simulate", "first-match"]
    process = subprocess.run([*command, "--seats", "2", "--rounds", "1000000"], capture_output=True, check=False)
    assert process.returncode == 0, process.stderr  # a loop that writes beyond its arrays ends the process
