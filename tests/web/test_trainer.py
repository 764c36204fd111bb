"""The trainer over HTTP: a number gives the same hand again, and every choice has its exact worth."""

from contextlib import closing
from pathlib import Path
from typing import Any

from tests.web.player import Visitor
from tests.web.serving import served


def test_a_number_gives_the_same_hand_again_and_choices_play_it_out(tmp_path: Path) -> None:
    with served(tmp_path, coached=True) as address, closing(Visitor(address, "Ann")) as ann:
        first = ann.post("/api/trainer/fu-bacc/hand", number=7).json()
        assert ann.post("/api/trainer/fu-bacc/hand", number=7).json()["state"]["view"] == first["state"]["view"]
        worth = {choice["name"]: choice for choice in first["advice"]["values"]}
        assert worth["fold"]["exact"] == "-2500/1"
        assert first["advice"]["best"] == max(worth, key=lambda name: worth[name]["value"])
        assert None in first["state"]["view"]["dealer"]["cards"], "no card is shown that the seat may not see"

        played = ann.post("/api/trainer/fu-bacc/hand", number=7, choices=[{"name": "fold"}]).json()
        assert played["advice"] is None
        assert {line["wager"]: line["net"] for line in played["state"]["view"]["lines"]} == {"ante": -2500}

        refused = ann.post("/api/trainer/fu-bacc/hand", number=7, choices=[{"name": "split"}])
        assert refused.status_code == 400
        assert "split" in refused.json()["error"]


def test_drills_deal_what_they_are_about(tmp_path: Path) -> None:
    with served(tmp_path, coached=True) as address, closing(Visitor(address, "Ann")) as ann:
        trainer: dict[str, Any] = ann.http.get("/api/trainer/lucky-break").json()
        assert {"all", "close", "split", "insure"} <= {drill["name"] for drill in trainer["drills"]}
        assert trainer["strategies"]["blackjack"] == ["basic", "mimic-the-dealer", "never-bust"]
        hand = ann.post("/api/trainer/lucky-break/hand", drill="insure").json()
        assert [choice["name"] for choice in hand["advice"]["values"]] == ["decline", "insure"]
        assert ann.post("/api/trainer/lucky-break/hand", drill="no such choice").status_code == 400
        assert ann.http.get("/api/trainer/no-such-game").status_code in (400, 404)
