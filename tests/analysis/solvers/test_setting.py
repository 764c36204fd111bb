"""The setting solver against every meeting of hands of a short deck, counted one by one."""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import pytest

from feltworks import catalog
from feltworks.analysis.joint import law_figures
from feltworks.analysis.question import UNIT, Question
from feltworks.analysis.shape import estimate
from feltworks.analysis.solvers.setting import NoSetting, SettingSolver
from feltworks.analysis.strategy.charts import setting_chart
from feltworks.cards import DECK, Rank, Shoe, cards

SHORT = tuple(face for face in DECK if face.rank >= Rank.TEN)  # five ranks
Hand = tuple[int, ...]


pytestmark = pytest.mark.usefixtures("gallery")


@pytest.fixture(scope="module")
def solved() -> SettingSolver:
    return SettingSolver(catalog.game("front-and-back"), {"ante": UNIT}, Shoe(dict.fromkeys(SHORT, 1)))


def settings(hand: Hand) -> list[tuple[int, tuple[bool, int, int]]]:
    """Each card in front, and the back: whether it is a pair, its higher and its lower card."""
    backs = [sorted(hand[:place] + hand[place + 1 :], reverse=True) for place in range(3)]
    return [(hand[place], (high == low, high, low)) for place, (high, low) in enumerate(backs)]


def ways(hand: Hand, out: Hand = ()) -> int:
    return prod(comb(4 - out.count(rank), hand.count(rank)) for rank in set(hand))


def house_way(hand: Hand) -> int:
    return 0 if hand[1] == hand[2] else 2


def worth(hand: Hand, place: int, dealt: list[Hand]) -> Fraction:
    """FR.4: what a setting brings on average against every hand of the dealer's, per unit."""
    front, back = settings(hand)[place]
    total = Fraction(0)
    for other in dealt:
        their_front, their_back = settings(other)[house_way(other)]
        won = (front > their_front) + (back > their_back)
        total += ways(other, hand) * (Fraction(-1), Fraction(0), Fraction(19, 20))[won]
    return total / sum(ways(other, hand) for other in dealt)


def short_hands() -> list[Hand]:
    return list(combinations_with_replacement(range(10, 15), 3))


def test_every_meeting_of_a_short_deck_gives_the_same_edge(solved: SettingSolver) -> None:
    hands = short_hands()
    best = sum((ways(hand) * max(worth(hand, place, hands) for place in range(3)) for hand in hands), Fraction(0))
    won = sum((chance * sum(line.net for line in result) for result, chance in solved.law.items()), Fraction(0))
    assert won / UNIT == best / comb(len(SHORT), 3)
    assert sum(solved.law.values()) == 1


def test_a_setting_is_worth_the_same_in_any_order_of_the_cards(solved: SettingSolver) -> None:
    hand = cards("Ah Tc Kd")
    expected = [UNIT * worth((10, 13, 14), place, short_hands()) for place in (2, 0, 1)]
    assert list(solved.worth(hand).values()) == expected


def test_a_chart_costs_no_less_than_best_play(solved: SettingSolver) -> None:
    question = Question(catalog.game("front-and-back"), "ante")
    grid, edge = setting_chart(question, solved)
    best = law_figures(solved.law, {"ante"}, UNIT).house_edge
    assert grid.rows[0] == "three aces"
    assert best <= edge < best + Fraction(1, 100)


def test_a_game_is_known_by_its_shape_and_suits_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = catalog.game("front-and-back")
    assert estimate(game).solver == "setting"
    monkeypatch.setattr(type(game), "standing", lambda _, r, __: r)  # rules that read single cards
    monkeypatch.setattr(type(game.wagers["ante"]), "judge", _judge_suits)
    with pytest.raises(NoSetting, match="suits count"):
        SettingSolver(game, {"ante": UNIT}, Shoe(dict.fromkeys(SHORT, 1)))


def _judge_suits(_: object, r: object) -> object:
    from feltworks.rules.wager import Verdict

    suits = {card.suit for card in r.seats[0].cards}  # type: ignore[attr-defined]
    return Verdict("both" if len(suits) == 1 else "none", "by suits", ("FR.4",))


def test_other_games_are_left_to_their_solvers() -> None:
    for name in ("casino-war", "punto-banco", "red-dog"):
        game = catalog.game(name)
        with pytest.raises(NoSetting):
            SettingSolver(game, {next(iter(game.wagers)): UNIT}, game.terms.shoe)
    assert len(list(combinations(SHORT, 3))) == sum(ways(hand) for hand in short_hands())
