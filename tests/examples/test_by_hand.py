"""Edges of the gallery, counted again with nothing of the program: closed forms and small enumerations."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import analyze
from feltworks.analysis.question import parse_question
from tests.conftest import forget_games


@pytest.fixture(autouse=True)
def gallery(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(catalog.GAME_FOLDERS, str(catalog.examples_folder()))
    forget_games()
    yield
    forget_games()


def edge(game: str, wager: str, **asked: object) -> Fraction:
    return analyze(parse_question(game, wager, **asked)).figures.house_edge  # type: ignore[arg-type,return-value]


def three_cards(hand: tuple[int, ...]) -> str:
    ranks, suits = sorted(card // 4 for card in hand), {card % 4 for card in hand}
    straight = ranks in ([low, low + 1, low + 2] for low in range(11)) or ranks == [0, 1, 12]
    if straight or len(suits) == 1:
        return "straight flush" if straight and len(suits) == 1 else "straight" if straight else "flush"
    return {1: "three of a kind", 2: "pair", 3: "high card"}[len(set(ranks))]


@pytest.mark.parametrize(("table", "flush"), [("1", 4), ("2", 3)])
def test_pair_plus(table: str, flush: int) -> None:
    counts = Counter(map(three_cards, combinations(range(52), 3)))
    pays = {"straight flush": 40, "three of a kind": 30, "straight": 6, "flush": flush, "pair": 1, "high card": -1}
    net = sum(pays[hand] * count for hand, count in counts.items())
    assert edge("three-card-poker", "pair-plus", pay_table=table) == Fraction(-net, comb(52, 3))


def test_perfect_pairs_on_six_and_eight_decks() -> None:
    for decks in (6, 8):
        others = 52 * decks - 1
        wins = Fraction(26 * (decks - 1) + 13 * decks + 7 * 2 * decks, others)
        assert edge("blackjack-sides", "perfect-pairs", decks=decks) == 1 - wins


def test_three_cards_beside_blackjack() -> None:
    suited, flush_straights = 52 * comb(6, 3), 12 * 4 * 6**3
    threes, straights = 13 * comb(24, 3) - suited, 12 * (4**3 - 4) * 6**3
    flushes = 4 * comb(78, 3) - suited - flush_straights
    returned = 101 * suited + 41 * flush_straights + 31 * threes + 11 * straights + 6 * flushes
    assert edge("blackjack-sides", "21-3", decks=6) == 1 - Fraction(returned, comb(312, 3))


@pytest.mark.parametrize("decks", [1, 6])
def test_red_dog(decks: int) -> None:
    each, cards = 4 * decks, 52 * decks
    net = Fraction(13 * comb(each, 3), comb(cards, 3)) * 11
    for between, pay in zip(range(1, 12), (5, 4, 2, *[1] * 8), strict=True):
        chance = Fraction((12 - between) * each * each, comb(cards, 2))
        alone = Fraction(between * each * (pay + 1), cards - 2) - 1
        net += chance * alone * (2 if alone > 0 else 1)  # a raise doubles what is expected
    assert edge("red-dog", "ante", decks=decks) == -net


@pytest.mark.parametrize(("table", "bonus"), [("1", 0), ("2", 1)])
def test_casino_war_with_and_without_the_bonus_for_a_second_tie(table: str, bonus: int) -> None:
    tie = Fraction(23, 311)
    again = Fraction(22 * 21 + 12 * 24 * 23, 310 * 309)  # of the rank of the tie, or of another
    lost = (1 - again) / 2
    assert edge("casino-war", "ante", pay_table=table) == -tie * (1 - lost - 2 * lost + bonus * again)


def test_a_wager_carried_over_two_coups() -> None:
    ranks, net = range(13), Fraction(0)
    for mine, theirs in product(ranks, ranks):
        held = Counter(dict.fromkeys(ranks, 24))
        chance = Fraction(24 * (24 - (mine == theirs)), 312 * 311)
        held.subtract([mine, theirs])
        won = sum(held[high] * held[low] for high in ranks for low in range(high))
        both = Fraction(won, 310 * 309)
        net += chance * (both * Fraction(7, 2) - (1 - both) if mine > theirs else -1)
    assert edge("back-to-back", "streak") == -net


def test_trips_by_the_counts_of_seven_cards() -> None:
    won = {"royal": 4324, "straight flush": 37260, "four": 224848, "full house": 3473184, "flush": 4047644}
    won |= {"straight": 6180020, "three": 6461620}
    lost = 31433400 + 58627800 + 23294460  # two pair, a pair, a high card
    assert sum(won.values()) + lost == comb(52, 7)
    net = sum(pay * count for pay, count in zip((50, 40, 30, 9, 7, 4, 3), won.values(), strict=True)) - lost
    assert edge("ultimate-holdem", "trips") == Fraction(-net, comb(52, 7))


DRAWS = {3: range(10), 4: range(2, 8), 5: range(4, 8), 6: (6, 7)}  # the Banker's third card, by the Player's


def coups(decks: int) -> Iterator[tuple[int, int, int, int]]:
    """Every coup as (Player's total, Banker's total, Banker's cards, ways), by points of the cards."""
    held = [16 * decks, *[4 * decks] * 9]
    pairs = list(combinations_with_replacement(range(10), 2))
    for player, banker in product(pairs, pairs):
        ways = (1 + (player[0] != player[1])) * (1 + (banker[0] != banker[1]))
        p, b = sum(player) % 10, sum(banker) % 10
        for third in range(10) if p <= 5 and b <= 7 else (None,):
            mine = p if third is None else (p + third) % 10
            if p >= 8 or b >= 8 or b == 7:
                draws = False
            elif third is None:
                draws = b <= 5
            else:
                draws = b <= 2 or (third in DRAWS[b] and (b, third) != (3, 8))
            for fifth in range(10) if draws else (None,):
                cards = [*player, *banker, *(card for card in (third, fifth) if card is not None)]
                total = b if fifth is None else (b + fifth) % 10
                yield mine, total, 2 + draws, ways * arrangements(cards, held, 52 * decks)


def arrangements(cards: list[int], held: list[int], size: int) -> int:
    """Ways to draw these points in their order, times the ways to draw up to six cards after them."""
    taken: Counter[int] = Counter()
    ways = prod(size - place for place in range(len(cards), 6))
    for card in cards:
        ways *= held[card] - taken[card]
        taken[card] += 1
    return ways


def test_punto_banco() -> None:
    decks, size = 8, 416
    counts: Counter[str] = Counter()
    for mine, theirs, cards, ways in coups(decks):
        counts["player" if mine > theirs else "banker" if theirs > mine else "tie"] += ways
        counts["dragon"] += ways if theirs > mine and theirs == 7 and cards == 3 else 0
    whole = prod(size - place for place in range(6))
    assert counts["player"] + counts["banker"] + counts["tie"] == whole
    share = {name: Fraction(count, whole) for name, count in counts.items()}
    assert edge("punto-banco", "player") == share["banker"] - share["player"]
    assert edge("punto-banco", "banker") == share["player"] - share["banker"] * Fraction(19, 20)
    assert edge("punto-banco", "tie") == 1 - 9 * share["tie"]
    assert edge("punto-banco", "dragon-7") == 1 - 41 * share["dragon"]
