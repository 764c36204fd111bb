"""Poker values against a slow second method, an outside evaluator and known counts, over all hands."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, combinations_with_replacement, islice, pairwise, permutations, product
from math import comb, prod

import pytest
from msgspec.structs import replace

from feltworks.cards import DECK, JOKER, RANKS, SUITS, Card, Rank, card, cards, standard_shoe
from feltworks.hands.poker import (
    FLUSH,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    SPANISH,
    STANDARD,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    HandValue,
    Joker,
    PokerHand,
    Ranking,
)

Hand = tuple[Card, ...]
SlowValue = tuple[int, tuple[int, ...]]

SPANISH_LETTERS = "234567JQKA"
SPANISH_NATURALS = [card(rank + suit) for rank in SPANISH_LETTERS for suit in SUITS]
SPANISH_DECK = (*SPANISH_NATURALS, JOKER)
WITH_WHEEL = replace(SPANISH, wheel=True)
THREE_CARD = Ranking(
    categories=(STRAIGHT_FLUSH, THREE_OF_A_KIND, STRAIGHT, FLUSH, PAIR, HIGH_CARD),
    ranks=STANDARD.ranks,
    wheel=True,
    size=3,
)

# SP.2, worst first
NAMES = [
    *("high card", "pair", "two pair", "three of a kind", "straight", "full house", "flush"),
    *("four of a kind", "straight flush", "royal flush", "five of a kind"),
]


def hand_classes(letters: str, size: int = 5, jokers: int = 0) -> Iterator[tuple[Hand, int]]:
    """One hand for each set of ranks, of one suit or not, and how many hands it stands for."""
    for ranks in combinations_with_replacement(letters, size - jokers):
        counts = Counter(ranks)
        if max(counts.values()) > 4:
            continue
        ways = prod(comb(4, count) for count in counts.values())
        wild = (JOKER,) * jokers
        if len(counts) == len(ranks):
            yield (*(card(rank + "c") for rank in ranks), *wild), 4
            yield (*(card(rank + "c") for rank in ranks[1:]), card(ranks[0] + "d"), *wild), ways - 4
        else:
            suited = (card(rank + suit) for rank, count in counts.items() for suit in SUITS[:count])
            yield (*suited, *wild), ways


def all_spanish_classes() -> list[tuple[Hand, int]]:
    return [*hand_classes(SPANISH_LETTERS), *hand_classes(SPANISH_LETTERS, jokers=1)]


def slow_natural(ranks: list[int], *, suited: bool, wheel: bool) -> SlowValue:
    """A hand without a joker, step by step; ranks are places in the Spanish sequence."""
    counts = Counter(ranks)
    ordered = tuple(sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True))
    shape = tuple(counts[rank] for rank in ordered)
    top = max(ranks) if shape == (1,) * 5 and max(ranks) - min(ranks) == 4 else None
    if wheel and sorted(ranks) == [0, 1, 2, 3, 9]:
        top = 3
    by_shape = {(5,): 10, (4, 1): 7, (3, 2): 5, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1,) * 5: 0}
    fitting = [(by_shape[shape], ordered)]
    if suited:
        fitting.append((NAMES.index("flush"), tuple(sorted(ranks, reverse=True))))
    if top is not None:
        name = "straight" if not suited else "royal flush" if top == 9 else "straight flush"
        fitting.append((NAMES.index(name), (top,)))
    return max(fitting)


def slow_value(hand: Hand, *, wheel: bool = False) -> SlowValue:
    """SP.26 as it reads: try every value the jokers could take, and keep the best.

    A joker may be any card that is not in the hand, or one more of a rank, and then of no suit at all.
    """
    natural = [(SPANISH_LETTERS.index(face.rank.letter), face.suit) for face in hand if face is not JOKER]
    any_card = [(rank, suit) for rank in range(10) for suit in (0, 1, 2, 3, None)]
    best: SlowValue = (-1, ())
    for stands_for in product(any_card, repeat=len(hand) - len(natural)):
        made = [*natural, *stands_for]
        suits = {suit for _, suit in made}
        suited = len(suits) == 1 and None not in suits and len(set(made)) == 5
        best = max(best, slow_natural([rank for rank, _ in made], suited=suited, wheel=wheel))
    return best


def assert_same_order(
    hands: Iterable[Hand], ours: Callable[[Hand], HandValue], theirs: Callable[[Hand], object]
) -> None:
    """Our values and theirs sort the hands alike, equals among equals."""
    graded = sorted((theirs(hand), ours(hand)) for hand in hands)
    for (their_lower, lower), (their_higher, higher) in pairwise(graded):
        assert (their_lower == their_higher) == (lower == higher)
        assert lower <= higher


def value(codes: str, ranking: Ranking = SPANISH) -> HandValue:
    return ranking.value(cards(codes))


def test_all_2_598_960_standard_hands_have_the_known_counts() -> None:
    counted = Counter(STANDARD.value(hand).category for hand in combinations(DECK, 5))
    assert counted == {
        "royal flush": 4,
        "straight flush": 36,
        "four of a kind": 624,
        "full house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
        "three of a kind": 54_912,
        "two pair": 123_552,
        "pair": 1_098_240,
        "high card": 1_302_540,
    }


def test_every_standard_hand_ranks_as_pokerkit_ranks_it() -> None:
    from pokerkit import StandardLookup

    classes = list(hand_classes(RANKS))
    assert len(classes) == 7_462
    assert sum(ways for _, ways in classes) == comb(52, 5) == 2_598_960
    lookup = StandardLookup()
    labels = {"royal flush": "straight flush", "pair": "one pair"}
    for hand, _ in classes:
        ours = STANDARD.value(hand).category
        entry = lookup.get_entry("".join(face.code for face in hand))
        assert entry.label.value.lower() == labels.get(ours, ours)
    assert_same_order(
        (hand for hand, _ in classes),
        STANDARD.value,
        lambda hand: lookup.get_entry("".join(face.code for face in hand)).index,
    )


@pytest.mark.clause("SP.2", "SP.3", "SP.4", "SP.26")
def test_all_749_398_spanish_hands_by_category() -> None:
    counted = Counter(SPANISH.value(hand).category for hand in combinations(SPANISH_DECK, 5))
    assert sum(counted.values()) == comb(41, 5) == 749_398
    by_class: Counter[str] = Counter()
    for hand, ways in all_spanish_classes():
        by_class[NAMES[slow_value(hand)[0]]] += ways
    assert counted == by_class
    assert counted == {
        "five of a kind": 10,
        "royal flush": 24,
        "straight flush": 100,
        "four of a kind": 1_800,
        "flush": 1_724,
        "full house": 3_780,
        "straight": 12_420,
        "three of a kind": 57_600,
        "two pair": 51_840,
        "pair": 369_180,
        "high card": 250_920,
    }


@pytest.mark.clause("SP.2", "SP.3", "SP.4", "SP.5", "SP.26")
@pytest.mark.parametrize("wheel", [False, True])
def test_every_class_of_spanish_hands_is_worth_what_trying_all_jokers_finds(wheel: bool) -> None:
    ranking = WITH_WHEEL if wheel else SPANISH
    hands = [hand for hand, _ in all_spanish_classes()]
    assert sum(ways for _, ways in all_spanish_classes()) == 749_398
    assert_same_order(hands, ranking.value, lambda hand: slow_value(hand, wheel=wheel))
    for hand in hands:
        assert ranking.value(hand).category == NAMES[slow_value(hand, wheel=wheel)[0]]


@pytest.mark.clause("SP.5", "SP.26")
def test_dealt_spanish_hands_are_worth_what_trying_all_jokers_finds() -> None:
    natural = islice(combinations(SPANISH_NATURALS, 5), 0, None, 61)
    with_joker = ((*four, JOKER) for four in islice(combinations(SPANISH_NATURALS, 4), 0, None, 53))
    assert_same_order([*natural, *with_joker], SPANISH.value, slow_value)


def test_two_wild_cards_also_find_their_best_values() -> None:
    hands = [hand for hand, _ in hand_classes("237KA", jokers=2)]
    assert len(hands) == 45
    assert_same_order(hands, SPANISH.value, slow_value)


def test_three_card_hands_are_a_ranking_like_any_other() -> None:
    counted = Counter(THREE_CARD.value(hand).category for hand in combinations(DECK, 3))
    assert counted == {
        "straight flush": 48,
        "three of a kind": 52,
        "straight": 720,
        "flush": 1_096,
        "pair": 3_744,
        "high card": 16_440,
    }
    assert value("Ac 2d 3h", THREE_CARD).words == "three-high straight"
    assert value("Kc Kd Kh", THREE_CARD) > value("Ac Kd Qh", THREE_CARD) > value("Ac Qc 9c", THREE_CARD)


def test_what_is_wild_is_a_value_too() -> None:
    deuces_wild = replace(STANDARD, wild=frozenset([Rank.TWO]))
    assert value("2c 9d 9h 9s Kc", deuces_wild).words == "four nines"
    assert value("2c 2d Kh Qh Th", deuces_wild).words == "royal flush"
    assert value("2c 2d Kh Qh Th", STANDARD).words == "pair of twos"


@pytest.mark.clause("SP.2")
def test_a_flush_beats_a_full_house_where_the_ranking_says_so() -> None:
    flush, full_house = "2h 4h 5h 6h Jh", "As Ad Ac Ks Kd"
    assert value(flush) > value(full_house)
    assert value(flush, STANDARD) < value(full_house, STANDARD)
    order = [category.name for category in SPANISH.categories]
    assert order.index(FLUSH.name) < order.index(FULL_HOUSE.name)


@pytest.mark.clause("SP.3")
def test_seven_and_jack_are_neighbours() -> None:
    assert value("5c 6d 7h Js Qc").words == "queen-high straight"
    assert value("5c 6c 7c Jc Qc").words == "queen-high straight flush"
    assert value("5c 6d 7h Js Qc", STANDARD).category == "high card"


@pytest.mark.clause("SP.3")
@pytest.mark.parametrize("missing", ["7h", "Jh", "Qh", "Kh", "Ah"])
def test_the_joker_may_replace_any_card_of_a_royal(missing: str) -> None:
    royal = value("7h Jh Qh Kh Ah")
    assert royal.category == "royal flush"
    assert value("7h Jh Qh Kh Ah".replace(missing, "Jo")) == royal


@pytest.mark.clause("SP.4")
def test_ace_to_five_is_a_straight_only_with_the_wheel() -> None:
    assert value("Ac 2d 3h 4s 5c").words == "ace high"
    assert value("Ac 2d 3h 4s 5c", WITH_WHEEL).words == "five-high straight"
    assert value("Ac 2d 3h 4s 5c", WITH_WHEEL) < value("2c 3d 4h 5s 6c", WITH_WHEEL)
    assert value("Ac 2c 3c 4c Jo").words == "ace-high flush"
    assert value("Ac 2c 3c 4c Jo", WITH_WHEEL).words == "five-high straight flush"


@pytest.mark.clause("SP.5")
@pytest.mark.parametrize(
    ("held", "as_if"),
    [
        ("Kh 6h 4h 3h", "Ah Kh 6h 4h 3h"),
        ("Ah 6h 4h 3h", "Ah Kh 6h 4h 3h"),
        ("Ah Kh 4h 3h", "Ah Kh Qh 4h 3h"),
        ("Ah Kh Qh 3h", "Ah Kh Qh Jh 3h"),
    ],
)
def test_the_joker_in_a_flush_is_the_highest_rank_not_there(held: str, as_if: str) -> None:
    assert value(f"{held} Jo") == value(as_if)


@pytest.mark.clause("SP.26")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("3c 3d 3h 3s Jo", "2c 2d 2h 2s Jo"),
        ("Jc Qc Kc Ac Jo", "2d 3d 4d 5d 6d"),
        ("3c 3d 3h 2s 2c", "2d 2h 2s Ac Ad"),
        ("Ac Ad 4h 4s 3c", "Ah As 4c 4d 2c"),
        ("Ac Kd 7h 6s 4c", "Ad Kh 7s 6c 3d"),
        ("7c Jd Qh Ks Ac", "6d 7h Js Qc Kd"),
        ("Ac 7c 6c 4c 3c", "Ad 7d 6d 4d 2d"),
        ("7c 7d Ah 3s 2c", "7h 7s Kc Qd Jh"),
    ],
)
def test_hands_of_one_kind_compare_by_sets_then_kickers(better: str, worse: str) -> None:
    assert value(better) > value(worse)


@pytest.mark.clause("SP.26")
def test_suits_and_the_joker_break_no_tie() -> None:
    assert value("7c Jc Qc Kc Ac") == value("7d Jd Qd Kd Ad") == value("7h Jh Qh Kh Jo")
    assert value("6c 6d 4h 3s 2c") != value("6c 6d 5h 3s 2c")
    assert value("Ac Kd 4h 3s Jo") == value("As Ad Kh 4c 3d")


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        ("Ac Ad Ah As Jo", "five aces"),
        ("7c Jc Qc Kc Ac", "royal flush"),
        ("6c 6d 6h 6s 2c", "four sixes"),
        ("Kc 6c 4c 3c 2c", "king-high flush"),
        ("Kc Kd Kh 2s 2c", "full house of kings over twos"),
        ("3c 4d 5h 6s 7c", "seven-high straight"),
        ("Jc Jd Jh 2s 3c", "three jacks"),
        ("Kc Kd 2h 2s 3c", "two pair, kings and twos"),
        ("6c 6d Kh 5s 2c", "pair of sixes"),
        ("Ac Kd 7h 4s 2c", "ace high"),
    ],
)
def test_a_value_says_what_it_is(codes: str, words: str) -> None:
    assert value(codes).words == words


def test_the_detail_names_every_rank_that_decides() -> None:
    assert value("6c 6d Kh 5s 2c").detail == "pair of sixes (6 K 5 2)"


@pytest.mark.parametrize(
    ("codes", "ranking"),
    [
        ("6c 6d Kh 5s", SPANISH),
        ("6c 6d Kh 5s 2c 3c", SPANISH),
        ("8c 6d Kh 5s 2c", SPANISH),
        ("Jo 6d Kh 5s 2c", STANDARD),
    ],
)
def test_cards_that_are_no_hand_of_the_ranking_are_refused(codes: str, ranking: Ranking) -> None:
    with pytest.raises(ValueError, match="a hand of this ranking has 5 cards"):
        value(codes, ranking)


def test_a_ranking_has_to_end_with_the_high_card() -> None:
    with pytest.raises(ValueError, match="ends with the high card"):
        replace(SPANISH, categories=SPANISH.categories[:-1])


def test_the_spanish_sequence_is_the_deck_it_is_played_with() -> None:
    shoe = standard_shoe(without=[Rank.EIGHT, Rank.NINE, Rank.TEN], jokers=1)
    assert {face.rank for face in shoe} == {*SPANISH.ranks, *SPANISH.wild}


@pytest.mark.clause("SP.4")
def test_a_wheel_changes_no_hand_but_those_it_is_made_of() -> None:
    wheel = replace(SPANISH, wheel=True)
    low = {Rank.ACE, Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE, Rank.JOKER}
    changed = set()
    for hand in combinations(cards("Ac 2c 3c 4c 5c 6c Kc Ad 2d 3d 7d Jh Jo"), 5):
        if wheel.value(hand) != SPANISH.value(hand):
            changed.add(frozenset(face.rank for face in hand))
    assert frozenset(low - {Rank.JOKER}) in changed
    assert frozenset(low - {Rank.FOUR}) in changed
    assert all(ranks <= low and len(ranks) == 5 for ranks in changed)


def dealt(codes: str, ranking: Ranking = SPANISH) -> PokerHand:
    hand = PokerHand(ranking)
    for face in cards(codes):
        hand = hand.add(face)
    return hand


def test_a_hand_dealt_card_by_card_has_the_value_of_its_cards() -> None:
    for hand, _ in all_spanish_classes():
        whole = dealt(" ".join(face.code for face in hand))
        assert whole.is_whole
        assert whole.value == SPANISH.value(hand)


@pytest.mark.parametrize("codes", ["7h 7d", "2c Jo Kc", "Ah Kh 6h 3h", "2c 2d 5h Jo 7s", "Ah Kh 6h 3h Jo"])
def test_a_hand_knows_no_order(codes: str) -> None:
    hands = {dealt(" ".join(order)) for order in permutations(codes.split())}
    assert len(hands) == 1
    assert hands.pop().held == len(codes.split())


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("2c 3c", "2d 3d", False),  # each waits for its own suit
        ("2c 3d", "2h 3s", True),  # no flush can come any more
        ("2c Jo", "Jo 2c", True),
        ("2c Jo", "2d Jo", False),  # a wild card fits every suit, the other does not
        ("2c 3c 4c 5c", "2c 3c 4c 5d", False),
        ("2c 3c 4c 5c Jc", "2d 3d 4d 5d Jd", True),  # a whole hand is its value
        ("Ac Ad Ah As Kc", "Ac Ad Ah Jo Kc", True),  # SP.26: the joker counts like a natural card
        ("Ac Ad Ah As Kc", "Ac Ad Ah As Qc", False),
    ],
)
def test_hands_are_equal_where_their_futures_are(one: str, other: str, alike: bool) -> None:
    assert (dealt(one) == dealt(other)) == alike
    assert (hash(dealt(one)) == hash(dealt(other))) == alike


def test_a_ranking_without_flushes_forgets_the_suits() -> None:
    plain = Ranking(categories=(PAIR, HIGH_CARD), ranks=STANDARD.ranks, size=3)
    assert dealt("2c 3c", plain) == dealt("2d 3h", plain)
    assert dealt("2c 3c 2d", plain).value == plain.value(cards("2c 3c 2d"))


@pytest.mark.parametrize("codes", ["2c 3c 4c 5c 8c", "2c 3c 4c 5c 6c 7c"])
def test_a_hand_takes_as_many_cards_of_its_ranks_as_it_has(codes: str) -> None:
    with pytest.raises(ValueError, match="5 cards of its ranks"):
        dealt(codes)


def test_one_hand_only_looks_for_the_joker() -> None:
    hand = Joker()
    for face in cards("2c Ah"):
        hand = hand.add(face)
    assert hand == Joker()
    assert hand.add(JOKER).add(card("2d")).is_held
