"""Two classic showdown games with figures published elsewhere: Caribbean Stud and Three Card Poker."""

from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

from feltworks.cards import Card, cards
from feltworks.hands.poker import (
    FLUSH,
    HIGH_CARD,
    PAIR,
    STANDARD,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    HandValue,
    Ranking,
)
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, Face, Round
from feltworks.rules.rulebook.load import parse_rulebook
from feltworks.rules.steps import Decide, Draw, Offer, Step, Turn
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Verdict, Wager

THREE_CARD = Ranking(
    categories=(STRAIGHT_FLUSH, THREE_OF_A_KIND, STRAIGHT, FLUSH, PAIR, HIGH_CARD),
    ranks=STANDARD.ranks,
    wheel=True,
    size=3,
)
_BONUS = {STRAIGHT_FLUSH.name: 5, THREE_OF_A_KIND.name: 4, STRAIGHT.name: 1}


class Stud(Struct, frozen=True):
    """What a stud wager is judged by."""

    hand: HandValue | None
    dealer: HandValue | None
    qualifies: bool
    choice: str | None

    @property
    def relation(self) -> str | None:
        if self.choice == "fold":
            return "fold"
        if self.hand is None or self.dealer is None:
            return None
        if not self.qualifies:
            return "not qualified"
        if self.hand == self.dealer:
            return "equal"
        return "player better" if self.hand > self.dealer else "dealer better"


class StudGame(Game[Stud]):
    """Hands of equal size, a raise or a fold, and a dealer who has to qualify."""

    ranking: ClassVar[Ranking]
    weakest: ClassVar[str]
    up_cards: ClassVar[int] = 0

    def procedure(self, r: Round) -> Iterator[Step]:
        size, up = self.ranking.size, self.up_cards
        if len(r.seats[0].cards) < size:
            yield Draw(0, size)
        elif len(r.dealer) < up:
            yield Draw(DEALER, up)
        elif len(r.dealer) < size:
            yield Draw(DEALER, size - up, down=True)
        elif "ante" in r.seats[0].wagers and not r.seats[0].choices:
            raising = self.terms.offer("raise", "raise", r.seats[0])
            assert raising is not None
            yield Decide(0, (Offer("fold"), raising))
        elif "raise" in r.seats[0].wagers and not r.is_turned(DEALER, up):
            yield Turn(DEALER, up, size - up)

    def standing(self, r: Round, seat: int) -> Stud:
        hand, dealer = self._value(r.seats[seat].cards), self._value(r.dealer)
        qualifies = dealer is not None and dealer >= self.ranking.value(cards(self.weakest))
        choices = r.seats[seat].choices
        return Stud(hand, dealer, qualifies, choices[0].name if choices else None)

    def _value(self, lying: tuple[Face, ...]) -> HandValue | None:
        faces = [face for face in lying if isinstance(face, Card)]
        return self.ranking.value(faces) if len(faces) == self.ranking.size else None


class CaribbeanAnte(Wager[Stud]):
    name = "ante"
    outcomes = frozenset(["fold", "not qualified", "equal", "player better", "dealer better"])

    def judge(self, standing: Stud) -> Verdict | None:
        return Verdict(standing.relation, "", ("CS.1",)) if standing.relation else None


class CaribbeanRaise(Wager[Stud]):
    name = "raise"
    outcomes = frozenset(["not qualified", "equal", "dealer better", *(kind.name for kind in STANDARD.categories)])

    def judge(self, standing: Stud) -> Verdict | None:
        if standing.relation is None or standing.hand is None:
            return None
        better = standing.relation == "player better"
        return Verdict(standing.hand.category if better else standing.relation, "", ("CS.1",))


class CaribbeanStud(StudGame):
    """Five cards with one of the dealer's open; the dealer qualifies with ace and king."""

    wager_types = (CaribbeanAnte, CaribbeanRaise)
    ranking = STANDARD
    weakest = "Ac Kd 4h 3s 2c"
    up_cards = 1


class BlindCaribbeanStud(CaribbeanStud):
    """The same with all the dealer's cards hidden."""

    up_cards = 0


class ThreeCardAnte(Wager[Stud]):
    """Its bonus for a straight or better is paid whatever the dealer holds."""

    name = "ante"
    outcomes = frozenset(
        [
            "fold",
            *(
                f"{relation} with {kind.name}"
                for relation in ("not qualified", "equal", "player better", "dealer better")
                for kind in THREE_CARD.categories
            ),
        ]
    )

    def judge(self, standing: Stud) -> Verdict | None:
        if standing.relation is None or standing.hand is None:
            return None
        held = "" if standing.relation == "fold" else f" with {standing.hand.category}"
        return Verdict(standing.relation + held, "", ("TC.1",))


class ThreeCardRaise(CaribbeanAnte):
    name = "raise"
    outcomes = frozenset(["not qualified", "equal", "player better", "dealer better"])


class PairPlus(Wager[Stud]):
    name = "pair-plus"
    outcomes = frozenset(kind.name for kind in THREE_CARD.categories)

    def judge(self, standing: Stud) -> Verdict | None:
        return Verdict(standing.hand.category, "", ("TC.1",)) if standing.hand else None


class ThreeCardPoker(StudGame):
    """Three cards; the dealer qualifies with a queen."""

    wager_types = (ThreeCardAnte, ThreeCardRaise, PairPlus)
    ranking = THREE_CARD
    weakest = "Qc 3d 2h"


def _pays(rows: dict[str, str]) -> str:
    return "\n".join(f'"{outcome}" = "{pay}"' for outcome, pay in rows.items())


def _odds(units: int) -> str:
    return {0: "push", -1: "lose"}.get(units, f"{units} to 1")


def _book(title: str, clause: str, times: str, pays: dict[str, dict[str, str]]) -> str:
    kinds = {"ante": "main", "raise": "derived"}
    text = f'title = "{title}"\ngame = "stud"\n[cards]\ndecks = 1\nshuffle = "every round"\n'
    text += f'[clause]\n"{clause}" = "The game."\n'
    for wager, rows in pays.items():
        kind = kinds.get(wager, "bonus")
        text += f'[wager.{wager}]\ntitle = "{wager}"\nkind = "{kind}"\nclause = "{clause}"\n'
        text += f'of = "ante"\ntimes = "{times}"\n' if kind == "derived" else ""
        text += f'[pay_table.{wager}.1]\nclause = "{clause}"\n[pay_table.{wager}.1.pays]\n{_pays(rows)}\n'
    return text


_EVEN = {"player better": "1 to 1", "equal": "push", "dealer better": "lose"}
_CARIBBEAN_RAISE = {
    "royal flush": "100 to 1",
    "straight flush": "50 to 1",
    "four of a kind": "20 to 1",
    "full house": "7 to 1",
    "flush": "5 to 1",
    "straight": "4 to 1",
    "three of a kind": "3 to 1",
    "two pair": "2 to 1",
    "pair": "1 to 1",
    "high card": "1 to 1",
}


def caribbean_stud(*, up_card: bool, **raises: str) -> CaribbeanStud:
    """The usual pay table; `flush="6 to 1"` changes a row of it."""
    changed = {name.replace("_", " "): pay for name, pay in raises.items()}
    lost = {"not qualified": "push", "equal": "push", "dealer better": "lose"}
    pays = {
        "ante": _EVEN | {"not qualified": "1 to 1", "fold": "lose"},
        "raise": lost | _CARIBBEAN_RAISE | changed,
    }
    book = parse_rulebook(_book("Caribbean Stud", "CS.1", "2", pays), name="stud", file="stud.toml")
    return (CaribbeanStud if up_card else BlindCaribbeanStud)(Terms(book))


def three_card_poker(*, flush: str = "4 to 1", most: str = "") -> ThreeCardPoker:
    """The original game: ante bonus 5, 4 and 1; Pair Plus 40, 30, 6, 4 and 1; `most` frees the raise."""
    relations = {"not qualified": 1, "player better": 1, "equal": 0, "dealer better": -1}
    ante = {
        f"{relation} with {kind.name}": _odds(units + _BONUS.get(kind.name, 0))
        for relation, units in relations.items()
        for kind in THREE_CARD.categories
    }
    plus = ["40 to 1", "30 to 1", "6 to 1", flush, "1 to 1", "lose"]
    pair_plus = dict(zip((kind.name for kind in THREE_CARD.categories), plus, strict=True))
    pays = {
        "ante": ante | {"fold": "lose"},
        "raise": _EVEN | {"not qualified": "push"},
        "pair-plus": pair_plus,
    }
    text = _book("Three Card Poker", "TC.1", "1", pays)
    text = text.replace('times = "1"', f'up_to = "{most}"\nminimum = "$1"') if most else text
    book = parse_rulebook(text, name="stud", file="stud.toml")
    return ThreeCardPoker(Terms(book))
