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

    def agreed(self, words: str, wager: str, outcome: str, stake: int = STAKE) -> int:
        """What a sentence says of an outcome, which has to be what its table pays."""
        if on(words, stake) != self.pay(wager, outcome, stake):
            raise Unsaid(f"{outcome}: {words} in the sentence, another pay in the table")
        return on(words, stake)


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
        nets["ante"] = card.agreed({9: nine, 8: eight}[mine], "ante", f"natural {mine}")
    elif choice == "rescue":
        rank, pays = card.says(
            r"two monkeys against a dealer's (\d) you may end the hand, and the Ante pays (\d+ to \d+)"
        )
        assert monkeys
        assert up == int(rank)
        nets["ante"] = card.agreed(pays, "ante", "Monkey Monkey Rescue")
    else:
        (times,) = card.says("put down a Play wager of exactly (twice) the Ante")
        play = {"twice": 2}[times] * STAKE
        ante, won = card.says(
            r"Your total is higher than the dealer's: the Ante pays (\d+ to \d+) and the Play pays (\d+ to \d+)"
        )
        card.says("The dealer's total is higher: the Ante loses and the Play loses")
        card.says("Equal totals: the Ante loses and the Play is returned")
        nets["ante"] = card.agreed(ante, "ante", "player higher") if mine > dealer else -STAKE
        won_play, tied = card.agreed(won, "play", "player higher", play), card.pay("play", "equal totals", play)
        nets["play"] = won_play if mine > dealer else tied if mine == dealer else -play
    if choice in ("fold", "bonus", "rescue"):
        card.says(
            "If you fold, take a natural's bonus or take the rescue, the Tie stays in action on your first two cards"
        )
    (seven,) = card.says(
        r"Your final total equals the dealer's: the Tie pays (\d+ to \d+). Any other result: the Tie loses"
    )
    nets["tie"] = card.agreed(seven, "tie", "equal totals") if mine == dealer else -STAKE
    card.says("wins with two monkeys as your first two cards and pays by the points of the dealer's up card")
    against = {6: "a 6", 7: "a 7", 8: "an 8", 9: "a 9"}.get(up, "0 to 5")
    nets["lucky-monkey"] = card.pay("lucky-monkey", f"two monkeys against {against}") if monkeys else -STAKE
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
    card.says("Your total is over 21, which loses at once, or lower than the dealer's: the wager loses")
    mine_natural, dealer_natural = (len(hand) == 2 and count_21(card, hand) == 21 for hand in (own, dealer))
    if mine_natural or dealer_natural:
        card.says("Against a dealer blackjack any other hand loses")
        (pays,) = card.says(
            r"Your blackjack pays (\d+ to \d+), unless the dealer has one too: then the wager is returned"
        )
        card.agreed(pays, "blackjack", "blackjack")
        outcome = (
            "blackjack on both sides" if mine_natural and dealer_natural else "blackjack" if mine_natural else "lost"
        )
    elif mine > 21:
        outcome = "lost"
    else:
        (pays,) = card.says(r"higher than the dealer's, or the dealer goes over 21: the wager pays (\d+ to \d+)")
        card.agreed(pays, "blackjack", "player higher")
        card.says("Equal totals: the wager is returned")
        outcome = "dealer over 21" if theirs > 21 else "player higher" if mine > theirs else "equal totals"
        if mine < theirs <= 21:
            outcome = "lost"
    nets = {"blackjack": card.pay("blackjack", outcome)}
    if stake := seat.get("insurance", 0):
        (pays,) = card.says(r"Insurance pays (\d+ to \d+) if the dealer has a blackjack and loses if not")
        insured = card.agreed(pays, "insurance", "dealer has a blackjack", stake)
        nets["insurance"] = insured if dealer_natural else -stake
    offered = {wager for wager, _ in card.rows}
    nets |= lucky_break(card, own, dealer) if "lucky-break" in offered else {}
    for wager, settle in (("lucky-lucky", lucky_lucky), ("war", war), ("acey-deucey", acey)):
        nets |= settle(card, seat, house["up"]) if wager in offered else {}
    return nets


def lucky_break(card: Reader, own: list[str], dealer: list[str]) -> dict[str, int]:
    card.says("It wins when the dealer's hand goes over 21, and pays by the dealer's total")
    card.says("It loses when the dealer ends on 21 or less")
    card.says("It loses against a dealer blackjack, whatever you hold")
    limit, again = card.says(r"total must not be above (\d+): a bust hand still wins up to (\d+) and loses above it")
    assert limit == again
    card.says("Once over 21, aces count 1")
    theirs = count_21(card, dealer)
    if theirs <= 21 or count_21(card, own) > int(limit):
        return {"lucky-break": -STAKE}
    base = card.pay("lucky-break", f"dealer on {theirs}")
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
    card.says("A suited 7-7-7 is the highest award")
    card.says("It loses with 18 or less and with more than 21")
    card.says("Suited means all three of one suit. Only the highest award is paid")
    is_suited = len({code[1] for code in three}) == 1
    names = [
        *([f"suited {run}"] if is_suited else []),
        run,
        *([f"suited total of {total}"] if is_suited else []),
        f"total of {total}",
    ]
    return {"lucky-lucky": max(card.pay("lucky-lucky", name) for name in names)}


def war(card: Reader, seat: dict[str, Any], up_card: str) -> dict[str, int]:
    card.says("Your first card against the dealer's up card, two lowest and ace highest")
    first, second, up = (ORDER.index(code[0]) for code in (*seat["cards"], up_card))
    if first != up:
        (pays,) = card.says(r"ace highest. Higher: it pays (\d+ to \d+). Lower: it loses")
        return {"war": card.agreed(pays, "war", "first card higher") if first > up else -STAKE}
    (pays,) = card.says(
        r"Equal: your second card decides. Higher than the up card: it pays (\d+ to \d+); equal or lower: it"
    )
    return {"war": card.agreed(pays, "war", "second card higher") if second > up else -STAKE}


def acey(card: Reader, seat: dict[str, Any], up_card: str) -> dict[str, int]:
    card.says("For this wager the two is lowest and the ace highest")
    three = [*seat["cards"], up_card]
    low, high = sorted(ORDER.index(code[0]) for code in seat["cards"])
    up, suited = ORDER.index(up_card[0]), " suited" * (len({code[1] for code in three}) == 1)
    if low == high:
        card.says("A pair wins if the up card makes three of a kind; otherwise the wager is returned")
        card.says("A pair may be raised as well; the raise is returned if no third card of the rank comes")
        card.says(
            r"Three of a kind all of one suit pays suited\. .*A raise on three of a kind all of one suit pays suited"
        )
        outcome = f"three of a kind{suited}" if up == low else "pair without a third"
    else:
        card.says("It wins if the dealer's up card ranks between your two cards")
        card.says("It pays by the spread, the number of ranks between your cards")
        card.says("If your two cards and the up card are all of one suit, it pays suited")
        card.says("It loses if the up card equals one of yours or lies outside; neighbours such as 7-8 always lose")
        spread = high - low - 1
        outcome = f"spread {spread if spread < 3 else '3-11'}{suited}" if low < up < high else "lost"
    card.says("The raise wins, loses and is paid like that wager")
    raised = {"raise": card.pay("acey-deucey", outcome, seat["raise"])} if "raise" in seat else {}
    return {"acey-deucey": card.pay("acey-deucey", outcome), **raised}


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
    name, (times,) = poker.kinds[mine[0]], card.says("With an Ante you raise by exactly (twice) the Ante or fold")
    stake = {"twice": 2}[times] * STAKE
    (least,) = card.says(r"The house qualifies with a pair of (\w+) or better")
    card.says("If it does not, your Ante pays 1 to 1 and your Raise is returned, whatever you hold")
    card.says("Your hand beats a qualified house: the Raise pays 1 to 1, and the Ante pays by your hand")
    card.says("A qualified house beats you: the Ante loses and the Raise loses")
    card.says("Equal hands against a qualified house: the Ante is returned and the Raise is returned")
    qualified = theirs >= (poker.kinds.index("pair"), [poker.ranks.index({"sixes": "6"}[least])])
    outcome = (
        "house does not qualify"
        if not qualified
        else "equal hands"
        if mine == theirs
        else name
        if mine > theirs
        else "lost"
    )
    raised = "player better" if outcome == name else outcome
    nets = {"ante": card.pay("ante", outcome), "raise": card.pay("raise", raised, stake)}
    if seat["choice"] == "fold":
        card.says("A folded Ante loses")
        nets = {"ante": -STAKE}
    card.says("It wins with two pair or better and pays by your hand, whatever the house holds")
    (pays,) = card.says(r"It pays (\d+ to \d+) if the joker is among your five cards and loses if not")
    return nets | {
        "dos-pares": card.pay("dos-pares", name),
        "joker-in-hand": card.agreed(pays, "joker-in-hand", "joker in the hand") if "Jo" in seat["cards"] else -STAKE,
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


def house_21(up: str, hole: str, *draws: str) -> dict[str, Any]:
    return {"up": up, "hole": hole, "draws": list(draws)}


def round_of(game: str, house: dict[str, Any], held: str, **more: Any) -> dict[str, Any]:
    return {"game": game, "dealer": house, "seats": [{"cards": held.split(), **more}]}


EVERY_ROW: list[dict[str, Any]] = [  # with the rounds above, every row of every pay table
    *(
        round_of("fu-bacc", {"up": up, "hole": "Kd", "third": "5h"}, held, third="8c", choice=choice)
        for up, held, choice in (
            ("6s", "3h 5d", "bonus"), ("8s", "Th Qd", "stay"), ("7s", "Jh Qd", "fold"), ("6s", "Jh Qd", "stay"),
            ("5s", "Jh Qd", "stay"), ("4s", "Jh 9d", "stay"),
        )
    ),
    *(
        round_of(game, house_21(*dealer.split()), held, **more)
        for game in ("lucky-break", "lucky-lucky", "acey-deucey-21")
        for dealer, held, more in (
            ("6h Kd 6c", "Ks 9d", {}), ("6h Kd 7c", "Ks 9d", {}), ("6h Kd 8c", "Ks 9d", {}), ("6h Kd Tc", "Ks 9d", {}),
            ("4h 5h 6h Th", "Ks 9d", {}), ("2h 3h 4h 7h Th", "Ks 9d", {}), ("9h Kd", "Ks Ad", {}),
            ("Ah Kd", "As Td", {"insurance": 500}), ("Ah 9d", "Ks Td", {"insurance": 500}),
        )
    ),
    *(
        round_of("lucky-lucky", house_21(up, "Kd"), held)
        for up, held in (
            ("7h", "7h 7h"), ("7h", "7h 7d"), ("8h", "6h 7d"), ("8h", "9h 4h"), ("8h", "9h 4d"), ("8h", "9h 3d"),
            ("8h", "9h 2d"), ("8h", "As Kd"), ("7h", "8s 9d"), ("7h", "8s 2d"),
        )
    ),
    *(
        round_of("acey-deucey-21", house_21(up, "9c"), held, **{"raise": 1000})
        for up, held in (
            ("8h", "7h 9h"), ("8h", "7h 9d"), ("8h", "7h Th"), ("8h", "7h Td"), ("8s", "Kh 7d"), ("8h", "8h 8h"),
            ("8s", "8h 8d"), ("8s", "Kh Kd"), ("8s", "7h 6d"), ("8s", "As Kd"), ("9s", "Jd 7c"), ("Ks", "5d 6c"),
        )
    ),
    *(
        round_of("spanish-poker", {"cards": house.split()}, held, choice="raise")
        for house, held in (
            *(
                ("6c 6d 2h 3s 5c", held)
                for held in (
                    "As Ah Ad Ac Jo", "7h Jh Qh Kh Jo", "2s 4s 5s 6s Jo", "As Ah Ad Kc Jo", "As 4s 7s Js Jo",
                    "As Ah Kd Kc Jo", "2c 3d 4h 5s Jo", "As Ah Kd Qc Jo", "As Ah Kd Kc 2s", "As Ah Kd Qc 2s",
                )
            ),
            ("6c 6d Kh Qs Jc", "6h 6s Kd Qc Jd"), ("6c 6d 2h 3s 5c", "5h 5d Ks Qc Jd"),
        )
    ),
]  # fmt: skip
ALL_ROUNDS = [*ROUNDS, *EVERY_ROW]


@pytest.mark.parametrize("written", ALL_ROUNDS, ids=lambda each: each["game"])
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
    (
        "lucky-break",
        "must not be above 27: a bust hand still wins up to 27",
        "must not be above 30: a bust hand still wins up to 30",
    ),
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
    rounds = [written for written in ALL_ROUNDS if written["game"] == name]
    assert not all(_comes_to(card, written, by_rules(written)) for written in rounds)


def _comes_to(card: Reader, written: dict[str, Any], nets: dict[str, int]) -> bool:
    try:
        return by_card(card, written) == nets
    except (Unsaid, AssertionError, KeyError, ValueError):
        return False


@pytest.mark.parametrize("name", sorted({written["game"] for written in ALL_ROUNDS}))
def test_every_deciding_sentence_and_every_pay_of_the_card_is_needed(name: str) -> None:
    """Without one of its sentences, or with one pay that is another, the card settles some round otherwise."""
    card, rounds = card_of(name), [written for written in ALL_ROUNDS if written["game"] == name]
    by_rule = [by_rules(written) for written in rounds]
    chapters = posting(Order(name, DAY), HouseSettings()).guide
    for line in (line for chapter in chapters for line in chapter.lines if line.decides):
        lacking = Reader(card.text.replace(line.text, ""), card.rows, card.notes)
        assert not all(map(_comes_to, [lacking] * len(rounds), rounds, by_rule)), line.text
    for row, pay in card.rows.items():
        other = {**card.rows, row: "9 to 1" if pay == "push" else str(Odds.parse(pay) + Odds(1, 1))}
        changed = Reader(card.text, other, card.notes)
        assert not all(map(_comes_to, [changed] * len(rounds), rounds, by_rule)), row
