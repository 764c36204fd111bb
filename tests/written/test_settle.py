"""`felt settle` line by line: impossible rounds are refused in a sentence, limits are kept."""

import json
from typing import Any

import pytest

from feltworks.errors import ImpossibleRound
from feltworks.written.settle import limit_on, settle_line
from tests.pit import Written, bacc, bj, paid, refused, sheet, written

FU_BACC = written("fu-bacc", bacc("Kd 5d 2c", "stay", ante=1000), dealer="9s 3h 4d")
LUCKY_BREAK = written("lucky-break", bj("Th 9h", blackjack=1000), dealer="8c Td")


def changed(round_: Written, **said: Any) -> str:
    """What is said to a sound round with something changed in it."""
    answer = settle_line(json.dumps({**round_, **said}))
    assert "error" in answer, answer
    error: str = answer["error"]
    return error


def seated(round_: Written, **said: Any) -> str:
    """The same with something changed in its seat."""
    return changed(round_, seats=[{**round_["seats"][0], **said}])


def test_the_sound_rounds_settle() -> None:
    for round_ in (FU_BACC, LUCKY_BREAK):
        assert "error" not in settle_line(json.dumps(round_))


def test_the_example_of_the_interface_settles() -> None:
    spot = bacc("Kh 5d 2c", "hit", ante=1000, lucky_monkey=500, tie=500)
    assert paid("fu-bacc", spot, dealer="9s 3h 4d") == {  # 7 against 9, 3 and 4: 6
        "ante": ("win", 1000),
        "play": ("win", 2000),
        "lucky-monkey": ("lose", -500),
        "tie": ("lose", -500),
    }


@pytest.mark.parametrize(
    "line",
    ["", " ", "[]", "null", "7", '"fu-bacc"', "{", "{}", b"\xff\xfe", '{"game": "fu-bacc"}', "[" * 20000],
)
def test_a_line_that_is_no_finished_round_is_refused(line: str | bytes) -> None:
    assert settle_line(line)["error"].startswith("the line is not a finished round: ")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"seats": []}, "a round needs at least one seat with a wager"),
        ({"seats": None}, "Expected `array`"),
        ({"game": "baccarat"}, "there is no game 'baccarat'; it may be acey-deucey-21, fu-bacc"),
        ({"game": "blackjack"}, "there is no game 'blackjack'"),
        ({"game": None}, "Expected `str`"),
        ({"shoe": 3}, "unknown field `shoe`"),
        ({"pay_tables": {"ante": "2"}}, "no ante pay table '2'; it may be 1"),
        ({"pay_tables": {"war": "1"}}, "no wager with pay tables 'war'"),
        ({"options": {"peek": True}}, "Fu Bacc has no option 'peek'"),
        ({"options": {"rescue-tie": "wins"}}, "it takes stays or loses"),
        ({"options": {"offers": ["tie"]}}, "a list with ante in it"),
        ({"dealer": {"up": "9s", "hole": "3h"}}, "the dealer's third card is missing"),
        ({"dealer": {"hole": "3h", "third": "4d"}}, "the dealer's up card is missing"),
        ({"dealer": {"up": "9s", "hole": "3h", "third": "4x"}}, "'4x' is no card"),
        (
            {"dealer": {"up": "9s", "hole": "3h", "third": "9s"}},
            "the shoe holds only 1 of card 9s",
        ),
        ({"board": ["5s"]}, "the board has a card more than the rules allow"),
        ({"limit": 0}, "the limit is a positive whole number of cents"),
        ({"limit": 1999}, "at most $9.99 under the limit of $19.99"),
        ({"date": "2021-02-30"}, "write it like 2024-01-31"),
        ({"date": "2001-01-01"}, "no wager limit is known before 2004-07-01"),
    ],
)
def test_an_impossible_round_is_refused_with_what_is_allowed(said: Written, words: str) -> None:
    assert words in changed(FU_BACC, **said)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"wagers": {}}, "seat 1 has no wager"),
        ({"wagers": {"ante": 1000, "war": 5}}, "no wager 'war'; it may be ante, lucky-monkey or tie"),
        ({"wagers": {"ante": 0}}, "the amount is a positive whole number of cents"),
        ({"wagers": {"ante": -5}}, "the amount is a positive whole number of cents"),
        ({"wagers": {"ante": 10.5}}, "the amount is a positive whole number of cents"),
        ({"wagers": {"ante": "10"}}, "the amount is a positive whole number of cents"),
        ({"wagers": {"ante": True}}, "the amount is a positive whole number of cents"),
        ({"wagers": {"ante": 1000, "play": 2000}}, "it follows from the ante wager"),
        ({"cards": ["Kd"]}, "two cards and its third, used or burned"),
        ({"cards": ["Kd", "5d", "6d"]}, "two cards and its third, used or burned"),
        ({"third": None}, "two cards and its third, used or burned"),
        ({"cards": ["Kd", "5x"]}, "'5x' is no card; write the rank A 2-9 T J Q K and the suit c d h s"),
        ({"cards": ["Kd", "Jo"]}, "the shoe holds no card Jo"),
        ({"cards": ["Kd", "Kd"]}, "the shoe holds only 1 of card Kd"),
        ({"third": "Kd"}, "the shoe holds only 1 of card Kd"),  # burned, but it was in the deck
        ({"choice": "double"}, "seat 1 may not choose double; allowed: fold, stay ($20 on play)"),
        ({"choice": "bonus"}, "seat 1 may not choose bonus; allowed: fold, stay"),
        ({"choice": None}, "seat 1 may not choose nothing; allowed: fold, stay"),
        ({"choice": None, "choices": ["stay", "hit"]}, "seat 1 chose hit, and no such decision was open"),
        ({"choice": "fold", "choices": ["stay"]}, "its choice, or its choices in order, but not both"),
        ({"raise": 100}, "raise of 100 cents, and no such decision was open"),
        ({"insurance": 100}, "insurance of 100 cents, and no such decision was open"),
        ({"tokes": {"tie": 100}}, "tokes are taken on no wager"),
        ({"spot": 8}, "the table has spots 1 to 7"),
        ({"colour": "red"}, "unknown field `colour`"),
    ],
)
def test_an_impossible_seat_is_refused_with_what_is_allowed(said: Written, words: str) -> None:
    assert words in seated(FU_BACC, **said)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"hands": []}, "has at least one"),
        ({"hands": [{"cards": ["Th", "9h"], "surrendered": True}]}, "may not choose surrender"),
        ({"hands": [{"cards": ["Th", "9h", "5s", "2s"]}]}, "more than the rules allow"),  # 24 is over
        ({"hands": [{"cards": ["Th"]}, {"cards": ["9h", "2s"]}]}, "may not choose split"),
        ({"choice": "fold"}, "fold"),
        ({"choices": ["surrender"]}, "surrender"),
    ],
)
def test_an_impossible_blackjack_seat_is_refused(said: Written, words: str) -> None:
    assert words in seated(LUCKY_BREAK, **said)


@pytest.mark.clause("SP.6")
def test_a_written_raise_is_the_one_that_the_choice_put_down() -> None:
    seat = {"wagers": {"ante": 1000}, "cards": ["Ah", "Kh", "Qh", "Jh", "7h"], "choice": "raise"}
    round_ = {"game": "spanish-poker", "seats": [seat], "dealer": {"cards": ["2c", "2d", "3c", "4c", "6c"]}}
    same = settle_line(json.dumps({**round_, "seats": [{**seat, "raise": 2000}]}))
    assert same == settle_line(json.dumps(round_))
    assert seated(round_, **{"raise": 700}) == "seat 1 chose raise of 700 cents, and no such decision was open"


@pytest.mark.parametrize(
    ("round_", "name", "read"),
    [(FU_BACC, "draws", "up, hole or third"), (LUCKY_BREAK, "draw", "hole, up or draws")],
)
def test_a_dealers_card_under_a_name_that_nobody_reads_is_refused(round_: Written, name: str, read: str) -> None:
    dealer = {**round_["dealer"], name: ["2d"]}
    error = settle_line(json.dumps({**round_, "dealer": dealer}))["error"]
    assert error == f"the dealer's cards are written as {read}, not as {name}"


@pytest.mark.clause("AD.8", "BJ.4")
@pytest.mark.parametrize("amount", [False, "", [], "100", -100, 1.5])
def test_a_raise_or_insurance_that_is_no_amount_is_refused(amount: Any) -> None:
    spot = bj("5c 7h", blackjack=1000, acey_deucey=1000)
    assert refused("acey-deucey-21", {**spot, "raise": amount}, dealer="6d As")
    assert refused("lucky-break", {**bj("Th 9h", blackjack=1000), "insurance": amount}, dealer="Ac 7d")


@pytest.mark.parametrize("round_", [FU_BACC, LUCKY_BREAK])
def test_burned_or_absent_fields_may_be_left_at_their_defaults(round_: Written) -> None:
    seat = {**round_["seats"][0], "raise": 0, "insurance": 0, "tokes": {}, "player": None, "spot": None}
    said: Written = {"pay_tables": {}, "options": {}, "limit": None, "date": None, "void": None, "board": []}
    plain = settle_line(json.dumps(round_))
    assert settle_line(json.dumps({**round_, **said, "seats": [seat]})) == plain


@pytest.mark.clause("FB.19", "WA.1")
@pytest.mark.parametrize(
    ("date", "cents"),
    [
        ("2004-07-01", 10000),
        ("2007-12-31", 10000),
        ("2008-02-19", 20000),
        ("2020-11-16", 30000),
        ("2023-08-18", 30000),
        ("2023-08-19", 40000),
        ("2030-01-01", 40000),
    ],
)
def test_the_limit_of_the_day_is_kept(date: str, cents: int) -> None:
    assert limit_on(date) == cents
    tie = {"tie": cents}
    assert sheet("fu-bacc", bacc("Kd 5d 2c", **tie), dealer="9s 3h 4d", date=date)
    above = bacc("Kd 5d 2c", tie=cents + 1)
    assert "at most" in refused("fu-bacc", above, dealer="9s 3h 4d", date=date)


def test_a_limit_given_outright_goes_before_the_date() -> None:
    spot = bacc("Kd 5d 2c", tie=40001)
    assert sheet("fu-bacc", spot, dealer="9s 3h 4d", date="2024-01-31", limit=50000)


@pytest.mark.parametrize("date", ["", "yesterday", "2024-1-1", "31.01.2024", "2024-02-30"])
def test_what_is_no_date_is_refused(date: str) -> None:
    with pytest.raises(ImpossibleRound, match="write it like 2024-01-31"):
        limit_on(date)


def test_one_bad_line_leaves_the_next_alone() -> None:
    before = settle_line(json.dumps(FU_BACC))
    assert "error" in settle_line(json.dumps({**FU_BACC, "options": {"rescue-tie": 1}}))
    assert settle_line(json.dumps(FU_BACC)) == before
