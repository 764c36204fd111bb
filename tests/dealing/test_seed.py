"""A shoe is committed to before the deal and can be checked by anyone after it."""

import pytest
from msgspec.structs import replace

from feltworks.cards import Rank, Shoe, standard_shoe
from feltworks.dealing.seed import Commitment, Seed, Shuffle, composition_text, digest, verify
from feltworks.errors import BadSeed
from tests.dealing import outsider

SPANISH = standard_shoe(without=[Rank.EIGHT, Rank.NINE, Rank.TEN], jokers=1)
RAW = bytes(range(32))


def committed(shoe: Shoe, *, seeded: bool = False, number: int = 7) -> Commitment:
    return Commitment(digest(Seed(RAW, seeded=seeded), composition_text(shoe), number), number, 0, seeded, shoe.total)


@pytest.mark.parametrize("shoe", [standard_shoe(), SPANISH, standard_shoe(decks=8)], ids=["52", "41", "416"])
@pytest.mark.parametrize("seeded", [False, True])
def test_an_outsider_finds_the_same_commitment_and_the_same_order(shoe: Shoe, *, seeded: bool) -> None:
    commitment = committed(shoe, seeded=seeded)
    mode = "test" if seeded else "live"
    assert outsider.commitment(RAW, composition_text(shoe), 7, mode) == commitment.digest
    ours = [face.code for face in verify(commitment, RAW.hex(), shoe)]
    unshuffled = [
        code for entry in composition_text(shoe).split() for code in [entry.split(":")[0]] * int(entry.split(":")[1])
    ]
    assert ours == outsider.order(RAW, unshuffled)
    assert sorted(ours) == sorted(unshuffled)


def test_the_commitment_lists_the_41_cards_ranks_up_joker_last() -> None:
    entries = composition_text(SPANISH).split()
    assert entries[:5] == ["2c:1", "2d:1", "2h:1", "2s:1", "3c:1"]
    assert entries[-2:] == ["As:1", "Jo:1"]
    assert len(entries) == 41


def test_the_order_is_the_same_however_late_a_card_is_drawn() -> None:
    deck = standard_shoe().all_cards()
    at_once, one_by_one = Shuffle(deck, RAW), Shuffle(deck, RAW)
    early = one_by_one.deal(5)
    assert at_once.deal(52) == early + one_by_one.deal(47)


def test_test_mode_derives_its_seed_as_described_and_says_so() -> None:
    seed = Seed.of_number(42, 3)
    assert seed.raw == outsider.announced_seed(42, 3)
    assert seed.seeded
    assert Seed.of_number(42, 4).raw != seed.raw


def test_live_seeds_differ_and_are_not_seeded() -> None:
    first, second = Seed.live(), Seed.live()
    assert first.raw != second.raw
    assert not first.seeded


@pytest.mark.parametrize(
    "altered",
    [{"digest": "0" * 64}, {"shoe_number": 8}, {"seeded": True}],
    ids=["digest", "shoe number", "mode"],
)
def test_anything_but_what_was_committed_to_is_refused(altered: dict[str, object]) -> None:
    commitment = replace(committed(standard_shoe()), **altered)
    with pytest.raises(BadSeed, match="committed to for shoe"):
        verify(commitment, RAW.hex(), standard_shoe())


def test_another_seed_and_another_shoe_are_refused() -> None:
    commitment = committed(standard_shoe())
    with pytest.raises(BadSeed):
        verify(commitment, bytes(32).hex(), standard_shoe())
    with pytest.raises(BadSeed):
        verify(commitment, RAW.hex(), standard_shoe(decks=2))


@pytest.mark.parametrize("text", ["", "00", "zz" * 32, "00" * 33, "é" * 64])
def test_a_text_that_is_no_seed_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(BadSeed, match="64 hexadecimal digits"):
        verify(committed(standard_shoe()), text, standard_shoe())


def test_a_seed_does_not_show_itself() -> None:
    seed = Seed(RAW, seeded=False)
    assert RAW.hex() not in repr(seed) + str(seed)
    assert repr(RAW) not in repr(seed)
