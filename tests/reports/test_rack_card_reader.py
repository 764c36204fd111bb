"""A reader who knows the rack card and nothing else settles rounds as the rules do.

The reader here takes every fact from the printed sentences and pay tables and imports no rules: a sentence that is
missing or says something else leaves the round unsettled or settles it otherwise.
"""

import re
from collections import Counter
from itertools import product
from typing import Any

import msgspec
import pytest

from feltworks.money import Odds
from feltworks.reports.order import HouseSettings, Order
from feltworks.reports.posting import posting
from feltworks.written.record import FinishedRound
from feltworks.written.settle import settle_finished
from tests.reports.conftest import DAY
from tests.reports.test_public_truth import ROUNDS

STAKE = 10_00
ORDER = "23456789TJQKA"


class Unsaid(Exception):
    """The card does not say it."""


class Reader:
    """The printed sentences, and what each row pays; everything not listed loses."""

    def __init__(self, text: str, rows: dict[tuple[str, str], str], notes: str) -> None:
        self.text, self.rows, self.notes = text, rows, notes

    def says(self, pattern: str, text: str | None = None) -> tuple[str, ...]:
        match = re.search(pattern, self.text if text is None else text)
        if match is None:
            raise Unsaid(pattern)
        return match.groups()

    def pay(self, wager: str, outcome: str, stake: int = STAKE) -> int:
        return on(self.rows[wager, outcome], stake) if (wager, outcome) in self.rows else -stake


def on(words: str, stake: int = STAKE) -> int:
    return 0 if words == "push" else Odds.parse(words).on(stake)


def fu_bacc(card: Reader, seat: dict[str, Any], house: dict[str, Any]) -> dict[str, int]:
    card.says("An ace counts 1, two to nine count their number, and a ten, jack, queen or king counts nothing")
    card.says("Its total is the last digit of their sum")

    def total(*codes: str) -> int:
        return sum("A23456789".find(code[0]) + 1 for code in codes) % 10

    choice, own, up = seat["choice"], seat["cards"], total(house["up"])
    stand, draw = card.says(r"two-card total of (\d) or more the dealer stands; on (\d) or less the dealer takes")
    if int(draw) + 1 != int(stand):
        raise Unsaid("what the dealer does on every total")
    dealer = total(house["up"], house["hole"])
    if dealer <= int(draw):
        dealer = total(house["up"], house["hole"], house["third"])
    card.says("Tens, jacks, queens and kings are monkeys")
    monkeys = all(code[0] in "TJQK" for code in own)
    mine = total(*own, seat["third"]) if choice == "hit" else total(*own)
    nets = {}
    if choice == "fold":
        card.says("A folded hand ends, and its Ante loses")
        nets["ante"] = -STAKE
    elif choice == "bonus":
        nine, eight = card.says(
            r"whatever the dealer holds. The Ante pays (\d+ to \d+) with 9 and pays (\d+ to \d+) with"
        )
        nets["ante"] = on({9: nine, 8: eight}[mine])
    elif choice == "rescue":
        rank, pays = card.says(
            r"two monkeys against a dealer's (\d) you may end the hand, and the Ante pays (\d+ to \d+)"
        )
        assert monkeys
        assert up == int(rank)
        nets["ante"] = on(pays)
    else:
        (times,) = card.says("put down a Play wager of exactly (twice) the Ante")
        play = {"twice": 2}[times] * STAKE
        ante, won = card.says(
            r"Your total is higher than the dealer's: the Ante pays (\d+ to \d+) and the Play pays (\d+ to \d+)"
        )
        card.says("The dealer's total is higher: the Ante loses and the Play loses")
        card.says("Equal totals: the Ante loses and the Play is returned")
        nets["ante"] = on(ante) if mine > dealer else -STAKE
        nets["play"] = on(won, play) if mine > dealer else 0 if mine == dealer else -play
    if choice in ("fold", "bonus", "rescue"):
        card.says(
            "If you fold, take a natural's bonus or take the rescue, the Tie stays in action on your first two cards"
        )
    (seven,) = card.says(
        r"Your final total equals the dealer's: the Tie pays (\d+ to \d+). Any other result: the Tie loses"
    )
    nets["tie"] = on(seven) if mine == dealer else -STAKE
    card.says("wins with two monkeys as your first two cards and pays by the points of the dealer's up card")
    row = f"monkeys against {up}" if ("lucky-monkey", f"monkeys against {up}") in card.rows else "monkeys against 0-5"
    nets["lucky-monkey"] = card.pay("lucky-monkey", row) if monkeys else -STAKE
    return nets


def count_21(card: Reader, codes: list[str]) -> int:
    card.says("An ace counts 1 or 11, a king, queen or jack 10, and any other card its number")
    total = sum({"A": 1}.get(code[0], min(ORDER.index(code[0]) + 2, 10)) for code in codes)
    return total + 10 if total < 12 and any(code[0] == "A" for code in codes) else total


def twenty_one(card: Reader, seat: dict[str, Any], house: dict[str, Any]) -> dict[str, int]:
    dealer = [house["up"], house["hole"], *house["draws"]]
    own = seat["hands"][0]["cards"] if "hands" in seat else seat["cards"]
    mine, theirs = count_21(card, own), count_21(card, dealer)
    card.says("An ace with a ten- ?value card as the first two cards is a blackjack and beats any other 21")
    mine_natural, dealer_natural = (len(hand) == 2 and count_21(card, hand) == 21 for hand in (own, dealer))
    if mine_natural or dealer_natural:
        card.says("Against a dealer blackjack any other hand loses")
        outcome = "both blackjack" if mine_natural and dealer_natural else "blackjack" if mine_natural else "lost"
    elif mine > 21:
        card.says("Your total is over 21, which loses at once, or lower than the dealer's: the wager loses")
        outcome = "lost"
    else:
        card.says("Your total is higher than the dealer's, or the dealer goes over 21: the wager pays 1 to 1")
        outcome = (
            "dealer over 21" if theirs > 21 else "higher" if mine > theirs else "equal" if mine == theirs else "lost"
        )
    nets = {"blackjack": card.pay("blackjack", outcome)}
    offered = {wager for wager, _ in card.rows}
    nets |= lucky_break(card, own, dealer) if "lucky-break" in offered else {}
    for wager, settle in (("lucky-lucky", lucky_lucky), ("war", war), ("acey-deucey", acey)):
        nets |= settle(card, seat, house["up"]) if wager in offered else {}
    return nets


def lucky_break(card: Reader, own: list[str], dealer: list[str]) -> dict[str, int]:
    card.says("It wins when the dealer's hand goes over 21, and pays by the dealer's total")
    card.says("It loses when the dealer ends on 21 or less")
    (limit,) = card.says(r"Your own total must not be above (\d+): a bust hand still wins up to there and loses above")
    theirs = count_21(card, dealer)
    if theirs <= 21 or count_21(card, own) > int(limit):
        return {"lucky-break": -STAKE}
    base = card.pay("lucky-break", str(theirs))
    if len({code[1] for code in dealer}) > 1:
        return {"lucky-break": base}
    card.says("Suited means that all cards of the dealer's hand are of one suit")
    card.says("A suited bust of the dealer pays the base pay and, added to it, the base pay times a multiplier")
    times = card.says(r"base times (\d+) with 5\+ cards, (\d+) with 4 cards and (\d+) with 3 cards", card.notes)
    return {"lucky-break": base + base * int(times[5 - min(len(dealer), 5)])}


def lucky_lucky(card: Reader, seat: dict[str, Any], up_card: str) -> dict[str, int]:
    card.says("Your first two cards and the dealer's up card make a hand of three")
    card.says("whichever gives the best total that is not over 21")
    three = [*seat["cards"], up_card]
    run, total = "-".join(sorted(code[0] for code in three)), count_21(card, three)
    card.says("It wins with 7-7-7, with 6-7-8 in any order, or with a total of 19, 20 or 21")
    card.says("Suited means all three of one suit. Only the highest award is paid")
    is_suited = len({code[1] for code in three}) == 1
    names = [*([f"suited {run}"] if is_suited else []), run, *([f"suited {total}"] if is_suited else []), str(total)]
    return {"lucky-lucky": max(card.pay("lucky-lucky", name) for name in names)}


def war(card: Reader, seat: dict[str, Any], up_card: str) -> dict[str, int]:
    card.says("Your first card against the dealer's up card, two lowest and ace highest")
    first, second, up = (ORDER.index(code[0]) for code in (*seat["cards"], up_card))
    if first != up:
        (pays,) = card.says(r"ace highest. Higher: it pays (\d+ to \d+). Lower: it loses")
        return {"war": on(pays) if first > up else -STAKE}
    (pays,) = card.says(
        r"Equal: your second card decides. Higher than the up card: it pays (\d+ to \d+); equal or lower: it"
    )
    return {"war": on(pays) if second > up else -STAKE}


def acey(card: Reader, seat: dict[str, Any], up_card: str) -> dict[str, int]:
    card.says("For this wager the two is lowest and the ace highest")
    three = [*seat["cards"], up_card]
    low, high = sorted(ORDER.index(code[0]) for code in seat["cards"])
    up, suited = ORDER.index(up_card[0]), " suited" * (len({code[1] for code in three}) == 1)
    if low == high:
        card.says("A pair wins if the up card makes three of a kind; otherwise the wager is returned")
        outcome = f"three of a kind{suited}" if up == low else "pair"
    else:
        card.says("It wins if the dealer's up card ranks between your two cards")
        card.says("It pays by the spread, the number of ranks between your cards")
        card.says("If your two cards and the up card are all of one suit, it pays suited")
        spread = high - low - 1
        outcome = f"spread {spread if spread < 3 else '3-11'}{suited}" if low < up < high else "lost"
    card.says("The raise wins, loses and is paid like that wager")
    return {"acey-deucey": card.pay("acey-deucey", outcome), "raise": card.pay("acey-deucey", outcome, seat["raise"])}


class Poker:
    """Hands as the card ranks them."""

    def __init__(self, card: Reader) -> None:
        (ranks,) = card.says(r"Ranks run ([2-9JQKA ]+): the 7 is next to the jack")
        self.ranks = ranks.split()
        (kinds,) = card.says(r"From best to worst: (.+?)\. ")
        self.kinds = [re.sub(r" \(.*?\)", "", kind).lower() for kind in re.split(r", (?![^(]*\))", kinds)][::-1]
        card.says("A-2-3-4-5 is no straight")
        card.says("in a flush it is the highest rank that the hand does not hold")

    def value(self, codes: list[str]) -> tuple[int, list[int]]:
        held = [(self.ranks.index(code[0]), code[1]) for code in codes if code != "Jo"]
        if len(held) == 5:
            return self._value(held)
        return max(self._value([*held, face]) for face in product(range(len(self.ranks)), "cdhs"))

    def _value(self, held: list[tuple[int, str]]) -> tuple[int, list[int]]:
        counts = Counter(rank for rank, _ in held)
        order = sorted(counts, key=lambda rank: (-counts[rank], -rank))
        sizes = [counts[rank] for rank in order]
        is_flush, is_run = len({suit for _, suit in held}) == 1, len(order) == 5 and order[0] - order[-1] == 4
        names = {5: "cincos", 4: "four of a kind", 3: "full house" if sizes[1:] == [2] else "three of a kind"}
        name = names.get(sizes[0]) or ({2: "two pair", 1: "pair"}[sizes.count(2)] if 2 in sizes else "high card")
        if is_flush and len(order) == 5:
            name = "flush" if not is_run else "royal flush" if order[0] == len(self.ranks) - 1 else "straight flush"
        elif is_run:
            name = "straight"
        return self.kinds.index(name), order


def spanish_poker(card: Reader, seat: dict[str, Any], house: dict[str, Any]) -> dict[str, int]:
    poker = Poker(card)
    mine, theirs = poker.value(seat["cards"]), poker.value(house["cards"])
    name, (times,) = poker.kinds[mine[0]], card.says("With an Ante you raise exactly (twice) the Ante or fold")
    stake = {"twice": 2}[times] * STAKE
    (least,) = card.says(r"The house qualifies with a pair of (\w+) or better")
    card.says("If it does not, your Ante pays 1 to 1 and your Raise is returned, whatever you hold")
    card.says("Your hand beats a qualified house: the Raise pays 1 to 1, and the Ante pays by your hand")
    card.says("A qualified house beats you: the Ante loses and the Raise loses")
    qualified = theirs >= (poker.kinds.index("pair"), [poker.ranks.index({"sixes": "6"}[least])])
    outcome = "not qualified" if not qualified else "equal" if mine == theirs else name if mine > theirs else "lost"
    raised = "player better" if outcome == name else outcome
    nets = {"ante": card.pay("ante", outcome), "raise": card.pay("raise", raised, stake)}
    if seat["choice"] == "fold":
        card.says("A folded Ante loses")
        nets = {"ante": -STAKE}
    card.says("It wins with two pair or better and pays by your hand, whatever the house holds")
    (pays,) = card.says(r"It pays (\d+ to \d+) if the joker is among your five cards and loses if not")
    return nets | {
        "dos-pares": card.pay("dos-pares", name),
        "joker-in-hand": on(pays) if "Jo" in seat["cards"] else -STAKE,
    }


READERS = {"fu-bacc": fu_bacc, "spanish-poker": spanish_poker}


def card_of(name: str) -> Reader:
    card = posting(Order(name, DAY), HouseSettings())
    rows = {(sheet.wager, row.outcome): row.pays[0] for sheet in card.pays for row in sheet.win_rows}
    text = " ".join(line.text for chapter in card.guide for line in chapter.lines)
    return Reader(text, rows, " ".join(note for sheet in card.pays for note in sheet.notes))


def by_rules(written: dict[str, Any]) -> dict[str, int]:
    seats = [{"wagers": dict.fromkeys(Order(written["game"], DAY).offered, STAKE), **seat} for seat in written["seats"]]
    sheet = settle_finished(msgspec.convert({**written, "seats": seats}, FinishedRound))
    return {line["wager"]: line["net"] for line in sheet["seats"][0]["lines"]}


def by_card(card: Reader, written: dict[str, Any]) -> dict[str, int]:
    return READERS.get(written["game"], twenty_one)(card, written["seats"][0], written["dealer"])


@pytest.mark.parametrize("written", ROUNDS, ids=lambda each: each["game"])
def test_the_reader_of_the_card_settles_as_the_rules_do(written: dict[str, Any]) -> None:
    assert by_card(card_of(written["game"]), written) == by_rules(written)


UNTRUE = [
    (
        "fu-bacc",
        "total of 6 or more the dealer stands; on 5 or less",
        "total of 5 or more the dealer stands; on 4 or less",
    ),
    ("fu-bacc", "on 5 or less the dealer takes", "on 6 or less the dealer takes"),
    ("fu-bacc", "Tens, jacks, queens and kings are monkeys", "Jacks, queens and kings are monkeys"),
    ("fu-bacc", "the Ante loses and the Play is returned", "both are returned"),
    ("fu-bacc", "the Tie pays 7 to 1", "the Tie pays 8 to 1"),
    ("fu-bacc", "pays 2 to 1 with 9", "pays 3 to 1 with 9"),
    ("lucky-break", "must not be above 27", "must not be above 30"),
    ("lucky-break", "added to it, ", ""),
    ("lucky-lucky", "the dealer's up card make", "the dealer's hole card make"),
    ("acey-deucey-21", "Equal: your second card decides. Higher", "Equal: it loses half. Higher"),
    ("acey-deucey-21", "otherwise the wager is returned", "otherwise the wager loses"),
    ("spanish-poker", "flush, full house, straight, three", "full house, flush, three of a kind, straight, three"),
    ("spanish-poker", "If it does not, your Ante pays 1 to 1 and", "If it does not, your Ante and"),
    ("spanish-poker", "the 7 is next to the jack", "the ace is also low"),
    ("spanish-poker", "7 to 1 if the joker", "8 to 1 if the joker"),
]


@pytest.mark.parametrize(("name", "true", "untrue"), UNTRUE, ids=lambda each: each[:24])
def test_an_untrue_card_settles_some_round_otherwise(name: str, true: str, untrue: str) -> None:
    card = card_of(name)
    assert true in card.text
    card.text = card.text.replace(true, untrue)
    rounds = [written for written in ROUNDS if written["game"] == name]
    assert not all(_settles(card, written) for written in rounds)


def _settles(card: Reader, written: dict[str, Any]) -> bool:
    try:
        return by_card(card, written) == by_rules(written)
    except (Unsaid, KeyError, ValueError):
        return False
