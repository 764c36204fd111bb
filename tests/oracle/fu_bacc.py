"""Fu Bacc settled a second time, straight from the clauses FB.1 to FB.19."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

from tests.oracle import plain
from tests.oracle.plain import Line, Round

OPTIONS: dict[str, list[Any]] = {  # first value = default
    "breakage": ["down", "up"],
    "fu-bacc.lucky-monkey-alone": [True, False],
    "fu-bacc.tie-alone": [True, False],
    "fu-bacc.adjacent-spots": [True, False],
    "fu-bacc.rescue-tie": ["stays", "loses"],
    "fu-bacc.rescue-ten": [True, False],
}
SPOTS = 7


def option(doc: Round, name: str) -> Any:
    """This table's value of an option."""
    return doc.get("options", {}).get(name, OPTIONS[name][0])


# --- the hand ---------------------------------------------------------------------------------------------


def points(card: str) -> int:
    """FB.2: ace 1, 2 to 9 their pips, ten and pictures nothing."""
    if card[0] in "TJQK":
        return 0
    return 1 if card[0] == "A" else int(card[0])


def total(cards: list[str]) -> int:
    """FB.2: the last digit of the sum."""
    return sum(points(card) for card in cards) % 10


def is_monkeys(cards: list[str], monkeys: str = "TJQK") -> bool:
    """FB.3: both cards are 10, J, Q or K."""
    return all(card[0] in monkeys for card in cards)


def dealer_total(doc: Round) -> int:
    """FB.4: stands on 6 or more, draws exactly one card on 5 or less."""
    dealer = doc["dealer"]
    two = total([dealer["up"], dealer["hole"]])
    return two if two >= 6 else total([dealer["up"], dealer["hole"], dealer["third"]])


def may_rescue(doc: Round, cards: list[str]) -> bool:
    """FB.9, FB.3: two monkeys against a nine; the house may leave the ten out of it."""
    monkeys = "TJQK" if option(doc, "fu-bacc.rescue-ten") else "JQK"
    return doc["dealer"]["up"][0] == "9" and is_monkeys(cards, monkeys)


def open_choices(doc: Round, cards: list[str]) -> list[str]:
    """FB.5, FB.8, FB.9: what a hand with an Ante may do."""
    choices = ["fold", "stay", "hit"]
    if total(cards) in (8, 9):
        choices.append("bonus")
    if may_rescue(doc, cards):
        choices.append("rescue")
    return choices


# --- the settlement ---------------------------------------------------------------------------------------


def seat_lines(doc: Round, seat: dict[str, Any]) -> list[Line]:
    """Every wager of one spot."""
    wagers, cards, choice = seat["wagers"], seat["cards"], seat.get("choice")
    breakage = option(doc, "breakage")
    house = dealer_total(doc)
    final = [*cards, seat["third"]] if choice == "hit" else cards  # FB.12, FB.13: else the two cards stand
    mine = total(final)
    lines: list[Line] = []

    if "ante" in wagers:
        ante = wagers["ante"]
        if choice == "fold":  # FB.6
            lines.append(plain.line("ante", ante, -ante))
        elif choice == "bonus":  # FB.8
            odds = Fraction(2) if total(cards) == 9 else Fraction(3, 2)
            lines.append(plain.line("ante", ante, plain.gets(ante * odds, breakage)))
        elif choice == "rescue":  # FB.9
            lines.append(plain.line("ante", ante, ante))
        else:  # FB.5, FB.7
            play = 2 * ante
            if mine > house:
                ante_net, play_net = ante, play
            elif mine < house:
                ante_net, play_net = -ante, -play
            else:
                ante_net, play_net = -ante, 0
            lines.append(plain.line("ante", ante, ante_net))
            lines.append(plain.line("play", play, play_net))

    if "lucky-monkey" in wagers:  # FB.10
        wagered = wagers["lucky-monkey"]
        odds_by_up = {9: 30, 8: 20, 7: 15, 6: 10}
        odds_to_one = odds_by_up.get(points(doc["dealer"]["up"]), 5)
        net = wagered * odds_to_one if is_monkeys(cards) else -wagered
        lines.append(plain.line("lucky-monkey", wagered, net))

    if "tie" in wagers:  # FB.11, FB.12
        wagered = wagers["tie"]
        lost_with_rescue = choice == "rescue" and option(doc, "fu-bacc.rescue-tie") == "loses"
        wins = mine == house and not lost_with_rescue
        lines.append(plain.line("tie", wagered, 7 * wagered if wins else -wagered))
    return lines


def expected(doc: Round) -> dict[str, Any]:
    """The whole round."""
    settlement = {"seats": [plain.seat_sums(seat_lines(doc, seat)) for seat in doc["seats"]]}
    return plain.voided(settlement) if "void" in doc else settlement


# --- legal rounds -----------------------------------------------------------------------------------------


def random_wagers(rng: random.Random, doc: Round) -> dict[str, int]:
    """What one spot wagers: an Ante or not, and the bonus wagers that may be made without it (FB.14)."""
    while True:
        wagers = {}
        with_ante = rng.random() < 0.75
        if with_ante:
            wagers["ante"] = plain.amount(rng)
        for bonus in ("lucky-monkey", "tie"):
            if rng.random() < 0.5 and (with_ante or option(doc, f"fu-bacc.{bonus}-alone")):
                wagers[bonus] = plain.amount(rng)
        if wagers:
            return wagers


def random_round(rng: random.Random) -> Round:
    """A finished round in which everything is in order."""
    doc: Round = {
        "game": "fu-bacc",
        "pay_tables": {},
        "options": plain.some_options(rng, OPTIONS),
        "seats": [],
    }
    deck = plain.shuffled(rng, plain.DECK)
    if rng.random() < 0.25:  # the rescue and the long odds need a nine up
        nine = rng.choice([card for card in deck if card[0] == "9"])
        deck.remove(nine)
        deck.append(nine)
    doc["dealer"] = {"up": deck.pop(), "hole": deck.pop(), "third": deck.pop()}
    for _ in range(rng.randint(1, SPOTS)):
        seat: dict[str, Any] = {"wagers": random_wagers(rng, doc), "cards": [deck.pop(), deck.pop()]}
        seat["third"] = deck.pop()
        choices = open_choices(doc, seat["cards"])
        special = choices[3:]
        if "ante" not in seat["wagers"]:
            seat["choice"] = None
        elif special and rng.random() < 0.6:
            seat["choice"] = rng.choice(special)
        else:
            seat["choice"] = rng.choice(choices)
        doc["seats"].append(seat)
    plain.add_places(rng, doc, SPOTS)
    share_a_player(rng, doc)
    plain.add_optional_extras(rng, doc)
    return doc


def share_a_player(rng: random.Random, doc: Round) -> None:
    """FB.15: now and then one player sits on two adjacent spots."""
    seats = doc["seats"]
    if "spot" not in seats[0] or not option(doc, "fu-bacc.adjacent-spots") or rng.random() < 0.5:
        return
    for left, right in pairwise(seats):
        if right["spot"] == left["spot"] + 1:
            right["player"] = left["player"]
            return


# --- rounds to be refused ---------------------------------------------------------------------------------


def seat_where(rng: random.Random, doc: Round, test: Any) -> dict[str, Any] | None:
    """A seat that satisfies a test, if there is one."""
    fitting = [seat for seat in doc["seats"] if test(seat)]
    return rng.choice(fitting) if fitting else None


def card_twice(rng: random.Random, doc: Round) -> str:
    """FB.1: one deck has every card once, burned or not."""
    places: list[tuple[Any, Any]] = [(doc["dealer"], key) for key in ("up", "hole", "third")]
    for seat in doc["seats"]:
        places += [(seat["cards"], 0), (seat["cards"], 1), (seat, "third")]
    (one, at), (other, there) = rng.sample(places, 2)
    one[at] = other[there]
    return f"{one[at]} twice in one deck"


def joker(rng: random.Random, doc: Round) -> str:
    """FB.1: a standard deck has no joker."""
    rng.choice([doc["dealer"], *doc["seats"]])["third"] = "Jo"
    return "a joker in a standard deck"


def missing_third(rng: random.Random, doc: Round) -> str:
    """Every seat and the dealer have their third card, used or burned."""
    holder = rng.choice([doc["dealer"], *doc["seats"]])
    if rng.random() < 0.5:
        del holder["third"]
    else:
        holder["third"] = None
    return "no third card"


def missing_dealer_card(rng: random.Random, doc: Round) -> str:
    """The dealer has an up card and a hole card."""
    del doc["dealer"][rng.choice(["up", "hole"])]
    return "a dealer's card is missing"


def bonus_without_natural(rng: random.Random, doc: Round) -> str:
    """FB.8: only a two-card 8 or 9 may take the bonus."""
    seat = seat_where(rng, doc, lambda s: "ante" in s["wagers"] and total(s["cards"]) not in (8, 9))
    if not seat:
        return ""
    seat["choice"] = "bonus"
    return f"bonus on {seat['cards']}"


def rescue_not_open(rng: random.Random, doc: Round) -> str:
    """FB.9: only two monkeys against a nine."""
    seat = seat_where(rng, doc, lambda s: "ante" in s["wagers"] and not may_rescue(doc, s["cards"]))
    if not seat:
        return ""
    seat["choice"] = "rescue"
    return f"rescue of {seat['cards']} against {doc['dealer']['up']}"


def rescue_with_ten(rng: random.Random, doc: Round) -> str:
    """FB.3: where the house leaves the ten out, it rescues nothing."""
    seat = seat_where(rng, doc, lambda s: s["choice"] == "rescue" and "T" in s["cards"][0] + s["cards"][1])
    if not seat:
        return ""
    doc["options"]["fu-bacc.rescue-ten"] = False
    return f"rescue of {seat['cards']} where a ten is no monkey"


def choice_without_ante(rng: random.Random, doc: Round) -> str:
    """FB.13: without an Ante there is no decision, and no third card."""
    seat = seat_where(rng, doc, lambda s: "ante" not in s["wagers"])
    if not seat:
        return ""
    seat["choice"] = rng.choice(["fold", "stay", "hit", "hit", "bonus", "rescue", "", False])
    return f"{seat['choice']!r} without an ante"


def ante_without_choice(rng: random.Random, doc: Round) -> str:
    """FB.5: an Ante folds or plays."""
    seat = seat_where(rng, doc, lambda s: "ante" in s["wagers"])
    if not seat:
        return ""
    seat["choice"] = None
    return "ante without a choice"


def unknown_choice(rng: random.Random, doc: Round) -> str:
    """A choice that does not exist."""
    seat = seat_where(rng, doc, lambda s: "ante" in s["wagers"])
    if not seat:
        return ""
    seat["choice"] = rng.choice(["double", "raise", "", "Fold", 1, True])
    return f"choice {seat['choice']!r}"


def bonus_alone(rng: random.Random, doc: Round) -> str:
    """FB.14: a house may refuse Lucky Monkey or Tie without an Ante."""
    seat = seat_where(rng, doc, lambda s: "ante" not in s["wagers"])
    if not seat:
        return ""
    wager = rng.choice(list(seat["wagers"]))
    doc["options"][f"fu-bacc.{wager}-alone"] = False
    return f"{wager} without an ante where that is not allowed"


def not_offered(rng: random.Random, doc: Round) -> str:
    """A wager that this table does not offer."""
    seat = plain.any_seat(rng, doc)
    wager = rng.choice(list(seat["wagers"]))
    doc["options"]["offers"] = [x for x in ("ante", "lucky-monkey", "tie") if x != wager]
    return f"{wager} is not offered"


def play_by_name(rng: random.Random, doc: Round) -> str:
    """FB.5: the Play wager is derived, not made before the deal; other games' wagers do not exist here."""
    wager = rng.choice(["play", "blackjack", "war", "dos-pares"])
    plain.any_seat(rng, doc)["wagers"][wager] = 500
    return f"{wager} as an opening wager"


def bad_option_value(rng: random.Random, doc: Round) -> str:
    """An option value that does not exist."""
    name = rng.choice([name for name in OPTIONS if name != "breakage"])
    doc["options"][name] = rng.choice(["perhaps", 7, None])
    return f"{name} = {doc['options'][name]!r}"


def three_spots(rng: random.Random, doc: Round) -> str:
    """FB.15: one player on at most two spots."""
    if len(doc["seats"]) < 3:
        return ""
    for place, seat in enumerate(doc["seats"], 1):
        seat["spot"], seat["player"] = place, f"player-{place}"
    at = rng.randrange(len(doc["seats"]) - 2)
    for seat in doc["seats"][at : at + 3]:
        seat["player"] = "busy"
    return "one player on three spots"


def spots_apart(rng: random.Random, doc: Round) -> str:
    """FB.15: a player's two spots are adjacent, and only where the house allows it."""
    if len(doc["seats"]) < 3:
        return ""
    for place, seat in enumerate(doc["seats"], 1):
        seat["spot"], seat["player"] = place, f"player-{place}"
    if rng.random() < 0.5:
        doc["seats"][0]["player"] = doc["seats"][2]["player"] = "busy"
        return "one player on two spots that are not adjacent"
    doc["seats"][0]["player"] = doc["seats"][1]["player"] = "busy"
    doc["options"]["fu-bacc.adjacent-spots"] = False
    return "one player on two spots where that is not allowed"


def same_spot(rng: random.Random, doc: Round) -> str:
    """Two seats cannot be one spot."""
    if len(doc["seats"]) < 2:
        return ""
    places = rng.sample(range(1, SPOTS + 1), len(doc["seats"]))
    for place, seat in zip(places, doc["seats"], strict=True):
        seat["spot"], seat["player"] = place, f"player-{place}"
    doc["seats"][0]["spot"] = doc["seats"][1]["spot"]
    return "two seats on one spot"


def unknown_pay_table(rng: random.Random, doc: Round) -> str:
    """Fu Bacc prints one set of pays only."""
    doc["pay_tables"][rng.choice(["ante", "lucky-monkey", "tie"])] = rng.choice(["2", "9", "1B", "", 3])
    return "unknown pay table"


FAULTS = [
    *plain.SHARED_FAULTS,
    card_twice,
    card_twice,
    joker,
    missing_third,
    missing_dealer_card,
    bonus_without_natural,
    rescue_not_open,
    rescue_with_ten,
    choice_without_ante,
    ante_without_choice,
    unknown_choice,
    bonus_alone,
    not_offered,
    play_by_name,
    bad_option_value,
    three_spots,
    spots_apart,
    same_spot,
    unknown_pay_table,
]


def illegal_round(rng: random.Random) -> tuple[Round, str]:
    """A round that must be refused, and why."""
    return plain.with_fault(rng, random_round, FAULTS)
