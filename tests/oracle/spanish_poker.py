"""Spanish Poker settled a second time, straight from the clauses SP.1 to SP.26."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tests.oracle import plain
from tests.oracle.plain import Line, Round

BONUSES = ["dos-pares", "joker-in-hand", "gran-progressive"]
OPTIONS: dict[str, list[Any]] = {  # first value = default
    "breakage": ["down", "up"],
    "spanish-poker.tie": ["push", "lose"],
    "spanish-poker.wheel": [False, True],
    "spanish-poker.bonus-above-ante": [True, False],
    "gran-progressive.stake": ["returned", "kept"],
}
SPOTS = 6

# SP.2, best first.
CATEGORIES = [
    "cincos",
    "royal flush",
    "straight flush",
    "four of a kind",
    "flush",
    "full house",
    "straight",
    "three of a kind",
    "two pair",
    "pair",
    "high card",
]
ORDER = "234567JQKA"  # SP.3: 7 and J are neighbours
NATURALS = [rank + suit for rank in ORDER for suit in plain.SUITS]
DECK = [*NATURALS, "Jo"]  # SP.1: 41 cards

# SP.10 and SP.11, to 1; what is not in a table loses.
ANTE_TABLES = {
    "1": dict(zip(CATEGORIES, [200, 100, 40, 25, 10, 7, 6, 3, 2, 1], strict=False)),
    "2": dict(zip(CATEGORIES, [200, 100, 40, 25, 10, 8, 7, 3, 2, 1], strict=False)),
}
DOS_PARES_TABLES = {
    "1": dict(zip(CATEGORIES, [200, 100, 50, 25, 10, 9, 7, 5, 2], strict=False)),
    "2": dict(zip(CATEGORIES, [200, 100, 50, 25, 10, 8, 7, 5, 2], strict=False)),
}
TRAY = {"straight flush": 150_00, "four of a kind": 100_00, "flush": 75_00}  # SP.13


def option(doc: Round, name: str) -> Any:
    """This table's value of an option."""
    return doc.get("options", {}).get(name, OPTIONS[name][0])


# --- the hand ---------------------------------------------------------------------------------------------

Strength = tuple[int, tuple[int, ...]]  # greater is better: category counted from the worst, then ranks


def natural_strength(cards: list[str], wheel: bool) -> Strength:
    """Five cards without a joker: category, and what decides within it (SP.2, SP.3, SP.4, SP.26)."""
    ranks = sorted((ORDER.index(card[0]) for card in cards), reverse=True)
    counts = Counter(ranks)
    # Ranks by how many there are, then by height: the set first, kickers after it, downwards.
    grouped = tuple(sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True))
    shape = sorted(counts.values(), reverse=True)
    suited = len({card[1] for card in cards}) == 1
    top = None  # the top card of a straight
    if len(counts) == 5:
        if ranks[0] - ranks[4] == 4:
            top = ranks[0]
        elif wheel and ranks == [ORDER.index(r) for r in "A5432"]:
            top = ORDER.index("5")

    def strength(category: str, within: tuple[int, ...]) -> Strength:
        return len(CATEGORIES) - 1 - CATEGORIES.index(category), within

    if shape == [5]:
        return strength("cincos", grouped)
    if suited and top == ORDER.index("A"):
        return strength("royal flush", ())  # all royals are equal
    if suited and top is not None:
        return strength("straight flush", (top,))
    if shape == [4, 1]:
        return strength("four of a kind", grouped)
    if suited:
        return strength("flush", tuple(ranks))
    if shape == [3, 2]:
        return strength("full house", grouped)
    if top is not None:
        return strength("straight", (top,))
    for category, wanted in (("three of a kind", [3, 1, 1]), ("two pair", [2, 2, 1]), ("pair", [2, 1, 1, 1])):
        if shape == wanted:
            return strength(category, grouped)
    return strength("high card", tuple(ranks))


@lru_cache(maxsize=200_000)
def _strength(cards: tuple[str, ...], wheel: bool) -> Strength:
    if "Jo" not in cards:
        return natural_strength(list(cards), wheel)
    # SP.26: every value the joker could take. It may be any card not in the hand (in a flush this makes it
    # the highest rank not already there, SP.5), or a fifth of a rank, which has no suit of its own.
    rest = [card for card in cards if card != "Jo"]
    values = [card for card in NATURALS if card not in rest] + [rank + "*" for rank in ORDER]
    return max(natural_strength([*rest, value], wheel) for value in values)


def strength(cards: list[str], wheel: bool) -> Strength:
    """How good five cards are, with or without the joker."""
    return _strength(tuple(sorted(cards)), wheel)


def category(cards: list[str], wheel: bool) -> str:
    """The name of what five cards make."""
    return CATEGORIES[len(CATEGORIES) - 1 - strength(cards, wheel)[0]]


def qualifies(cards: list[str], wheel: bool) -> bool:
    """SP.8: a pair of sixes or better."""
    kind, within = strength(cards, wheel)
    pair = len(CATEGORIES) - 1 - CATEGORIES.index("pair")
    return kind > pair or (kind == pair and within[0] >= ORDER.index("6"))


# --- the settlement ---------------------------------------------------------------------------------------


def ante_and_raise(doc: Round, seat: dict[str, Any]) -> list[Line]:
    """SP.6, SP.8, SP.9."""
    ante, wheel = seat["wagers"]["ante"], option(doc, "spanish-poker.wheel")
    if seat["choice"] == "fold":
        return [plain.line("ante", ante, -ante)]
    raised = 2 * ante
    house, mine = strength(doc["dealer"]["cards"], wheel), strength(seat["cards"], wheel)
    if not qualifies(doc["dealer"]["cards"], wheel):
        ante_net, raise_net = ante, 0
    elif mine > house:
        table = ANTE_TABLES[doc.get("pay_tables", {}).get("ante", "1")]
        ante_net, raise_net = ante * table[category(seat["cards"], wheel)], raised
    elif mine < house or option(doc, "spanish-poker.tie") == "lose":
        ante_net, raise_net = -ante, -raised
    else:
        ante_net, raise_net = 0, 0
    return [plain.line("ante", ante, ante_net), plain.line("raise", raised, raise_net)]


def jackpot_awards(doc: Round) -> dict[int, dict[str, Any]]:
    """SP.13, SP.14: what every seat with a Gran Progressive wager wins; seats that lose are left out."""
    wheel = option(doc, "spanish-poker.wheel")
    made = {
        number: category(seat["cards"], wheel)
        for number, seat in enumerate(doc["seats"])
        if "gran-progressive" in seat["wagers"]
    }
    royals = [number for number, kind in made.items() if kind == "royal flush"]
    cincos = [number for number, kind in made.items() if kind == "cincos"]
    awards = {}
    for number, kind in made.items():
        if kind in TRAY:
            awards[number] = {"cents": TRAY[kind], "from": "tray", "share": None}
    share = Fraction(1, 4)
    if cincos and royals:
        share = Fraction(1, 4) / len(royals)
    left = doc.get("jackpot", 0)
    for number in royals:
        cents = int(doc["jackpot"] * share)  # rounded down whatever the breakage
        awards[number] = {"cents": cents, "from": "jackpot", "share": share}
        left -= cents
    for number in cincos:  # at most one: there is one joker
        cents = left  # all that is left
        awards[number] = {
            "cents": cents,
            "from": "jackpot",
            "share": Fraction(3, 4) if royals else Fraction(1),
        }
    return awards


def seat_lines(doc: Round, number: int, awards: dict[int, dict[str, Any]]) -> list[Line]:
    """Every wager of one spot."""
    seat = doc["seats"][number]
    wagers, cards = seat["wagers"], seat["cards"]
    lines = ante_and_raise(doc, seat) if "ante" in wagers else []
    if "dos-pares" in wagers:  # SP.11, SP.22: whatever the house holds, folded or not
        wagered = wagers["dos-pares"]
        table = DOS_PARES_TABLES[doc.get("pay_tables", {}).get("dos-pares", "1")]
        odds = table.get(category(cards, option(doc, "spanish-poker.wheel")), -1)
        lines.append(plain.line("dos-pares", wagered, wagered * odds))
    if "joker-in-hand" in wagers:  # SP.12
        wagered = wagers["joker-in-hand"]
        lines.append(plain.line("joker-in-hand", wagered, 7 * wagered if "Jo" in cards else -wagered))
    if "gran-progressive" in wagers:  # SP.13
        award = awards.get(number)
        kept = option(doc, "gran-progressive.stake") == "kept"
        net = -100 if award is None else award["cents"] - (100 if kept else 0)
        lines.append({**plain.line("gran-progressive", 100, net), "award": award})
    return lines


def expected(doc: Round) -> dict[str, Any]:
    """The whole round."""
    awards = jackpot_awards(doc)
    settlement: dict[str, Any] = {
        "seats": [plain.seat_sums(seat_lines(doc, number, awards)) for number in range(len(doc["seats"]))]
    }
    if any("gran-progressive" in seat["wagers"] for seat in doc["seats"]):
        paid = sum(award["cents"] for award in awards.values() if award["from"] == "jackpot")
        settlement["jackpot"] = {"before": doc["jackpot"], "paid": paid, "after": doc["jackpot"] - paid}
    return plain.voided(settlement) if "void" in doc else settlement


# --- legal rounds -----------------------------------------------------------------------------------------


def wanted_hand(rng: random.Random, deck: list[str]) -> list[str] | None:
    """Five cards of a rare kind from what is left of the deck, or nothing where they no longer make one."""
    kind = rng.randrange(7)
    suit, rank = rng.choice(plain.SUITS), rng.choice(ORDER)
    if kind == 0:  # royal flush
        hand = [r + suit for r in "7JQKA"]
    elif kind == 1:  # straight flush
        at = rng.randrange(5)
        hand = [r + suit for r in ORDER[at : at + 5]]
    elif kind == 2:  # four of a kind, with the joker five
        hand = [rank + s for s in plain.SUITS] + [rng.choice(["Jo", rng.choice(deck)])]
    elif kind == 3:  # flush
        hand = [r + suit for r in rng.sample(ORDER, 5)]
    elif kind == 4:  # full house or, with the joker, something better
        other = rng.choice(ORDER)
        hand = [rank + s for s in rng.sample(plain.SUITS, 3)] + [other + s for s in rng.sample(plain.SUITS, 2)]
    elif kind == 5:  # straight
        at = rng.randrange(6)
        hand = [r + rng.choice(plain.SUITS) for r in ORDER[at : at + 5]]
    else:  # ace to five, in one suit or not
        hand = [r + rng.choice([suit, rng.choice(plain.SUITS)]) for r in "A2345"]
    if "Jo" in deck and "Jo" not in hand and rng.random() < 0.25:
        hand[rng.randrange(5)] = "Jo"
    if len(set(hand)) < 5 or any(card not in deck for card in hand):
        return None
    rng.shuffle(hand)
    return hand


def deal(rng: random.Random, deck: list[str], chance: float) -> list[str]:
    """Five cards off the deck, now and then chosen to be something rare."""
    hand = wanted_hand(rng, deck) if rng.random() < chance else None
    hand = hand or deck[-5:]
    for card in hand:
        deck.remove(card)
    return hand


def random_round(rng: random.Random) -> Round:
    """A finished round in which everything is in order."""
    options = plain.some_options(rng, OPTIONS)
    doc: Round = {"game": "spanish-poker", "pay_tables": {}, "options": options, "seats": []}
    for wager in ("ante", "dos-pares"):
        if rng.random() < 0.6:
            doc["pay_tables"][wager] = rng.choice(["1", "2"])
    offered = rng.sample(BONUSES, rng.randint(1, 2))  # SP.20: three with the Ante, or fewer
    alone = BONUSES
    if rng.random() < 0.4:
        alone = options["spanish-poker.alone"] = rng.sample(BONUSES, rng.randint(0, 3))
    seats = rng.randint(1, SPOTS)
    if seats == 6 or rng.random() < 0.2:
        options["spots"] = 6
    if rng.random() < 0.5:
        options["offers"] = ["ante", *offered]

    deck = plain.shuffled(rng, DECK[:-1])
    deck.insert(rng.randrange(10, len(deck) + 1), "Jo")
    chance = rng.choice([0.0, 0.2, 0.7])
    if rng.random() < 0.15:  # royals together, and Cincos beside them
        chance = 1.0
    doc["dealer"] = {"cards": deal(rng, deck, min(chance, 0.3))}
    for _ in range(seats):
        seat = {"wagers": random_wagers(rng, doc, offered, alone), "cards": deal(rng, deck, chance)}
        seat["choice"] = rng.choice(["raise", "raise", "raise", "fold"]) if "ante" in seat["wagers"] else None
        doc["seats"].append(seat)
    if "gran-progressive" in offered or rng.random() < 0.1:
        doc["jackpot"] = rng.choice([50_000, 50_001, 99_999, 123_457, 400, 7, rng.randint(50_000, 3_000_000)])
    if rng.random() < 0.05:
        crowd_of_royals(rng, doc)
    plain.add_places(rng, doc, 6 if options.get("spots") == 6 else 5)
    plain.add_optional_extras(rng, doc)
    return doc


def crowd_of_royals(rng: random.Random, doc: Round) -> None:
    """SP.14: deal the round anew with several royals in it, usually beside Cincos of a low rank."""
    hands = [[r + suit for r in "7JQKA"] for suit in plain.SUITS]
    low = rng.choice("23456")
    if rng.random() < 0.7:
        hands.append([low + suit for suit in plain.SUITS] + ["Jo"])
    rng.shuffle(hands)
    left = [card for card in DECK if all(card not in hand for hand in hands)]
    rng.shuffle(left)
    while len(hands) < len(doc["seats"]) + 1 and len(left) >= 5:
        hands.append([left.pop() for _ in range(5)])
    if len(hands) < len(doc["seats"]) + 1:
        return
    for seat, hand in zip(doc["seats"], hands, strict=False):
        seat["cards"] = hand
    doc["dealer"]["cards"] = hands[len(doc["seats"])]


def random_wagers(rng: random.Random, doc: Round, offered: list[str], alone: list[str]) -> dict[str, int]:
    """What one spot wagers (SP.20, SP.21)."""
    while True:
        wagers = {}
        if rng.random() < 0.75:
            wagers["ante"] = plain.amount(rng)
        for bonus in offered:
            if rng.random() < 0.6 and ("ante" in wagers or bonus in alone):
                wagers[bonus] = 100 if bonus == "gran-progressive" else plain.amount(rng)
                capped = "ante" in wagers and not option(doc, "spanish-poker.bonus-above-ante")
                if capped and bonus != "gran-progressive":
                    wagers[bonus] = min(wagers[bonus], wagers["ante"])
        if wagers:
            return wagers


# --- rounds to be refused ---------------------------------------------------------------------------------


def seat_where(rng: random.Random, doc: Round, test: Any) -> dict[str, Any] | None:
    """A seat that satisfies a test, if there is one."""
    fitting = [seat for seat in doc["seats"] if test(seat)]
    return rng.choice(fitting) if fitting else None


def card_twice(rng: random.Random, doc: Round) -> str:
    """SP.1: one deck, one joker."""
    hands = [doc["dealer"]["cards"], *(seat["cards"] for seat in doc["seats"])]
    places = [(hand, at) for hand in hands for at in range(5)]
    (one, at), (other, there) = rng.sample(places, 2)
    one[at] = other[there]
    return f"{one[at]} twice in one deck"


def two_jokers(rng: random.Random, doc: Round) -> str:
    """SP.1: there is one joker."""
    doc["dealer"]["cards"][rng.randrange(5)] = "Jo"
    plain.any_seat(rng, doc)["cards"][rng.randrange(5)] = "Jo"
    return "two jokers"


def removed_card(rng: random.Random, doc: Round) -> str:
    """SP.1: eights, nines and tens are not in the deck."""
    hand = rng.choice([doc["dealer"], *doc["seats"]])["cards"]
    hand[rng.randrange(5)] = rng.choice("89T") + rng.choice(plain.SUITS)
    return f"a card that was removed from the deck in {hand}"


def dealer_short(rng: random.Random, doc: Round) -> str:
    """The house has five cards."""
    if rng.random() < 0.5:
        doc["dealer"]["cards"].pop()
    else:
        used = plain.cards_in(doc)
        doc["dealer"]["cards"].append(rng.choice([card for card in NATURALS if card not in used]))
    return "the house has not five cards"


def choice_without_ante(rng: random.Random, doc: Round) -> str:
    """SP.6: who has no Ante has nothing to decide."""
    seat = seat_where(rng, doc, lambda s: "ante" not in s["wagers"])
    if not seat:
        return ""
    seat["choice"] = rng.choice(["raise", "fold", "", False])
    return f"{seat['choice']!r} without an ante"


def bad_choice(rng: random.Random, doc: Round) -> str:
    """SP.6: raise or fold."""
    seat = seat_where(rng, doc, lambda s: "ante" in s["wagers"])
    if not seat:
        return ""
    seat["choice"] = rng.choice([None, "check", "stay", "", "Raise", 2])
    return f"choice {seat['choice']!r}"


def four_offered(rng: random.Random, doc: Round) -> str:  # noqa: ARG001
    """SP.20: the Ante and two bonus wagers at most."""
    doc["options"]["offers"] = ["ante", *BONUSES]
    return "four wagers offered"


def four_seen(rng: random.Random, doc: Round) -> str:  # noqa: ARG001
    """SP.20: all three bonus wagers in one round, at one seat or spread over the table."""
    doc["options"].pop("offers", None)
    doc["options"].pop("spanish-poker.alone", None)
    doc["options"].pop("spanish-poker.bonus-above-ante", None)
    doc["jackpot"] = 60_000
    for number, bonus in enumerate(BONUSES):
        doc["seats"][number % len(doc["seats"])]["wagers"][bonus] = 100
    return "four wagers made in one round"


def not_offered(rng: random.Random, doc: Round) -> str:
    """A wager this table does not offer."""
    seat = seat_where(rng, doc, lambda s: any(bonus in s["wagers"] for bonus in BONUSES))
    if not seat:
        return ""
    wager = rng.choice([bonus for bonus in BONUSES if bonus in seat["wagers"]])
    doc["options"]["offers"] = ["ante", *[bonus for bonus in BONUSES if bonus != wager]]
    return f"{wager} is not offered"


def ante_not_offered(rng: random.Random, doc: Round) -> str:
    """SP.20: Ante/Raise is always among the wagers."""
    if not seat_where(rng, doc, lambda s: "ante" in s["wagers"]):
        return ""
    doc["options"]["offers"] = [bonus for bonus in BONUSES if any(bonus in s["wagers"] for s in doc["seats"])]
    return "the ante is not offered"


def bonus_alone(rng: random.Random, doc: Round) -> str:
    """SP.21: a bonus wager without an Ante where the house does not allow it."""
    seat = seat_where(rng, doc, lambda s: "ante" not in s["wagers"])
    if not seat:
        return ""
    wager = rng.choice(list(seat["wagers"]))
    doc["options"]["spanish-poker.alone"] = [bonus for bonus in BONUSES if bonus != wager]
    return f"{wager} without an ante where that is not allowed"


def bonus_above_ante(rng: random.Random, doc: Round) -> str:
    """SP.21: a house may hold Dos Pares and Joker in Hand to the Ante."""

    def too_much(seat: dict[str, Any]) -> bool:
        w = seat["wagers"]
        return "ante" in w and any(w.get(bonus, 0) > w["ante"] for bonus in ("dos-pares", "joker-in-hand"))

    if not seat_where(rng, doc, too_much):
        return ""
    doc["options"]["spanish-poker.bonus-above-ante"] = False
    return "a bonus wager above the ante where that is not allowed"


def not_one_dollar(rng: random.Random, doc: Round) -> str:
    """SP.13: always exactly $1."""
    seat = seat_where(rng, doc, lambda s: "gran-progressive" in s["wagers"])
    if not seat:
        return ""
    seat["wagers"]["gran-progressive"] = rng.choice([1, 99, 101, 200, 500, 10_000])
    return f"gran-progressive of {seat['wagers']['gran-progressive']} cents"


def bad_jackpot(rng: random.Random, doc: Round) -> str:
    """SP.13: the posted jackpot is needed, in whole cents."""
    if not seat_where(rng, doc, lambda s: "gran-progressive" in s["wagers"]):
        return ""
    if rng.random() < 0.4:
        del doc["jackpot"]
    else:
        doc["jackpot"] = rng.choice([-1, -50_000, 500.5, "50000", True, None, []])
    return f"jackpot {doc.get('jackpot', 'missing')!r}"


def bad_spare_jackpot(rng: random.Random, doc: Round) -> str:
    """A jackpot that nobody plays for is still an amount, if it is given at all."""
    if seat_where(rng, doc, lambda s: "gran-progressive" in s["wagers"]):
        return ""
    doc["jackpot"] = rng.choice([-1, 500.5, "50000", "", True, [], {}])
    return f"jackpot {doc['jackpot']!r}"


def too_many_seats(rng: random.Random, doc: Round) -> str:
    """SP.1: five or six spots."""
    if len(doc["seats"]) != 6:
        return ""
    used = plain.cards_in(doc)
    left = [card for card in DECK if card not in used]
    doc["seats"].append({"wagers": {"ante": 100}, "cards": left[:5], "choice": rng.choice(["raise", "fold"])})
    return "seven seats"


def raise_by_name(rng: random.Random, doc: Round) -> str:
    """SP.6: the Raise is derived; other games' wagers do not exist here."""
    wager = rng.choice(["raise", "tie", "play", "blackjack"])
    plain.any_seat(rng, doc)["wagers"][wager] = 500
    return f"{wager} as an opening wager"


def bad_option_value(rng: random.Random, doc: Round) -> str:
    """An option value that does not exist."""
    name = rng.choice([name for name in OPTIONS if name != "breakage"] + ["spanish-poker.alone"])
    doc["options"][name] = rng.choice(["perhaps", 7, None, ["ante-up"]])
    return f"{name} = {doc['options'][name]!r}"


def unknown_pay_table(rng: random.Random, doc: Round) -> str:
    """Two tables each for the Ante and Dos Pares."""
    doc["pay_tables"][rng.choice(["ante", "dos-pares"])] = rng.choice(["3", "0", "1B", "", None])
    return "unknown pay table"


FAULTS = [
    *plain.SHARED_FAULTS,
    card_twice,
    card_twice,
    two_jokers,
    removed_card,
    dealer_short,
    choice_without_ante,
    bad_choice,
    four_offered,
    four_seen,
    not_offered,
    ante_not_offered,
    bonus_alone,
    bonus_above_ante,
    not_one_dollar,
    bad_jackpot,
    bad_spare_jackpot,
    too_many_seats,
    raise_by_name,
    bad_option_value,
    unknown_pay_table,
]


def illegal_round(rng: random.Random) -> tuple[Round, str]:
    """A round that must be refused, and why."""
    return plain.with_fault(rng, random_round, FAULTS)
