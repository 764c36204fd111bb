"""`felt deal-check` says whether the cards are dealt as chance would deal them, to people and to programs."""

import json

import pytest

from feltworks.cli.main import main
from feltworks.dealing import seed
from feltworks.dealing.seed import Stream


def test_people_read_a_verdict_and_that_it_was_test_mode(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal-check", "--rounds", "1500", "--cards", "4", "--seed", "1"]) == 0
    said = capsys.readouterr()
    assert "Passed at 99 %" in said.out
    assert "test mode" in said.out
    assert said.err == ""


def test_programs_read_every_test_with_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal-check", "spanish-poker", "--rounds", "2100", "--cards", "3", "--seed", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["game"], document["rounds"], document["cards"]) == ("spanish-poker", 2100, 3)
    assert document["passed"] is True
    assert document["seeded"] is True
    assert document["level"] == 0.01
    kinds = [test["kind"] for test in document["tests"]]
    assert [kinds.count(kind) for kind in dict.fromkeys(kinds)] == [3, 2, 2, 3, 3]
    assert set(document["tests"][0]) == {
        "kind", "where", "statistic", "degrees", "p_value", "adjusted", "passed",
    }  # fmt: skip
    assert document["tests"][0]["degrees"] == 40


def test_without_a_seed_the_cards_are_live(capsys: pytest.CaptureFixture[str]) -> None:
    main(["deal-check", "--rounds", "1500", "--cards", "2", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["seeded"] is False
    assert document["seed"] is None


def test_options_choose_the_shoe(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["deal-check", "lucky-lucky", "--rounds", "1500", "--cards", "4", "--seed", "2", "--json"]
    main([*arguments, "--set", "decks=2"])
    shared = json.loads(capsys.readouterr().out)
    main([*arguments, "--set", "decks=2", "--set", "shoe=continuous"])
    continuous = json.loads(capsys.readouterr().out)
    assert shared["shoes"] < 150
    assert continuous["shoes"] == 1500


def test_a_biased_shuffle_fails_with_status_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class LowStream(Stream):
        def draw_decreasing(self, limit: int, count: int) -> list[int]:
            return [*map(min, super().draw_decreasing(limit, count), super().draw_decreasing(limit, count))]

    monkeypatch.setattr(seed, "Stream", LowStream)
    assert main(["deal-check", "--rounds", "1500", "--cards", "3", "--seed", "1"]) == 1
    said = capsys.readouterr().out
    assert "FAILED at 99 %" in said
    assert "card 1" in said


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (["no-such-game"], "fu-bacc"),
        (["--cards", "1"], "from 2 to 52"),
        (["--cards", "53"], "from 2 to 52"),
        (["--rounds", "10"], "1,105 or more"),
        (["--rounds", "many"], "--help"),
        (["--set", "decks"], "name=value"),
        (["--set", "colour=red"], "no option"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_input_is_one_sentence_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], allowed: str
) -> None:
    assert main(["deal-check", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert allowed in said.err
