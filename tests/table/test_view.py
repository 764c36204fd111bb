"""What each player may know: own hands, what lies open, and nothing else."""

import random
import re

import msgspec
import pytest

from feltworks import catalog
from feltworks.cards import Card
from feltworks.dealing.shoes import CardSource, source_for
from feltworks.errors import SpotRefused
from feltworks.rules.round import DEALER, FACE_DOWN, Place
from feltworks.table.table import Table
from tests.table.stacked import at_random, finish, full_table, stacked_table

_BARRING = re.compile(rb'"barring":\[[^]]*\]')


class Watched:
    """A source that remembers what it dealt, so that a test knows what lies under every back."""

    def __init__(self, source: CardSource) -> None:
        self.begin_round, self.end_round, self.restore = source.begin_round, source.end_round, source.restore
        self._source = source
        self.drawn: list[Card] = []

    def deal(self, count: int) -> tuple[Card, ...]:
        dealt = self._source.deal(count)
        self.drawn += dealt
        return dealt

    @property
    def secret(self) -> str:
        return self._source.secret


def unseen(table: Table, drawn: list[Card], player: str | None) -> set[str]:
    """The cards that this player may not know: those face down, and others' hands the game keeps private."""
    r = table.round
    assert r is not None
    own = [number for number, seat in enumerate(table.seats) if seat.player == player]
    eyes: list[int | None] = [*own] or [None]
    seen = [*r.dealer, *r.board]
    for number, seat in enumerate(r.seats):
        if number in own or any(table.game.sees(r, viewer, number) for viewer in eyes):
            seen += seat.cards
    return {face.code for face in drawn} - {face.code for face in seen if isinstance(face, Card)}


@pytest.mark.parametrize("name", catalog.games())
def test_a_view_never_names_a_card_its_player_may_not_know(name: str) -> None:
    checked = sum(check_views(name, seed) for seed in range(6))
    assert checked > 20


def check_views(name: str, seed: int) -> int:
    """Play a round and look through everybody's eyes at every step; how many secrets were kept."""
    rng = random.Random(seed)
    source = Watched(source_for(catalog.game(name).terms, seed=seed))
    table = full_table(name, source=source)
    kept = 0

    def check() -> None:
        nonlocal kept
        for player in ("ann", "bob", None):
            secret = unseen(table, source.drawn, player)
            told = _BARRING.sub(b"", msgspec.json.encode(table.view(player), enc_hook=str))
            assert not [code for code in secret if re.search(rf"\b{code}\b".encode(), told)]
            assert source.secret.encode() not in told
            kept += len(secret)

    table.deal()
    finish(table, at_random(rng), rng, check)
    return kept


@pytest.mark.clause("FB.15")
def test_a_player_on_two_spots_sees_both_own_hands_and_nobody_elses() -> None:
    table = full_table("fu-bacc", seed=2)
    table.deal()
    assert table.round is not None
    view = table.view("ann").round
    assert view is not None
    assert [view.seats[n].cards for n in (0, 1)] == [table.round.seats[n].cards for n in (0, 1)]
    assert view.seats[2].cards == (FACE_DOWN,) * 3
    bystander = table.view().round
    assert bystander is not None
    assert all(seat.cards == (FACE_DOWN,) * 3 for seat in bystander.seats)


@pytest.mark.clause("FB.17")
def test_hit_cards_and_the_dealers_two_lie_face_down_for_everybody_until_turned() -> None:
    table = stacked_table("fu-bacc", "5c Kd 2h 9s 4h Ac")
    table.sit("ann", 1, stack=10_000)
    table.wager("ann", 1, {"ante": 1000})
    table.deal()
    view = table.view("ann").round
    assert view is not None
    assert view.seats[0].cards[2] is FACE_DOWN
    assert [isinstance(face, Card) for face in view.at(DEALER)] == [True, False, False]
    table.choose("ann", 1, "hit")
    view = table.view("ann").round
    assert view is not None
    assert view.seats[0].cards[2].code == "2h"  # type: ignore[union-attr]


def test_a_view_shows_the_players_own_decisions() -> None:
    table = full_table("spanish-poker", seed=2)
    table.deal()
    ann, bob, bystander = table.view("ann"), table.view("bob"), table.view()
    assert {step.seat for step in ann.decisions} == {0, 1}
    assert {step.seat for step in bob.decisions} == {2}
    assert bystander.decisions == ()
    with pytest.raises(SpotRefused, match="does not sit"):
        table.view("eve")


@pytest.mark.clause("SP.24")
def test_everybody_sees_the_money_of_an_unseen_hand_move_and_nobody_hears_why() -> None:
    options = {"offers": ["ante", "dos-pares"]}
    table = stacked_table("spanish-poker", "Kc Kd 2h 3h 4s 2c 3d 5h 7c Jc Ac Qd 5s 6s 4c", options=options)
    table.sit("ann", 1, stack=10_000)
    table.sit("bob", 2, stack=10_000)
    for name, spot in (("ann", 1), ("bob", 2)):
        table.wager(name, spot, {"ante": 1000, "dos-pares": 500})
    table.deal()
    table.choose("ann", 1, "fold")
    table.choose("bob", 2, "fold")
    own = [line for line in table.view("ann").lines if line.wager == "dos-pares"]
    assert [(line.seat, line.net, bool(line.because)) for line in own] == [(1, -500, False), (0, -500, True)]


@pytest.mark.parametrize(("seed", "seeded"), [(7, True), (None, False)])
def test_seeded_mode_announces_itself(seed: int | None, seeded: bool) -> None:
    game = catalog.game("fu-bacc")
    table = full_table("fu-bacc", source=source_for(game.terms, seed=seed))
    assert table.is_seeded is None
    table.deal()
    assert table.is_seeded is seeded
    announced = b'"seeded":true' in table.log.lines[0]
    assert announced is seeded


def test_face_down_cards_are_in_no_log_before_they_are_turned() -> None:
    game = catalog.game("fu-bacc")
    source = Watched(source_for(game.terms, seed=3))
    table = full_table("fu-bacc", source=source)
    table.deal()
    known: dict[Place, int] = {0: 2, 1: 2, 2: 2, DEALER: 1}
    order = [0, 0, 0, 1, 1, 1, 2, 2, 2, DEALER, DEALER, DEALER]
    log = b"".join(table.log.lines)
    for place, face in zip(order, source.drawn, strict=True):
        known[place] -= 1
        assert (f'"{face.code}"'.encode() in log) == (known[place] >= 0)
