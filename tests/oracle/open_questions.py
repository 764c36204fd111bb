"""Rounds on which RULES.md and INTERFACES.md leave the answer open: python -m tests.oracle.open_questions.

The random campaigns keep away from these. This prints what the product answers, for a person to judge.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from tests.oracle import campaign
from tests.oracle.plain import Round


def hand(cards: str, doubled: bool = False, surrendered: bool = False) -> dict[str, Any]:
    """One blackjack hand, its cards written with spaces."""
    return {"cards": cards.split(), "doubled": doubled, "surrendered": surrendered}


def blackjack(
    hands: list[dict[str, Any]] | None,
    cards: str,
    dealer: str = "9s 8s",
    game: str = "lucky-break",
    wagers: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
    **seat: Any,
) -> Round:
    """A round with one seat; the dealer's cards are up, hole, draws."""
    up, hole, *draws = dealer.split()
    one = {"wagers": wagers or {"blackjack": 1000}, "cards": cards.split(), **seat}
    if hands is not None:
        one["hands"] = hands
    return {
        "game": game,
        "options": options or {},
        "seats": [one],
        "dealer": {"up": up, "hole": hole, "draws": draws},
    }


def fu_bacc(seat: dict[str, Any], options: dict[str, Any] | None = None, **more: Any) -> Round:
    """A round with one seat."""
    whole = {"wagers": {"ante": 1000}, "cards": ["Kh", "5d"], "third": "2c", "choice": "hit", **seat}
    dealer = {"up": "9s", "hole": "3h", "third": "4d"}
    return {"game": "fu-bacc", "options": options or {}, "dealer": dealer, "seats": [whole], **more}


def spanish(seat: dict[str, Any], options: dict[str, Any] | None = None, **more: Any) -> Round:
    """A round with one seat: sevens against the dealer's sixes."""
    cards = ["7c", "7d", "2h", "3s", "Kc"]
    whole = {"wagers": {"ante": 1000}, "cards": cards, "choice": "raise", **seat}
    dealer = {"cards": ["6c", "6d", "2s", "4h", "Qc"]}
    return {"game": "spanish-poker", "options": options or {}, "dealer": dealer, "seats": [whole], **more}


NO_PEEK = {"peek": False, "no-peek-loss": "original"}
DEALER_BLACKJACK = "Ah Kh"

QUESTIONS: list[tuple[str, Round]] = [
    (
        "no-peek-loss=original, first hand stands, second broke",
        blackjack([hand("8h 9c"), hand("8d 7c Tc")], "8h 8d", DEALER_BLACKJACK, options=NO_PEEK),
    ),
    (
        "no-peek-loss=original, first hand broke, second stands",
        blackjack([hand("8h 7c Tc"), hand("8d 9c")], "8h 8d", DEALER_BLACKJACK, options=NO_PEEK),
    ),
    (
        "no-peek-loss=original, one doubled hand broke",
        blackjack([hand("8h 6c Tc", doubled=True)], "8h 6c", DEALER_BLACKJACK, options=NO_PEEK),
    ),
    ("hit on a hard 21", blackjack([hand("8h 6c 7c 2d")], "8h 6c", "9s 8s")),
    ("hit on a soft 21", blackjack([hand("Ah 4c 6c 2d")], "Ah 4c", "9s 8s")),
    ("hit on a split two-card 21", blackjack([hand("Th Ac 2d"), hand("Td 9c")], "Th Td", "9s 8s")),
    ("double on a split two-card 21", blackjack([hand("Th Ac 2d", doubled=True), hand("Td 9c")], "Th Td")),
    ("double on a blackjack", blackjack([hand("Ah Kc 2d", doubled=True)], "Ah Kc")),
    (
        "surrender of a blackjack",
        blackjack([hand("Ah Kc", surrendered=True)], "Ah Kc", options={"surrender": "late"}),
    ),
    ("hands = []", blackjack([], "Th 9c")),
    ("insurance = 0", blackjack(None, "Th 9c", "As 8s", insurance=0)),
    (
        "insurance of 500 on 1001 (half rounded down)",
        blackjack(None, "Th 9c", "As 8s", wagers={"blackjack": 1001}, insurance=500),
    ),
    ("a toke on lucky-break without the player's own", blackjack(None, "Th 9c", tokes={"lucky-break": 100})),
    ("a toke on blackjack", blackjack(None, "Th 9c", tokes={"blackjack": 100})),
    (
        "a toke on war",
        blackjack(None, "Th 9c", game="acey-deucey-21", wagers={"blackjack": 500, "war": 500}, tokes={"war": 100}),
    ),
    ("a toke on a Fu Bacc tie", fu_bacc({"tokes": {"tie": 100}})),
    (
        "pay table of a wager that is not offered",
        {
            **blackjack(None, "Th 9c", game="lucky-lucky", options={"offers": ["blackjack", "lucky-lucky"]}),
            "pay_tables": {"lucky-break": "2"},
        },
    ),
    (
        "offers without acey-deucey",
        blackjack(None, "Th 9c", game="acey-deucey-21", options={"offers": ["blackjack", "war"]}),
    ),
    (
        "lucky-break table that offers blackjack only",
        blackjack(None, "Th 9c", options={"offers": ["blackjack"]}),
    ),
    ("Acey Deucey 21 with five spots", blackjack(None, "Th 9c", game="acey-deucey-21", options={"spots": 5})),
    ("Spanish Poker with seven spots", spanish({}, {"spots": 7})),
    ("Fu Bacc with nine spots", fu_bacc({}, {"spots": 9})),
    ("Fu Bacc that does not offer lucky-monkey", fu_bacc({}, {"offers": ["ante", "tie"]})),
    ("Fu Bacc with decks = 2", fu_bacc({}, {"decks": 2})),
    ("Fu Bacc with a blackjack option", fu_bacc({}, {"soft17": "hit"})),
    (
        "no ante and no choice given at all",
        {
            **fu_bacc({}),
            "seats": [{"wagers": {"tie": 500}, "cards": ["Kh", "5d"], "third": "2c"}],
        },
    ),
    ("cards in other letters", fu_bacc({"cards": ["kH", "5D"]})),
    ("pay table as a number", {**spanish({}), "pay_tables": {"ante": 2}}),
    (
        "Spanish Poker offers without the ante",
        spanish({"wagers": {"dos-pares": 100}, "choice": None}, {"offers": ["dos-pares"]}),
    ),
    (
        "Gran Progressive with a jackpot of 0",
        spanish({"wagers": {"ante": 100, "gran-progressive": 100}}, jackpot=0),
    ),
    (
        "one player on two Spanish Poker spots",
        {
            **spanish({}),
            "seats": [
                {
                    "wagers": {"ante": 100},
                    "cards": ["7c", "7d", "2h", "3s", "Kc"],
                    "choice": "raise",
                    "player": "a",
                    "spot": 1,
                },
                {
                    "wagers": {"ante": 100},
                    "cards": ["5c", "5d", "3h", "4s", "Kd"],
                    "choice": "raise",
                    "player": "a",
                    "spot": 2,
                },
            ],
        },
    ),
    ("spot 0", fu_bacc({"spot": 0})),
    ("spot 8 of 7", fu_bacc({"spot": 8})),
    ("Play wager above the limit (Ante within it)", fu_bacc({}, limit=1500)),
    ("Ante above the limit", fu_bacc({}, limit=500)),
    ("Raise above the limit", spanish({}, limit=1500)),
    (
        "Acey Deucey raise above the limit",
        {
            **blackjack(
                None,
                "Th 2c",
                game="acey-deucey-21",
                wagers={"blackjack": 500, "acey-deucey": 1000},
                **{"raise": 1500},
            ),
            "limit": 1200,
        },
    ),
    (
        "doubled blackjack above the limit",
        {
            **blackjack([hand("6h 5c Td", doubled=True)], "6h 5c"),
            "limit": 1500,
        },
    ),
    ("a $1,000,000 ante on 2022-06-15", fu_bacc({"wagers": {"ante": 100_000_000}}, date="2022-06-15")),
    ("a date before the approval", fu_bacc({}, date="2009-01-01")),
    ("a date that is none", fu_bacc({}, date="yesterday")),
    ("limit and date together", fu_bacc({}, limit=100_000, date="2022-06-15")),
    (
        "void with the same card twice",
        {
            **fu_bacc({"cards": ["Kh", "Kh"]}),
            "void": "a card twice in the deck",
        },
    ),
    (
        "void before the dealer's cards",
        {
            "game": "fu-bacc",
            "void": "misdeal",
            "seats": [{"wagers": {"ante": 1000}, "cards": ["Kh", "5d"]}],
        },
    ),
    ("void with an empty reason", {**fu_bacc({}), "void": ""}),
    ("void = false", {**fu_bacc({}), "void": False}),
    ("an unknown key at the seat", fu_bacc({"name": "x"})),
]


def main() -> int:
    """Print every question with the product's answer in short."""
    answers = campaign.settle([json.dumps(doc) for _, doc in QUESTIONS])
    for (question, _), got in zip(QUESTIONS, answers, strict=True):
        if "error" in got:
            short = "refused: " + got["error"]
        else:
            lines = [x for seat in got["seats"] for x in seat["lines"]]
            short = ", ".join(
                f"{x['wager']}{' toke' if x.get('toke') else ''} {x['result']} {x['net']}/{x['wagered']}" for x in lines
            )
            if not got.get("as_approved"):
                short += f"; not as approved: {got.get('deviations')}"
        sys.stdout.write(f"{question}\n    {short}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
