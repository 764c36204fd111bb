"""Hands: totals and values against the plainest possible count."""

from itertools import product

from hypothesis import assume, given
from hypothesis import strategies as st

from feltworks.cards import DECK, JOKER, Card, Rank, Suit, card
from feltworks.hands import baccarat, blackjack, spread
from feltworks.hands.poker import SPANISH

hands = st.lists(st.sampled_from(DECK), min_size=1, max_size=10).map(tuple)
SPANISH_DECK = [face for face in DECK if face.rank in SPANISH.ranks]
spanish_hands = st.permutations([*SPANISH_DECK, JOKER]).map(lambda deck: tuple(deck[:5]))


def worth(face: Card) -> tuple[int, ...]:
    """What a card may count in blackjack."""
    letter = face.code[0]
    return (1, 11) if letter == "A" else (10,) if letter in "TJQK" else (int(letter),)


def possible_totals(hand: tuple[Card, ...]) -> list[int]:
    """Every total a blackjack hand can be given, ace by ace."""
    return sorted(sum(values) for values in product(*map(worth, hand)))


@given(hands)
def test_a_blackjack_total_is_the_best_of_all_ways_to_count_aces(hand: tuple[Card, ...]) -> None:
    totals = possible_totals(hand)
    not_over = [points for points in totals if points <= 21]
    held = blackjack.total(hand)
    assert held.points == (not_over[-1] if not_over else totals[0])
    assert held.soft == (held.points != totals[0])


@given(hands, st.randoms(use_true_random=False))
def test_the_order_of_cards_changes_no_total(hand: tuple[Card, ...], rng: object) -> None:
    mixed = list(hand)
    rng.shuffle(mixed)  # type: ignore[attr-defined]
    assert blackjack.total(tuple(mixed)) == blackjack.total(hand)
    assert baccarat.total(mixed) == baccarat.total(hand)


@given(hands)
def test_a_baccarat_total_is_the_last_digit_of_the_pips(hand: tuple[Card, ...]) -> None:
    letters = "".join(face.code[0] for face in hand)
    pips = letters.count("A") + sum(int(letter) for letter in letters if letter.isdecimal())
    assert baccarat.total(hand) == int(str(pips)[-1])


@given(hands, st.sampled_from(sorted(baccarat.MONKEYS)))
def test_a_monkey_adds_nothing(hand: tuple[Card, ...], monkey: Card) -> None:
    assert baccarat.total((*hand, monkey)) == baccarat.total(hand)


@given(hands)
def test_a_blackjack_is_an_ace_and_a_ten_value_card(hand: tuple[Card, ...]) -> None:
    letters = sorted("T" if face.code[0] in "TJQK" else face.code[0] for face in hand)
    assert blackjack.is_blackjack(hand) == (letters == ["A", "T"])


@given(*[st.sampled_from([face.rank for face in DECK])] * 3)
def test_a_spread_counts_the_ranks_that_lie_between(first: Rank, second: Rank, third: Rank) -> None:
    between = {face.rank for face in DECK if spread.is_between(face.rank, first, second)}
    assert spread.spread(first, second) == (len(between) if first != second else -1)
    assert spread.is_between(third, first, second) == spread.is_between(third, second, first)


@given(spanish_hands, st.permutations(list(Suit)))
def test_poker_values_know_no_order_and_no_suit_by_name(hand: tuple[Card, ...], suits: list[Suit]) -> None:
    def renamed(face: Card) -> Card:
        return face if face.suit is None else card(face.rank.letter + suits[face.suit].letter)

    assert SPANISH.value(map(renamed, reversed(hand))) == SPANISH.value(hand)


@given(spanish_hands, st.sampled_from(SPANISH_DECK))
def test_the_joker_is_worth_at_least_any_card_in_its_place(hand: tuple[Card, ...], natural: Card) -> None:
    assume(JOKER not in hand)
    assume(natural not in hand)
    assert SPANISH.value((*hand[1:], JOKER)) >= SPANISH.value((*hand[1:], natural))
