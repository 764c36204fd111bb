"""Rulebooks: every one loads and says all that its document says."""

import datetime
from collections import Counter

import pytest

from feltworks import catalog
from feltworks.errors import BadOption
from feltworks.rules.rulebook.load import parse_rulebook
from feltworks.rules.rulebook.model import UNRULED, Rulebook
from feltworks.rules.terms import Terms
from tests.rules.damages import SOUND

FILES = catalog.rulebook_files()
BLACKJACK_GAMES = ("acey-deucey-21", "lucky-break", "lucky-lucky")
APPROVED_GAMES = ("acey-deucey-21", "fu-bacc", "lucky-break", "lucky-lucky", "spanish-poker")

CLAUSES = {
    "money": ("M", 1),
    "fu-bacc": ("FB", 19),
    "acey-deucey-21": ("AD", 15),
    "lucky-break": ("LB", 15),
    "spanish-poker": ("SP", 26),
    "lucky-lucky": ("LL", 7),
    "blackjack": ("BJ", 5),
    "washington": ("WA", 4),
}

# What the documents leave open: at least so many readings of each clause.
READINGS = {
    "money": "M.1",
    "fu-bacc": "FB.1 FB.2 FB.3 FB.8 FB.10 FB.10 FB.12 FB.13 FB.16 FB.18 FB.19 FB.19",
    "acey-deucey-21": "AD.1 AD.4 AD.5 AD.8 AD.9 AD.11 AD.11 AD.13 AD.15",
    "lucky-break": "LB.1 LB.4 LB.5 LB.5 LB.7 LB.8 LB.9 LB.12 LB.13 LB.14",
    "lucky-lucky": "LL.2 LL.3 LL.5",
    "blackjack": "BJ.1 BJ.4 BJ.5",
}

Values = tuple[bool | int | str, ...]
BLACKJACK_OPTIONS: dict[str, Values] = {
    "soft17": ("stand", "hit"),
    "blackjack-pays": ("3:2", "6:5"),
    "double": ("any", "9-11", "10-11"),
    "double-after-split": (True, False),
    "resplit-aces": (False, True),
    "hit-split-aces": (False, True),
    "surrender": ("none", "late"),
    "peek": (True, False),
    "split-on": ("value", "rank"),
    "no-peek-loss": ("all", "original"),
    "insurance": (True, False),
    "stand-on-21": (False, True),
    "shoe": ("shoe", "continuous"),
}
LUCKY_BREAK_OPTIONS: dict[str, Values] = {
    "lucky-break.multiplier": ("added", "replaces"),
    "lucky-break.player-limit": (27, 26, "none"),
    "lucky-break.split-limit": ("any", "all"),
    "lucky-break.surrender": ("stays", "loses"),
}
# The first value is the default.
OPTIONS: dict[str, dict[str, Values]] = {
    "fu-bacc": {
        "fu-bacc.lucky-monkey-alone": (True, False),
        "fu-bacc.tie-alone": (True, False),
        "fu-bacc.adjacent-spots": (True, False),
        "fu-bacc.rescue-tie": ("stays", "loses"),
        "fu-bacc.rescue-ten": (True, False),
    },
    "acey-deucey-21": {"acey-deucey-21.bonus-alone": (False, True), **BLACKJACK_OPTIONS},
    "lucky-break": {**LUCKY_BREAK_OPTIONS, **BLACKJACK_OPTIONS},
    "lucky-lucky": {
        **LUCKY_BREAK_OPTIONS,
        "lucky-break.player-limit": (26, 27, "none"),
        **BLACKJACK_OPTIONS,
    },
    "spanish-poker": {
        "spanish-poker.tie": ("push", "lose"),
        "spanish-poker.wheel": (False, True),
        "spanish-poker.bonus-above-ante": (True, False),
        "gran-progressive.stake": ("returned", "kept"),
    },
}
# Choices that the documents themselves give the house; every other option of a single game is a reading.
HOUSE_CHOICES = {
    "fu-bacc.lucky-monkey-alone",
    "fu-bacc.tie-alone",
    "fu-bacc.adjacent-spots",
    "spanish-poker.bonus-above-ante",
    "spanish-poker.deal",
}
# Every letter asks this of them, in whatever words.
CONDITIONS = {
    "everyone": ("rules", "modification"),
    "operator": ("internal controls",),
    "maker": ("state licence",),
    "tribal operation": ("gaming agency", "concurrence", "appendix a, section 18"),
    "tribal maker": ("state", "tribe"),
}
WAGERS = {
    "fu-bacc": {"ante", "play", "lucky-monkey", "tie"},
    "acey-deucey-21": {"blackjack", "insurance", "acey-deucey", "raise", "war"},
    "lucky-break": {"blackjack", "insurance", "lucky-break"},
    "lucky-lucky": {"blackjack", "insurance", "lucky-lucky", "lucky-break"},
    "spanish-poker": {"ante", "raise", "dos-pares", "joker-in-hand", "gran-progressive"},
}


@pytest.mark.parametrize("name", sorted(CLAUSES))
def test_every_demanded_clause_stands_in_its_own_rulebook(name: str) -> None:
    prefix, last = CLAUSES[name]
    said = catalog.rulebook(name).clause
    demanded = [f"{prefix}.{number}" for number in range(1, last + 1)]
    assert [id_ for id_ in said if id_.startswith(f"{prefix}.")] == demanded


@pytest.mark.parametrize("name", sorted(FILES))
def test_every_text_is_a_sentence(name: str) -> None:
    book = catalog.rulebook(name)
    texts = [*book.clause.values(), *(option.text for option in book.option.values())]
    for reading in book.reading:
        texts += [reading.settles, reading.because, *reading.alternatives]
    texts += [condition.text for condition in book.approval.conditions] if book.approval else []
    assert [text for text in texts if " " not in text or not text.endswith(".")] == []


@pytest.mark.parametrize("name", sorted(READINGS))
def test_every_reading_is_listed(name: str) -> None:
    listed = Counter(reading.clause for reading in catalog.rulebook(name).reading)
    assert Counter(READINGS[name].split()) <= listed


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_reading_that_is_an_option_names_it_and_the_alternatives(name: str) -> None:
    book = catalog.rulebook(name)
    tied = [reading for reading in book.reading if reading.option]
    assert [reading for reading in tied if reading.option not in book.option or not reading.alternatives] == []
    of_one_game = {option for option in book.option if "." in option and book.option[option].values}
    assert of_one_game - HOUSE_CHOICES <= {reading.option for reading in tied}


@pytest.mark.parametrize("name", APPROVED_GAMES)
def test_the_wagers_are_those_of_the_interface(name: str) -> None:
    assert set(catalog.rulebook(name).wager) == WAGERS[name]


@pytest.mark.parametrize(("name", "option"), [(name, option) for name in OPTIONS for option in OPTIONS[name]])
def test_options_take_the_values_and_the_default_of_the_interface(name: str, option: str) -> None:
    entry = catalog.rulebook(name).option[option]
    default, *others = OPTIONS[name][option]
    assert entry.preset == default
    assert sorted(map(str, entry.values or ())) == sorted(map(str, (default, *others)))


def test_an_option_of_a_range_is_read_from_a_command_line() -> None:
    chip = catalog.rulebook("fu-bacc").option["chip"]
    assert (chip.read("chip", "25"), chip.read("chip", 25)) == (25, 25)
    for refused in ("0", "-1", "10001", "2.5", "x", "9" * 5000, True, None, 0):
        with pytest.raises(BadOption):
            chip.read("chip", refused)


@pytest.mark.parametrize("name", BLACKJACK_GAMES)
def test_blackjack_takes_one_to_eight_decks_and_one_to_four_hands(name: str) -> None:
    book = catalog.rulebook(name)
    assert (book.option["decks"].range, book.option["decks"].preset) == ((1, 8), 6)
    assert (book.option["max-hands"].range, book.option["max-hands"].preset) == ((1, 4), 4)


@pytest.mark.clause("FB.19")
@pytest.mark.parametrize("name", ["fu-bacc", "lucky-break", "lucky-lucky"])
def test_a_table_has_seven_spots_unless_the_house_says_otherwise(name: str) -> None:
    book = catalog.rulebook(name)
    assert Terms(book).number("spots") == 7
    assert Terms(book, options={"spots": 9}).number("spots") == 9


def test_acey_deucey_has_six_or_seven_spots_and_only_war_may_be_left_out() -> None:
    book = catalog.rulebook("acey-deucey-21")
    assert Terms(book, options={"offers": "blackjack,acey-deucey", "spots": 6}).deviations == ()
    for refused in ({"spots": 5}, {"spots": 8}, {"offers": "blackjack,war"}, {"offers": "acey-deucey,war"}):
        with pytest.raises(BadOption):
            Terms(book, options=refused)


def test_lucky_break_may_be_left_out_of_lucky_lucky_but_not_the_reverse() -> None:
    book = catalog.rulebook("lucky-lucky")
    assert Terms(book, options={"offers": "blackjack,lucky-lucky"}).offers == {"blackjack", "lucky-lucky"}
    with pytest.raises(BadOption):
        Terms(book, options={"offers": "blackjack,lucky-break"})


@pytest.mark.clause("LB.11")
@pytest.mark.parametrize("name", ["lucky-break", "lucky-lucky"])
@pytest.mark.parametrize("option", ["peek", "insurance"])
def test_lucky_break_without_peek_or_insurance_is_not_as_approved(name: str, option: str) -> None:
    assert Terms(catalog.rulebook(name)).deviations == ()
    deviations = Terms(catalog.rulebook(name), options={option: False}).deviations
    assert deviations == (f"{option} is false, approved is true",)


@pytest.mark.parametrize(("name", "approved", "other"), [("lucky-break", 27, 26), ("lucky-lucky", 26, 27)])
def test_each_approval_has_its_own_player_limit(name: str, approved: int, other: int) -> None:
    book = catalog.rulebook(name)
    assert Terms(book)["lucky-break.player-limit"] == approved
    assert Terms(book, options={"lucky-break.player-limit": "none"}).deviations == ()
    assert len(Terms(book, options={"lucky-break.player-limit": other}).deviations) == 1


def _figures(book: Rulebook) -> dict[tuple[str, str, int | None], str]:
    return {(printed.wager, printed.pay_table, printed.decks): printed.figure for printed in book.published}


@pytest.mark.clause("AD.13")
def test_acey_deucey_carries_every_printed_figure() -> None:
    printed = {("war", "1"): "0.5248%", ("war", "2"): "3.69%"}
    printed |= {("acey-deucey", "1"): "2.99%", ("acey-deucey", "2"): "3.46%", ("acey-deucey", "3"): "5.29%"}
    expected = {(wager, table, 6): figure for (wager, table), figure in printed.items()}
    assert _figures(catalog.rulebook("acey-deucey-21")) == expected


@pytest.mark.clause("LL.6")
def test_lucky_lucky_carries_all_fifteen_printed_edges() -> None:
    rows = {
        1: "5.05 10.03 12.47",
        2: "5.39 10.15 12.72",
        4: "5.35 10.00 12.63",
        6: "5.31 9.92 12.57",
        8: "5.28 9.88 12.54",
    }
    expected = {
        ("lucky-lucky", table, decks): f"{figure}%"
        for decks, row in rows.items()
        for table, figure in zip("123", row.split(), strict=True)
    }
    assert _figures(catalog.rulebook("lucky-lucky")) == expected


@pytest.mark.clause("FB.19", "LB.15")
@pytest.mark.parametrize("name", ["fu-bacc", "lucky-break"])
def test_no_figure_is_claimed_where_none_is_printed_and_the_letter_slip_is_remarked(name: str) -> None:
    book = catalog.rulebook(name)
    assert book.published == []
    assert book.approval is not None
    assert any("name" in remark for remark in book.approval.remarks)


@pytest.mark.parametrize("name", APPROVED_GAMES)
def test_published_figures_belong_to_pay_tables_of_the_game(name: str) -> None:
    book = catalog.rulebook(name)
    strays = [printed for printed in book.published if printed.pay_table not in book.pay_table[printed.wager]]
    assert strays == []


@pytest.mark.clause("LB.6", "LB.7")
@pytest.mark.parametrize("name", ["lucky-break", "lucky-lucky"])
def test_lucky_break_has_the_documents_bases_and_multipliers(name: str) -> None:
    tables = catalog.rulebook(name).pay_table["lucky-break"]
    bases = {table: [entry.pays[row] for row in ("26", "25", "24", "23", "22")] for table, entry in tables.items()}
    early, late = (3, 3, 2, 2, 1), (3, 2, 2, 2, 1)
    expected = zip("1234", (early, early, late, late), strict=True)
    assert bases == {table: [f"{pay} to 1" for pay in pays] for table, pays in expected}
    multipliers = {table: tuple(entry.factors[cards] for cards in ("5+", "4", "3")) for table, entry in tables.items()}
    assert multipliers == {"1": (50, 10, 2), "2": (100, 10, 2), "3": (25, 10, 5), "4": (50, 10, 2)}


@pytest.mark.parametrize("name", APPROVED_GAMES)
def test_an_approval_keeps_its_conditions(name: str) -> None:
    approval = catalog.rulebook(name).approval
    assert approval is not None
    asked: dict[str, str] = {}
    for condition in approval.conditions:
        asked[condition.of] = f"{asked.get(condition.of, '')} {condition.text.lower()}"
    assert [(of, word) for of, words in CONDITIONS.items() for word in words if word not in asked[of]] == []


def test_approvals_carry_their_number_and_day() -> None:
    letters = {
        name: (approval.submission, approval.date)
        for name in APPROVED_GAMES
        if (approval := catalog.rulebook(name).approval)
    }
    assert letters == {
        "acey-deucey-21": ("", datetime.date(2008, 2, 19)),
        "fu-bacc": ("3049", datetime.date(2021, 5, 25)),
        "lucky-break": ("3017", datetime.date(2020, 11, 16)),
        "lucky-lucky": ("3062", datetime.date(2021, 11, 4)),
        "spanish-poker": ("", datetime.date(2008, 7, 31)),
    }


@pytest.mark.parametrize(
    ("name", "of", "words"),
    [
        ("fu-bacc", "owner", "no proceeds"),
        ("acey-deucey-21", "owner", "substantial interest"),
        ("lucky-lucky", "operator", "shuffle machine"),
    ],
)
def test_the_conditions_of_one_letter_alone_are_there(name: str, of: str, words: str) -> None:
    approval = catalog.rulebook(name).approval
    assert approval is not None
    assert [c.text for c in approval.conditions if c.of == of and words in c.text]


def test_the_legal_limit_on_one_wager_rises_with_its_dates() -> None:
    limits = catalog.rulebook("washington").law["wager-limit"]
    assert [(limit.from_.isoformat(), limit.cents) for limit in limits] == [
        ("2004-07-01", 100_00),
        ("2008-01-01", 200_00),
        ("2009-01-01", 300_00),
        ("2023-08-19", 400_00),
    ]
    assert [limit.sure for limit in limits[1:3]] == ["date unverified", "effective day unverified"]


def test_what_is_included_comes_after_what_the_book_says_itself() -> None:
    book = catalog.rulebook("lucky-lucky")
    assert book.bonus == ["lucky_lucky", "lucky_break"]
    assert book.option["offers"].preset == ("blackjack", "lucky-lucky", "lucky-break")
    assert {"LL.1", "LB.1", "BJ.1", "M.1"} <= book.clause.keys()


@pytest.mark.clause("SP.20")
def test_a_table_that_says_nothing_offers_its_main_wager_and_what_was_seen() -> None:
    book = catalog.rulebook("spanish-poker")
    assert book.offers_for(["joker-in-hand"]) == {"offers": ["ante", "joker-in-hand"]}
    assert book.offers_for([]) == {"offers": ["ante"]}
    assert catalog.rulebook("fu-bacc").offers_for(["tie"]) == {}  # a table may offer all three


@pytest.mark.clause("SP.15", "SP.18")
def test_what_the_rules_ask_of_a_jackpot_stands_in_the_rulebook() -> None:
    book = catalog.rulebook("spanish-poker")
    meter = book.meter_of("gran-progressive")
    assert meter is book.meter["jackpot"]
    assert meter.backups is not None
    assert (meter.seed, meter.backups.level, meter.backups.uncapped_level) == (50_000, 500_000, 2_000_000)
    assert catalog.game("spanish-poker").least_posted(["ante", "gran-progressive"]) == 50_000


def test_a_wager_that_wins_from_no_meter_has_none() -> None:
    assert catalog.rulebook("spanish-poker").meter_of("dos-pares") is UNRULED
    assert catalog.game("spanish-poker").least_posted(["ante", "dos-pares"]) is None


def test_a_meter_of_which_the_book_says_nothing_starts_from_nothing() -> None:
    book = parse_rulebook(SOUND, name="red-dog", file="red-dog.toml")
    assert book.meter_of("side").seed == 30_000
    book.meter.clear()
    assert (book.meter_of("side").seed, book.meter_of("side").backups) == (0, None)
