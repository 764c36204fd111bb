"""`felt simulate` as others call it."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from feltworks.cli.main import main
from feltworks.simulation.workers import OrderedWork
from tests.conftest import Output
from tests.designs import COLOURS, COUPLE, write

FELT = Path(sys.executable).with_name("felt")
Felt = Callable[..., Output]
SMALL = ("fu-bacc", "--rounds", "200000", "--seed", "5")


def document(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["simulate", *words, "--json"]) == 0
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    return said


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["simulate", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


def tallies(said: dict[str, Any]) -> Any:
    return said["rounds"], {name: each["outcomes"] for name, each in said["wagers"].items()}


def test_the_document_has_what_others_rely_on(capsys: pytest.CaptureFixture[str]) -> None:
    said = document(capsys, *SMALL)
    assert (said["rounds"], said["seed"]) == (200_000, 5)
    assert said["rounds_per_second"] > 0
    assert list(said["wagers"]) == ["ante", "lucky-monkey", "tie"]
    for each in said["wagers"].values():
        assert each["z"] == pytest.approx((each["house_edge"] - each["exact"]) / each["standard_error"])
        assert abs(each["z"]) < 4.5
    assert said["wagers"]["ante"]["exact_fraction"] == "6984511/229033350"


def test_workers_change_no_count(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("fu-bacc", "--rounds", "2500000", "--seed", "9")
    one = document(capsys, *words, "--workers", "1")
    three = document(capsys, *words, "--workers", "3")
    assert tallies(one) == tallies(three)
    assert (one["workers"], three["workers"]) == (1, 3)


def test_wagers_seats_and_strategy_are_the_callers(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--wager", "ante=500", "--wager", "tie", "--seats", "3", "--strategy", "always-stay")
    said = document(capsys, *SMALL, *words, "--set", "rescue-tie=loses", "--pay-table", "tie=1")
    assert said["opened"] == {"ante": 500, "tie": 10_000}
    assert (said["seats"], said["strategy"]) == (3, "always-stay")
    assert said["options"]["fu-bacc.rescue-tie"] == "loses"
    assert sum(row["count"] for row in said["wagers"]["tie"]["outcomes"]) == 600_000


def test_a_wager_that_needs_another_is_put_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    said = document(capsys, *SMALL, "--wager", "tie", "--set", "tie-alone=false")
    assert list(said["wagers"]) == ["ante", "tie"]
    assert list(document(capsys, *SMALL, "--wager", "tie")["wagers"]) == ["tie"]


@pytest.mark.parametrize(
    ("game", "wagers"), [("lucky-lucky", ["lucky-lucky"]), ("acey-deucey-21", ["acey-deucey", "war"])]
)
def test_bonus_wagers_asked_for_without_blackjack_are_measured_alone(
    capsys: pytest.CaptureFixture[str], game: str, wagers: list[str]
) -> None:
    asked = [word for wager in wagers for word in ("--wager", wager)]
    said = document(capsys, game, *asked, "--rounds", "300000", "--seed", "4")
    assert (list(said["wagers"]), list(said["opened"]), said["alone"]) == (wagers, wagers, True)
    assert all(abs(each["z"]) < 4.5 for each in said["wagers"].values())


def test_a_strategy_for_the_hand_and_a_session_put_blackjack_beside_a_bonus_wager(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("lucky-lucky", "--wager", "lucky-lucky", "--strategy", "always-stand")
    named = document(capsys, *words, "--rounds", "1000")
    assert (next(iter(named["wagers"])), named["alone"]) == ("blackjack", False)
    session = document(capsys, *words, "--session", "100", "--sessions", "10")
    assert list(session["opened"]) == ["lucky-lucky", "blackjack"]


def test_without_a_seed_one_is_drawn_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("fu-bacc", "--rounds", "1000")
    first, other = document(capsys, *words), document(capsys, *words)
    assert first["seed"] != other["seed"]
    again = document(capsys, *words, "--seed", str(first["seed"]))
    assert tallies(again) == tallies(first)


def test_the_output_file_says_how_it_was_made(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    said = document(capsys, *SMALL, "--output", str(path))
    written = json.loads(path.read_text())
    assert written == said
    assert set(written["made"]) == {"version", "fingerprint", "command", "at"}


def test_a_run_is_resumed_to_the_same_counts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(tmp_path / "kept.json")
    document(capsys, "fu-bacc", "--rounds", "1100000", "--seed", "3", "--checkpoint", path)
    resumed = document(capsys, "--resume", path, "--rounds", "2300000")
    straight = document(capsys, "fu-bacc", "--rounds", "2300000", "--seed", "3")
    assert tallies(resumed) == tallies(straight)


def test_until_runs_to_the_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    said = document(capsys, "fu-bacc", "--wager", "tie", "--seed", "3", "--until", "0.2%")
    assert 0.001 < said["wagers"]["tie"]["standard_error"] <= 0.002


def test_people_read_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", *SMALL]) == 0
    shown = capsys.readouterr().out
    for word in ("lucky-monkey", "exact", "rounds/s", "to compile", "Play money only"):
        assert word in shown


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--rounds", "-5"], "from 1 to"),
        (["--rounds", "0"], "from 1 to"),
        (["--rounds", str(10**16)], "from 1 to"),
        (["--seed", "-1"], "from 0 on"),
        (["--until", "0"], "0.01%"),
        (["--until", "soon"], "0.01%"),
        (["--until", "1e-9"], "from 0.00001%"),
        (["--wager", "pear"], "ante, lucky-monkey or tie"),
        (["--wager", "play"], "ante, lucky-monkey or tie"),
        (["--wager", "tie=x"], "tie=500"),
        (["--wager", "tie", "--wager", "tie=500"], "tie once"),
        (["--wager", "tie=0"], "positive whole number"),
        (["--seats", "0"], "from 1 on"),
        (["--seats", "8"], "from 1 to 7"),
        (["--strategy", "luck"], "optimal, joint, always-"),
        (["--strategy", "always-lucky"], "always-hit"),
        (["--strategy", "practical-99"], "from 1 to 60"),
        (["--strategy", "nowhere.json"], "nowhere.json"),
        (["--decks", "2"], "the decks of Fu Bacc"),
        (["--pay-table", "1"], "ante=1"),
        (["--wager", "tie", "--pay-table", "9"], "pay table"),
        (["--set", "spots"], "option=value"),
        (["--workers", "0"], "from 1 to 1024"),
        (["--jackpot", "5"], "no wager wins from a jackpot"),
        (["--penetration", "50"], "shuffled for every round"),
        (["--cluster", "nonsense"], "running Dask scheduler"),
        (["--cluster", "x", "--workers", "2"], "its own"),
        (["--resume", "nowhere"], "nowhere"),
        (["--checkpoint", "nowhere/kept"], "nowhere/kept"),
        (["--output", "nowhere/result"], "an existing folder"),
        (["--output", "n" * 252, "--rounds", str(10**13)], "too long"),
        (["--plot", "n" * 248 + ".svg", "--rounds", str(10**13)], "too long"),
    ],
    ids=lambda words: " ".join(words)[:40] if isinstance(words, list) else "",
)
def test_nonsense_is_refused_in_one_sentence(
    capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    assert sentence in refused(capsys, "fu-bacc", *words)


def test_a_strategy_file_that_misses_a_situation_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('[{"cards": ["Kh", "5d"], "dealer": ["9s"], "choice": "hit"}]')
    assert "says nothing for" in refused(capsys, "fu-bacc", "--strategy", str(path))
    path.write_text("not json")
    assert "mine.json" in refused(capsys, "fu-bacc", "--strategy", str(path))


def test_a_checkpoint_keeps_its_own_plan(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(tmp_path / "kept.json")
    document(capsys, *SMALL, "--checkpoint", path)
    assert "of fu-bacc" in refused(capsys, "lucky-lucky", "--resume", path)
    assert "no other seats" in refused(capsys, "fu-bacc", "--resume", path, "--seats", "2")
    assert "name a game" in refused(capsys)


def test_a_run_is_not_taken_back_to_fewer_rounds(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(tmp_path / "kept.json")
    document(capsys, "fu-bacc", "--rounds", "1100000", "--seed", "3", "--checkpoint", path)
    assert "at least the 1,048,576" in refused(capsys, "--resume", path, "--rounds", "1000000")


def test_an_interrupt_shows_the_result_so_far(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    words = [FELT, "simulate", "fu-bacc", "--rounds", str(10**13), "--seed", "1", "--checkpoint", str(path)]
    with subprocess.Popen([*words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while not _is_counting(path) and time.monotonic() < deadline:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == b"felt: stopped\n"
    said = json.loads(out)
    assert said["interrupted"] is True
    assert said["rounds"] > 0


def test_no_process_counts_on_when_the_command_is_terminated(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    words = [FELT, "simulate", "fu-bacc", "--rounds", str(10**13), "--seed", "1", "--checkpoint", str(path)]
    with subprocess.Popen([*words, "--processes", "--workers", "2"], stdout=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 60
        while not _is_counting(path) and time.monotonic() < deadline:
            time.sleep(0.1)
        threads = Path(f"/proc/{process.pid}/task").iterdir()
        children = [child for thread in threads for child in (thread / "children").read_text().split()]
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
    assert len(children) >= 2
    deadline = time.monotonic() + 60
    while left := [child for child in children if Path(f"/proc/{child}").exists()]:
        assert time.monotonic() < deadline, f"{left} are left"
        time.sleep(0.1)


@pytest.mark.parametrize("words", [(), ("--session", "100"), ("--days", "2")], ids=" ".join)
def test_an_interrupt_before_anything_is_dealt_shows_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(OrderedWork, "__iter__", interrupted)
    assert main(["simulate", "fu-bacc", *words]) == 130
    assert capsys.readouterr() == ("", "felt: stopped\n")


def _is_counting(path: Path) -> bool:
    return path.exists() and json.loads(path.read_text())["batches"] > 0


def test_help_and_analysis_compile_nothing() -> None:
    program = (
        "import sys; from feltworks.cli.main import main;"
        "main(['simulate', '--help']); main(['analyze', 'fu-bacc', '--wager', 'tie', '--json']);"
        "sys.exit('numba' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)


@pytest.mark.parametrize(
    ("words", "wager", "why"),
    [
        ("fu-bacc --wager ante=5", "ante", "payments on so small a wager are rounded"),
        ("lucky-break --wager blackjack --strategy always-stand", "blackjack", "option --strategy cannot be"),
    ],
)
def test_a_missing_exact_edge_is_explained(felt: Felt, words: str, wager: str, why: str) -> None:
    given = ("simulate", *words.split(), "--rounds", "1000", "--seed", "1")
    found = json.loads(felt(*given, "--json").out)["wagers"][wager]
    assert found["exact"] is None
    assert why in found["why"]
    shown = " ".join(felt(*given).out.split())
    assert f"No exact edge for {wager}: {found['why']}." in shown


def test_a_game_of_ones_own_is_sent_to_the_analysis(own_games: Path, felt: Felt) -> None:
    write(own_games, COLOURS)
    given = ("simulate", "colours", "--rounds", "200", "--seed", "1")
    found = json.loads(felt(*given, "--json").out)["wagers"]["ante"]
    assert "felt analyze colours --wager ante" in found["why"]
    assert "No exact edge for ante: " in felt(*given).out


def test_a_known_exact_edge_needs_no_explanation(felt: Felt) -> None:
    given = ("simulate", "fu-bacc", "--rounds", "1000", "--seed", "1")
    found = json.loads(felt(*given, "--json").out)["wagers"]
    assert {each["why"] for each in found.values()} == {None}
    assert "No exact edge" not in felt(*given).out


@pytest.mark.parametrize(
    ("words", "wagers"),
    [
        ("", {"ante", "blind"}),
        ("--wager ante", {"ante", "blind"}),
        ("--set offers=ante,blind,ace", {"ante", "blind", "ace"}),
        ("--set offers=ante,blind,ace --wager ace", {"ante", "blind", "ace"}),
    ],
)
def test_a_seat_has_what_its_table_offers_and_what_that_needs(
    own_games: Path, felt: Felt, words: str, wagers: set[str]
) -> None:
    write(own_games, COUPLE)
    answered = felt("simulate", "couple", *words.split(), "--rounds", "500", "--seed", "1", "--json")
    assert json.loads(answered.out)["wagers"].keys() == wagers


def test_a_wager_that_the_table_does_not_offer_is_refused(own_games: Path, felt: Felt) -> None:
    write(own_games, COUPLE)
    refused = felt("simulate", "couple", "--wager", "ace", "--rounds", "500")
    assert (refused.status, refused.out) == (2, "")
    assert "this table offers ante, blind" in refused.err
