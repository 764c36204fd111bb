"""The dealer's law: against every order of a small shoe, against published tables, and against itself."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from feltworks.analysis.solvers.shoe_game.dealer import DealersLaw, by_value
from feltworks.analysis.solvers.shoe_game.dealer import dealers_law as law_by_rules
from feltworks.analysis.solvers.shoe_game.rules import table_rules
from feltworks.cards import Card, Shoe, cards, standard_shoe
from feltworks.errors import ImpossibleRound
from feltworks.hands.blackjack import is_blackjack, points, total
from tests.analysis.follower import table

SMALL = [
    "Ah Ad 6h 6d Th Kh 5h 9s",
    "Ah As 2h 4h 7h 6h 9h Td",
    "Ac 6c 6c Tc Tc 3c 2c 9c",
]


def dealers_law(shoe: Shoe, *, hits_soft_17: bool, up_card: int | None = None) -> DealersLaw:
    """The law by the rules of a table that hits or stands on a soft 17."""
    rules = table_rules(table(soft17="hit" if hits_soft_17 else "stand"))
    return law_by_rules(shoe, rules.dealer, up_card)


def played(order: tuple[Card, ...], *, hits_soft_17: bool) -> tuple[Card, ...]:
    """The dealer's cards out of a shoe in this order."""
    held = order[:2]
    for face in order[2:]:
        now = total(held)
        if now.points > 17 or (now.points == 17 and not (now.soft and hits_soft_17)):
            break
        held = (*held, face)
    return held


def brute_force(text: str, *, hits_soft_17: bool, up_card: int | None = None) -> DealersLaw:
    """The same law by going through every order of the shoe, the second card being the up card."""
    orders = [o for o in permutations(cards(text)) if up_card in (None, points(o[1]))]
    totals: Counter[int] = Counter()
    suited: Counter[tuple[int, int]] = Counter()
    for order in orders:
        held = played(order, hits_soft_17=hits_soft_17)
        points_ = 0 if is_blackjack(held) else total(held).points
        totals[points_] += 1
        if points_ and len({face.suit for face in held}) == 1:
            suited[points_, len(held)] += 1
    shares = {key: Fraction(count, len(orders)) for key, count in totals.items()}
    natural = shares.pop(0, Fraction(0))
    return DealersLaw(shares, {key: Fraction(n, len(orders)) for key, n in suited.items()}, natural)


def shoe_of(text: str) -> Shoe:
    return Shoe(Counter(cards(text)))


@pytest.mark.clause("BJ.1", "LB.9")
@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize("text", SMALL)
def test_the_law_counts_every_order_of_a_small_shoe(text: str, hits_soft_17: bool) -> None:
    assert dealers_law(shoe_of(text), hits_soft_17=hits_soft_17) == brute_force(text, hits_soft_17=hits_soft_17)


@pytest.mark.parametrize("up_card", [1, 6, 10])
def test_an_up_card_is_a_condition_on_those_orders(up_card: int) -> None:
    found = dealers_law(shoe_of(SMALL[0]), hits_soft_17=True, up_card=up_card)
    assert found == brute_force(SMALL[0], hits_soft_17=True, up_card=up_card)


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_up_cards_together_make_the_whole_law(decks: int, hits_soft_17: bool) -> None:
    shoe = standard_shoe(decks=decks).without(cards("7h Ac"))
    whole = dealers_law(shoe, hits_soft_17=hits_soft_17)
    totals: Counter[object] = Counter()
    for up_card, count in enumerate(by_value(shoe), start=1):
        law = dealers_law(shoe, hits_soft_17=hits_soft_17, up_card=up_card)
        parts: dict[object, Fraction] = {**law.totals, **law.suited, "natural": law.natural}
        for key, likely in parts.items():
            totals[key] += likely * Fraction(count, shoe.total)  # type: ignore[assignment]
    assert totals == {**whole.totals, **whole.suited, "natural": whole.natural}
    assert sum(whole.totals.values()) + whole.natural == 1


# Wizard of Odds, blackjack appendix 2B (wizardofodds.com/games/blackjack/appendix/2b): before the peek,
# 17 to 21, blackjack, bust.
APPENDIX_2B = {
    1: [0.126128, 0.131003, 0.129486, 0.131553, 0.0515646, 0.313726, 0.11654],
    2: [0.138976, 0.131762, 0.131815, 0.123948, 0.120526, 0, 0.352973],
    6: [0.166948, 0.106454, 0.107192, 0.100705, 0.0978785, 0, 0.420823],
    8: [0.130857, 0.362989, 0.129445, 0.0682898, 0.0697914, 0, 0.238627],
}
# The same site, appendix 2: two decks, stands on soft 17, given no blackjack; 17 to 21, bust.
APPENDIX_2 = {
    1: [0.186367, 0.189883, 0.188851, 0.190272, 0.076531, 0.168096],
    5: [0.121005, 0.122831, 0.117318, 0.109022, 0.10732, 0.422505],
    10: [0.122412, 0.1216, 0.122524, 0.36387, 0.038449, 0.231144],
}


@pytest.mark.parametrize("up_card", APPENDIX_2B)
def test_one_deck_agrees_with_the_published_table(up_card: int) -> None:
    law = dealers_law(standard_shoe(), hits_soft_17=False, up_card=up_card)
    bust = sum(likely for points_, likely in law.totals.items() if points_ > 21)
    found = [*(law.totals[points_] for points_ in range(17, 22)), law.natural, bust]
    assert [float(p) for p in found] == pytest.approx(APPENDIX_2B[up_card], abs=6e-7)


@pytest.mark.parametrize("up_card", APPENDIX_2)
def test_two_decks_after_the_peek_agree_with_the_published_table(up_card: int) -> None:
    law = dealers_law(standard_shoe(decks=2), hits_soft_17=False, up_card=up_card)
    bust = sum(likely for points_, likely in law.totals.items() if points_ > 21)
    found = [*(law.totals[points_] for points_ in range(17, 22)), bust]
    assert [float(p / (1 - law.natural)) for p in found] == pytest.approx(APPENDIX_2[up_card], abs=6e-7)


def test_a_shoe_that_can_run_out_is_refused() -> None:
    with pytest.raises(ImpossibleRound, match="can run out"):
        dealers_law(shoe_of("2h 3h 4h 5h"), hits_soft_17=False)
    with pytest.raises(ImpossibleRound, match="holds no card"):
        dealers_law(shoe_of("Th Th Th"), hits_soft_17=False, up_card=1)
    with pytest.raises(ImpossibleRound, match="holds no card"):
        dealers_law(Shoe({}), hits_soft_17=False)


def test_hitting_soft_17_busts_more_often() -> None:
    def bust(hits_soft_17: bool) -> Fraction:
        law = dealers_law(standard_shoe(decks=6), hits_soft_17=hits_soft_17)
        return sum((likely for points_, likely in law.totals.items() if points_ > 21), Fraction(0))

    assert bust(True) > bust(False)
