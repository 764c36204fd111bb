"""Play over the wire: every game to settlement, nothing seen that may not be, nothing changed by nonsense."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from feltworks import catalog
from feltworks.cards import cards
from tests.web.player import Tab, Told, Visitor
from tests.web.serving import Stacking, served

Visits = Callable[[str], Visitor]
WAGERS = {
    "fu-bacc": {"ante": 1000, "lucky-monkey": 500, "tie": 500},
    "acey-deucey-21": {"blackjack": 1000, "acey-deucey": 500, "war": 500},
    "lucky-break": {"blackjack": 1000, "lucky-break": 500},
    "lucky-lucky": {"blackjack": 1000, "lucky-lucky": 500, "lucky-break": 500},
    "spanish-poker": {"ante": 1000, "dos-pares": 500},
}


def seated(tab: Tab, spot: int = 3, stack: int = 500_00) -> Told:
    return tab.do("sit", spot=spot, stack=stack)


@pytest.mark.parametrize("game", catalog.games())
def test_a_newcomer_plays_a_round_of_every_game_to_its_settlement(visitor: Visits, game: str) -> None:
    ann = visitor("Ann")
    with ann.at(ann.opens(game)) as tab:
        seated(tab)
        tab.do("wager", spot=3, wagers=WAGERS[game])
        tab.do("ready")
        wagered = sum(WAGERS[game].values())
        while tab.view["running"]:
            tab.choose(tab.offers[0])
        lines = tab.view["lines"]
        assert {line["wager"] for line in lines} >= set(WAGERS[game])
        assert all(line["because"] and line["clause"] in catalog.rulebook(game).clause for line in lines)
        assert tab.view["stack"] == 500_00 + sum(line["net"] for line in lines)
        assert tab.view["session"]["rounds"] == 1
        assert wagered <= sum(line["wagered"] for line in lines)


def test_the_seed_is_committed_to_before_and_proves_the_cards_after(visitor: Visits) -> None:
    ann = visitor("Ann")
    table = ann.opens("fu-bacc")
    with ann.at(table) as tab:
        seated(tab)
        tab.do("wager", spot=3, wagers={"ante": 1000})
        tab.do("ready")
        committed = tab.view["commitment"]
        assert tab.view["reveal"] is None
        tab.choose("fold")
        assert tab.view["reveal"]
        proof = ann.http.get(f"/api/tables/{table}/proof").json()
    assert (proof["commitment"]["digest"], proof["seed"], proof["verified"]) == (
        committed,
        tab.view["reveal"],
        True,
    )


def two_at_a_table(ann: Tab, bob: Tab, wagers: dict[str, int]) -> None:
    seated(ann, 2)
    seated(bob, 5)
    ann.do("wager", spot=2, wagers=wagers)
    bob.do("wager", spot=5, wagers=wagers)
    ann.do("ready")
    bob.do("ready")


def faces(found: Any) -> set[str]:
    """Every card code anywhere in what a client was told."""
    text = json.dumps(found)
    return {face.code for face in cards(DECK) if f'"{face.code}"' in text}


DECK = " ".join(f"{rank}{suit}" for rank in "234567JQKA" for suit in "cdhs") + " Jo"


def test_nobody_is_told_anything_of_another_hand_or_a_hole_card(visitor: Visits) -> None:
    ann, bob, eve = visitor("Ann"), visitor("Bob"), visitor("Eve")
    table = ann.opens("spanish-poker")
    with ann.at(table) as a, bob.at(table) as b, eve.at(table) as e:
        two_at_a_table(a, b, {"ante": 1000})
        a.sees(running=True)
        e.sees(running=True)
        own = {face for face in a.view["seats"][1]["cards"] if face}
        theirs = {face for face in b.view["seats"][4]["cards"] if face}
        assert (len(own), len(theirs)) == (5, 5)
        assert faces(a.heard) == own
        assert faces(b.heard) == theirs
        assert faces(e.heard) == set()
        assert a.view["seats"][4]["cards"] == [None] * 5
        assert a.view["dealer"]["cards"] == [None] * 5


def test_two_tabs_of_one_player_agree(visitor: Visits) -> None:
    ann = visitor("Ann")
    table = ann.opens("fu-bacc")
    with ann.at(table) as one, ann.at(table) as other:
        seated(one)
        one.do("wager", spot=3, wagers={"ante": 1000})
        one.do("ready")
        other.sees(running=True)
        assert other.view["decisions"] == one.view["decisions"]
        other.choose("fold")
        one.sees(running=False)
        assert one.view["stack"] == other.view["stack"]


def test_guests_of_one_name_sit_at_one_table_each_under_a_name_of_their_own(visitor: Visits) -> None:
    table = visitor("Ann").opens("fu-bacc")
    for spot, name in enumerate(["Max", "Max 3", "Max", "Max", "Max 3"], 1):
        with visitor(name).at(table) as tab:
            names = [seat["player"] for seat in tab.do("sit", spot=spot)["seats"] if seat["player"]]
    assert names == ["Max", "Max 3", "Max 2", "Max 4", "Max 3 2"]


def test_a_reconnect_in_the_middle_of_a_round_finds_the_same_state(visitor: Visits) -> None:
    ann = visitor("Ann")
    table = ann.opens("lucky-lucky")
    with ann.at(table) as tab:
        seated(tab)
        tab.do("wager", spot=3, wagers={"blackjack": 1000})
        tab.do("ready")
        before = tab.view
    with ann.at(table) as again:
        assert again.view["seats"][2]["cards"] == before["seats"][2]["cards"]
        assert again.view["decisions"] == before["decisions"]


@contextmanager
def returned(address: str, before: Visitor, table: str) -> Iterator[Tab]:
    """The same browser at a server that was started again."""
    with closing(Visitor(address, "", before.http.cookies)) as again, again.at(table) as tab:
        yield tab


def test_the_server_comes_back_with_the_same_stacks_and_the_same_round(tmp_path: Path) -> None:
    with served(tmp_path) as address, closing(Visitor(address, "Ann")) as ann:
        table = ann.opens("fu-bacc")
        with ann.at(table) as tab:
            seated(tab)
            tab.do("wager", spot=3, wagers={"ante": 1000})
            before = tab.do("ready")
    with (
        served(tmp_path) as address,
        closing(Visitor(address, "Ann", ann.http.cookies)) as ann,
        ann.at(table) as tab,
    ):
        assert tab.view["you"] == "Ann"
        assert (tab.view["round"], tab.view["stack"]) == (before["round"], before["stack"])
        assert tab.view["seats"][2]["cards"] == before["seats"][2]["cards"]
        assert tab.view["decisions"] == before["decisions"]
        assert tab.choose("fold")["stack"] == 490_00
        tab.do("wager", spot=3, wagers={"ante": 500})
    with (
        served(tmp_path) as address,
        closing(Visitor(address, "Ann", ann.http.cookies)) as ann,
        ann.at(table) as tab,
    ):
        assert tab.view["stack"] == 485_00
        assert tab.view["seats"][2]["wagers"] == {"ante": 500}
        assert tab.do("ready")["round"] == 2


BAD = [
    "",
    "[]",
    "null",
    "{",
    '{"id":1}',
    '{"id":1,"type":"fly"}',
    '{"id":1,"type":"sit"}',
    '{"id":1,"type":"sit","spot":"3"}',
    '{"id":1,"type":"sit","spot":3,"stack":-5}',
    '{"id":1,"type":"sit","spot":3,"cheat":true}',
    '{"id":1,"type":"wager","spot":3,"wagers":{"ante":1.5}}',
    '{"id":-1,"type":"ready"}',
    "[" * 5000,
    '{"id":1,"type":"ready","pad":"' + "x" * 5000 + '"}',
]


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_a_message_that_is_no_action_is_refused_and_changes_nothing(visitor: Visits, text: str) -> None:
    ann = visitor("Ann")
    with ann.at(ann.opens("fu-bacc")) as tab:
        seated(tab)
        before = tab.view
        tab.socket.send(text)
        assert tab.until("refused")["kind"] == "BadMessage"
        tab.do("wager", spot=3, wagers={})  # nothing: the table is told again as it stands
        assert tab.view == before


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("choose", {"spot": 3, "round": 1, "name": "fold"}),
        ("ready", {}),
        ("wager", {"spot": 4, "wagers": {"ante": 1000}}),
        ("wager", {"spot": 3, "wagers": {"ante": 1}}),
        ("wager", {"spot": 3, "wagers": {"ante": 10**9}}),
        ("wager", {"spot": 3, "wagers": {"bonus": 1000}}),
        ("sit", {"spot": 4, "stack": 1000}),
        ("pause", {}),
        ("coach", {"spot": 3}),
    ],
)
def test_what_is_out_of_turn_is_refused_with_a_reason(visitor: Visits, kind: str, said: Told) -> None:
    ann = visitor("Ann")
    with ann.at(ann.opens("fu-bacc")) as tab:
        before = seated(tab)
        answer = tab.ask(kind, **said)
        assert answer["type"] == "refused"
        assert answer["error"]
        tab.do("wager", spot=3, wagers={})
        assert tab.view == before


def test_a_choice_of_an_earlier_round_or_on_another_seat_is_refused(visitor: Visits) -> None:
    ann, bob = visitor("Ann"), visitor("Bob")
    table = ann.opens("fu-bacc")
    with ann.at(table) as a, bob.at(table) as b:
        two_at_a_table(a, b, {"ante": 1000})
        a.sees(running=True)
        stale = a.ask("choose", spot=2, round=a.view["round"] - 1, name="fold")
        assert (stale["type"], stale["kind"]) == ("refused", "NotNow")
        forged = b.ask("choose", spot=2, round=a.view["round"], name="fold")
        assert (forged["type"], forged["kind"]) == ("refused", "SpotRefused")
        assert a.view["running"]


def test_the_coach_weighs_every_choice(tmp_path: Path) -> None:
    with (
        served(tmp_path, coached=True) as address,
        closing(Visitor(address, "Ann")) as ann,
        ann.at(ann.opens("spanish-poker")) as tab,
    ):
        seated(tab)
        tab.do("wager", spot=3, wagers={"ante": 1000})
        tab.do("ready")
        told = tab.ask("coach", spot=3)
        assert {each["name"] for each in told["values"]} == set(tab.offers)
        assert told["best"] == max(told["values"], key=lambda each: each["value"])["name"]
        fold = next(each for each in told["values"] if each["name"] == "fold")
        assert fold["exact"] == "-1000/1"


def test_the_coach_weighs_one_hand_of_a_split(tmp_path: Path) -> None:
    stacking = Stacking()
    with served(tmp_path, stacking, coached=True) as address, closing(Visitor(address, "Ann")) as ann:
        stacking.laid = "8c 8d 6d Ts 3h 2h 5c 5d 5h 5s"
        with ann.at(ann.opens("lucky-break")) as tab:
            seated(tab)
            tab.do("wager", spot=3, wagers={"blackjack": 1000})
            tab.do("ready")
            tab.choose("split")
            told = tab.ask("coach", spot=3)
            assert told["best"] == "double"  # eleven against a six
            worth = {choice["name"]: choice["value"] for choice in told["values"]}
            assert set(worth) == {"stand", "hit", "double"}
            assert 0 < worth["hit"] < worth["double"] < 2000


def test_a_tab_has_a_few_questions_open_with_the_coach_and_no_more(visitor: Visits) -> None:
    ann = visitor("Ann")
    with ann.at(ann.opens("fu-bacc")) as tab:
        seated(tab)
        tab.do("wager", spot=3, wagers={"ante": 1000})
        tab.do("ready")
        for number in range(100, 120):
            tab.socket.send(f'{{"id":{number},"type":"coach","spot":3}}')
        answers = [tab.until("coach", "refused") for _ in range(20)]
        assert sorted(each["id"] for each in answers) == list(range(100, 120))
        refused = [each["error"] for each in answers if each["type"] == "refused"]
        assert refused
        assert all("4 questions" in error for error in refused)
        assert len(answers) - len(refused) >= 4


def test_the_picture_is_enough_to_reconstruct_the_round(visitor: Visits) -> None:
    ann, eve = visitor("Ann"), visitor("Eve")
    table = ann.opens("fu-bacc")
    with ann.at(table) as tab:
        seated(tab)
        tab.do("wager", spot=3, wagers={"ante": 1000, "tie": 500})
        tab.do("ready")
        tab.choose("stay")
    with eve.at(table) as late:
        seat = late.view["seats"][2]
        assert (seat["tucked"], seat["burned"]) == ("play", [2])
        assert late.view["lines"][0]["outcome"]


def test_a_table_tells_what_its_wagers_cost(visitor: Visits) -> None:
    ann = visitor("Ann")
    table = ann.opens("fu-bacc")
    with ann.at(table) as tab:
        seated(tab)
        tab.do("wager", spot=3, wagers={"ante": 1000})
        tab.do("ready")
        tab.choose("fold")
        while "expected" not in tab.view["session"]:
            tab.hear()
        assert tab.view["session"]["expected"] == -30  # 3.05 % of $10
        edges = ann.http.get(f"/api/tables/{table}").json()["edges"]
        assert edges["ante"] == pytest.approx(6984511 / 229033350)


def test_a_jackpot_rises_with_every_losing_wager(visitor: Visits) -> None:
    ann = visitor("Ann")
    offers = {"offers": ["ante", "gran-progressive"]}
    with ann.at(ann.opens("spanish-poker", options=offers)) as tab:
        seated(tab)
        posted = tab.view["meters"]["jackpot"]
        tab.do("wager", spot=3, wagers={"ante": 1000, "gran-progressive": 100})
        tab.do("ready")
        tab.choose("fold")
        gran = next(line for line in tab.view["lines"] if line["wager"] == "gran-progressive")
        if gran["result"] == "lose":
            assert tab.view["meters"]["jackpot"] == posted + 100
        else:
            assert tab.view["meters"]["jackpot"] <= posted


def test_a_table_that_breaks_a_rule_is_refused_beside_its_field(visitor: Visits) -> None:
    ann = visitor("Ann")
    answer = ann.post("/api/tables", game="fu-bacc", limits={"ante": [500, 50_000]})
    assert answer.status_code == 400
    told = answer.json()
    assert (told["kind"], told["field"]) == ("NotOpened", "limits.ante")
    assert "WAC 230-15-140" in told["error"]


def test_a_newcomer_finds_a_table_of_every_game(visitor: Visits) -> None:
    listed = visitor("Ann").http.get("/api/tables").json()
    assert [table["game"] for table in listed] == list(catalog.games())
    assert all(table["as_approved"] for table in listed)
