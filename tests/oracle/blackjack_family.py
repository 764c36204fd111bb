"""Acey Deucey 21, Lucky Break and Lucky Lucky settled a second time, straight from AD, LB, LL and BJ.

The three games share a blackjack hand and its dealer; what each adds are bonus wagers of its own.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.oracle import plain
from tests.oracle.plain import Line, Round

GAMES = {
    "acey-deucey-21": ["acey-deucey", "war"],
    "lucky-break": ["lucky-break"],
    "lucky-lucky": ["lucky-lucky", "lucky-break"],
}
BLACKJACK_OPTIONS: dict[str, list[Any]] = {  # first value = default
    "breakage": ["down", "up"],
    "soft17": ["stand", "hit"],
    "blackjack-pays": ["3:2", "6:5"],
    "double": ["any", "9-11", "10-11"],
    "double-after-split": [True, False],
    "max-hands": [4, 3, 2, 1],
    "resplit-aces": [False, True],
    "hit-split-aces": [False, True],
    "surrender": ["none", "late"],
    "peek": [True, False],
    "split-on": ["value", "rank"],
    "no-peek-loss": ["all", "original"],
}
LUCKY_BREAK_OPTIONS: dict[str, list[Any]] = {
    "lucky-break.multiplier": ["added", "replaces"],
    "lucky-break.player-limit": [27, 26, "none"],  # default 26 in lucky-lucky
    "lucky-break.split-limit": ["any", "all"],
    "lucky-break.surrender": ["stays", "loses"],
}
OPTIONS: dict[str, dict[str, list[Any]]] = {
    "acey-deucey-21": {**BLACKJACK_OPTIONS, "acey-deucey-21.bonus-alone": [False, True]},
    "lucky-break": {**BLACKJACK_OPTIONS, **LUCKY_BREAK_OPTIONS},
    "lucky-lucky": {
        **BLACKJACK_OPTIONS,
        **LUCKY_BREAK_OPTIONS,
        "lucky-break.player-limit": [26, 27, "none"],
    },
}
PAY_TABLES = {
    "acey-deucey": ["1", "2", "3", "1B", "2B", "3B"],
    "war": ["1", "2"],
    "lucky-break": ["1", "2", "3", "4"],
    "lucky-lucky": ["1", "2", "3"],
}


def option(doc: Round, name: str) -> Any:
    """This table's value of an option."""
    return doc.get("options", {}).get(name, OPTIONS[doc["game"]][name][0])


def decks_of(doc: Round) -> int:
    """How many decks are in the shoe; six unless the round says otherwise."""
    decks: int = doc.get("options", {}).get("decks", 6)
    return decks


def table(doc: Round, wager: str) -> str:
    """Which pay table a wager follows."""
    name: str = doc.get("pay_tables", {}).get(wager, "1")
    return name


# --- the blackjack hand -----------------------------------------------------------------------------------


def pips(card: str) -> int:
    """Ace 1, tens and pictures 10."""
    return 1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def hard_total(cards: list[str]) -> int:
    """Every ace counted low."""
    return sum(pips(card) for card in cards)


def is_soft(cards: list[str]) -> bool:
    """An ace may count 11 without going over 21."""
    return any(card[0] == "A" for card in cards) and hard_total(cards) + 10 <= 21


def best_total(cards: list[str]) -> int:
    """The best total not over 21; over 21 the aces are counted low."""
    return hard_total(cards) + (10 if is_soft(cards) else 0)


def is_bust(cards: list[str]) -> bool:
    """Over 21 with every ace low."""
    return hard_total(cards) > 21


def is_two_card_21(cards: list[str]) -> bool:
    """Ace and ten-value; it is a blackjack only as the first two cards of an unsplit hand (BJ.4)."""
    return len(cards) == 2 and best_total(cards) == 21


def splittable(doc: Round, one: str, other: str) -> bool:
    """BJ.4: equal value, or equal rank where the house says so."""
    return one[0] == other[0] if option(doc, "split-on") == "rank" else pips(one) == pips(other)


def hands_of(seat: dict[str, Any]) -> list[dict[str, Any]]:
    """The seat's blackjack hands; absent means that the two cards stood."""
    hands: list[dict[str, Any]] = seat.get("hands") or [{"cards": seat["cards"]}]
    return hands


def has_blackjack(seat: dict[str, Any]) -> bool:
    """BJ.4: ace and ten-value as the first two cards of an unsplit hand."""
    hands = hands_of(seat)
    return len(hands) == 1 and is_two_card_21(hands[0]["cards"])


# --- the dealer -------------------------------------------------------------------------------------------


def dealer_has_blackjack(doc: Round) -> bool:
    """An ace and a ten-value, either of them up."""
    return is_two_card_21([doc["dealer"]["up"], doc["dealer"]["hole"]])


def dealer_must_draw_at_all(doc: Round) -> bool:
    """BJ.5, LB.4: somebody still waits for the dealer's hand."""
    if dealer_has_blackjack(doc):
        return False
    for seat in doc["seats"]:
        if "blackjack" not in seat["wagers"]:
            continue
        hands = hands_of(seat)
        if not has_blackjack(seat) and any(not is_bust(h["cards"]) and not h.get("surrendered") for h in hands):
            return True
        if "lucky-break" in seat["wagers"] or "lucky-break" in seat.get("tokes", {}):
            # Bust, paid, surrendered or above the limit: it stays in action, unless a surrender ends it.
            gone = any(h.get("surrendered") for h in hands) and option(doc, "lucky-break.surrender") == "loses"
            if not gone:
                return True
    return False


def dealer_draws_again(doc: Round, cards: list[str]) -> bool:
    """Hits 16 or less, stands on 17 or more, and does with a soft 17 what the table says."""
    if best_total(cards) == 17 and is_soft(cards):
        return bool(option(doc, "soft17") == "hit")
    return best_total(cards) < 17


def play_dealer(doc: Round, next_card: Callable[[], str]) -> None:
    """Give the dealer exactly the cards that BJ.5 and LB.4 require."""
    doc["dealer"]["draws"] = []
    if dealer_must_draw_at_all(doc):
        while dealer_draws_again(doc, dealer_cards(doc)):
            doc["dealer"]["draws"].append(next_card())


def dealer_cards(doc: Round) -> list[str]:
    """The dealer's finished hand."""
    return [doc["dealer"]["up"], doc["dealer"]["hole"], *doc["dealer"].get("draws", [])]


# --- settling the blackjack wager -------------------------------------------------------------------------


def staked(seat: dict[str, Any], hand: dict[str, Any]) -> int:
    """The money on one hand."""
    wager: int = seat["wagers"]["blackjack"]
    return 2 * wager if hand.get("doubled") else wager


def blackjack_net(doc: Round, seat: dict[str, Any]) -> int:
    """All hands of one seat together."""
    wager, hands = seat["wagers"]["blackjack"], hands_of(seat)
    breakage = option(doc, "breakage")
    if dealer_has_blackjack(doc):
        if has_blackjack(seat):
            return 0
        if option(doc, "peek") or option(doc, "no-peek-loss") == "all":
            return -sum(staked(seat, hand) for hand in hands)
        # no-peek-loss = original. A hand that broke lost its wagers when it broke; of what was still on the
        # table the dealer's blackjack takes one original wager, and the rest goes back.
        busted = sum(staked(seat, hand) for hand in hands if is_bust(hand["cards"]))
        return -busted - (wager if any(not is_bust(hand["cards"]) for hand in hands) else 0)
    if hands[0].get("surrendered"):
        return plain.half_lost(wager, breakage)
    if has_blackjack(seat):
        odds = Fraction(3, 2) if option(doc, "blackjack-pays") == "3:2" else Fraction(6, 5)
        return plain.gets(wager * odds, breakage)
    net = 0
    house = dealer_cards(doc)
    for hand in hands:
        stake = staked(seat, hand)
        if is_bust(hand["cards"]):
            net -= stake
        elif is_bust(house) or best_total(hand["cards"]) > best_total(house):
            net += stake
        elif best_total(hand["cards"]) < best_total(house):
            net -= stake
    return net


def blackjack_lines(doc: Round, seat: dict[str, Any]) -> list[Line]:
    """The blackjack wager with everything on its hands, and the insurance."""
    wagered = sum(staked(seat, hand) for hand in hands_of(seat))
    lines = [plain.line("blackjack", wagered, blackjack_net(doc, seat))]
    if seat.get("insurance"):  # 2 to 1
        insured = seat["insurance"]
        lines.append(plain.line("insurance", insured, 2 * insured if dealer_has_blackjack(doc) else -insured))
    return lines


# --- settling the bonus wagers ----------------------------------------------------------------------------


def bonus_rank(card: str) -> int:
    """AD.3: 2 is low, the ace is high."""
    return plain.RANKS.index(card[0])


def war_net(doc: Round, seat: dict[str, Any]) -> int:
    """AD.4, AD.5."""
    wagered: int = seat["wagers"]["war"]
    first, second = (bonus_rank(card) for card in seat["cards"])
    up = bonus_rank(doc["dealer"]["up"])
    if first == up:
        if table(doc, "war") == "2":
            return plain.half_lost(wagered, option(doc, "breakage"))
        return wagered if second > up else -wagered
    return wagered if first > up else -wagered


def acey_deucey_odds(cards: list[str], up: str, name: str) -> int:
    """AD.9 to AD.12: what each unit wins: the odds, 0 for a push, -1 for a loss."""
    low, high = sorted(bonus_rank(card) for card in cards)
    middle = bonus_rank(up)
    suited = len({card[1] for card in [*cards, up]}) == 1
    number = name[0]  # 1B pays like 1
    if low == high:
        if middle != low:
            return 0
        return {"1": 30, "2": 25, "3": 30}[number] if suited else 6
    if not low < middle < high:
        return -1
    spread = high - low - 1
    if spread == 1:
        return {"1": 30, "2": 25, "3": 30}[number] if suited else 6
    if spread == 2 and number in "12":
        return 10 if suited else 2
    return 5 if suited else 1


def lucky_lucky_odds(cards: list[str], name: str, decks: int) -> int:
    """LL.2 to LL.4: the highest-paying row that three cards fit, -1 where they fit none."""
    at = "123".index(name)
    suited = len({card[1] for card in cards}) == 1
    ranks = "".join(sorted(card[0] for card in cards))
    total = best_total(cards)
    fits = [-1]
    if ranks == "777":
        fits.append(50)
        if suited and decks >= 3:
            fits.append(200)
    if ranks == "678":
        fits.append(100 if suited else 30)
    if total == 21:
        fits.append([10, 15, 10][at] if suited else 3)
    if total == 20:
        fits.append(2)
    if total == 19:
        fits.append([2, 1, 1][at])
    return max(fits)


def lucky_break_odds(doc: Round, seat: dict[str, Any]) -> int:
    """LB.2 to LB.9, LB.12, LB.13: the odds, or -1 for a loss."""
    hands, house = hands_of(seat), dealer_cards(doc)
    if dealer_has_blackjack(doc):
        return -1
    if hands[0].get("surrendered") and option(doc, "lucky-break.surrender") == "loses":
        return -1
    if not is_bust(house):
        return -1
    limit = option(doc, "lucky-break.player-limit")
    within = [limit == "none" or best_total(hand["cards"]) <= limit for hand in hands]
    passes = all(within) if option(doc, "lucky-break.split-limit") == "all" else any(within)
    if not passes:
        return -1
    name = table(doc, "lucky-break")
    base = {26: 3, 25: 3 if name in "12" else 2, 24: 2, 23: 2, 22: 1}[hard_total(house)]
    if len({card[1] for card in house}) > 1:
        return base
    multiplier = {
        "1": {3: 2, 4: 10, 5: 50},
        "2": {3: 2, 4: 10, 5: 100},
        "3": {3: 5, 4: 10, 5: 25},
        "4": {3: 2, 4: 10, 5: 50},
    }[name][min(len(house), 5)]
    return base * multiplier + (base if option(doc, "lucky-break.multiplier") == "added" else 0)


def bonus_lines(doc: Round, seat: dict[str, Any], wagers: dict[str, int]) -> list[Line]:
    """The bonus wagers of a seat, or its tokes: both are paid alike (LB.10, LL.7)."""
    lines = []
    up = doc["dealer"]["up"]
    if "acey-deucey" in wagers:
        odds = acey_deucey_odds(seat["cards"], up, table(doc, "acey-deucey"))
        lines.append(plain.line("acey-deucey", wagers["acey-deucey"], odds * wagers["acey-deucey"]))
        if seat.get("raise"):
            lines.append(plain.line("raise", seat["raise"], odds * seat["raise"]))
    if "war" in wagers:
        lines.append(plain.line("war", wagers["war"], war_net(doc, seat)))
    if "lucky-lucky" in wagers:
        odds = lucky_lucky_odds([*seat["cards"], up], table(doc, "lucky-lucky"), decks_of(doc))
        lines.append(plain.line("lucky-lucky", wagers["lucky-lucky"], odds * wagers["lucky-lucky"]))
    if "lucky-break" in wagers:
        odds = lucky_break_odds(doc, seat)
        lines.append(plain.line("lucky-break", wagers["lucky-break"], odds * wagers["lucky-break"]))
    return lines


def seat_lines(doc: Round, seat: dict[str, Any]) -> list[Line]:
    """Every wager of one spot."""
    lines = blackjack_lines(doc, seat) if "blackjack" in seat["wagers"] else []
    lines += bonus_lines(doc, seat, seat["wagers"])
    lines += [{**x, "toke": True} for x in bonus_lines(doc, seat, seat.get("tokes", {}))]
    return lines


def expected(doc: Round) -> dict[str, Any]:
    """The whole round."""
    settlement = {"seats": [plain.seat_sums(seat_lines(doc, seat)) for seat in doc["seats"]]}
    return plain.voided(settlement) if "void" in doc else settlement


# --- legal rounds -----------------------------------------------------------------------------------------


def may_split(doc: Round, hands: list[dict[str, Any]], cards: list[str]) -> bool:
    """BJ.1, BJ.4: two equal cards and a hand to spare; split aces again only where the house allows it."""
    if len(cards) != 2 or not splittable(doc, *cards) or len(hands) >= option(doc, "max-hands"):
        return False
    return len(hands) == 1 or cards[0][0] != "A" or option(doc, "resplit-aces")


def may_double(doc: Round, cards: list[str], split: bool) -> bool:
    """BJ.1, BJ.4: two cards, a total the house allows, after a split only where it allows that too.

    Doubling a two-card 21 is left out: RULES.md does not say.
    """
    if len(cards) != 2 or best_total(cards) == 21:
        return False
    if split and not option(doc, "double-after-split"):
        return False
    if split and cards[0][0] == "A" and not option(doc, "hit-split-aces"):
        return False
    lowest = {"any": 0, "9-11": 9, "10-11": 10}[option(doc, "double")]
    return lowest == 0 or lowest <= best_total(cards) <= 11


def may_hit(doc: Round, cards: list[str], split: bool) -> bool:
    """BJ.4: split aces take one card unless the house lets them hit. A 21 stands: no clause speaks of it."""
    if split and cards[0][0] == "A" and not option(doc, "hit-split-aces"):
        return False
    return best_total(cards) < 21 and not is_bust(cards)


def play_seat(rng: random.Random, doc: Round, seat: dict[str, Any], shoe: list[str]) -> list[dict[str, Any]]:
    """One seat's blackjack hands, played at random within the rules, from left to right."""
    hands: list[dict[str, Any]] = [{"cards": list(seat["cards"]), "doubled": False, "surrendered": False}]
    if is_two_card_21(seat["cards"]) or (option(doc, "peek") and dealer_has_blackjack(doc)):
        return hands
    if option(doc, "surrender") == "late" and rng.random() < 0.15:
        hands[0]["surrendered"] = True
        return hands
    eager = rng.choice([0.15, 0.4, 0.8])  # how gladly it hits a good total
    at = 0
    while at < len(hands):
        cards = hands[at]["cards"]
        if len(cards) == 1:
            cards.append(shoe.pop())
        if may_split(doc, hands, cards) and rng.random() < 0.75:
            hands.insert(at + 1, {"cards": [cards.pop()], "doubled": False, "surrendered": False})
            continue
        split = len(hands) > 1
        if may_double(doc, cards, split) and rng.random() < 0.25:
            hands[at]["doubled"] = True
            cards.append(shoe.pop())
        else:
            while may_hit(doc, cards, split):
                total = best_total(cards)
                if rng.random() > (0.9 if total <= 11 else 0.6 if total <= 16 else eager):
                    break
                cards.append(shoe.pop())
        at += 1
    if len(hands) > 2 and rng.random() < 0.5:
        # The same hands listed in the order they came into being: the second of the pair before later ones.
        hands.insert(1, hands.pop())
    return hands


def random_wagers(rng: random.Random, doc: Round, offered: list[str]) -> dict[str, int]:
    """What one spot wagers: the blackjack wager, or at Acey Deucey 21 the bonus wagers alone (AD.15)."""
    wagers = {}
    alone = doc["game"] == "acey-deucey-21" and option(doc, "acey-deucey-21.bonus-alone") and rng.random() < 0.4
    if not alone:
        wagers["blackjack"] = plain.amount(rng)
    for bonus in offered:
        if rng.random() < 0.7:
            wagers[bonus] = plain.amount(rng, least=100 if bonus == "acey-deucey" else 1)
    return wagers or {"acey-deucey": plain.amount(rng, least=100)}


def some_raise(rng: random.Random, doc: Round, seat: dict[str, Any]) -> int:
    """AD.8, AD.12: nothing, or from $1 up to twice the Ante; no pair is raised on the B tables."""
    pair = seat["cards"][0][0] == seat["cards"][1][0]
    if rng.random() < 0.4 or (pair and table(doc, "acey-deucey").endswith("B")):
        return 0
    ante = seat["wagers"]["acey-deucey"]
    return rng.choice([100, ante, 2 * ante, rng.randint(100, 2 * ante)])


def random_round(rng: random.Random, game: str | None = None) -> Round:
    """A finished round in which everything is in order."""
    while True:
        try:
            return deal_round(rng, game or rng.choice(list(GAMES)))
        except IndexError:  # the shoe ran out in the middle of the round: deal another
            continue


def deal_round(rng: random.Random, game: str) -> Round:
    """Deal and play one round from a shuffled shoe."""
    doc: Round = {
        "game": game,
        "pay_tables": {},
        "options": plain.some_options(rng, OPTIONS[game]),
        "seats": [],
    }
    options = doc["options"]
    if rng.random() < 0.7:
        options["decks"] = rng.choice([1, 1, 2, 2, 3, 4, 5, 6, 7, 8])
    offered = list(GAMES[game])
    if game != "lucky-break" and rng.random() < 0.3:
        if rng.random() < 0.5:
            offered.pop()  # War and Lucky Break may be absent
        options["offers"] = ["blackjack", *offered]
    for bonus in offered:
        if rng.random() < 0.7:
            doc["pay_tables"][bonus] = rng.choice(PAY_TABLES[bonus])
    seats = rng.randint(1, 7) if rng.random() < 0.5 else rng.randint(1, 2)
    spots = 6
    if seats == 7 or rng.random() < 0.2:
        spots = options["spots"] = 7

    shoe = plain.shuffled(rng, plain.DECK * decks_of(doc))
    doc["seats"] = [{"wagers": random_wagers(rng, doc, offered), "cards": []} for _ in range(seats)]
    for _ in range(2):
        for seat in doc["seats"]:
            seat["cards"].append(shoe.pop())
    hole = shoe.pop()  # AD.7: face down first; the order is nothing to a settlement
    doc["dealer"] = {"up": shoe.pop(), "hole": hole, "draws": []}

    for seat in doc["seats"]:
        if "acey-deucey" in seat["wagers"]:
            raised = some_raise(rng, doc, seat)
            if raised or rng.random() < 0.5:
                seat["raise"] = raised
        if "blackjack" not in seat["wagers"]:
            continue
        wager = seat["wagers"]["blackjack"]
        if doc["dealer"]["up"][0] == "A" and wager >= 2 and rng.random() < 0.5:
            seat["insurance"] = rng.choice([wager // 2, rng.randint(1, wager // 2)])
        hands = play_seat(rng, doc, seat, shoe)
        as_dealt = len(hands) == 1 and len(hands[0]["cards"]) == 2 and not hands[0]["surrendered"]
        if not as_dealt or rng.random() < 0.5:
            seat["hands"] = hands
        tokes = {bonus: plain.amount(rng) for bonus in ("lucky-break", "lucky-lucky") if bonus in seat["wagers"]}
        if tokes and rng.random() < 0.2:
            seat["tokes"] = {bonus: cents for bonus, cents in tokes.items() if rng.random() < 0.7} or tokes

    play_dealer(doc, shoe.pop)
    plain.add_places(rng, doc, spots)
    plain.add_optional_extras(rng, doc)
    return doc


# --- rounds to be refused ---------------------------------------------------------------------------------


def seat_where(rng: random.Random, doc: Round, test: Any) -> dict[str, Any] | None:
    """A seat with a blackjack wager that satisfies a test, if there is one."""
    fitting = [seat for seat in doc["seats"] if "blackjack" in seat["wagers"] and test(seat)]
    return rng.choice(fitting) if fitting else None


def hand_where(rng: random.Random, doc: Round, test: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """A seat and a hand of it that satisfy a test; the hand is written out in full."""
    fitting = [
        (seat, at)
        for seat in doc["seats"]
        if "blackjack" in seat["wagers"]
        for at, hand in enumerate(hands_of(seat))
        if test(seat, hand)
    ]
    if not fitting:
        return None
    seat, at = rng.choice(fitting)
    seat["hands"] = copy.deepcopy(hands_of(seat))
    return seat, seat["hands"][at]


def dealt(doc: Round) -> Counter[str]:
    """Every card on the table, each counted once."""
    cards = Counter(dealer_cards(doc))
    for seat in doc["seats"]:
        hands = hands_of(seat) if "blackjack" in seat["wagers"] else [{"cards": seat["cards"]}]
        for hand in hands:
            cards.update(hand["cards"])
    return cards


def fresh(rng: random.Random, doc: Round) -> str:
    """A card that the shoe still holds."""
    used, decks = dealt(doc), decks_of(doc)
    return rng.choice([card for card in plain.DECK if used[card] < decks])


def redo_dealer(rng: random.Random, doc: Round) -> None:
    """Play the dealer's hand anew where a fault changed what it must do, so that it stays the only fault."""
    play_dealer(doc, lambda: fresh(rng, doc))


def too_many_of_one(rng: random.Random, doc: Round) -> str:
    """A shoe holds every card once per deck."""
    card, times = max(dealt(doc).items(), key=lambda item: item[1])
    if times >= 2:
        doc["options"]["decks"] = rng.randint(1, times - 1)
    elif decks_of(doc) == 1:
        doc["dealer"]["hole"] = rng.choice([doc["dealer"]["up"], doc["seats"][0]["cards"][0]])
    else:
        return ""
    return f"too many of a card, such as {card}, for {decks_of(doc)} decks"


def joker(rng: random.Random, doc: Round) -> str:
    """Standard decks have no joker."""
    doc["dealer"][rng.choice(["up", "hole"])] = "Jo"
    return "a joker in a standard deck"


def one_draw_too_many(rng: random.Random, doc: Round) -> str:
    """BJ.5, LB.4: the dealer takes no card more than required."""
    doc["dealer"]["draws"].append(fresh(rng, doc))
    return f"dealer {dealer_cards(doc)}: one card too many"


def one_draw_too_few(rng: random.Random, doc: Round) -> str:
    """BJ.5, LB.4: the dealer takes every card that is required."""
    if not doc["dealer"]["draws"]:
        return ""
    if rng.random() < 0.8:
        doc["dealer"]["draws"].pop()
    else:
        del doc["dealer"]["draws"]
    return f"dealer {dealer_cards(doc)}: a required card is missing"


def bad_draws(rng: random.Random, doc: Round) -> str:
    """The dealer's draws are a list of cards, even where there are none."""
    if doc["dealer"]["draws"]:
        return ""
    doc["dealer"]["draws"] = rng.choice([0, "", False, {}, "5h", 1])
    return f"draws {doc['dealer']['draws']!r}"


def soft17_other_way(rng: random.Random, doc: Round) -> str:  # noqa: ARG001
    """A soft 17 hit where the table stands, or stood on where it hits."""
    cards = dealer_cards(doc)
    if not doc["dealer"]["draws"] and not dealer_must_draw_at_all(doc):
        return ""
    if any(best_total(cards[:n]) == 17 and is_soft(cards[:n]) for n in range(2, len(cards) + 1)):
        doc["options"]["soft17"] = "hit" if option(doc, "soft17") == "stand" else "stand"
        return f"dealer {cards} with soft17 = {doc['options']['soft17']}"
    return ""


def missing_dealer_card(rng: random.Random, doc: Round) -> str:
    """The dealer has an up card and a hole card."""
    del doc["dealer"][rng.choice(["up", "hole"])]
    return "a dealer's card is missing"


def double_disallowed_total(rng: random.Random, doc: Round) -> str:
    """BJ.1: doubling limited to 9-11 or 10-11."""
    allowed = (9, 10, 11)
    found = hand_where(rng, doc, lambda _, h: h.get("doubled") and best_total(h["cards"][:2]) not in allowed)
    if not found:
        return ""
    doc["options"]["double"] = rng.choice(["9-11", "10-11"])
    return f"doubled on {found[1]['cards'][:2]} where only {doc['options']['double']} may"


def double_nine(rng: random.Random, doc: Round) -> str:
    """BJ.1: a nine may not be doubled where only 10-11 may."""
    found = hand_where(rng, doc, lambda _, hand: hand.get("doubled") and best_total(hand["cards"][:2]) == 9)
    if not found:
        return ""
    doc["options"]["double"] = "10-11"
    return f"doubled on {found[1]['cards'][:2]} where only 10-11 may"


def double_wrong_length(rng: random.Random, doc: Round) -> str:
    """BJ.4: a doubled hand takes exactly one card."""
    found = hand_where(rng, doc, lambda _, hand: len(hand["cards"]) != 3)
    if not found:
        return ""
    found[1]["doubled"] = True
    return f"doubled hand of {len(found[1]['cards'])} cards"


def double_after_split(rng: random.Random, doc: Round) -> str:
    """BJ.1: no doubling after a split where the house does not allow it."""
    if not hand_where(rng, doc, lambda seat, hand: hand.get("doubled") and len(hands_of(seat)) > 1):
        return ""
    doc["options"]["double-after-split"] = False
    return "doubled after a split where that is not allowed"


def too_many_hands(rng: random.Random, doc: Round) -> str:
    """BJ.1: split to so many hands and no more."""
    seat = seat_where(rng, doc, lambda s: len(hands_of(s)) > 1)
    if not seat:
        return ""
    doc["options"]["max-hands"] = rng.randint(1, len(seat["hands"]) - 1)
    return f"{len(seat['hands'])} hands where {doc['options']['max-hands']} are allowed"


def five_hands(rng: random.Random, doc: Round) -> str:
    """BJ.1: four hands are the most at any table."""
    seat = seat_where(rng, doc, lambda s: len(hands_of(s)) == 4)
    if not seat:
        return ""
    like = [card for card in plain.DECK if card[0] == seat["cards"][0][0] and dealt(doc)[card] < decks_of(doc)]
    if not like:
        return ""
    seat["hands"].append({"cards": [rng.choice(like)], "doubled": False, "surrendered": False})
    seat["hands"][-1]["cards"].append(fresh(rng, doc))
    redo_dealer(rng, doc)
    return "five hands"


def resplit_aces(rng: random.Random, doc: Round) -> str:
    """BJ.1: aces split again where the house does not allow it."""
    seat = seat_where(rng, doc, lambda s: len(hands_of(s)) > 2 and s["cards"][0][0] == "A")
    if not seat:
        return ""
    doc["options"]["resplit-aces"] = False
    return "aces split again where that is not allowed"


def hit_split_aces(rng: random.Random, doc: Round) -> str:
    """BJ.4: split aces take one card only."""
    seat = seat_where(
        rng,
        doc,
        lambda s: (
            len(hands_of(s)) > 1 and s["cards"][0][0] == "A" and any(len(hand["cards"]) > 2 for hand in s["hands"])
        ),
    )
    if not seat:
        return ""
    doc["options"]["hit-split-aces"] = False
    return "split aces hit or doubled where that is not allowed"


def split_unequal(rng: random.Random, doc: Round) -> str:
    """BJ.4: only equal cards are split."""
    seat = seat_where(rng, doc, lambda s: pips(s["cards"][0]) != pips(s["cards"][1]))
    if not seat or (option(doc, "peek") and dealer_has_blackjack(doc)):
        return ""
    doc["options"].pop("max-hands", None)
    seat["hands"] = [{"cards": [card], "doubled": False, "surrendered": False} for card in seat["cards"]]
    for hand in seat["hands"]:
        hand["cards"].append(fresh(rng, doc))
    redo_dealer(rng, doc)
    return f"split of {seat['cards']}"


def split_unequal_rank(rng: random.Random, doc: Round) -> str:
    """BJ.4: where the house splits on rank, a ten and a king are no pair."""
    seat = seat_where(rng, doc, lambda s: len({hand["cards"][0][0] for hand in hands_of(s)}) > 1)
    if not seat:
        return ""
    doc["options"]["split-on"] = "rank"
    return f"split of {[hand['cards'][0] for hand in seat['hands']]} where rank decides"


def resplit_unequal(rng: random.Random, doc: Round) -> str:
    """BJ.4: every split hand begins with a card of the pair's value."""
    seat = seat_where(rng, doc, lambda s: len(hands_of(s)) == 2)
    if not seat or option(doc, "max-hands") < 3:
        return ""
    odd = fresh(rng, doc)
    if pips(odd) == pips(seat["cards"][0]):
        return ""
    seat["hands"].append({"cards": [odd], "doubled": False, "surrendered": False})
    seat["hands"][-1]["cards"].append(fresh(rng, doc))
    redo_dealer(rng, doc)
    return f"a third hand that begins with {odd}"


def one_card_hand(rng: random.Random, doc: Round) -> str:
    """Every split hand gets its second card."""
    found = hand_where(rng, doc, lambda seat, _: len(hands_of(seat)) > 1)
    if not found:
        return ""
    found[1]["cards"] = found[1]["cards"][:1]
    found[1]["doubled"] = False
    redo_dealer(rng, doc)
    return "a split hand of one card"


def surrender_not_offered(rng: random.Random, doc: Round) -> str:
    """BJ.1: no surrender where the house offers none."""
    if not hand_where(rng, doc, lambda _, hand: hand.get("surrendered")):
        return ""
    doc["options"]["surrender"] = "none"
    return "surrender where none is offered"


def surrender_too_late(rng: random.Random, doc: Round) -> str:
    """BJ.4: only the unsplit first two cards may surrender."""
    found = hand_where(rng, doc, lambda seat, hand: len(hand["cards"]) > 2 or len(hands_of(seat)) > 1)
    if not found:
        return ""
    doc["options"]["surrender"] = "late"
    found[1]["surrendered"] = True
    redo_dealer(rng, doc)
    return "surrender of a split hand or of more than two cards"


def after_the_check(rng: random.Random, doc: Round) -> str:
    """LB.11, BJ.4: the dealer checks first; a blackjack found then ends the round before any decision."""
    if not (option(doc, "peek") and dealer_has_blackjack(doc)):
        return ""
    seat = seat_where(rng, doc, lambda s: not is_two_card_21(s["cards"]))
    if not seat:
        return ""
    hand = {"cards": list(seat["cards"]), "doubled": False, "surrendered": False}
    seat["hands"] = [hand]
    kind = rng.randrange(3)
    if kind == 0:
        hand["cards"].append(fresh(rng, doc))
        return "a hit although the check found a blackjack"
    if kind == 1:
        doc["options"].pop("double", None)
        hand["cards"].append(fresh(rng, doc))
        hand["doubled"] = True
        return "a double although the check found a blackjack"
    doc["options"]["surrender"] = "late"
    hand["surrendered"] = True
    return "a surrender although the check found a blackjack"


def hit_after_bust(rng: random.Random, doc: Round) -> str:
    """A hand over 21 is finished."""
    found = hand_where(rng, doc, lambda _, hand: is_bust(hand["cards"]) and not hand.get("doubled"))
    if not found:
        return ""
    found[1]["cards"].append(fresh(rng, doc))
    return f"a card after the bust: {found[1]['cards']}"


def hit_blackjack(rng: random.Random, doc: Round) -> str:
    """LB.3: a blackjack is paid at once, its hand is over."""
    if dealer_has_blackjack(doc):
        return ""
    found = hand_where(rng, doc, lambda seat, _: has_blackjack(seat))
    if not found:
        return ""
    found[1]["cards"].append(fresh(rng, doc))
    redo_dealer(rng, doc)
    return f"a card drawn to a blackjack: {found[1]['cards']}"


def other_first_cards(rng: random.Random, doc: Round) -> str:
    """A hand begins with the seat's own cards."""
    found = hand_where(rng, doc, lambda seat, _: len(hands_of(seat)) == 1)
    if not found:
        return ""
    seat, hand = found
    other = fresh(rng, doc)
    if other in seat["cards"]:
        return ""
    hand["cards"][rng.randrange(2)] = other
    redo_dealer(rng, doc)
    return f"hand {hand['cards']} of a seat dealt {seat['cards']}"


def insurance_too_high(rng: random.Random, doc: Round) -> str:
    """BJ.4: at most half the blackjack wager."""
    if doc["dealer"]["up"][0] != "A":
        return ""
    seat = seat_where(rng, doc, lambda _: True)
    if not seat:
        return ""
    seat["insurance"] = seat["wagers"]["blackjack"] // 2 + rng.randint(1, 500)
    return f"insurance of {seat['insurance']} on {seat['wagers']['blackjack']}"


def insurance_without_ace(rng: random.Random, doc: Round) -> str:
    """BJ.4: insurance needs an ace up."""
    seat = seat_where(rng, doc, lambda s: s["wagers"]["blackjack"] >= 2)
    if not seat or doc["dealer"]["up"][0] == "A":
        return ""
    seat["insurance"] = rng.randint(1, seat["wagers"]["blackjack"] // 2)
    return f"insurance against {doc['dealer']['up']}"


def bad_insurance(rng: random.Random, doc: Round) -> str:
    """Insurance is a whole number of cents like any wager."""
    seat = seat_where(rng, doc, lambda s: s.get("insurance"))
    if not seat:
        return ""
    seat["insurance"] = rng.choice([-1, 0.5, "1", True, False, "", [], {}])
    return f"insurance of {seat['insurance']!r}"


def insurance_alone(rng: random.Random, doc: Round) -> str:
    """BJ.4: there must be a blackjack wager to insure."""
    if doc["dealer"]["up"][0] != "A":
        return ""
    seats = [seat for seat in doc["seats"] if "blackjack" not in seat["wagers"]]
    if not seats:
        return ""
    rng.choice(seats)["insurance"] = 1
    return "insurance without a blackjack wager"


def hands_alone(rng: random.Random, doc: Round) -> str:
    """AD.15: a seat with bonus wagers only has no hand to hit."""
    seats = [seat for seat in doc["seats"] if "blackjack" not in seat["wagers"]]
    if not seats:
        return ""
    seat = rng.choice(seats)
    cards = [*seat["cards"], fresh(rng, doc)]
    seat["hands"] = [{"cards": cards, "doubled": False, "surrendered": False}]
    return "a hit without a blackjack wager"


def bonus_without_main(rng: random.Random, doc: Round) -> str:
    """AD.15, LB.1, LL.1: the bonus wagers need a blackjack wager on the spot."""
    seat = seat_where(rng, doc, lambda s: len(s["wagers"]) > 1)
    if not seat:
        return ""
    del seat["wagers"]["blackjack"]
    for key in ("hands", "insurance", "tokes"):
        seat.pop(key, None)
    doc["options"].pop("acey-deucey-21.bonus-alone", None)
    redo_dealer(rng, doc)
    return f"{list(seat['wagers'])} without a blackjack wager"


def not_offered(rng: random.Random, doc: Round) -> str:  # noqa: ARG001
    """A wager that this table does not offer."""
    bonus = {"acey-deucey-21": "war", "lucky-break": "lucky-break", "lucky-lucky": "lucky-break"}[doc["game"]]
    if not any(bonus in seat["wagers"] for seat in doc["seats"]):
        return ""
    doc["options"]["offers"] = ["blackjack", *[other for other in GAMES[doc["game"]] if other != bonus]]
    return f"{bonus} is not offered"


def wager_of_another_game(rng: random.Random, doc: Round) -> str:
    """A wager of another game, or a derived one made by name."""
    here = GAMES[doc["game"]]
    others = ["ante", "tie", "raise", "acey-deucey", "war", "lucky-break", "lucky-lucky", "gran-progressive"]
    wager = rng.choice([other for other in others if other not in here])
    plain.any_seat(rng, doc)["wagers"][wager] = 500
    return f"{wager} at {doc['game']}"


def raise_on_pair(rng: random.Random, doc: Round) -> str:
    """AD.12: on the B tables a pair may not be raised."""
    pairs = [s for s in doc["seats"] if "acey-deucey" in s["wagers"] and s["cards"][0][0] == s["cards"][1][0]]
    if not pairs:
        return ""
    doc["pay_tables"]["acey-deucey"] = rng.choice(["1B", "2B", "3B"])
    rng.choice(pairs)["raise"] = 100
    return "a pair raised on a B table"


def raise_out_of_bounds(rng: random.Random, doc: Round) -> str:
    """AD.8: from $1 up to twice the Ante."""
    seats = [s for s in doc["seats"] if "acey-deucey" in s["wagers"]]
    if not seats:
        return ""
    seat = rng.choice(seats)
    double = 2 * seat["wagers"]["acey-deucey"]
    seat["raise"] = rng.choice([double + 1, double + 500, 1, 50, 99, -100, 150.5, "200", True, False, "", [], {}])
    return f"raise of {seat['raise']!r} on an ante of {double // 2}"


def raise_without_ante(rng: random.Random, doc: Round) -> str:
    """AD.8: a Raise needs its Ante."""
    seats = [s for s in doc["seats"] if "acey-deucey" not in s["wagers"]]
    if not seats:
        return ""
    rng.choice(seats)["raise"] = 100
    return "a raise without an acey-deucey ante"


def small_acey_deucey(rng: random.Random, doc: Round) -> str:
    """AD.6: the Ante's $1 minimum is fixed by the rules."""
    seats = [s for s in doc["seats"] if "acey-deucey" in s["wagers"]]
    if not seats:
        return ""
    seat = rng.choice(seats)
    seat["wagers"]["acey-deucey"] = rng.choice([1, 50, 99])
    seat.pop("raise", None)
    return f"acey-deucey ante of {seat['wagers']['acey-deucey']} cents"


def bad_toke(rng: random.Random, doc: Round) -> str:
    """A toke is a wager like any other: a known one, in whole cents."""
    if doc["game"] == "acey-deucey-21":
        return ""
    seat = seat_where(rng, doc, lambda s: "lucky-break" in s["wagers"])
    if not seat:
        return ""
    if rng.random() < 0.5:
        seat["tokes"] = {"lucky-break": rng.choice([0, -100, 1.5, "100", True])}
    else:
        seat["tokes"] = {rng.choice(["big-six", ""]): 100}
    return f"tokes {seat['tokes']}"


def too_many_seats(rng: random.Random, doc: Round) -> str:
    """AD.2: six or seven spots, so eight seats are too many."""
    if doc["game"] != "acey-deucey-21" or len(doc["seats"]) != 7 or decks_of(doc) < 3:
        return ""
    doc["seats"].append({"wagers": {"blackjack": 100}, "cards": ["8c", "8d"]})
    doc["seats"][-1]["cards"] = [fresh(rng, doc), fresh(rng, doc)]
    redo_dealer(rng, doc)
    return "eight seats"


def bad_option_value(rng: random.Random, doc: Round) -> str:
    """An option value that does not exist."""
    name = rng.choice([*(name for name in OPTIONS[doc["game"]] if name != "breakage"), "decks", "decks"])
    wrong: list[Any] = ["perhaps", -1, None]
    if name == "decks":
        wrong += [0, 9, 2.5, "six"]
    if name == "max-hands":
        wrong += [0, 5]
    doc["options"][name] = rng.choice(wrong)
    return f"{name} = {doc['options'][name]!r}"


def unknown_pay_table(rng: random.Random, doc: Round) -> str:
    """A table that the wager does not have."""
    wager = rng.choice(GAMES[doc["game"]])
    wrong = [x for x in ["0", "4", "5", "2B", "4B", "", None] if x not in PAY_TABLES[wager]]
    doc["pay_tables"][wager] = rng.choice(wrong)
    return f"{wager} table {doc['pay_tables'][wager]!r}"


FAULTS = [
    *plain.SHARED_FAULTS,
    too_many_of_one,
    too_many_of_one,
    joker,
    one_draw_too_many,
    one_draw_too_many,
    one_draw_too_few,
    one_draw_too_few,
    bad_draws,
    soft17_other_way,
    missing_dealer_card,
    double_disallowed_total,
    double_nine,
    double_wrong_length,
    double_after_split,
    too_many_hands,
    five_hands,
    resplit_aces,
    hit_split_aces,
    split_unequal,
    split_unequal_rank,
    resplit_unequal,
    one_card_hand,
    surrender_not_offered,
    surrender_too_late,
    after_the_check,
    hit_after_bust,
    hit_blackjack,
    other_first_cards,
    insurance_too_high,
    insurance_without_ace,
    bad_insurance,
    insurance_alone,
    hands_alone,
    bonus_without_main,
    not_offered,
    wager_of_another_game,
    raise_on_pair,
    raise_out_of_bounds,
    raise_without_ante,
    small_acey_deucey,
    bad_toke,
    too_many_seats,
    bad_option_value,
    unknown_pay_table,
]


def illegal_round(rng: random.Random) -> tuple[Round, str]:
    """A round that must be refused, and why."""
    return plain.with_fault(rng, random_round, FAULTS)
