"""The dealer's chair: a whole round by the prompts, wrong steps refused with their clause, one each."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from feltworks import catalog
from feltworks.errors import NotNow
from feltworks.rules.steps import Burn, Decide, Discard, Say, Tuck
from feltworks.table.events import CardPeeked, CardsDealt, CardsTurned, LineSettled
from feltworks.web.training import lessons
from feltworks.web.training.lessons import NextStep, at_of, chair_game, settlement_of
from feltworks.web.training.practice import TRAY, Practice, practice_view
from tests.web.player import Told, Visitor
from tests.web.serving import served

Visits = Callable[[str], Visitor]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for all: every trainee has a table of their own."""
    with served(tmp_path_factory.mktemp("chair")) as found:
        yield found


def right_move(expected: NextStep) -> lessons.DealerMove:
    """What a dealer who knows the game does."""
    match awaited := expected.awaited:
        case Say():
            return lessons.Announce(awaited.words)
        case CardsDealt():
            down = bool(awaited.backs) if awaited.to < 0 else None
            return lessons.Deal(at_of(awaited.to), len(awaited.faces) + awaited.backs, down)
        case CardsTurned():
            return lessons.TurnOver(at_of(awaited.at))
        case CardPeeked():
            return lessons.Check()
        case Decide():
            return lessons.Ask(awaited.seat + 1)
        case Tuck():
            return lessons.TuckHand(awaited.seat + 1, awaited.under)
        case Burn():
            return lessons.BurnCard(at_of(awaited.at))
        case Discard():
            return lessons.Clear(awaited.seat + 1)
        case LineSettled():
            return right_settling(awaited)


def right_settling(awaited: LineSettled) -> lessons.DealerMove:
    verb, cents = settlement_of(awaited)
    seat, wager, part = awaited.seat + 1, awaited.wager, awaited.part
    if verb == "push":
        return lessons.LeaveWager(seat, wager, part)
    kind = lessons.Pay if verb == "pay" else lessons.Take
    return kind(seat, wager, cents, part)


def until(practice: Practice, kind: type) -> NextStep:
    """Deal rightly until a step of a kind is awaited."""
    while True:
        if practice.felt.is_over:
            practice.do(practice.number, lessons.Next())
        elif isinstance(practice.next_steps[0].awaited, kind):
            return practice.next_steps[0]
        else:
            practice.do(practice.number, right_move(practice.next_steps[0]))


@pytest.mark.parametrize("game", catalog.games())
def test_whoever_deals_by_the_rules_is_never_refused_and_pays_what_the_table_pays(game: str) -> None:
    practice = Practice(game, 4, lesson="round", seed=11)
    clauses = catalog.rulebook(game).clause
    while practice.score.rounds < 4:
        if practice.felt.is_over:
            practice.do(practice.number, lessons.Next())
        assert all(each.clause in clauses for each in practice.next_steps)
        practice.do(practice.number, right_move(practice.next_steps[-1]))  # of several in any order, the last
        assert practice.wrong is None
        if practice.felt.is_over:
            shown = {seat.player: seat.stack for seat in practice_view(practice).seats if seat.player}
            assert shown == {name: each.stack for name, each in practice.table.seating.players.items()}
            assert practice.tray == TRAY + practice.table.house.tray
    score = practice.score
    assert (score.right_at_once, score.payouts_right_at_once) == (score.steps, score.payouts)
    assert not score.mistakes


@pytest.mark.parametrize("game", catalog.games())
def test_a_wrong_amount_is_refused_with_the_wager_s_own_clause_and_changes_nothing(game: str) -> None:
    practice = Practice(game, 3, lesson="round", seed=5)
    expected = until(practice, LineSettled)
    awaited = expected.awaited
    assert isinstance(awaited, LineSettled)
    before = practice_view(practice)
    practice.do(practice.number, lessons.Pay(awaited.seat + 1, awaited.wager, 123_45, awaited.part))
    assert practice.wrong is not None
    assert practice.wrong.clause == expected.clause == awaited.clause
    assert practice.wrong.because == expected.because
    assert practice.wrong.expected == ""  # not told at the first miss
    assert practice_view(practice) == before
    assert (practice.tray, practice.score.overpaid) == (TRAY, 123_45 - awaited.paid)
    practice.do(practice.number, lessons.Take(awaited.seat + 1, awaited.wager, 123_45, awaited.part))
    assert practice.wrong.expected
    practice.do(practice.number, right_move(expected))
    assert practice.wrong is None
    assert practice.score.payouts_right_at_once == practice.score.payouts - 1


@pytest.mark.clause("FB.16", "FB.17")
def test_no_card_is_dealt_before_the_wagering_is_closed_nor_to_the_wrong_seat() -> None:
    practice = Practice("fu-bacc", 2, lesson="round", seed=2)
    practice.do(0, lessons.Deal(1, 2))
    assert practice.wrong is not None
    assert practice.wrong.clause == "FB.16"
    practice.do(1, lessons.Announce("no more bets"))
    for wrong in (lessons.Deal(2, 2), lessons.Deal(1, 3), lessons.TurnOver(0)):
        practice.do(practice.number, wrong)
        assert practice.wrong is not None
        assert practice.wrong.clause == "FB.17"
    practice.do(practice.number, lessons.Deal(1, 2))
    assert practice.wrong is None


@pytest.mark.clause("SP.23")
def test_settling_the_hands_from_the_wrong_side_is_refused() -> None:
    practice = Practice("spanish-poker", 3, lesson="round", seed=9)
    expected = until(practice, LineSettled)
    awaited = expected.awaited
    assert isinstance(awaited, LineSettled)
    other = next(seat for seat in (1, 2, 3) if seat != awaited.seat + 1)
    practice.do(practice.number, lessons.Take(other, "ante", 500))
    assert practice.wrong is not None
    assert f"Seat {other} is not settled now" in practice.wrong.says


@pytest.mark.clause("SP.8")
def test_an_announcement_is_heard_by_what_it_says() -> None:
    practice = Practice("spanish-poker", 2, lesson="round", seed=4)
    until(practice, CardsTurned)
    practice.do(practice.number, lessons.TurnOver(0))
    awaited = practice.next_steps[0].awaited
    assert isinstance(awaited, Say)
    qualifies = "Dealer qualifies" if awaited.words.startswith("Dealer qualifies") else "Dealer does not qualify"
    wrong = {"Dealer qualifies": "Dealer does not qualify"}.get(qualifies, "Dealer qualifies")
    for said in (wrong, "Dealer", "Dealer does"):
        practice.do(practice.number, lessons.Announce(said))
        assert practice.wrong is not None
        assert practice.wrong.clause == "SP.8"
    practice.do(practice.number, lessons.Announce(qualifies))
    assert practice.wrong is None


@pytest.mark.clause("BJ.2")
def test_the_up_card_belongs_to_the_deal_though_a_bonus_wager_was_asked_before() -> None:
    practice = Practice("acey-deucey-21", 2, lesson="procedure", seed=3)
    steps = []
    while not practice.felt.is_over:
        step = practice.next_steps[0]
        steps.append((step.words, practice.part, step.clause))
        practice.do(practice.number, lessons.Next())
    asked = steps.index(("Ask seat 1 to decide on Acey Deucey", "bonus", "AD.6"))
    assert steps[asked + 1] == ("Deal a card face up to yourself", "deal", "BJ.2")
    assert ("Ask seat 1 to decide", "decisions", "BJ.4") in steps


def test_a_hint_tells_the_step_and_costs_it() -> None:
    practice = Practice("lucky-lucky", 2, lesson="round", seed=1)
    practice.do(0, lessons.Hint())
    assert practice.hint == "Announce “No more bets”"
    practice.do(1, lessons.Announce("No more bets"))
    assert (practice.score.hints, practice.score.right_at_once, practice.score.steps) == (1, 0, 1)


def test_a_stale_move_and_a_skipped_step_are_refused() -> None:
    practice = Practice("fu-bacc", 2, lesson="round", seed=1)
    with pytest.raises(NotNow, match="choose one, or ask"):
        practice.do(0, lessons.Next())
    practice.do(0, lessons.Announce("No more bets"))
    with pytest.raises(NotNow, match="has gone on"):
        practice.do(0, lessons.Announce("No more bets"))
    assert practice.number == 1


def faces_of(told: Any) -> set[str]:
    text = msgspec.json.encode(told).decode()
    return {card.code for card in catalog.game("fu-bacc").terms.shoe.all_cards() if f'"{card.code}"' in text}


def test_the_dealer_is_not_shown_what_players_hold_in_their_hands() -> None:
    practice = Practice("spanish-poker", 3, lesson="round", seed=6)
    until(practice, Decide)
    assert faces_of(msgspec.to_builtins(practice_view(practice))) == set()
    assert practice.table.round is not None
    until(practice, Say)
    shown = practice_view(practice)
    assert len([face for face in shown.dealer.cards if face]) == 5
    assert shown.dealer.total is None  # in training one reads the hand oneself


def begun(visitor: Visitor, **said: Any) -> Told:
    answer = visitor.post("/api/chair", **said)
    assert answer.status_code == 200, answer.text
    told: Told = answer.json()
    return told


def moved(visitor: Visitor, number: int, **said: Any) -> Any:
    return visitor.post("/api/chair/move", number=number, move=said)


@pytest.mark.parametrize("game", catalog.games())
def test_a_newcomer_deals_a_round_of_every_game_by_the_prompts(visitor: Visits, game: str) -> None:
    ann = visitor("Ann")
    told = begun(ann, game=game, seats=2)
    while not told["over"]:
        assert told["prompt"]["words"]
        assert told["prompt"]["clause"] in catalog.rulebook(game).clause
        told = moved(ann, told["number"], do="next").json()
    assert told["score"]["rounds"] == 1
    assert told["view"]["lines"]
    assert moved(ann, told["number"], do="next").json()["view"]["round"] == 2


def test_a_chair_belongs_to_one_session(visitor: Visits) -> None:
    ann, eve = visitor("Ann"), visitor("Eve")
    assert eve.http.get("/api/chair").json() is None
    told = begun(ann, game="fu-bacc", seats=2, lesson="round")
    assert told["prompt"] is None
    assert eve.http.get("/api/chair").json() is None
    forged = moved(eve, told["number"], do="say", words="No more bets")
    assert (forged.status_code, forged.json()["kind"]) == (404, "NoChair")
    assert ann.http.get("/api/chair").json()["number"] == told["number"]


def test_moves_without_the_token_are_refused(visitor: Visits) -> None:
    ann = visitor("Ann")
    begun(ann, game="fu-bacc")
    forged = ann.http.post("/api/chair/move", json={"number": 0, "move": {"do": "next"}})
    assert forged.status_code == 403
    assert ann.http.get("/api/chair").json()["number"] == 0


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"do": "fly"},
        {"do": "deal", "to": "one"},
        {"do": "deal", "to": 10**9},
        {"do": "pay", "seat": 1, "wager": "ante", "cents": -1},
        {"do": "say", "words": "x" * 900},
        {"do": "next", "cheat": True},
    ],
)
def test_what_is_no_move_is_refused_and_changes_nothing(visitor: Visits, move: Told) -> None:
    ann = visitor("Ann")
    before = begun(ann, game="fu-bacc")
    answer = ann.post("/api/chair/move", number=0, move=move)
    assert answer.status_code == 400
    assert answer.json()["error"]
    assert ann.http.get("/api/chair").json()["view"] == before["view"]


@pytest.mark.parametrize("game", catalog.games())
def test_a_lesson_asks_for_its_own_steps_alone_and_counts_the_faults_of_a_round(game: str) -> None:
    practice = Practice(game, 3, lesson="settle", seed=3)
    expected = practice.next_steps[0]
    assert isinstance(expected.awaited, LineSettled)
    practice.do(practice.number, lessons.Announce("No more bets"))
    assert practice.progress.faults == 1
    while not practice.felt.is_over:
        assert isinstance(practice.next_steps[0].awaited, LineSettled)
        practice.do(practice.number, right_move(practice.next_steps[0]))
    assert practice.progress.steps == practice.score.payouts
    practice.do(practice.number, lessons.Next())
    assert practice.progress.faults == 0


@pytest.mark.parametrize("game", catalog.games())
def test_a_round_goes_through_the_parts_of_its_procedure(game: str) -> None:
    practice = Practice(game, 3, seed=7)
    parts = [chapter.part for chapter in chair_game(practice.game).procedure]
    while not practice.felt.is_over:
        assert practice.progress.now in parts
        practice.do(practice.number, right_move(practice.next_steps[0]))
    done = practice.progress.done
    assert (done[0], done[-1]) == ("wagers", "settlement")
    assert practice.progress.now == ""


def test_the_seats_that_are_settled_are_marked_from_the_dealer_s_right() -> None:
    practice = Practice("fu-bacc", 3, lesson="settle", seed=3)
    while practice.progress.now != "settlement":
        practice.do(practice.number, right_move(practice.next_steps[0]))
    marks = []
    while not practice.felt.is_over:
        marks.append(practice.progress.seats)
        practice.do(practice.number, right_move(practice.next_steps[0]))
    assert marks[-1] == [2, 3]


def test_an_unknown_lesson_is_refused_with_the_lessons_there_are(visitor: Visits) -> None:
    answer = visitor("Lou").post("/api/chair", game="fu-bacc", lesson="shuffle")
    assert answer.status_code == 400
    assert answer.json()["error"].endswith("it may be procedure, deal, decisions, settle or round")
