"""What the oracle's three game modules share: cards, shoes, money, random choices, and lines of a settlement.

The oracle is a second, independent calculation of every settlement, written from RULES.md and INTERFACES.md
alone. It imports nothing from the product. It is slow and obvious on purpose.
"""

from __future__ import annotations

import copy
import random
from fractions import Fraction
from math import ceil, floor
from typing import Any

Round = dict[str, Any]
Line = dict[str, Any]

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = [rank + suit for rank in RANKS for suit in SUITS]


# --- money ------------------------------------------------------------------------------------------------


def gets(amount: Fraction, breakage: str) -> int:
    """What the player is handed in whole cents: a fraction goes down, or up where the house says so (M.1)."""
    return ceil(amount) if breakage == "up" else floor(amount)


def half_lost(wagered: int, breakage: str) -> int:
    """Net of losing half: the half that comes back is what the player gets, so that is what is rounded."""
    return gets(Fraction(wagered, 2), breakage) - wagered


def line(wager: str, wagered: int, net: int) -> Line:
    """One line of a settlement; its result is the sign of its net."""
    result = "win" if net > 0 else "lose" if net < 0 else "push"
    return {"wager": wager, "wagered": wagered, "result": result, "net": net}


def seat_sums(lines: list[Line]) -> dict[str, Any]:
    """A seat's settlement: its lines, what the player nets, and apart from it what the tokes net."""
    return {
        "lines": lines,
        "net": sum(x["net"] for x in lines if not x.get("toke")),
        "toke_net": sum(x["net"] for x in lines if x.get("toke")),
    }


def voided(settlement: dict[str, Any]) -> dict[str, Any]:
    """The same lines with every wager returned, as a round with `void` settles."""
    for seat in settlement["seats"]:
        for x in seat["lines"]:
            x["result"], x["net"] = "void", 0
            x.pop("award", None)
        seat["net"] = seat["toke_net"] = 0
    settlement.pop("jackpot", None)
    return settlement


# --- random choices ---------------------------------------------------------------------------------------


def amount(rng: random.Random, least: int = 1, most: int = 60_000) -> int:
    """A wager in cents: whole dollars, single cents, odd cents, small and large."""
    kind = rng.randrange(4)
    if kind == 0:
        cents = 100 * rng.randint(1, 300)
    elif kind == 1:
        cents = rng.choice([1, 2, 3, 5, 7, 25, 50, 99, 100, 101, 333, 501, 12_345, 50_001])
    elif kind == 2:
        cents = 2 * rng.randint(0, 5_000) + 1
    else:
        cents = rng.randint(1, 2_500)
    return max(least, min(cents, most))


def shuffled(rng: random.Random, cards: list[str]) -> list[str]:
    """A shuffled shoe, to be dealt from its end.

    Every order is possible, but usually some ranks or suits are favoured so that suited hands, sevens,
    pairs, aces and the like come up often enough to be tested.
    """
    weight = dict.fromkeys(cards, 1.0)
    kind = rng.randrange(6)
    if kind in (1, 3):
        suit = rng.choice(SUITS)
        weight = {card: w * (12 if card[1] == suit else 1) for card, w in weight.items()}
    if kind in (2, 3):
        ranks = rng.sample(RANKS, rng.randint(1, 4))
        weight = {card: w * (10 if card[0] in ranks else 1) for card, w in weight.items()}
    if kind == 4:
        weight = {card: w * (6 if card[0] in "TJQKA" else 1) for card, w in weight.items()}
    if kind == 5:  # pairs upon pairs, to be split and split again
        ranks = ["A", rng.choice(RANKS)] if rng.random() < 0.5 else [rng.choice(RANKS)]
        weight = {card: w * (50 if card[0] in ranks else 1) for card, w in weight.items()}
    return sorted(cards, key=lambda card: rng.random() ** (1 / weight[card]))


def some_options(rng: random.Random, choices: dict[str, list[Any]], chance: float = 0.35) -> dict[str, Any]:
    """A random value for some of the options; the rest are left to their defaults."""
    return {name: rng.choice(values) for name, values in choices.items() if rng.random() < chance}


def add_optional_extras(rng: random.Random, doc: Round) -> None:
    """Now and then what a round may carry besides: a limit nothing exceeds, a date, or that it is void."""
    roll = rng.random()
    if roll < 0.06:
        doc["limit"] = rng.choice([100_000_000, least_limit(doc)])
    elif roll < 0.10 and least_limit(doc) <= 5_000:
        doc["date"] = "2022-06-15"
    elif roll < 0.13:
        doc["void"] = "cards exposed"


def least_limit(doc: Round) -> int:
    """WA.1, FB.19, SP.7, AD.8: the lowest limit on a single wager that nothing in this round exceeds.

    A doubled blackjack wager is given room, since no clause says whether the two count as one.
    """
    amounts = []
    for seat in doc["seats"]:
        for wager, cents in seat["wagers"].items():
            amounts.append(2 * cents if wager in ("ante", "blackjack") else cents)
        amounts.append(seat.get("raise", 0))
        amounts += seat.get("tokes", {}).values()
    return max(amounts)


def add_places(rng: random.Random, doc: Round, spots: int) -> None:
    """Now and then who sits where: one spot each, from the dealer's left."""
    if rng.random() < 0.8:
        return
    places = sorted(rng.sample(range(1, spots + 1), len(doc["seats"])))
    for number, (seat, place) in enumerate(zip(doc["seats"], places, strict=True)):
        seat["player"] = f"player-{number}"
        seat["spot"] = place


# --- faults that every game shares ------------------------------------------------------------------------

NOT_AMOUNTS: list[Any] = [0, -1, -500, 100.5, 0.25, "1000", "", True, False, None, [], {}]
NOT_CARDS: list[Any] = ["1s", "10h", "Zx", "A", "", "Tx", "XX", "Asd", 7, None, ["As"]]


def any_seat(rng: random.Random, doc: Round) -> dict[str, Any]:
    """One of the round's seats."""
    seat: dict[str, Any] = rng.choice(doc["seats"])
    return seat


def bad_amount(rng: random.Random, doc: Round) -> str:
    """A wager that is not a positive whole number of cents."""
    seat = any_seat(rng, doc)
    wager = rng.choice(list(seat["wagers"]))
    seat["wagers"][wager] = rng.choice(NOT_AMOUNTS)
    return f"{wager} of {seat['wagers'][wager]!r} is no positive whole number of cents"


def no_seats(rng: random.Random, doc: Round) -> str:
    """A round with nobody in it."""
    if rng.random() < 0.5:
        doc["seats"] = []
    else:
        del doc["seats"]
    return "no seats"


def no_wagers(rng: random.Random, doc: Round) -> str:
    """A seat that wagers nothing."""
    seat = any_seat(rng, doc)
    if rng.random() < 0.5:
        seat["wagers"] = {}
    else:
        del seat["wagers"]
    return "a seat without wagers"


def unknown_game(rng: random.Random, doc: Round) -> str:
    """A game that is none of the five, or none at all."""
    doc["game"] = rng.choice(["baccarat", "", "Fu Bacc", None, 3])
    return f"unknown game {doc['game']!r}"


def missing_game(rng: random.Random, doc: Round) -> str:  # noqa: ARG001
    """No game named."""
    del doc["game"]
    return "no game named"


def unknown_wager(rng: random.Random, doc: Round) -> str:
    """A wager that this game does not have; derived wagers are not made by name either."""
    wager = rng.choice(["big-six", "perfect-pairs", "", "Ante", "insurance"])
    any_seat(rng, doc)["wagers"][wager] = 500
    return f"unknown wager {wager!r}"


def unknown_option(rng: random.Random, doc: Round) -> str:
    """An option that no table has."""
    doc["options"][rng.choice(["fu-bacc.banker", "colour", "", "spanish-poker.ace"])] = True
    return "unknown option"


def bad_breakage(rng: random.Random, doc: Round) -> str:
    """An option value that does not exist."""
    doc["options"]["breakage"] = rng.choice(["nearest", "", 1])
    return f"breakage = {doc['options']['breakage']!r}"


def unknown_table_wager(rng: random.Random, doc: Round) -> str:
    """A pay table for a wager that does not exist."""
    doc["pay_tables"][rng.choice(["big-six", ""])] = "1"
    return "pay table of an unknown wager"


def no_cards(rng: random.Random, doc: Round) -> str:
    """A seat whose cards are missing, or one too few, or one too many."""
    seat = any_seat(rng, doc)
    kind = rng.randrange(3)
    if kind == 0:
        del seat["cards"]
    elif kind == 1:
        seat["cards"] = seat["cards"][:-1]
    else:
        used = cards_in(doc)
        seat["cards"] = [*seat["cards"], rng.choice([card for card in DECK if card not in used])]
    return "wrong number of cards at a seat"


def unknown_card(rng: random.Random, doc: Round) -> str:
    """Something among a seat's cards that is no card."""
    seat = any_seat(rng, doc)
    seat["cards"][rng.randrange(len(seat["cards"]))] = rng.choice(NOT_CARDS)
    return "unknown card"


def no_dealer(rng: random.Random, doc: Round) -> str:  # noqa: ARG001
    """A round without the dealer's cards."""
    del doc["dealer"]
    return "no dealer"


def above_limit(rng: random.Random, doc: Round) -> str:
    """WA.1: a wager above the legal limit, or an Ante whose fixed multiple would be (FB.19, SP.7)."""
    doc.pop("date", None)
    seat = any_seat(rng, doc)
    wager = rng.choice(list(seat["wagers"]))
    cents = seat["wagers"][wager]
    if wager == "ante":
        cents *= 2
    if cents < 2:
        return ""
    doc["limit"] = rng.choice([cents - 1, rng.randint(1, cents - 1)])
    return f"{wager} of {seat['wagers'][wager]} above the limit of {doc['limit']}"


SHARED_FAULTS = [
    above_limit,
    bad_amount,
    bad_amount,
    no_seats,
    no_wagers,
    unknown_game,
    missing_game,
    unknown_wager,
    unknown_option,
    bad_breakage,
    unknown_table_wager,
    no_cards,
    unknown_card,
    no_dealer,
]


def cards_in(value: Any) -> list[str]:
    """Every card string anywhere in a round; that unsplit hands repeat their seat's cards is no matter."""
    if isinstance(value, str):
        return [value] if value == "Jo" or value in DECK else []
    if isinstance(value, dict):
        return [card for inner in value.values() for card in cards_in(inner)]
    if isinstance(value, list):
        return [card for inner in value for card in cards_in(inner)]
    return []


def with_fault(rng: random.Random, make_round: Any, faults: list[Any]) -> tuple[Round, str]:
    """A legal round with one fault put in; rounds in which the fault has no place are dealt again."""
    fault = rng.choice(faults)
    while True:
        doc = copy.deepcopy(make_round(rng))
        doc.pop("void", None)  # a void round returns every wager, so little of it need be in order
        reason = fault(rng, doc)
        if reason:
            return doc, f"{fault.__name__}: {reason}"


def bad_line(rng: random.Random) -> tuple[str, str]:
    """A line of input that is not a JSON object at all."""
    return rng.choice(
        [
            ("{", "malformed JSON"),
            ('{"game": "fu-bacc",}', "malformed JSON"),
            ("not json", "malformed JSON"),
            ("{'game': 'fu-bacc'}", "malformed JSON"),
            ("[]", "not an object"),
            ('["fu-bacc"]', "not an object"),
            ("null", "not an object"),
            ("17", "not an object"),
            ('"fu-bacc"', "not an object"),
            ("true", "not an object"),
            ("{}", "no game named"),
        ]
    )
