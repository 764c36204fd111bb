"""The exact walk against the referee: a dealer looks under a card, suits stand for each other."""

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

import pytest
from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.referee import Law, Referee
from feltworks.analysis.solvers.counts import weighted_law
from feltworks.cards import DECK, Rank, Shoe, card, cards
from feltworks.hands.baccarat import BaccaratHand
from feltworks.machine.sights import Sight, SightCache, SightWalk
from feltworks.machine.tables import Tables
from feltworks.machine.walk import Walk
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, Round, Seat
from feltworks.rules.rulebook.load import parse_rulebook
from feltworks.rules.steps import Decide, Draw, Offer, Peek, Step, Turn
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Verdict, Wager

NINES = frozenset(face for face in DECK if face.rank is Rank.NINE)
TOTAL = BaccaratHand()
RULEBOOK = """
title = "Second Look"
game = "second-look"
[cards]
decks = 1
shuffle = "every round"
[clause]
"SL.1" = "The dealer looks for a nine under the first card; then the player draws or stays. The lower wins."
[wager.ante]
title = "Ante"
kind = "main"
clause = "SL.1"
[pay_table.ante.1]
clause = "SL.1"
pays = { "dealer nine" = "lose", "lower" = "1 to 1", "equal" = "push", "higher" = "lose" }
"""


class Standing(Struct, frozen=True):
    mine: BaccaratHand
    dealer: BaccaratHand
    is_nine: bool


class Ante(Wager[Standing]):
    name = "ante"
    outcomes = frozenset(["dealer nine", "lower", "equal", "higher"])

    def judge(self, standing: Standing) -> Verdict | None:
        if standing.is_nine:
            return Verdict("dealer nine", "the dealer has a nine", ("SL.1",))
        if standing.dealer.held < 2:
            return None
        mine, theirs = standing.mine.total, standing.dealer.total
        outcome = "equal" if mine == theirs else "lower" if mine < theirs else "higher"
        return Verdict(outcome, f"{mine} against {theirs}", ("SL.1",))


class SecondLook(Game[Standing]):
    """A card to the player and one to the dealer face down, which the dealer looks at before the player acts.

    After the player's card the dealer draws once, and only then turns the card that was looked at: so the
    law of two draws depends on what it is known not to be.
    """

    wager_types: ClassVar = (Ante,)

    def procedure(self, r: Round) -> Iterator[Step]:
        if not r.lies(0, 0):
            yield Draw(0)
        elif not r.lies(DEALER, 0):
            yield Draw(DEALER, down=True)
        elif (hole := r.back(DEALER, 0)) is not None and not hole.barring:
            yield Peek(DEALER, 0, NINES)
        elif hole is None and not r.lies(DEALER, 1):
            return
        elif not r.seats[0].choices:
            yield Decide(0, (Offer("stay"), Offer("draw")))
        elif r.seats[0].choices[0].name == "draw" and not r.lies(0, 1):
            yield Draw(0)
        elif not r.lies(DEALER, 1):
            yield Draw(DEALER)
        elif hole is not None:
            yield Turn(DEALER, 0)

    def standing(self, r: Round, seat: int) -> Standing:
        dealer, is_shown = r.hand(DEALER, TOTAL), r.is_turned(DEALER, 0)
        return Standing(r.hand(seat, TOTAL), dealer, is_shown and dealer == BaccaratHand(9, 1))


def second_look() -> SecondLook:
    return SecondLook(Terms(parse_rulebook(RULEBOOK, name="second-look", file="second-look.toml")))


def shoe_of(text: str) -> Shoe:
    counts = (part.split("*") for part in text.split())
    return Shoe({card(code): int(count) for code, count in counts})


def referee_law(game: Game[object], shoe: Shoe, wagers: dict[str, int]) -> Law:
    return Referee(game, shoe, lumps=False).law(Round((Seat(wagers),)))


@pytest.mark.parametrize("text", ["9h*2 5c*1 3d*2 Ks*1", "9h*1 9c*2 8d*1 2s*3", "9h*3 Ac*1 4d*1", "7h*2 2c*3"])
def test_a_card_that_the_dealer_has_looked_at_weighs_on_every_later_draw(text: str) -> None:
    game, shoe = second_look(), shoe_of(text)
    law = Walk(Tables(game, {"ante": 100}), shoe).law()
    assert law == referee_law(game, shoe, {"ante": 100})


def test_the_sights_after_a_look_make_up_the_whole_law() -> None:
    game, shoe = second_look(), shoe_of("9h*2 5c*1 3d*2 Ks*1 7s*2")
    walk = SightWalk(Tables(game, {"ante": 100}), shoe)
    sights = walk.sights()
    dealt = sum(sight.ways for sight in sights)
    mixed: Law = {}
    for sight in sights:
        whole = {sum(n for _, n in choice) for choice in sight.choices.values()}
        assert len(whole) == 1  # of every choice the same
        best = max(sight.choices.values(), key=lambda choice: sum(n * s[0][2] for s, n in choice))
        for settled, n in best:
            mixed[settled] = mixed.get(settled, 0) + Fraction(sight.ways * n, dealt * whole.copy().pop())
    assert mixed == walk.law()


def test_a_dealer_who_looks_for_blackjack_completes_the_hand_as_the_referee_says() -> None:
    game, shoe = catalog.game("lucky-break"), shoe_of("Th*3 Ah*2 6h*2 9h*1 5c*3 4d*5")
    law = Walk(Tables(game, {"lucky-break": 100}), shoe).law()
    assert law == Referee(game, shoe).law(Round((Seat({"lucky-break": 100}),)))


@pytest.mark.parametrize("exposed", ["", "7h 7d Ac 2s 2s 2s"])
@pytest.mark.parametrize(
    ("name", "wager"), [("acey-deucey-21", "acey-deucey"), ("lucky-lucky", "lucky-lucky"), ("fu-bacc", "tie")]
)
def test_suits_that_no_rule_tells_apart_may_stand_for_each_other(name: str, wager: str, exposed: str) -> None:
    game = catalog.game(name)
    left = [face for face in cards(exposed) if name != "fu-bacc" or face is not card("2s")]
    tables, shoe = Tables(game, {wager: 100}), game.terms.shoe.without(left)
    one, other = SightWalk(tables, shoe), SightWalk(tables, shoe, joins_suits=True)
    assert one.law() == other.law()
    assert len(other.sights()) <= len(one.sights())


def test_suits_that_a_wager_tells_apart_are_followed_each_by_itself() -> None:
    game = catalog.game("acey-deucey-21")
    judge = game.wagers["acey-deucey"]

    class Diamonds(type(judge)):  # type: ignore[misc]
        def judge(self, standing: object) -> Verdict | None:
            verdict = super().judge(standing)
            hand = standing.hand  # type: ignore[attr-defined]
            if verdict is not None and verdict.outcome == "spread 1 suited" and hand.suit != 1:
                return Verdict("not between", verdict.because, verdict.clauses)
            return verdict

    game.wagers = {**game.wagers, "acey-deucey": Diamonds(game.terms)}
    walk = SightWalk(Tables(game, {"acey-deucey": 100}), joins_suits=True)
    assert len(walk.sights()) == len(SightWalk(Tables(game, {"acey-deucey": 100})).sights())


def laws_of(sights: list[Sight]) -> list[tuple[int, object, object, dict[str, Law]]]:
    return [(s.ways, s.mine, s.house, {name: weighted_law(w) for name, w in s.choices.items()}) for s in sights]


@pytest.mark.parametrize(
    ("name", "wagers", "option", "values"),
    [
        ("fu-bacc", ("ante", "tie"), "fu-bacc.rescue-tie", ("stays", "loses", "stays")),
        ("fu-bacc", ("ante",), "fu-bacc.rescue-ten", (True, False, True)),
    ],
)
def test_tables_that_share_decisions_with_equal_futures_count_as_each_alone(
    name: str, wagers: tuple[str, ...], option: str, values: tuple[object, ...]
) -> None:
    known, shoe, sizes = SightCache(), shoe_of("Ts*2 Kd*2 9h*2 3c*2 5d*2 8s*1"), list[int]()
    for value in values:
        tables = Tables(catalog.game(name, options={option: value}), dict.fromkeys(wagers, 100), faces=tuple(shoe))
        shared, alone = SightWalk(tables, shoe), SightWalk(tables, shoe)
        shared.known = known
        assert laws_of(shared.sights()) == laws_of(alone.sights())
        sizes.append(len(known.choices))
    assert 0 < sizes[0] < sizes[1] < 2 * sizes[0]  # some decisions differ, others are counted once for both
    assert sizes[2] == sizes[1]


def test_a_shoe_of_no_more_cards_than_the_longest_round_shares_nothing() -> None:
    shoe = shoe_of("Ts*1 Kd*1 9h*1 3c*1 5d*1 8s*1")
    walk = SightWalk(Tables(catalog.game("fu-bacc"), {"ante": 100}, faces=tuple(shoe)), shoe)
    walk.known = SightCache()
    assert walk.sights()
    assert not walk.known.choices
