"""The stream is ChaCha20, and every number below a limit owns exactly as many words as any other."""

import time
from collections import Counter
from itertools import chain, islice

import pytest

from feltworks.dealing import seed
from feltworks.dealing.seed import WORDS, Stream
from tests.dealing import outsider

ZERO_KEY_BLOCK_1 = (
    "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
    "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"
)
ZERO_KEY_BLOCK_0_NONCE_2 = (
    "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
    "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d"
)
SECTION_2_3_2_BLOCK = (
    "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
    "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"
)


def test_outsiders_chacha20_gives_the_blocks_printed_in_rfc_8439() -> None:
    assert outsider.block(bytes(32), 1, bytes(12)).hex() == ZERO_KEY_BLOCK_1
    assert outsider.block(bytes(32), 0, bytes(11) + b"\2").hex() == ZERO_KEY_BLOCK_0_NONCE_2
    nonce = bytes.fromhex("000000090000004a00000000")
    assert outsider.block(bytes(range(32)), 1, nonce).hex() == SECTION_2_3_2_BLOCK


def test_stream_begins_with_the_words_of_rfc_8439() -> None:
    stream = Stream(bytes(32))
    drawn = b"".join(stream.below(WORDS).to_bytes(4, "little") for _ in range(16))
    assert drawn.hex() == ZERO_KEY_BLOCK_1


@pytest.mark.parametrize("limit", [1, 2, 52, 416, 2**31 + 1, WORDS - 1, WORDS])
def test_stream_draws_what_an_outsider_draws_over_many_batches(limit: int) -> None:
    seed = bytes(range(32))
    stream, words = Stream(seed), outsider.words(seed)
    assert [stream.below(limit) for _ in range(200)] == [outsider.number_below(limit, words) for _ in range(200)]


@pytest.mark.parametrize("words", [16, 64, 256])
def test_every_result_owns_the_same_number_of_words_and_fewer_than_one_share_is_redrawn(
    words: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seed, "WORDS", words)
    for limit in range(1, words + 1):
        stream = Stream(bytes(32))
        owned = Counter(drawn_with_word(stream, word, limit) for word in range(words))
        redrawn = owned.pop(None, 0)
        assert sorted(owned) == list(range(limit))
        assert set(owned.values()) == {words // limit}
        assert redrawn < limit


def drawn_with_word(stream: Stream, word: int, limit: int) -> int | None:
    """What one word gives; None if it is passed over."""
    spare = iter([0])
    stream._words = chain([word], spare)
    drawn = stream.below(limit)
    return drawn if list(spare) else None


def test_words_beyond_the_last_whole_share_are_redrawn() -> None:
    seed, limit = bytes(32), 2**31 + 1  # nearly half of all words are redrawn
    all_words = list(islice(outsider.words(seed), 64))
    kept = [word for word in all_words if word < limit]
    assert 0 < len(kept) < len(all_words)
    stream = Stream(seed)
    assert [stream.below(limit) for _ in kept] == kept


def test_the_last_word_kept_and_the_first_redrawn_lie_side_by_side() -> None:
    shares = 52 * (WORDS // 52)
    stream = Stream(bytes(32))
    stream._words = iter([shares - 1, shares, WORDS - 1, 0])
    assert [stream.below(52), stream.below(52)] == [51, 0]


@pytest.mark.parametrize("limit", [0, -1, WORDS + 1])
def test_a_draw_without_possible_results_is_refused(limit: int) -> None:
    with pytest.raises(ValueError, match="possible results"):
        Stream(bytes(32)).below(limit)


def test_a_stream_with_twelve_draws_is_cheap() -> None:
    def seconds() -> float:
        begun = time.perf_counter()
        for _ in range(500):
            stream = Stream(bytes(32))
            for _ in range(12):
                stream.below(52)
        return time.perf_counter() - begun

    # 25 millionths of a second are wanted; a busy machine gets four times that before the test complains
    assert min(seconds() for _ in range(5)) / 500 < 100e-6
