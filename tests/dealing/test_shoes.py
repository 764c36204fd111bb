"""Single deck, cut card, continuous shuffler: when they shuffle, reveal, and take up a round again."""

from collections.abc import Callable

import pytest
from msgspec import json
from msgspec.structs import replace

from feltworks import catalog
from feltworks.cards import Card, Shoe, standard_shoe
from feltworks.dealing.seed import verify
from feltworks.dealing.shoes import (
    CardSource,
    Commitment,
    ContinuousShuffler,
    CutCardShoe,
    Reveal,
    ShoeEmpty,
    SingleDeck,
    source_for,
)
from feltworks.errors import BadOption, BadSeed, NotNow, ShoeExhausted

DECK = standard_shoe()
TWO_DECKS = standard_shoe(decks=2)
SOURCES: dict[str, Callable[[int | None], tuple[CardSource, Shoe]]] = {
    "single deck": lambda seed: (SingleDeck(DECK, seed=seed), DECK),
    "cut card": lambda seed: (CutCardShoe(TWO_DECKS, penetration=50, seed=seed), TWO_DECKS),
    "continuous": lambda seed: (ContinuousShuffler(TWO_DECKS, seed=seed), TWO_DECKS),
}
every_source = pytest.mark.parametrize("kind", SOURCES)


def played(source: CardSource, count: int) -> tuple[Commitment, list[Card], Reveal | None]:
    commitment = source.begin_round()
    return commitment, [*source.deal(count)], source.end_round()


@every_source
@pytest.mark.parametrize("seed", [None, 5], ids=["live", "seeded"])
def test_what_was_dealt_is_what_was_committed_to(kind: str, seed: int | None) -> None:
    source, shoe = SOURCES[kind](seed)
    waiting: list[tuple[Commitment, list[Card]]] = []
    checked = 0
    for _ in range(12):
        commitment, dealt, reveal = played(source, 9)
        waiting.append((commitment, dealt))
        if reveal is None:
            continue
        for earlier, cards in waiting:
            order = verify(earlier, reveal.seed, shoe)
            assert list(order[earlier.position : earlier.position + 9]) == cards
            assert earlier.shoe_number == reveal.shoe_number
            checked += 1
        waiting.clear()
    assert checked == 12


@every_source
def test_test_mode_announces_itself_on_everything(kind: str) -> None:
    source, _ = SOURCES[kind](5)
    for _ in range(6):
        commitment, _, reveal = played(source, 9)
        assert commitment.seeded
        assert reveal is None or reveal.seeded
    assert reveal is not None
    assert "seeded" in repr(source)


@every_source
def test_the_same_number_deals_the_same_cards_and_live_play_does_not(kind: str) -> None:
    def dealt(seed: int | None) -> list[Card]:
        source, _ = SOURCES[kind](seed)
        return [card for _ in range(8) for card in played(source, 9)[1]]

    assert dealt(5) == dealt(5)
    assert dealt(5) != dealt(6)
    assert dealt(None) != dealt(None)


@every_source
def test_live_play_is_not_called_seeded(kind: str) -> None:
    source, _ = SOURCES[kind](None)
    commitment, _, _ = played(source, 9)
    assert not commitment.seeded
    assert "live" in repr(source)


@every_source
def test_no_public_word_of_a_source_holds_its_seed(kind: str) -> None:
    source, _ = SOURCES[kind](None)
    commitment = source.begin_round()
    raw = bytes.fromhex(source.secret)
    said = [repr(source), str(source), repr(commitment), json.encode(commitment).decode()]
    said += [repr(value) for value in vars(source).values()]
    for text in said:
        assert source.secret not in text
        assert repr(raw) not in text


@pytest.mark.parametrize("kind", ["single deck", "continuous"])
def test_every_round_is_dealt_from_the_full_shoe_and_revealed(kind: str) -> None:
    source, shoe = SOURCES[kind](None)
    for number in range(1, 4):
        commitment, _, reveal = played(source, shoe.total - 1)
        assert (commitment.shoe_number, commitment.position, commitment.cards) == (number, 0, shoe.total)
        assert reveal is not None


def test_a_shoe_is_dealt_to_its_cut_card_and_the_round_in_play_is_finished() -> None:
    source = CutCardShoe(DECK, cut_card_at=12, burned=1)  # 40 cards before the cut card, one of them burned
    rounds = [played(source, 13) for _ in range(4)]
    assert [commitment.position for commitment, _, _ in rounds] == [1, 14, 27, 1]
    assert [commitment.shoe_number for commitment, _, _ in rounds] == [1, 1, 1, 2]
    assert [reveal is not None for _, _, reveal in rounds] == [False, False, True, False]
    assert len({commitment.digest for commitment, _, _ in rounds}) == 2


def test_the_last_card_before_the_cut_card_decides() -> None:
    short, reaching, beyond = (CutCardShoe(DECK, cut_card_at=12, burned=0) for _ in range(3))
    assert played(short, 39)[2] is None
    assert played(reaching, 40)[2] is not None
    assert played(beyond, 50)[2] is not None


def test_penetration_is_the_share_before_the_cut_card() -> None:
    assert CutCardShoe(standard_shoe(decks=6), penetration=75).cut_card_at == 78
    assert CutCardShoe(DECK, penetration=100).cut_card_at == 0


def test_the_burned_card_is_the_shoes_first() -> None:
    source = CutCardShoe(DECK, cut_card_at=40)
    commitment, dealt, reveal = played(source, 51)
    assert reveal is not None
    order = verify(commitment, reveal.seed, DECK)
    assert list(order[1:]) == dealt


@pytest.mark.parametrize(
    "wrong",
    [{"penetration": 0}, {"penetration": 101}, {"cut_card_at": 51}, {"cut_card_at": -1}, {"burned": 52}],
    ids=str,
)
def test_an_impossible_cut_is_refused_with_what_is_possible(wrong: dict[str, int]) -> None:
    with pytest.raises(BadOption, match="from"):
        CutCardShoe(DECK, **wrong)


@every_source
def test_an_empty_shoe_gives_no_card_and_the_next_round_is_shuffled_anew(kind: str) -> None:
    source, shoe = SOURCES[kind](None)
    commitment = source.begin_round()
    dealt = source.deal(shoe.total - commitment.position)
    with pytest.raises(ShoeEmpty, match=f"all {shoe.total} cards") as refused:
        source.deal(1)
    assert isinstance(refused.value, ShoeExhausted)
    assert len(dealt) == shoe.total - commitment.position
    assert source.end_round() is not None
    assert source.begin_round().shoe_number == 2


@every_source
@pytest.mark.parametrize("seed", [None, 5], ids=["live", "seeded"])
@pytest.mark.parametrize("drawn", [0, 4, 9])
def test_an_interrupted_round_is_taken_up_where_it_was(kind: str, seed: int | None, drawn: int) -> None:
    source, _ = SOURCES[kind](seed)
    for _ in range(2):
        played(source, 9)
    commitment, secret = source.begin_round(), bytes.fromhex(source.secret)
    cards = source.deal(9)
    revealed = source.end_round()

    again, _ = SOURCES[kind](seed)
    again.restore(secret, commitment, drawn)
    assert again.deal(9 - drawn) == cards[drawn:]
    assert again.secret == secret.hex()
    assert again.end_round() == revealed
    following, expected = again.begin_round(), source.begin_round()
    assert (following.shoe_number, following.position) == (expected.shoe_number, expected.position)
    if seed is not None or revealed is None:
        assert following == expected


@every_source
def test_a_live_source_that_takes_up_a_test_round_says_so_until_the_shoe_is_over(kind: str) -> None:
    (tested, shoe), (live, _) = SOURCES[kind](5), SOURCES[kind](None)
    commitment = tested.begin_round()
    live.restore(bytes.fromhex(tested.secret), commitment, shoe.total - commitment.position)
    assert "seeded" in repr(live)
    reveal = live.end_round()
    assert reveal is not None
    assert reveal.seeded
    assert not live.begin_round().seeded


@every_source
def test_a_restore_that_does_not_fit_changes_nothing(kind: str) -> None:
    source, shoe = SOURCES[kind](5)
    commitment, secret = source.begin_round(), bytes.fromhex(source.secret)
    reference, _ = SOURCES[kind](5)
    reference.begin_round()
    with pytest.raises(BadSeed, match="committed to"):
        source.restore(bytes(32), commitment, 0)
    with pytest.raises(BadSeed, match="committed to"):
        source.restore(secret, replace(commitment, shoe_number=2), 0)
    with pytest.raises(BadSeed, match="32 bytes"):
        source.restore(b"short", commitment, 0)
    for drawn in (-1, shoe.total + 1):
        with pytest.raises(BadSeed, match="position"):
            source.restore(secret, commitment, drawn)
    assert source.deal(9) == reference.deal(9)


@every_source
def test_acts_out_of_turn_are_refused(kind: str) -> None:
    source, _ = SOURCES[kind](None)
    for act in (lambda: source.deal(1), source.end_round, lambda: source.secret):
        with pytest.raises(NotNow):
            act()
    source.begin_round()
    with pytest.raises(NotNow):
        source.begin_round()
    source.end_round()
    with pytest.raises(NotNow):
        source.deal(1)


@pytest.mark.clause("FB.1")
def test_fu_bacc_is_dealt_from_one_deck_shuffled_for_every_round() -> None:
    source = source_for(catalog.game("fu-bacc").terms, seed=1)
    first, second = played(source, 52), played(source, 52)
    assert sorted(first[1]) == sorted(second[1]) == sorted(DECK)
    assert first[1] != second[1]
    assert isinstance(source, SingleDeck)


@pytest.mark.clause("SP.1")
def test_spanish_poker_is_dealt_from_41_cards_shuffled_for_every_round() -> None:
    source = source_for(catalog.game("spanish-poker").terms, seed=1)
    first, second = played(source, 41), played(source, 41)
    assert sorted(first[1]) == sorted(second[1])
    assert len(set(first[1])) == 41
    assert first[1] != second[1]


@pytest.mark.clause("BJ.1", "LL.1")
@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_blackjack_is_dealt_from_a_shoe_or_a_continuous_shuffler(decks: int) -> None:
    def source(shoe: str) -> CardSource:
        terms = catalog.game("lucky-lucky", options={"decks": decks, "shoe": shoe}).terms
        return source_for(terms, seed=1)

    shoe, shuffler = source("shoe"), source("continuous")
    assert isinstance(shoe, CutCardShoe)
    assert isinstance(shuffler, ContinuousShuffler)
    assert shoe.shoe == shuffler.shoe == standard_shoe(decks=decks)


def test_a_small_shoe_keeps_a_full_tables_round_behind_the_cut_card() -> None:
    def behind(**options: object) -> int:
        source = source_for(catalog.game("lucky-lucky", options=options).terms)
        assert isinstance(source, CutCardShoe)
        return source.cut_card_at

    assert behind(decks=1, spots=7) == 32  # four cards for each of eight hands
    assert behind(decks=1, spots=1) == 13
    assert behind(decks=6, spots=7) == 78


def test_the_house_sets_the_penetration() -> None:
    source = source_for(catalog.game("lucky-lucky", options={"decks": 8}).terms, penetration=50)
    assert isinstance(source, CutCardShoe)
    assert source.cut_card_at == 208
    with pytest.raises(BadOption, match="1 to 100"):
        source_for(catalog.game("lucky-lucky").terms, penetration=0)
