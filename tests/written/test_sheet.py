"""The settlement sheet: what `felt settle` answers, line by line."""

import json
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from feltworks import catalog
from feltworks.games.blackjack import Blackjack
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Fixed, Pay, Share
from feltworks.written.record import FinishedRound
from feltworks.written.replay import replay
from feltworks.written.settle import settle_line, settlement_sheet
from tests.pit import Written, bacc, bj, sheet, written


def lines(game: str, spot: Written, dealer: str, **terms: Any) -> dict[str, Written]:
    (seat,) = sheet(game, spot, dealer=dealer, **terms)["seats"]
    return {line["wager"]: line for line in seat["lines"]}


def test_a_line_is_what_the_interface_promises() -> None:
    spot = bacc("8d Kd 2c", "stay", ante=1000, tie=500)
    answer = sheet("fu-bacc", spot, dealer="Kh 7s 2s")
    ante, tie, play = json.loads(msgspec.json.encode(answer))["seats"][0]["lines"]
    because = "8 is higher than the dealer's 7: pays 1 to 1."
    won = {"result": "win", "because": because, "clause": "FB.7", "clauses": ["FB.7", "FB.2"]}
    assert ante == {"wager": "ante", "wagered": 1000, "net": 1000, **won}
    assert play == {"wager": "play", "wagered": 2000, "net": 2000, **won}
    assert (tie["result"], tie["net"], tie["clause"]) == ("lose", -500, "FB.11")
    assert answer["seats"][0]["net"] == 2500
    assert (answer["as_approved"], answer["deviations"]) == (True, [])
    assert "jackpot" not in answer


def test_every_seat_has_its_sheet_in_order() -> None:
    spots = [bacc("8d Kd 2c", "stay", ante=1000), bacc("6d Qd 3c", "fold", ante=700)]
    seats = sheet("fu-bacc", *spots, dealer="Kh 7s 2s")["seats"]
    assert [seat["net"] for seat in seats] == [3000, -700]


@pytest.mark.clause("AD.5")
@pytest.mark.parametrize(("cents", "net", "result"), [(1000, -500, "lose"), (5, -3, "lose")])
def test_a_half_loss_is_a_loss_above_the_whole_wager(cents: int, net: int, result: str) -> None:
    spot = bj("7h 8c", blackjack=1000, war=cents)
    line = lines("acey-deucey-21", spot, "7d Ts", pay_tables={"war": "2"})["war"]
    assert (line["wagered"], line["net"], line["result"]) == (cents, net, result)


@pytest.mark.clause("BJ.4")
def test_a_split_and_doubled_blackjack_stays_one_line_with_its_hands() -> None:
    spot = bj("8h 8d", "8h Ts", "8d 3d Td double", blackjack=1000, insurance=500)
    found = lines("lucky-break", spot, "Ac 8d")
    line = found["blackjack"]
    assert (line["wagered"], line["result"], line["net"]) == (
        3000,
        "win",
        1000,
    )  # 18 loses to 19, 21 wins twice
    assert [(hand["cards"], hand["wagered"], hand["net"]) for hand in line["hands"]] == [
        (["8h", "Ts"], 1000, -1000),
        (["8d", "3d", "Td"], 2000, 2000),
    ]
    assert all(hand["because"] in line["because"] for hand in line["hands"])
    assert (found["insurance"]["wagered"], found["insurance"]["net"]) == (500, -500)


def test_derived_wagers_have_lines_of_their_own() -> None:
    raised = bj("5c 7h", blackjack=1000, acey_deucey=500, raise_=700)
    assert [*lines("acey-deucey-21", raised, "6d As")] == ["blackjack", "acey-deucey", "raise"]


@pytest.mark.clause("LB.10")
def test_tokes_are_marked_and_summed_apart() -> None:
    spot = bj("Th 9h", blackjack=1000, lucky_break=200, tokes={"lucky-break": 100})
    (seat,) = sheet("lucky-break", spot, dealer="6c Td Ks")["seats"]
    assert [line.get("toke", False) for line in seat["lines"]] == [False, False, True]
    assert (seat["net"], seat["toke_net"]) == (1600, 300)
    (without,) = sheet("lucky-break", bj("Th 9h", blackjack=1000), dealer="6c Td Ks")["seats"]
    assert "toke_net" not in without


def test_a_voided_round_returns_every_wager_made() -> None:
    spot = bj("6h 5h", "6h 5h Ts double", blackjack=1000, lucky_break=200, tokes={"lucky-break": 100})
    answer = sheet("lucky-break", spot, dealer="8c Td", void="the shoe was short")
    (seat,) = answer["seats"]
    made = [(line["wager"], line["wagered"], line.get("toke", False)) for line in seat["lines"]]
    assert made == [("blackjack", 2000, False), ("lucky-break", 200, False), ("lucky-break", 100, True)]
    assert {(line["result"], line["net"], line["clause"]) for line in seat["lines"]} == {("void", 0, None)}
    assert all("the shoe was short" in line["because"] for line in seat["lines"])
    assert (seat["net"], seat["toke_net"]) == (0, 0)


def test_a_round_broken_off_is_voided_with_its_opening_wagers() -> None:
    broken = {
        "game": "fu-bacc",
        "void": "a card lay face up",
        "seats": [{"wagers": {"ante": 500, "tie": 100}}],
    }
    (seat,) = settle_line(json.dumps(broken))["seats"]
    assert [(line["wager"], line["wagered"], line["net"]) for line in seat["lines"]] == [
        ("ante", 500, 0),
        ("tie", 100, 0),
    ]


@pytest.mark.clause("LB.11", "LB.5")
def test_a_table_off_the_approved_sheet_says_so() -> None:
    spot = bj("Th 9h", blackjack=1000)
    answer = sheet("lucky-break", spot, dealer="8c Td", options={"peek": False, "player-limit": 26})
    assert not answer["as_approved"]
    expected = {"peek is false, approved is true", "lucky-break.player-limit is 26, approved is 27 or none"}
    assert set(answer["deviations"]) == expected


@pytest.mark.clause("SP.13", "SP.14")
def test_an_award_says_where_it_comes_from_and_the_jackpot_is_carried() -> None:
    seat = {
        "wagers": {"ante": 500, "gran-progressive": 100},
        "cards": ["7c", "Jc", "Qc", "Kc", "Ac"],
        "choice": "fold",
    }
    flush = {**seat, "cards": ["Kd", "7d", "5d", "3d", "2d"]}
    round_ = {
        "game": "spanish-poker",
        "seats": [seat, flush],
        "dealer": {"cards": ["6c", "6d", "2h", "3h", "4s"]},
    }
    answer = settle_line(json.dumps({**round_, "jackpot": 100_001}))
    royal, tray = (seat["lines"][1] for seat in answer["seats"])
    assert royal["award"] == {"cents": 25000, "from": "jackpot", "share": "1/4"}
    assert tray["award"] == {"cents": 7500, "from": "tray"}
    assert (royal["net"], tray["net"]) == (25000, 7500)
    assert answer["jackpot"] == {"before": 100_001, "paid": 25000, "after": 75_001}


def test_a_sheet_needs_no_cards_under_a_divided_wager(monkeypatch: pytest.MonkeyPatch) -> None:
    split = bj("8h 8d", "8h Ts", "8d 3d Td double", blackjack=1000)
    finished = msgspec.convert(written("lucky-break", split, dealer="Tc 8d"), FinishedRound)
    table = catalog.game("lucky-break")
    round_ = replay(table, finished)
    monkeypatch.setattr(Blackjack, "part_cards", Game.part_cards)
    (line,) = msgspec.to_builtins(settlement_sheet(table, finished, round_))["seats"][0]["lines"]
    assert (line["wagered"], line["net"], "hands" in line) == (3000, 2000, False)


@pytest.mark.parametrize(
    ("pay", "award"),
    [
        (Fixed(700), {"cents": 1400, "from": "tray"}),
        (Share(Fraction(1, 4), "jackpot"), {"cents": 500, "from": "jackpot", "share": "1/2"}),
    ],
    ids=str,
)
def test_prizes_of_several_hands_are_one_award(pay: Pay, award: Written) -> None:
    table = catalog.game("lucky-break")
    table.pays = {**table.pays, "blackjack": {**table.pays["blackjack"], "higher": pay}}
    split = bj("8h 8d", "8h Ts", "8d 3d Td", blackjack=1000)
    document = written("lucky-break", split, dealer="Tc 7d", jackpot=1000)
    finished = msgspec.convert(document, FinishedRound)
    answer = msgspec.to_builtins(settlement_sheet(table, finished, replay(table, finished)))
    assert answer["seats"][0]["lines"][0]["award"] == award
    assert answer["jackpot"]["paid"] == (award["cents"] if award["from"] == "jackpot" else 0)
