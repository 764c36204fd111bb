"""The fair deal: committed before the wagers, cut by the players, and every card of a shoe checked."""

from hashlib import sha256

import pytest

from feltworks import catalog
from feltworks.cards import Card, Shoe
from feltworks.dealing.seed import composition_text
from feltworks.dealing.shoes import CardSource, Commitment, CommittedSource, CutCardShoe, source_for
from feltworks.errors import BadOption, LogError, NotNow
from feltworks.table.live import Dealer
from feltworks.table.replay import replay, replay_log, resume
from feltworks.table.table import Table
from tests.dealing import outsider

MAIN = {"fu-bacc": "ante", "lucky-break": "blackjack"}


def open_table(name: str, source: CardSource | None = None) -> Table:
    game = catalog.game(name)
    table = Table(game, Dealer(source or source_for(game.terms)))
    table.sit("ann", 1, stack=10_000_00)
    table.sit("bob", 2, stack=10_000_00)
    return table


def play_round(table: Table, **cuts: str) -> list[bytes]:
    """A round of both players, who take the first choice offered; its log."""
    for player, spot in (("ann", 1), ("bob", 2)):
        table.wager(player, spot, {MAIN[table.game.terms.rulebook.name]: 10_00})
        if player in cuts:
            table.cut(player, cuts[player])
    table.deal()
    while table.decisions:
        step = table.decisions[0]
        seat = table.seats[step.seat]
        table.choose(seat.player, seat.spot, step.offers[0].name, about=step.about)
    return table.log.lines


@pytest.mark.parametrize("name", MAIN)
def test_the_house_commits_before_the_wagers_and_deals_from_that_shoe(name: str) -> None:
    table = open_table(name)
    for _ in range(4):
        announced = table.next_commitment
        assert announced == table.next_commitment  # asking changes nothing
        play_round(table, ann="a1", bob="b2")
        assert announced is not None
        assert table.commitment is not None
        assert (table.commitment.digest, table.commitment.position) == (announced.digest, announced.position)


def test_a_stranger_follows_cuts_to_the_cards() -> None:
    table = open_table("fu-bacc")
    lines = play_round(table, bob="second", ann="first")
    again, commitment = replay(lines), table.commitment
    assert commitment is not None
    assert commitment.cuts == ("first", "second")  # in the order of the seats
    reveal = table.log.lines[-1].decode().partition('"seed":"')[2][:64]
    listed = composition_text(again.game.terms.shoe)
    assert outsider.commitment(bytes.fromhex(reveal), listed, 1, "live") == commitment.digest
    key = sha256(f"feltworks cut v1\nseed {reveal}\ncut first\ncut second\n".encode()).digest()
    deck = [entry.partition(":")[0] for entry in listed.split()]
    seen = [face.code for seat in again.round.seats for face in seat.cards if isinstance(face, Card)]
    assert seen
    assert set(seen) <= set(outsider.order(key, deck)[:6])


def test_a_cut_changes_the_cards_and_only_those_of_a_new_shoe() -> None:
    plain, cut = (source_for(catalog.game("fu-bacc").terms, seed=7) for _ in range(2))
    assert isinstance(cut, CommittedSource)
    cut.cut(["x"])
    assert plain.begin_round().digest == cut.begin_round().digest
    assert plain.deal(8) != cut.deal(8)

    table = open_table("lucky-break")
    play_round(table, ann="early")
    play_round(table, bob="late")  # the shoe goes on, with the cut it had
    assert table.commitment is not None
    assert table.commitment.cuts == ("early",)
    replay(table.log.lines)


def test_an_interrupted_round_goes_on_with_its_cuts() -> None:
    secrets: list[str] = []
    game = catalog.game("fu-bacc")
    table = Table(game, Dealer(source_for(game.terms), vault=lambda _, secret: secrets.append(secret)))
    table.sit("ann", 1, stack=1000_00)
    table.wager("ann", 1, {"ante": 10_00})
    table.cut("ann", "abc")
    table.deal()
    again = resume(table.log.lines, source_for(game.terms), secrets[0])
    assert (again.round, again.commitment) == (table.round, table.commitment)


@pytest.mark.parametrize("text", ["", "a b", "a\nseed", "x" * 65, "é"])
def test_a_cut_that_could_be_misread_is_refused(text: str) -> None:
    table = open_table("fu-bacc")
    with pytest.raises(BadOption, match="1 to 64 letters and digits"):
        table.cut("ann", text)


def test_cards_are_cut_before_the_deal() -> None:
    table = open_table("fu-bacc")
    table.wager("ann", 1, {"ante": 10_00})
    table.deal()
    with pytest.raises(NotNow, match="no more bets"):
        table.cut("ann", "late")


class CheatingShoe(CutCardShoe):
    """Commits to a shoe like an honest one; one of its rounds is dealt from another shoe."""

    def __init__(self, shoe: Shoe, cheats_in: int) -> None:
        super().__init__(shoe, penetration=25, seed=1)
        self._other = CutCardShoe(shoe, seed=2)
        self._other.begin_round()
        self._rounds, self._cheats_in = 0, cheats_in

    def begin_round(self) -> Commitment:
        self._rounds += 1
        return super().begin_round()

    def deal(self, count: int) -> tuple[Card, ...]:
        dealt = super().deal(count)
        return self._other.deal(count) if self._rounds == self._cheats_in else dealt


@pytest.mark.parametrize("cheats_in", [0, 1, 2, 3])
def test_the_cards_of_every_round_of_a_shoe_are_checked_by_its_seed(cheats_in: int) -> None:
    source = CheatingShoe(catalog.game("lucky-break").terms.shoe, cheats_in)
    table, rounds = open_table("lucky-break", source), list[list[bytes]]()
    while not rounds or b'"reveal"' not in rounds[-1][-1]:
        rounds.append(play_round(table))
    assert len(rounds) > 3
    for lines in rounds:
        replay(lines)  # each round alone follows the rules
    log = [line for lines in rounds for line in lines]
    if not cheats_in:
        assert len(replay_log(log)) == len(rounds)
    else:
        with pytest.raises(LogError, match=f"round {cheats_in} of the log: the revealed seed does not give"):
            replay_log(log)


def test_a_round_left_out_of_a_shoe_is_missed() -> None:
    table = open_table("lucky-break")
    first, _, third = (play_round(table) for _ in range(3))
    with pytest.raises(LogError, match=r"does not follow|does not begin at the next card of its shoe"):
        replay_log([*first, *third])
