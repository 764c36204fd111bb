"""The referee finds values that can be found by other means: by hand, by counting, by a formula."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.analysis.referee import Referee
from feltworks.cards import Shoe, cards
from feltworks.rules.advance import advance
from feltworks.rules.round import Choice, Round, Seat
from feltworks.rules.steps import Decide
from tests.oracle.blackjack_family import lucky_lucky_odds

COIN = {
    "coin.toml": """
title = "Coin"
game = "coin"
[clause]
"CN.1" = "A card is turned. Its player passes, or doubles; a second card of the same colour wins 1 to 1."
[wager.ante]
title = "Ante"
kind = "main"
clause = "CN.1"
[wager.raise]
title = "Raise"
kind = "derived"
clause = "CN.1"
of = "ante"
times = "1"
[pay_table.ante.1]
clause = "CN.1"
pays = { "same" = "1 to 1", "other" = "lose" }
[pay_table.raise.1]
clause = "CN.1"
pays = { "same" = "1 to 1", "other" = "lose" }
""",
    "coin.py": '''
"""A game whose value can be found on one's fingers."""
from feltworks.cards import Card, Suit
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, face_up
from feltworks.rules.steps import Decide, Draw, Offer
from feltworks.rules.wager import Verdict, Wager

RED = (Suit.DIAMONDS, Suit.HEARTS)


class Ante(Wager[tuple[Card, ...]]):
    name = "ante"
    outcomes = frozenset(["same", "other"])

    def judge(self, standing):
        if len(standing) < 2:
            return None
        first, second = (face.suit in RED for face in standing)
        return Verdict("same" if first == second else "other", "so the cards fell", ("CN.1",))


class Raise(Ante):
    name = "raise"


class Coin(Game[tuple[Card, ...]]):
    wager_types = (Ante, Raise)

    def procedure(self, r):
        if not r.board:
            yield Draw(BOARD)
        elif not r.seats[0].choices:
            yield Decide(0, (Offer("pass"), self.terms.offer("double", "raise", r.seats[0])))
        elif len(r.board) < 2:
            yield Draw(BOARD)

    def standing(self, r, seat):
        return face_up(r.board)
''',
}


@pytest.fixture
def coin(own_games: Path) -> str:
    """The name of a game that is found for the length of a test."""
    for name, text in COIN.items():
        (own_games / name).write_text(text, encoding="utf-8")
    return "coin"


def shoe(codes: str) -> Shoe:
    return Shoe(Counter(cards(codes)))


@pytest.mark.parametrize("lumps", [True, False])
@pytest.mark.parametrize("remembers", [True, False])
@pytest.mark.parametrize(
    ("codes", "value"),
    [
        ("2h 3h", Fraction(2)),  # the second is red for certain: doubled
        ("2h 3c", Fraction(-1)),
        ("2h 3h 4h 5c 6c", Fraction(-1, 5)),  # red 3/5 of the time, then even; black 2/5, then -1/2
        ("2h 3h 4d 5d 6h 7s", Fraction(5, 6)),  # red 5/6 of the time, then 4/5 to win a doubled wager
        ("2h 2h 2h 2h 2h 7s", Fraction(5, 6)),  # equal faces are as many cards
        ("5h 8h Jh Ad Ah As", Fraction(5, 6)),  # a game may tell suits apart that have shown the same
    ],
)
def test_a_coin_is_worth_what_fingers_say(coin: str, codes: str, value: Fraction, lumps: bool, remembers: bool) -> None:
    game = catalog.game(coin)
    referee = Referee(game, shoe(codes), lumps=lumps, remembers=remembers)
    assert referee.expectation(game.open_round([{"ante": 100}])) == 100 * value


def test_every_open_choice_has_its_value(coin: str) -> None:
    game = catalog.game(coin)
    step, drawn = _after_first_card(coin, "2h")
    referee = Referee(game, shoe("2h 3h 4d 5d 6h 7s"))
    worth = {choice.name: referee.expectation(advance(drawn, step, choice)) for choice in _offered(step)}
    assert worth == {"pass": 60, "double": 120}
    assert referee.expectation(drawn) == 120


def _after_first_card(name: str, code: str) -> tuple[Decide, Round]:
    game = catalog.game(name)
    opened = game.open_round([{"ante": 100}])
    first = game.awaits(opened)
    assert first is not None
    drawn = advance(opened, first, cards(code))
    step = game.awaits(drawn)
    assert isinstance(step, Decide)
    return step, drawn


def _offered(step: Decide) -> list[Choice]:
    return [Choice(offer.name, offer.most) for offer in step.offers]


def test_a_round_for_which_the_cards_run_out_counts_nothing(coin: str) -> None:
    game = catalog.game(coin)
    assert Referee(game, shoe("2h")).expectation(game.open_round([{"ante": 100}])) == 0


def test_one_referee_keeps_rounds_apart_that_differ_in_tokes_or_meters_alone() -> None:
    poker = catalog.game("spanish-poker", options={"offers": ["ante", "gran-progressive"]})
    referee = Referee(poker, shoe("As Ks Qs Js 7s 2h 3h 4h 5c 6d"))
    posted = [poker.open_round([{"gran-progressive": 100}], {"jackpot": c}) for c in (0, 100_800)]
    # one hand of 252 is the royal that has a quarter of the jackpot
    assert referee.expectation(posted[1]) - referee.expectation(posted[0]) == Fraction(25_200, 252)
    blackjack = catalog.game("lucky-break", options={"max-hands": 1})
    referee = Referee(blackjack, shoe("Th Kh Qh Jh Td"))
    tokes: list[dict[str, int]] = [{}, {"lucky-break": 100}]
    bare, toked = (blackjack.open_round([Seat({"blackjack": 100}, tokes=amounts)]) for amounts in tokes)
    # twenty against twenty: the blackjack wager pushes, the toke is lost
    assert [referee.expectation(bare), referee.expectation(toked)] == [0, -100]


@pytest.mark.parametrize("table", ["1", "2", "3"])
def test_lucky_lucky_is_worth_what_its_three_cards_are(table: str) -> None:
    """Nothing decided later touches it, so it is worth what it adds to a blackjack wager."""
    game = catalog.game("lucky-lucky", pay_tables={"lucky-lucky": table}, options={"max-hands": 1})
    small = shoe("7h 7h 7h 7d 6h 8h")
    beside = game.open_round([{"blackjack": 100, "lucky-lucky": 100}])
    alone = game.open_round([{"blackjack": 100}])
    found = Referee(game, small).expectation(beside) - Referee(game, small).expectation(alone)
    hands = [[face.code for face in hand] for hand in combinations(small.all_cards(), 3)]
    counted = [Fraction(lucky_lucky_odds(hand, table, decks=6)) for hand in hands]
    assert found == 100 * sum(counted) / len(counted)


def test_lucky_monkey_on_a_whole_deck_follows_its_formula() -> None:
    game = catalog.game("fu-bacc")
    monkeys = Fraction(16 * 15, 52 * 51)
    by_up_card = Fraction(4 * (30 + 20 + 15 + 10) + 34 * 5, 50)
    opened = game.open_round([{"lucky-monkey": 100}])
    assert Referee(game).expectation(opened) == 100 * (monkeys * by_up_card - (1 - monkeys))


def test_the_joker_is_in_five_of_the_cards() -> None:
    game = catalog.game("spanish-poker")
    small = shoe("Jo As Kh Qd Jc 7s 6h 5d 4c 3s 2h")
    opened = game.open_round([{"joker-in-hand": 1100}])
    assert Referee(game, small).expectation(opened) == 100 * (7 * 5 - 6)


def test_war_is_worth_what_every_deal_of_three_cards_brings() -> None:
    game = catalog.game("acey-deucey-21", options={"bonus-alone": True})
    small = shoe("9h 9s 7d 7c 5h Ah Kd")
    deals = list(permutations([face.rank for face in small.all_cards()], 3))
    won = sum(1 if (first, second) > (up, up) else -1 for first, second, up in deals)
    opened = game.open_round([{"war": 100}])
    assert Referee(game, small).expectation(opened) == Fraction(100 * won, len(deals))


@pytest.mark.clause("M.1")
def test_an_expectation_leaves_breakage_out() -> None:
    """A cent on a natural 8 is paid one cent, but it is worth one and a half."""
    game = catalog.game("fu-bacc")
    referee = Referee(game, shoe("8h Th 8s Ts Kd Kc"))
    cent, dollar = (referee.expectation(game.open_round([{"ante": cents}])) for cents in (1, 100))
    assert dollar == 100 * cent
    assert cent.denominator > 1
