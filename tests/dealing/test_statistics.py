"""The check passes honest dealing and fails every shuffle that is not."""

from collections.abc import Callable, Sequence
from itertools import count

import pytest

from feltworks.cards import Card, Rank, card, standard_shoe
from feltworks.dealing.seed import Stream
from feltworks.dealing.shoes import (
    CardSource,
    Commitment,
    ContinuousShuffler,
    CutCardShoe,
    Reveal,
    SingleDeck,
)
from feltworks.dealing.statistics import LEVEL, DealtRound, Finding, Findings, check_deal, rounds_from
from feltworks.dealing.statistics import _adjust as adjusted
from feltworks.errors import BadOption, ShoeExhausted

DECK = standard_shoe()
SPANISH = standard_shoe(without=[Rank.EIGHT, Rank.NINE, Rank.TEN], jokers=1)
CARDS = DECK.all_cards()
ROUNDS = 5_000
Shuffler = Callable[[list[Card], Stream], list[Card]]


def check(shuffle: Shuffler, *, cards: int = 8, rounds: int = ROUNDS) -> Findings:
    """Deal from decks shuffled some other way; each shuffle gets the deck of the round before."""
    stream, numbers, deck = Stream(bytes(31) + b"\1"), count(), list(CARDS)

    def deal() -> DealtRound:
        deck[:] = shuffle(deck, stream)
        return DealtRound(next(numbers), True, tuple(deck[:cards]))

    return check_deal(deal, DECK, rounds=rounds)


def failed_kinds(findings: Findings) -> set[str]:
    return {test.kind for test in findings.tests if not test.passed}


def swapped_with_any(_: list[Card], stream: Stream) -> list[Card]:
    """Every card changes places with any card: 52^52 equally likely ways onto 52! orders."""
    deck = list(CARDS)
    for i in range(52):
        j = stream.below(52)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def drawn_with_remainders(_: list[Card], stream: Stream) -> list[Card]:
    """Fisher–Yates with one byte a draw, reduced by its remainder."""
    deck = list(CARDS)
    for i in range(52):
        j = i + stream.below(256) % (52 - i)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def riffled(times: int) -> Shuffler:
    """The last round's deck, cut and riffled a few times."""

    def shuffle(deck: list[Card], stream: Stream) -> list[Card]:
        for _ in range(times):
            deck = _riffle(deck, stream)
        return deck

    return shuffle


def _riffle(deck: Sequence[Card], stream: Stream) -> list[Card]:
    cut = sum(stream.below(2) for _ in deck)
    left, right, merged = list(deck[:cut]), list(deck[cut:]), []
    while left or right:
        pile = left if stream.below(len(left) + len(right)) < len(left) else right
        merged.append(pile.pop(0))
    return merged


def repeated_every_other_round() -> Shuffler:
    """Honest, but every shuffle is used twice."""
    rounds = count()
    return lambda deck, stream: deck if next(rounds) % 2 else honest(deck, stream)


def honest(_: list[Card], stream: Stream) -> list[Card]:
    deck = list(CARDS)
    for i in range(52):
        j = i + stream.below(52 - i)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def rotated(deck: list[Card], _: Stream) -> list[Card]:
    """Every card comes to every position equally often: too even to be chance."""
    return deck[1:] + deck[:1]


def second_card_near_the_first(deck: list[Card], stream: Stream) -> list[Card]:
    """One round in eight the second card is put beside a neighbour of its rank."""
    dealt = honest(deck, stream)
    if stream.below(8) == 0:
        near = next(i for i in range(1, 52) if abs(dealt[i].rank - dealt[0].rank) <= 1)
        dealt[1], dealt[near] = dealt[near], dealt[1]
    return dealt


@pytest.mark.parametrize(
    ("source", "cards"),
    [
        (SingleDeck(DECK, seed=1), 12),
        (SingleDeck(SPANISH, seed=1), 10),
        (ContinuousShuffler(standard_shoe(decks=6), seed=1), 6),
        (CutCardShoe(standard_shoe(decks=6), seed=1), 6),
        (CutCardShoe(DECK, seed=1), 4),
    ],
    ids=["single deck", "41 cards", "continuous", "six-deck shoe", "one-deck shoe"],
)
def test_our_own_dealing_passes(source: SingleDeck | CutCardShoe, cards: int) -> None:
    findings = check_deal(rounds_from(source, cards=cards), source.shoe, rounds=ROUNDS)
    assert findings.passed, findings.tests
    assert findings.seeded
    assert findings.cards == cards
    assert len(findings.tests) == cards + 2 * (cards - 1) + cards * (cards - 1) // 2 + cards


def test_an_honest_shuffle_written_elsewhere_passes() -> None:
    assert check(honest).passed


@pytest.mark.parametrize(
    ("shuffle", "noticed"),
    [
        (swapped_with_any, "position"),
        (riffled(2), "between rounds"),
        (riffled(3), "between rounds"),
        (repeated_every_other_round(), "between rounds"),
        (rotated, "position"),
        (second_card_near_the_first, "pair by rank"),
        (second_card_near_the_first, "within rounds"),
    ],
    ids=lambda value: getattr(value, "__qualname__", value),
)
def test_a_biased_shuffle_fails(shuffle: Shuffler, noticed: str) -> None:
    findings = check(shuffle)
    assert not findings.passed
    assert noticed in failed_kinds(findings)


def test_a_byte_reduced_by_its_remainder_fails_in_as_many_rounds_as_the_command_deals() -> None:
    # so small a bias shows in every other run of 5,000 rounds only
    assert "position" in failed_kinds(check(drawn_with_remainders, rounds=20_000))


def test_too_even_a_deal_fails_although_its_counts_are_perfect() -> None:
    first = check(rotated).tests[0]
    assert first.statistic < 1
    assert not first.passed


def test_a_card_twice_in_one_deck_fails_for_certain() -> None:
    source = SingleDeck(SPANISH, seed=1)
    honestly, joker = rounds_from(source, cards=2), card("Jo")
    rounds = count()

    def deal() -> DealtRound:
        dealt = honestly()
        return DealtRound(dealt.shoe_number, True, (joker, joker)) if next(rounds) == 5 else dealt

    findings = check_deal(deal, SPANISH, rounds=3_000)
    assert [test.p_value for test in findings.tests if test.kind == "pair by rank"] == [0.0]


def test_a_card_that_is_not_in_the_shoe_is_named() -> None:
    with pytest.raises(ShoeExhausted, match=r"the shoe holds no card \w\w"):
        check_deal(rounds_from(SingleDeck(DECK, seed=1), cards=4), SPANISH, rounds=3_000)


def test_too_few_rounds_are_refused_with_how_many_are_needed() -> None:
    deal = rounds_from(SingleDeck(DECK, seed=1), cards=4)
    with pytest.raises(BadOption, match="1,105 or more"):  # a pair of one rank: 5 expected of 4·3/(52·51)
        check_deal(deal, DECK, rounds=1_104)
    assert check_deal(deal, DECK, rounds=1_105).rounds == 1_105


@pytest.mark.parametrize("cards", [[1], [4, 5]], ids=["one card", "uneven"])
def test_rounds_that_cannot_be_compared_are_refused(cards: list[int]) -> None:
    numbers = count()

    def deal() -> DealtRound:
        number = next(numbers)
        return DealtRound(number, True, CARDS[: cards[number % len(cards)]])

    with pytest.raises(BadOption, match="the same number in every round"):
        check_deal(deal, DECK, rounds=2_000)


def test_the_verdict_corrects_for_all_tests_by_holms_steps() -> None:
    found = [Finding("position", str(p), 0.0, 1, p) for p in (0.03, 0.002, 0.0021, 0.0055, 0.5)]
    assert [test.adjusted for test in adjusted(found)] == pytest.approx([0.06, 0.01, 0.01, 0.0165, 0.5])
    found[1] = Finding("position", "0.0019", 0.0, 1, 0.0019)
    assert [test.passed for test in adjusted(found)] == [True, False, False, True, True]
    assert pytest.approx(0.01) == LEVEL


def test_dealing_goes_through_begin_deal_and_end() -> None:
    acts: list[str] = []

    class Watched(SingleDeck):
        def begin_round(self) -> Commitment:
            acts.append("begin")
            return super().begin_round()

        def deal(self, count: int) -> tuple[Card, ...]:
            acts.append(f"deal {count}")
            return super().deal(count)

        def end_round(self) -> Reveal | None:
            acts.append("end")
            return super().end_round()

    source: CardSource = Watched(DECK, seed=1)
    rounds_from(source, cards=2)()
    assert acts == ["begin", "deal 2", "end"]
