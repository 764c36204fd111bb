"""The showdown solver against the referee, against brute force, and against figures published elsewhere."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from math import comb, floor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltworks import catalog
from feltworks.analysis.joint import joint
from feltworks.analysis.question import Question
from feltworks.analysis.referee import Referee, net
from feltworks.analysis.solvers.showdown.cells import RELATIONS, Cells
from feltworks.analysis.solvers.showdown.hands import hand_classes
from feltworks.analysis.solvers.showdown.solver import showdown
from feltworks.analysis.solvers.showdown.spot import Spot
from feltworks.analysis.strategy.file import Chooser
from feltworks.cards import JOKER, Rank, Shoe, card, cards, standard_shoe
from feltworks.errors import FeltError, ShoeExhausted, UnknownName
from feltworks.games.spanish_poker import SpanishPoker
from feltworks.hands.poker import SPANISH, STANDARD
from feltworks.rules.game import Game
from feltworks.rules.round import Round
from feltworks.rules.sights import PlayerView
from feltworks.rules.steps import Decide, Offer, Step
from tests.analysis.studs import THREE_CARD, caribbean_stud, three_card_poker

SPANISH_SHOE = standard_shoe(without=[Rank.EIGHT, Rank.NINE, Rank.TEN], jokers=1)
READINGS = [
    {"spanish-poker.tie": tie, "spanish-poker.wheel": wheel} for tie in ("push", "lose") for wheel in (False, True)
]
# Thinned decks: every kind of hand, suits alike and unlike, without the joker, with two, with twins
THINNED = [
    "Jo Ac Ad Kc Kd Qc Jc 7c 7d 6c 6d",
    "Jo 2c 2d 2h 2s 3c 4d 5h 6s 7c Jd",
    "Ah 2h 3h 4h 5h Ad 2d 3s 6c 6d Jo",
    "2c 2d 3c 3d 4c 4d 5c 5d 6c 6d 7h",
    "Jo Jo Ah Kh 6c 6d 2s 3s 4s 5s",
    "7c 7c 7d 7d Kc Kc Ad Qc Jc 2c 5h",
]


def spanish(options: Mapping[str, object] | None = None, pay_tables: Mapping[str, str] | None = None) -> SpanishPoker:
    game = catalog.game("spanish-poker", options=options, pay_tables=pay_tables)
    assert isinstance(game, SpanishPoker)
    return game


def shoe_of(codes: str) -> Shoe:
    return Shoe(Counter(cards(codes)))


def at_least(codes: str) -> Chooser:
    """Raise with this hand or a better one."""
    ranking = STANDARD if len(codes.split()) == 5 else THREE_CARD
    weakest = ranking.value(cards(codes))
    return lambda view: "raise" if ranking.value(view.cards) >= weakest else "fold"


# Hands by class


def test_the_spanish_deck_has_40237_classes_of_hands() -> None:
    classes = hand_classes(SPANISH_SHOE, SPANISH)
    assert (len(classes), int(classes.hands.sum())) == (40_237, comb(41, 5))


def test_the_standard_deck_has_134459_classes_and_7462_values() -> None:
    # Known counts of five-card poker hands: suit patterns by Burnside's lemma, values in any textbook
    classes = hand_classes(standard_shoe(), STANDARD)
    assert (len(classes), int(classes.hands.sum())) == (134_459, 2_598_960)
    assert len(classes.values) == 7_462


def test_categories_of_the_standard_deck_have_their_textbook_frequencies() -> None:
    classes = hand_classes(standard_shoe(), STANDARD)
    found: Counter[str] = Counter()
    for value, hands in zip(classes.value.tolist(), classes.hands.tolist(), strict=True):
        found[classes.values[value].category] += hands
    textbook = [4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540]
    assert [found[kind.name] for kind in STANDARD.categories] == textbook


@pytest.mark.parametrize("deck", THINNED)
def test_classes_are_a_partition_of_all_hands(deck: str) -> None:
    shoe = shoe_of(deck)
    classes = hand_classes(shoe, SPANISH)
    dealt = Counter(tuple(sorted(hand)) for hand in combinations(shoe.all_cards(), 5))
    seen: Counter[tuple[Any, ...]] = Counter()
    for row in range(len(classes)):
        faces = [tuple(sorted(hand)) for hand in classes.faces_of(row)]
        assert sum(dealt[hand] for hand in faces) == classes.hands[row]
        seen.update({hand: dealt[hand] for hand in faces})
        for hand in faces:
            assert classes.class_of(hand)[0] == row
            assert SPANISH.value(hand) == classes.values[classes.value[row]]
    assert seen == dealt


def test_exposed_cards_leave_only_equal_suits_alike() -> None:
    seven_of_hearts_gone = hand_classes(SPANISH_SHOE.without(cards("7h")), SPANISH)
    assert seven_of_hearts_gone.groups == (1, 3)
    assert int(seven_of_hearts_gone.hands.sum()) == comb(40, 5)


# The whole law against the referee


@pytest.mark.clause("SP.6", "SP.8", "SP.9", "SP.10")
@pytest.mark.parametrize("table", ["1", "2"])
@pytest.mark.parametrize("deck", THINNED)
def test_the_antes_law_is_the_referees_on_thinned_decks(deck: str, table: str) -> None:
    for options in READINGS[::3] if table == "1" else READINGS[1:3]:
        game = spanish(options, {"ante": table})
        referee = Referee(game, shoe_of(deck))
        solved = showdown(game, shoe=shoe_of(deck))
        assert solved.law == referee.law(game.open_round([{"ante": 100}]))


def test_some_of_those_decks_are_worth_folding() -> None:
    hands = showdown(spanish(), shoe=shoe_of(THINNED[3])).hands_by_choice
    assert {choice for choice, held in hands.items() if held.any()} == {"fold", "raise"}


@pytest.mark.clause("SP.11", "SP.12", "SP.13", "SP.22")
@pytest.mark.parametrize("bonus", ["dos-pares joker-in-hand", "gran-progressive dos-pares"])
@pytest.mark.parametrize("deck", THINNED[::4])
def test_the_joint_law_with_bonus_wagers_is_the_referees(deck: str, bonus: str) -> None:
    names = bonus.split()
    game = spanish({"offers": ["ante", *names]})
    wagers = {"ante": 200} | dict.fromkeys(names, 100)
    meters = {"jackpot": 40_000}
    solved = showdown(game, wagers=wagers, shoe=shoe_of(deck), meters=meters)
    assert solved.law == Referee(game, shoe_of(deck)).law(game.open_round([wagers], meters))


@pytest.mark.parametrize("up_card", [True, False])
def test_a_game_of_another_ranking_is_solved_as_the_referee_does(up_card: bool) -> None:
    game = caribbean_stud(up_card=up_card)
    shoe = shoe_of("Ac Kc Qc Jc Tc Ad Kd 5h 3s 2s")
    assert showdown(game, shoe=shoe).law == Referee(game, shoe).law(game.open_round([{"ante": 100}]))


# Full decks against brute force


@pytest.mark.clause("SP.8", "SP.9", "SP.10")
@pytest.mark.parametrize("hand", ["Ac Kd 7h 3s 2c", "Jc 7d 6h 5s 5c", "Ah Kh 6h 3h Jo"])
def test_a_raise_is_worth_what_all_376992_dealer_hands_bring(hand: str) -> None:
    _check_raise(hand, SPANISH_SHOE)


def test_the_same_holds_with_cards_exposed() -> None:
    _check_raise("Qc Qd 6h 4s 4c", SPANISH_SHOE.without(cards("7h 7d Ac Jo 6c 6d 2h 2s 3d")))


def _check_raise(hand: str, shoe: Shoe) -> None:
    held, qualifier = SPANISH.value(cards(hand)), SPANISH.value(cards("6c 6d 4h 3s 2c"))
    pays = {"pair": 1, "two pair": 2, "flush": 10}
    brought, dealt = 0, 0
    for dealer in combinations(shoe.without(cards(hand)), 5):
        value = SPANISH.value(dealer)
        dealt += 1
        if value < qualifier:
            brought += 1
        elif held > value:
            brought += 2 + pays[held.category]
        elif held < value:
            brought -= 3
    decision = showdown(spanish(), shoe=shoe).decision(cards(hand))
    assert decision.worth == {"fold": -1, "raise": Fraction(brought, dealt)}
    assert decision.best == ("raise" if brought > -dealt else "fold")


@pytest.mark.parametrize(("held", "up"), [("Ah Kh Qh Js Jc", "Kd"), ("Ad Kd Qs Jc Ac", "Qd"), ("Ad Kd Qs Jc Ac", "Qc")])
def test_a_raise_against_an_up_card_is_worth_what_the_hidden_hands_bring(held: str, up: str) -> None:
    # Suits stand for each other in a class of hands, and the up card has to follow them.
    game, hand, seen = caribbean_stud(up_card=True), cards(held), card(up)
    shoe = standard_shoe(without=[rank for rank in STANDARD.ranks if rank < Rank.JACK])
    spot = Spot(game, {"ante": 100}, {})
    raising = spot.choices(hand, (seen, *hand[:4]))[1]
    nets = [net(spot.result(hand, raising, (seen, *hidden))) for hidden in combinations(shoe.without((*hand, seen)), 4)]
    decision = showdown(game, shoe=shoe).decision(hand, seen)
    assert decision.worth == {"fold": -1, "raise": Fraction(sum(nets), 100 * len(nets))}


def test_any_two_hands_are_settled_as_their_cell_says() -> None:
    rng = random.Random(41)
    game = spanish({"offers": ["ante", "dos-pares", "joker-in-hand"], "spanish-poker.tie": "lose"})
    spot = Spot(game, {"ante": 100, "dos-pares": 100, "joker-in-hand": 100}, {})
    classes = hand_classes(SPANISH_SHOE, SPANISH)
    cells = Cells(spot, classes)
    for _ in range(600):
        row, house = rng.randrange(len(classes)), rng.randrange(len(classes.values))
        value, run = int(classes.value[row]), cells.players[cells.run_of[row]]
        dealer = next(n for n, (low, high) in enumerate(cells.dealer_runs) if low <= house <= high)
        relation = RELATIONS[(house >= value) + (house > value)]
        for choice in run.choices:
            settled = spot.result(classes.cards(row), choice, classes.examples[house])
            assert cells.result(run, choice, dealer, relation) == settled


def test_suits_have_no_names() -> None:
    edges = {
        showdown(spanish(), shoe=SPANISH_SHOE.without(cards(exposed))).figures.house_edge
        for exposed in ("7h 7d Ac", "7s 7c Ah")
    }
    assert len(edges) == 1


# What the document prints


def _agrees(printed: str, value: Fraction) -> bool:
    """Rounded or cut off to the printed digits."""
    hundredths = Fraction(printed) * 100
    return hundredths in (floor(value * 10_000), floor(value * 10_000 + Fraction(1, 2)))


@pytest.mark.clause("SP.11", "SP.12", "SP.25")
@pytest.mark.parametrize(
    ("wager", "table", "edge", "printed"),
    [
        ("dos-pares", "1", Fraction(17_910, 374_699), "4.78"),
        ("dos-pares", "2", Fraction(19_800, 374_699), "5.28"),
        ("joker-in-hand", "1", Fraction(1, 41), "2.44"),
    ],
)
def test_bonus_wagers_cost_what_the_document_prints(wager: str, table: str, edge: Fraction, printed: str) -> None:
    figures = showdown(spanish(pay_tables={wager: table}), wagers={wager: 100}).figures
    assert figures.house_edge == edge
    assert _agrees(printed, edge)


@pytest.mark.clause("SP.4", "SP.25")
def test_a_wheel_would_not_give_the_printed_figures() -> None:
    game = spanish({"spanish-poker.wheel": True})
    assert not _agrees("4.78", showdown(game, wagers={"dos-pares": 100}).figures.house_edge)


ANTE = {"1": ("5.93", "2.41"), "2": ("4.97", "2.02")}


@pytest.mark.clause("SP.25")
@pytest.mark.parametrize(
    ("table", "edge", "risk"),
    [
        ("1", Fraction(53_195_449, 905_503_368), Fraction(691_540_837, 29_160_613_944)),
        ("2", Fraction(96_363_221, 1_961_923_964), Fraction(96_363_221, 4_860_102_324)),
    ],
)
def test_best_play_costs_less_than_the_document_prints(table: str, edge: Fraction, risk: Fraction) -> None:
    figures = showdown(spanish(pay_tables={"ante": table})).figures
    assert (figures.house_edge, figures.element_of_risk) == (edge, risk)
    assert not _agrees(ANTE[table][0], edge)
    assert not _agrees(ANTE[table][1], risk)


def _queen_jack(view: PlayerView) -> str:
    """A pair of sixes or better; or no pair, queen-jack high or better and three cards six or higher."""
    hand = view.cards
    value = SPANISH.value(hand)
    if value >= SPANISH.value(cards("6c 6d 4h 3s 2c")):
        return "raise"
    three_high = sum(face.rank >= Rank.SIX for face in hand) >= 3
    queen_jack = value.ranks[:2] >= (Rank.QUEEN, Rank.JACK)
    return "raise" if value.category == "high card" and three_high and queen_jack else "fold"


@pytest.mark.clause("SP.25")
@pytest.mark.parametrize("table", ANTE)
def test_a_simple_strategy_reproduces_the_printed_ante_figures(table: str) -> None:
    figures = showdown(spanish(pay_tables={"ante": table}), strategy=_queen_jack).figures
    edge, risk = ANTE[table]
    assert _agrees(edge, figures.house_edge)
    assert _agrees(risk, figures.element_of_risk)


# What others have published. Caribbean Stud: Wizard of Odds, the total loss of strategies over all deals


DEALS = 19_933_230_517_200  # C(52, 5) hands, 47 up cards, C(46, 4) hidden hands


@pytest.mark.parametrize(
    ("strategy", "total_loss"),
    [
        (lambda *_: "raise", 3_310_360_338_060),
        (at_least("2c 2d 5h 4s 3c"), 1_090_272_101_460),
        (at_least("Ac Kd 4h 3s 2c"), 1_132_600_203_540),
        (at_least("Ac Kd Jh 8s 3c"), 1_059_715_400_580),
    ],
    ids=["everything", "any pair", "ace-king", "ace-king-jack-8-3"],
)
def test_caribbean_stud_strategies_lose_their_published_totals(strategy: Chooser, total_loss: int) -> None:
    figures = showdown(caribbean_stud(up_card=False), strategy=strategy).figures
    assert figures.house_edge * DEALS == total_loss


def test_perfect_caribbean_stud_loses_its_published_total() -> None:
    solved = showdown(caribbean_stud(up_card=True))
    assert solved.total == DEALS
    assert solved.figures.house_edge * DEALS == 1_041_372_912_372
    assert _agrees("2.56", solved.figures.element_of_risk)


# Three Card Poker: Wizard of Odds, original pay tables


def test_three_card_poker_has_its_published_figures() -> None:
    solved = showdown(three_card_poker())
    assert _agrees("3.37", solved.figures.house_edge)
    assert _agrees("2.01", solved.figures.element_of_risk)
    folded, raised = (solved.decision(cards(codes)) for codes in ("Qc 6d 3h", "Qc 6d 4h"))
    assert (folded.best, raised.best) == ("fold", "raise")
    assert [round(float(d.worth["raise"]), 6) for d in (folded, raised)] == [-1.002551, -0.993378]


def test_three_card_poker_strategies_and_pair_plus_have_theirs() -> None:
    game = three_card_poker()
    assert _agrees("3.45", showdown(game, strategy=at_least("Qc 3d 2h")).figures.house_edge)
    assert _agrees("7.65", showdown(game, strategy=lambda *_: "raise").figures.house_edge)
    for flush, printed in (("4 to 1", "2.32"), ("3 to 1", "7.28")):
        plus = showdown(three_card_poker(flush=flush), wagers={"pair-plus": 100}).figures
        assert _agrees(printed, plus.house_edge)


# What can never fail


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**30), st.sampled_from(THINNED))
def test_no_strategy_beats_the_optimum(seed: int, deck: str) -> None:
    rng, game = random.Random(seed), spanish()
    played = showdown(game, shoe=shoe_of(deck), strategy=lambda *_: rng.choice(["raise", "fold"]))
    assert played.figures.expectation <= showdown(game, shoe=shoe_of(deck)).figures.expectation


def test_the_optimum_is_the_average_of_the_best_choices() -> None:
    solved = showdown(spanish(), shoe=shoe_of(THINNED[0]))
    worth, divisor = solved.worth()
    hands = solved.classes.hands.tolist()
    best = [max(worths) for worths in zip(*worth.values(), strict=True)]
    mean = Fraction(sum(number * one for number, one in zip(hands, best, strict=True)), divisor * sum(hands))
    assert (sum(hands), mean) == (comb(11, 5), solved.figures.expectation)


@pytest.mark.clause("SP.9", "SP.10")
def test_better_pays_never_cost_more() -> None:
    edge = {table: showdown(spanish(pay_tables={"ante": table})).figures.house_edge for table in "12"}
    lost_ties = showdown(spanish({"spanish-poker.tie": "lose"})).figures.house_edge
    assert edge["2"] < edge["1"] < lost_ties
    usual, generous = caribbean_stud(up_card=False), caribbean_stud(up_card=False, flush="6 to 1")
    assert showdown(generous).figures.house_edge < showdown(usual).figures.house_edge


def test_equal_choices_wager_the_least() -> None:
    # A raise pushes against a dealer who cannot qualify and the ante wins: worth more than folding; but where
    # the raise always loses, it must not be made.
    solved = showdown(spanish(), shoe=shoe_of("2c 2d 3c 3d 4c 6c 6d 6h 6s Jo"))
    assert solved.decision(cards("2c 2d 3c 3d 4c")).best == "fold"


@pytest.mark.clause("SP.22")
def test_wagers_side_by_side_vary_as_their_covariances_say() -> None:
    game = spanish()
    question = Question(game, "ante", {"dos-pares": Fraction(1, 2), "joker-in-hand": Fraction(1)})
    names = ["ante", "dos-pares", "joker-in-hand"]
    solved = showdown(game, wagers={name: question.stakes[name] for name in names})
    spot = joint(question, solved.law)
    matrix = [[spot.covariance(one, other) for other in names] for one in names]
    assert sum(map(sum, matrix)) == solved.figures.variance
    assert matrix[1][1] * 4 == showdown(game, wagers={"dos-pares": 100}).figures.variance
    assert solved.figures_of("ante") == showdown(game).figures
    assert min(map(min, matrix)) > 0  # a good hand is good for all three


def test_outcomes_are_named_by_wager() -> None:
    names = {outcome.name for outcome in showdown(spanish(), shoe=shoe_of(THINNED[0])).figures.outcomes}
    assert {"ante pair / raise player better", "equal", "dealer better"} <= names


# What is refused


def test_what_makes_no_sense_is_refused_in_a_sentence() -> None:
    game = spanish()
    with pytest.raises(UnknownName, match="Spanish Poker has no wager 'tie'"):
        showdown(game, wagers={"tie": 100})
    with pytest.raises(UnknownName, match="Spanish Poker has no wager 'raise'"):
        showdown(game, wagers={"raise": 100})
    with pytest.raises(FeltError, match="the jackpot has to be posted in cents"):
        showdown(game, wagers={"gran-progressive": 100})
    with pytest.raises(FeltError, match="Fu Bacc is no showdown of two hands"):
        showdown(catalog.game("fu-bacc"))
    with pytest.raises(FeltError, match="two hands take 10 cards and the shoe holds 9"):
        showdown(game, shoe=shoe_of("2c 2d 3c 3d 4c 6c 6d 6h Jo"))
    with pytest.raises(UnknownName, match="no choice 'check'; it may be fold or raise"):
        showdown(game, shoe=shoe_of(THINNED[0]), strategy=lambda *_: "check")
    with pytest.raises(FeltError, match="the dealer's up card has to be given"):
        showdown(caribbean_stud(up_card=True), shoe=shoe_of("Ac Kc Qc Jc Tc Ad Kd 5h 3s 2s")).worth()
    with pytest.raises(ShoeExhausted):
        showdown(game, shoe=shoe_of(THINNED[0])).decision(cards("2c 2d 3c 3d 4c"))


def test_a_game_that_goes_on_after_the_showdown_is_refused() -> None:
    class Longer(SpanishPoker):
        def procedure(self, r: Round) -> Iterator[Step]:
            yield from super().procedure(r)
            if r.seats[0].choices:
                yield Decide(0, (Offer("again"),), "more")

    game: Game[Any] = Longer(spanish().terms)
    with pytest.raises(FeltError, match="Spanish Poker is no showdown of two hands: it goes on with"):
        showdown(game, shoe=shoe_of(THINNED[0]))


def test_the_joker_is_one_more_card_of_the_deck() -> None:
    classes = hand_classes(SPANISH_SHOE, SPANISH)
    with_joker = sum(classes.hands[classes.wild == 1].tolist())
    assert with_joker == comb(40, 4)
    assert JOKER in classes.cards(classes.class_of(cards("Jo 2c 3d 4h 5s"))[0])
