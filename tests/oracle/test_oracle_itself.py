"""The oracle checked on its own: examples worked by hand from RULES.md, and figures the documents print."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import Any

import pytest

from tests.oracle import blackjack_family as bj
from tests.oracle import fu_bacc, plain, spanish_poker


def nets(module: Any, doc: dict[str, Any], seat: int = 0) -> dict[str, int]:
    """Net by wager of one seat."""
    return {x["wager"]: x["net"] for x in module.expected(doc)["seats"][seat]["lines"] if not x.get("toke")}


def prints(edge: Fraction, printed: str) -> bool:
    """The edge, rounded or cut off to the printed digits of a percentage, is the printed one."""
    digits = len(printed.split(".")[1])
    scaled = edge * 100 * 10**digits
    wanted = int(printed.replace(".", ""))
    return wanted in (round(scaled), int(scaled))


# --- Fu Bacc ----------------------------------------------------------------------------------------------


def fu_bacc_round(cards: str, choice: str | None, dealer: str, wagers: dict[str, int], third: str = "2c") -> Any:
    up, hole, last = dealer.split()
    return {
        "game": "fu-bacc",
        "dealer": {"up": up, "hole": hole, "third": last},
        "seats": [{"wagers": wagers, "cards": cards.split(), "third": third, "choice": choice}],
    }


def test_fu_bacc_examples() -> None:
    all_three = {"ante": 1000, "lucky-monkey": 500, "tie": 500}
    # K-5-2 = 7 against 9-3-4 = 6 (two cards make 2, so the dealer draws).
    doc = fu_bacc_round("Kh 5d", "hit", "9s 3h 4d", all_three)
    assert nets(fu_bacc, doc) == {"ante": 1000, "play": 2000, "lucky-monkey": -500, "tie": -500}
    # K-5 stays on 5 against 6: both lose.
    doc = fu_bacc_round("Kh 5d", "stay", "9s 3h 4d", all_three)
    assert nets(fu_bacc, doc) == {"ante": -1000, "play": -2000, "lucky-monkey": -500, "tie": -500}
    # A tie: the Ante loses, Play pushes, Tie pays 7 to 1.
    doc = fu_bacc_round("Kh 6d", "stay", "9s 3h 4d", all_three)
    assert nets(fu_bacc, doc) == {"ante": -1000, "play": 0, "lucky-monkey": -500, "tie": 3500}
    # Natural 8 on odd cents: 3 to 2 of 333 is 499.5, rounded down; the Tie stays on two cards.
    doc = fu_bacc_round("Kh 8d", "bonus", "9s 9h 4d", {"ante": 333, "tie": 100})
    assert nets(fu_bacc, doc) == {"ante": 499, "tie": 700}
    doc["options"] = {"breakage": "up"}
    assert nets(fu_bacc, doc) == {"ante": 500, "tie": 700}
    # Two monkeys against a nine, rescued: 1 to 1, and Lucky Monkey pays 30 to 1.
    doc = fu_bacc_round("Kh Td", "rescue", "9s Ah Jd", {"ante": 400, "lucky-monkey": 100, "tie": 100})
    assert nets(fu_bacc, doc) == {"ante": 400, "lucky-monkey": 3000, "tie": 700}
    doc["options"] = {"fu-bacc.rescue-tie": "loses"}
    assert nets(fu_bacc, doc) == {"ante": 400, "lucky-monkey": 3000, "tie": -100}


# --- Acey Deucey 21 ---------------------------------------------------------------------------------------


def test_acey_deucey_examples() -> None:
    odds = bj.acey_deucey_odds
    assert odds(["Kh", "7d"], "8c", "1") == 1  # the document's own example: K-7 against 8 wins
    assert odds(["Qh", "2d"], "Qc", "1") == -1  # the document's own example: Q-2 against Q loses
    assert odds(["7h", "8d"], "8c", "1") == -1  # connected cards lose
    assert odds(["5h", "7h"], "6h", "1") == 30
    assert odds(["5h", "7h"], "6h", "2B") == 25
    assert odds(["5h", "8h"], "6h", "3") == 5
    assert odds(["5h", "8d"], "6h", "1") == 2
    assert odds(["Ah", "2h"], "Kh", "1") == 5  # ace and deuce are the widest spread
    assert odds(["5h", "5d"], "5c", "1") == 6
    assert odds(["5h", "5d"], "9c", "1") == 0


def test_war_figures() -> None:
    for table, printed in (("1", "0.5248"), ("2", "3.69")):
        lost = Fraction(0)
        for first in plain.RANKS:
            for second in plain.RANKS:
                for up in plain.RANKS:
                    weight = 24 * (24 - (second == first)) * (24 - (up == first) - (up == second))
                    doc = {
                        "game": "acey-deucey-21",
                        "pay_tables": {"war": table},
                        "dealer": {"up": up + "c"},
                    }
                    seat = {"wagers": {"war": 1000}, "cards": [first + "c", second + "c"]}
                    lost -= Fraction(weight * bj.war_net(doc, seat), 1000)
        assert prints(lost / (312 * 311 * 310), printed), float(lost)


@pytest.mark.parametrize(
    ("table", "printed", "with_pairs"), [("1", "2.99", "4.30"), ("2", "3.46", "3.63"), ("3", "5.29", "2.00")]
)
def test_acey_deucey_figures(table: str, printed: str, with_pairs: str) -> None:
    """AD.13: six decks, per unit of the Ante, raised to the full whenever the own two cards are worth it.

    The printed edges come out exactly where pairs are not raised, as on the B tables. On tables 1, 2 and 3
    themselves a pair cannot lose, raising it is always right, and then the edge is the player's.
    """
    pairs_checked = pairs_raised = Fraction(0)
    for one, other in combinations_with_replacement(plain.DECK, 2):
        ways = comb(6, 2) if one == other else 36
        total = 0
        for up in plain.DECK:
            left = 6 - (up == one) - (up == other)
            total += left * bj.acey_deucey_odds([one, other], up, table)
        worth = Fraction(total, 310)
        pair = one[0] == other[0]
        pairs_checked -= ways * worth * (3 if worth > 0 and not pair else 1)
        pairs_raised -= ways * worth * (3 if worth > 0 else 1)
    assert prints(pairs_checked / comb(312, 2), printed), float(pairs_checked)
    assert prints(-pairs_raised / comb(312, 2), with_pairs), float(pairs_raised)


# --- Lucky Lucky ------------------------------------------------------------------------------------------

EDGES = {  # LL.6
    1: ["5.05", "10.03", "12.47"],
    2: ["5.39", "10.15", "12.72"],
    4: ["5.35", "10.00", "12.63"],
    6: ["5.31", "9.92", "12.57"],
    8: ["5.28", "9.88", "12.54"],
}


@pytest.mark.parametrize("decks", list(EDGES))
def test_lucky_lucky_figures(decks: int) -> None:
    lost = [0, 0, 0]
    for three in combinations_with_replacement(plain.DECK, 3):
        ways = prod(comb(decks, times) for times in Counter(three).values())
        if ways:
            for at, table in enumerate("123"):
                lost[at] -= ways * bj.lucky_lucky_odds(list(three), table, decks)
    edges = [Fraction(x, comb(52 * decks, 3)) for x in lost]
    for edge, printed in zip(edges, EDGES[decks], strict=True):
        assert prints(edge, printed), (float(edge), printed)


# --- Lucky Break and blackjack ----------------------------------------------------------------------------


def lucky_break_round(dealer: str, hands: list[str], options: dict[str, Any], table: str = "1") -> Any:
    up, hole, *draws = dealer.split()
    split = [hand.split() for hand in hands]
    cards = split[0][:2] if len(split) == 1 else [split[0][0], split[1][0]]
    return {
        "game": "lucky-break",
        "pay_tables": {"lucky-break": table},
        "options": options,
        "dealer": {"up": up, "hole": hole, "draws": draws},
        "seats": [
            {
                "wagers": {"blackjack": 1001, "lucky-break": 100},
                "cards": cards,
                "hands": [{"cards": hand, "doubled": False, "surrendered": False} for hand in split],
            }
        ],
    }


def test_lucky_break_examples() -> None:
    suited_26 = "2h 3h 4h 7h Th"  # five hearts, 26: the document's example, $3 and $150 for $1
    assert nets(bj, lucky_break_round(suited_26, ["Tc 9c"], {}))["lucky-break"] == 15_300
    replaces = {"lucky-break.multiplier": "replaces"}
    assert nets(bj, lucky_break_round(suited_26, ["Tc 9c"], replaces))["lucky-break"] == 15_000
    assert nets(bj, lucky_break_round("Th 6h Tc", ["Tc 9c"], {}))["lucky-break"] == 300  # 26 unsuited
    assert nets(bj, lucky_break_round("Th 5h Tc", ["Tc 9c"], {}, "3"))["lucky-break"] == 200  # 25 on table 3
    assert nets(bj, lucky_break_round("Th 6h 5c", ["Tc 9c"], {}))["lucky-break"] == -100  # 21
    # A player's 28 is above the limit of 27; a 27 is not, but is above 26.
    assert nets(bj, lucky_break_round("Th 6h Tc", ["Tc 8c Td"], {}))["lucky-break"] == -100
    assert nets(bj, lucky_break_round("Th 6h Tc", ["Tc 7c Td"], {}))["lucky-break"] == 300
    of_26 = {"lucky-break.player-limit": 26}
    assert nets(bj, lucky_break_round("Th 6h Tc", ["Tc 7c Td"], of_26))["lucky-break"] == -100
    # Split: one hand over the limit, one within it.
    halves = ["Tc 8c Td", "Td 9c"]
    assert nets(bj, lucky_break_round("Th 6h Tc", halves, {}))["lucky-break"] == 300
    of_all = {"lucky-break.split-limit": "all"}
    assert nets(bj, lucky_break_round("Th 6h Tc", halves, of_all))["lucky-break"] == -100


def test_blackjack_examples() -> None:
    assert nets(bj, lucky_break_round("Th 6h Tc", ["Ac Kc"], {}))["blackjack"] == 1501  # 3:2 of 1001 is 1501.5
    six_five = {"blackjack-pays": "6:5", "breakage": "up"}
    assert nets(bj, lucky_break_round("Th 6h Tc", ["Ac Kc"], six_five))["blackjack"] == 1202  # 1201.2
    both = lucky_break_round("Th Ah", ["Ac Kc"], {})
    assert nets(bj, both) == {"blackjack": 0, "lucky-break": -100}
    gone = lucky_break_round("Th 6h Tc", ["Tc 6c"], {"surrender": "late"})
    gone["seats"][0]["hands"][0]["surrendered"] = True
    assert nets(bj, gone)["blackjack"] == -501  # half of 1001 back is 500.5, rounded down
    # LB.4: a bust above the limit and nothing else: the dealer still completes the hand.
    alone = lucky_break_round("Th 2h", ["Tc 9c Td"], {})
    assert bj.dealer_must_draw_at_all(alone)
    del alone["seats"][0]["wagers"]["lucky-break"]
    assert not bj.dealer_must_draw_at_all(alone)
    # A split ace and ten is 21, no blackjack, and pushes against 21.
    assert nets(bj, lucky_break_round("Th 6h 5c", ["Ac Kc", "Ad 9d"], {}))["blackjack"] == -1001


# --- Spanish Poker ----------------------------------------------------------------------------------------


def made(cards: str, wheel: bool = False) -> str:
    return spanish_poker.category(cards.split(), wheel)


def test_spanish_hands() -> None:
    assert made("5h 6d 7c Js Qh") == "straight"  # the document's example
    assert made("5h 6h 7h Jh Qh") == "straight flush"
    assert made("7h Jh Qh Kh Ah") == "royal flush"
    assert made("7h Jo Qh Kh Ah") == "royal flush"
    assert made("5h Jo Qh Kh Jh") == "flush"
    assert made("6h Jo Qh 7h Jh") == "straight flush"
    assert made("5h 5d 5c 5s Jo") == "cincos"
    assert made("5h 5d 5c 6s Jo") == "four of a kind"
    assert made("5h 5d 6c 6s Jo") == "full house"
    assert made("5h 5d 6c 7s Jo") == "three of a kind"
    assert made("5h 6d Jc As Jo") == "pair"
    assert made("Ah 2d 3c 4s 5h") == "high card"
    assert made("Ah 2d 3c 4s 5h", wheel=True) == "straight"
    assert made("Ah 2d 3c 4s Jo") == "pair"
    assert made("Ah 2d 3c 4s Jo", wheel=True) == "straight"
    assert made("2d 3c 4s 5h Jo", wheel=True) == "straight"

    def better(one: str, other: str) -> bool:
        return spanish_poker.strength(one.split(), False) > spanish_poker.strength(other.split(), False)

    assert better("2h 4h 6h Jh Kh", "Ah Ad Ac Ks Kd")  # a flush beats a full house
    # SP.5: A-x with the joker is an A-K flush, not two aces: A Q 4 3 + Jo = A K Q 4 3 loses to A K Q 5 2.
    assert better("Ah Kh Qh 5h 2h", "Ad Qd 4d 3d Jo")
    assert not better("2h 3h 4h 5h 6h", "2d 3d 4d 5d 6d")


def test_gran_progressive_examples() -> None:
    royal = [[rank + suit for rank in "7JQKA"] for suit in "cdhs"]
    cincos = ["2c", "2d", "2h", "2s", "Jo"]

    def paid(hands: list[list[str]], jackpot: int) -> tuple[list[int], int]:
        seats = [{"wagers": {"gran-progressive": 100}, "cards": hand, "choice": None} for hand in hands]
        dealer = {"cards": ["3c", "4d", "5h", "6s", "3d"]}
        doc = {"game": "spanish-poker", "dealer": dealer, "seats": seats, "jackpot": jackpot}
        got = spanish_poker.expected(doc)
        return [seat["net"] for seat in got["seats"]], got["jackpot"]["after"]

    assert paid(royal[:1], 100_003) == ([25_000], 75_003)
    assert paid(royal[:2], 100_003) == ([25_000, 25_000], 50_003)
    assert paid(royal, 100_003) == ([25_000] * 4, 3)
    assert paid([cincos], 100_003) == ([100_003], 0)
    assert paid([cincos, *royal[:1]], 100_003) == ([75_003, 25_000], 0)
    assert paid([cincos, *royal[:3]], 100_003) == ([75_004, 8_333, 8_333, 8_333], 0)


@cache
def spanish_counts() -> Counter[str]:
    """How many of the 749,398 hands make what; ranks and one-suitedness decide that, so each kind once."""

    @cache
    def kind(ranks: str, suited: bool, joker: bool) -> str:
        used: Counter[str] = Counter()
        cards = ["Jo"] if joker else []
        for rank in ranks:  # the first suits in turn, or, for what is not of one suit, another for the last
            cards.append(rank + plain.SUITS[used[rank]])
            used[rank] += 1
        if not suited and max(used.values()) == 1:
            cards[-1] = cards[-1][0] + "s"
        return spanish_poker.category(cards, False)

    counts: Counter[str] = Counter()
    for size, joker in ((5, False), (4, True)):
        for hand in combinations(spanish_poker.NATURALS, size):
            suited = all(card[1] == hand[0][1] for card in hand)
            counts[kind("".join([card[0] for card in hand]), suited, joker)] += 1
    return counts


def test_spanish_figures() -> None:
    counts = spanish_counts()
    hands = comb(41, 5)
    assert sum(counts.values()) == hands
    for table, printed in (("1", "4.78"), ("2", "5.28")):
        pays = spanish_poker.DOS_PARES_TABLES[table]
        edge = Fraction(-sum(times * pays.get(kind, -1) for kind, times in counts.items()), hands)
        assert prints(edge, printed), float(edge)
    assert prints(1 - 8 * Fraction(5, 41), "2.44")
    fixed = sum(counts[kind] * (cents + 100) for kind, cents in spanish_poker.TRAY.items())
    assert prints(Fraction(fixed, 100 * hands), "43.76"), float(Fraction(fixed, 100 * hands))


# --- the generators ---------------------------------------------------------------------------------------


def test_every_fault_has_its_say() -> None:
    """Every kind of illegal round can be made from the random rounds."""
    for module in (fu_bacc, spanish_poker, bj):
        for fault in module.FAULTS:
            _, reason = plain.with_fault(random.Random(fault.__name__), module.random_round, [fault])
            assert reason.startswith(fault.__name__)
