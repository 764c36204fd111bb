"""`felt analyze` beyond one wager played best: spots, whole chips, strategies, the progressive, nonsense."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from feltworks.cli.main import main


@pytest.fixture
def felt(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*words: str) -> tuple[int, str, str]:
        status = main(["analyze", *words])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture
def document(felt: Any) -> Any:
    def run(*words: str) -> dict[str, Any]:
        status, out, err = felt(*words, "--json")
        assert (status, err) == (0, "")
        found: dict[str, Any] = json.loads(out)
        return found

    return run


def exact(number: dict[str, str]) -> Fraction:
    return Fraction(number["exact"])


def test_wagers_beside_each_other_tell_the_whole_round(document: Any) -> None:
    said = document("fu-bacc", "--wager", "ante", "--beside", "tie=1/2", "--beside", "lucky-monkey=1")
    rows = said["round"]["distribution"]
    assert sum(exact(row["probability"]) for row in rows) == 1
    assert all(sum(map(Fraction, row["nets"].values())) == Fraction(row["net"]) for row in rows)
    mean = sum(exact(row["probability"]) * Fraction(row["net"]) for row in rows)
    assert exact(said["round"]["mean"]) == mean
    covariance = said["round"]["covariance"]
    assert sum(exact(each) for row in covariance.values() for each in row.values()) == exact(said["round"]["variance"])
    assert covariance["ante"]["tie"] == covariance["tie"]["ante"]
    assert said["beside"]["ante"]["house_edge"] == said["house_edge"]
    assert said["beside"]["tie"]["ratio"] == "1/2"
    ratios = [exact(turn["ratio"]) for turn in said["turning_ratios"]]
    assert ratios == sorted(ratios)
    assert {turn["of"] + "/" + turn["to"] for turn in said["turning_ratios"]} == {"tie/ante"}


def test_blackjack_and_lucky_break_tell_the_whole_round(document: Any) -> None:
    said = document("lucky-lucky", "--wager", "lucky-break", "--beside", "blackjack", "--decks", "1")
    whole, covariance = said["round"], said["round"]["covariance"]
    variance = sum(each["value"] for row in covariance.values() for each in row.values())
    assert whole["standard_deviation"] ** 2 == pytest.approx(variance)
    assert covariance["blackjack"]["lucky-break"] == covariance["lucky-break"]["blackjack"]
    likely = {row["outcomes"]["lucky-break"]: 0.0 for row in whole["distribution"]}
    for row in whole["distribution"]:
        likely[row["outcomes"]["lucky-break"]] += row["probability"]["value"]
    assert likely == pytest.approx({row["outcome"]: row["probability"]["value"] for row in said["outcomes"]})
    assert said["remarks"] == ["Beside blackjack the joint distribution is computed in decimals."]
    assert said["beside"]["blackjack"]["house_edge"]["exact"] is None


def test_blackjack_and_lucky_lucky_tell_every_way_they_come_out_together(document: Any) -> None:
    said = document("lucky-lucky", "--wager", "blackjack", "--beside", "lucky-lucky=1/2", "--decks", "1")
    rows, whole = said["round"]["distribution"], said["round"]
    likely = [row["probability"]["value"] for row in rows]
    nets = [float(Fraction(row["net"])) for row in rows]
    assert sum(likely) == pytest.approx(1)
    mean = sum(p * net for p, net in zip(likely, nets, strict=True))
    assert mean == pytest.approx(whole["mean"]["value"])
    squares = sum(p * net**2 for p, net in zip(likely, nets, strict=True))
    assert squares - mean**2 == pytest.approx(whole["standard_deviation"] ** 2)
    assert {row["outcomes"]["blackjack"] for row in rows} >= {"blackjack", "split into 2 hands"}


@pytest.mark.clause("BJ.4")
def test_insurance_is_asked_about_by_itself(document: Any, felt: Any) -> None:
    said = document("lucky-break", "--wager", "insurance", "--decks", "2", "--exposed", "Th 9d")
    assert said["house_edge"]["exact"] == "8/101"
    for more in (("--beside", "blackjack"), ("--strategy", "basic"), ("--set", "insurance=false")):
        status, _, sentence = felt("lucky-break", "--wager", "insurance", *more)
        assert status == 2
        assert "insurance" in sentence


def test_wagers_beside_take_their_own_pay_tables(document: Any) -> None:
    words = ("--wager", "war", "--beside", "acey-deucey", "--pay-table", "2,acey-deucey=3B")
    said = document("acey-deucey-21", *words)
    alone = document("acey-deucey-21", "--wager", "acey-deucey", "--pay-table", "3B")
    assert said["pay_table"] == "2"
    assert said["beside"]["acey-deucey"]["house_edge"] == alone["house_edge"]


def test_whole_chips_by_size(document: Any) -> None:
    words = ("--pay-table", "2", "--set", "chip=100", "--by-size", "300-500,1000")
    said = document("acey-deucey-21", "--wager", "war", *words)
    assert [row["wager"] for row in said["by_size"]] == [300, 400, 500, 1000]
    assert said["by_size"][3]["house_edge"] == said["house_edge"] == said["by_size"][1]["house_edge"]
    assert exact(said["by_size"][2]["house_edge"]) == exact(said["house_edge"]) * Fraction(6, 5)


@pytest.mark.clause("SP.14", "SP.17")
def test_the_progressive_with_seats_tells_return_hits_and_growth(document: Any) -> None:
    said = document("spanish-poker", "--wager", "gran-progressive", "--jackpot", "123456", "--seats", "3")
    constant, per_cent = exact(said["return"]["constant"]), exact(said["return"]["per_cent"])
    for row in said["return_by_jackpot"]:
        assert exact(row["return"]) == constant + per_cent * row["jackpot"]
    posted = next(row for row in said["return_by_jackpot"] if row["jackpot"] == 123456)
    assert exact(posted["return"]) == 1 - exact(said["house_edge"])
    assert exact(said["rounds_between"]["royal flush"]) == Fraction(374699, 12)
    assert exact(said["rounds_between_at_table"]["cincos"]) * 3 == Fraction(374699, 5)
    assert len(said["growth"]["seed_recovery"]) == 2


def test_a_saved_strategy_can_be_played(document: Any, felt: Any, tmp_path: Path) -> None:
    file = str(tmp_path / "play.json")
    words = ("acey-deucey-21", "--wager", "acey-deucey")
    best = document(*words, "--save-strategy", file)
    assert document(*words, "--strategy", file)["house_edge"] == best["house_edge"]
    assert exact(document(*words, "--strategy", "always-raise")["house_edge"]) > exact(best["house_edge"])
    status, _, err = felt("fu-bacc", "--wager", "ante", "--strategy", file)
    assert status == 2
    assert "is decided at" in err


def test_poker_hands_are_told_by_name(document: Any) -> None:
    said = document("spanish-poker", "--wager", "ante", "--beside", "joker-in-hand=1/2")
    hands = {row["hand"]: row["choice"] for row in said["strategy"]}
    assert hands["pair of aces"] == "raise"
    assert hands["pair of twos"] == "fold"
    assert hands["king high"] is None
    assert sum(exact(row["probability"]) for row in said["strategy"]) == 1


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("fu-bacc --wager ante --beside tie=1", ["H hit", "Covariance", "Ratios at which the play changes"]),
        ("acey-deucey-21 --wager acey-deucey", ["spread 11", "raise", "played best"]),
        ("spanish-poker --wager ante", ["pair of sevens", "by the other cards"]),
        (
            "spanish-poker --wager gran-progressive",
            ["Return by jackpot", "Rounds between hits", "seed recovery"],
        ),
        ("lucky-break --wager blackjack --set chip=100 --by-size 500", ["whole chips of $1", "win", "$5"]),
    ],
)
def test_people_read_it_in_plain_words(words: str, shown: list[str], felt: Any) -> None:
    status, out, _ = felt(*words.split())
    assert status == 0
    assert [each for each in shown if each not in out] == []


@pytest.mark.clause("LL.4")
def test_a_pay_that_so_few_decks_cannot_make_is_remarked_on(document: Any) -> None:
    two, three = (document("lucky-lucky", "--wager", "lucky-lucky", "--decks", decks) for decks in "23")
    assert two["remarks"] == ["With 2 decks no suited 7-7-7 can be dealt, so its pay never counts; it takes 3 decks."]
    assert "remarks" not in three
    assert "suited 7-7-7" not in {row["outcome"] for row in two["outcomes"]}


@pytest.mark.parametrize(
    ("wager", "name", "allowed"),
    [
        ("blackjack", "play.json", "it takes a chart such as that of --strategy basic: best play goes by exact cards"),
        ("lucky-break", "play.json", "it takes a wager with a decision, not lucky-break alone"),
        ("blackjack", "play.toml", "it takes the name of a .json file"),  # which --strategy could not read again
    ],
)
def test_play_that_no_file_can_say_is_refused_before_the_work(
    wager: str, name: str, allowed: str, felt: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feltworks.analysis.analyze.analyze", None)
    status, out, err = felt("lucky-break", "--wager", wager, "--save-strategy", str(tmp_path / name))
    assert (status, out) == (2, "")
    assert allowed in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.clause("FB.14")
def test_a_wager_that_this_table_does_not_take_alone_is_remarked_on(document: Any) -> None:
    tie = ("fu-bacc", "--wager", "tie", "--set", "fu-bacc.tie-alone=false")
    (said,) = document(*tie)["remarks"]
    assert said.startswith("At this table tie takes ante on the same spot (fu-bacc.tie-alone);")
    assert "remarks" not in document(*tie, "--beside", "ante")
    assert "remarks" not in document("acey-deucey-21", "--wager", "war")


ALL_BUT_ACES = " ".join(rank + suit for rank in "23456789TJQK" for suit in "cdhs")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("fu-bacc", "--wager", "ante", "--exposed", ALL_BUT_ACES),
            "takes 6 cards or more; the shoe holds 4",
        ),
        (
            ("acey-deucey-21", "--wager", "war", "--decks", "1", "--exposed", ALL_BUT_ACES + " Ac"),
            "takes 4 cards",
        ),
        (("acey-deucey-21", "--wager", "war", "--decks", "9"), "from 1 to 8"),
        (("acey-deucey-21", "--wager", "war", "--set", "offers=blackjack,acey-deucey"), "a list with war"),
        (("acey-deucey-21", "--wager", "war", "--beside", "war"), "other than war"),
        (("spanish-poker", "--wager", "ante", "--exposed", "8h"), "the shoe holds no card 8h"),
        (("spanish-poker", "--wager", "ante", "--seats", "2"), "wins from a jackpot"),
        (("spanish-poker", "--wager", "gran-progressive", "--seats", "7"), "1 to 6"),
        (
            (
                "spanish-poker",
                "--wager",
                "ante",
                "--beside",
                "dos-pares=2",
                "--set",
                "bonus-above-ante=false",
            ),
            "at most",
        ),
        (("fu-bacc", "--wager", "tie", "--beside", "ante=0"), "above zero"),
        (("fu-bacc", "--wager", "tie", "--beside", "ante=1e400"), "within all money"),
        (("fu-bacc", "--wager", "ante", "--jackpot", "5"), "wins from a jackpot"),
        (("fu-bacc", "--wager", "ante", "--strategy", "always-raise"), "always-stay"),
        (("fu-bacc", "--wager", "ante", "--strategy", "nowhere.json"), "no such file"),
        (("fu-bacc", "--wager", "ante", "--by-size", "5 dollars"), "amounts in cents"),
        (("fu-bacc", "--wager", "ante", "--by-size", "1-99999999"), "at most 200"),
        (("lucky-break", "--wager", "blackjack", "--strategy", "always-hit"), "never-bust"),
        (("lucky-break", "--wager", "blackjack", "--by-size", "500", "--strategy", "basic"), "optimal where"),
    ],
)
def test_what_makes_no_sense_is_said_in_one_sentence(words: tuple[str, ...], sentence: str, felt: Any) -> None:
    status, out, err = felt(*words)
    assert (status, out) == (2, "")
    assert sentence in err
    assert len(err.strip().splitlines()) == 1
