"""Punto banco: wagers on which of two hands comes closer to nine, and on pairs."""

from collections.abc import Iterator

from msgspec import Struct

from feltworks.cards import Card, Rank
from feltworks.hands.baccarat import BaccaratHand, points
from feltworks.hands.hand import Hand
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, HandOf, Place, Round
from feltworks.rules.steps import Draw, Step
from feltworks.rules.wager import Own, Verdict, Wager

PLAYER, BANKER = BOARD, DEALER
THIRD = 2


class Punto(BaccaratHand, frozen=True):
    """A total, and the points of the third card, which decide whether the banker draws."""

    third: int = -1

    def add(self, card: Card) -> "Punto":
        base = BaccaratHand.add(self, card)
        return Punto(base.total, base.held, points(card) if self.held == THIRD else -1)


class FirstPair(Hand, frozen=True):
    """Whether the first two cards are a pair; None until they are dealt."""

    first: Rank | None = None
    is_pair: bool | None = None

    def add(self, card: Card) -> "FirstPair":
        if self.first is None:
            return FirstPair(card.rank)
        return self if self.is_pair is not None else FirstPair(self.first, card.rank == self.first)


NO_CARDS = Punto()
# PB.4: the points of the player's third card on which the banker draws, by the banker's total
DRAWS_ON = {
    3: frozenset(range(10)) - {8},
    4: frozenset(range(2, 8)),
    5: frozenset(range(4, 8)),
    6: frozenset([6, 7]),
}


class Standing(Struct, frozen=True):
    """The totals once both hands are complete, and whether the banker drew a card."""

    player: int | None = None
    banker: int | None = None
    has_third: bool = False


class PlayerWager(Wager[Standing]):
    """PB.5: the player's hand is higher; a tie pushes."""

    name = "player"
    outcomes = frozenset(["player", "banker", "tie"])

    def judge(self, standing: Standing) -> Verdict | None:
        player, banker = standing.player, standing.banker
        if player is None or banker is None:
            return None
        outcome = "tie" if player == banker else "player" if player > banker else "banker"
        return Verdict(outcome, f"player {player}, banker {banker}", ("PB.5",))


class BankerWager(PlayerWager):
    """PB.5: the banker's hand is higher, less a commission."""

    name = "banker"


class TieWager(PlayerWager):
    """PB.5: both totals are equal."""

    name = "tie"


class DragonSeven(Wager[Standing]):
    """PB.7: the banker wins with a seven of three cards."""

    name = "dragon-7"
    outcomes = frozenset(["dragon", "other"])

    def judge(self, standing: Standing) -> Verdict | None:
        player, banker = standing.player, standing.banker
        if player is None or banker is None:
            return None
        is_dragon = banker == 7 and player < banker and standing.has_third
        words = f"banker {banker} of {'three' if standing.has_third else 'two'} cards, player {player}"
        return Verdict("dragon" if is_dragon else "other", words, ("PB.7",))


class PlayerPair(Wager[Own[Standing, FirstPair]]):
    """PB.6: the player's first two cards are a pair."""

    name = "player-pair"
    outcomes = frozenset(["pair", "no pair"])
    hand = HandOf(FirstPair(), ((PLAYER, 0), (PLAYER, 1)))

    def judge(self, standing: Own[Standing, FirstPair]) -> Verdict | None:
        is_pair = standing.hand.is_pair
        if is_pair is None:
            return None
        return Verdict("pair" if is_pair else "no pair", "{0} and {1} were the first cards", ("PB.6",))


class BankerPair(PlayerPair):
    """PB.6: the banker's first two cards are a pair."""

    name = "banker-pair"
    hand = HandOf(FirstPair(), ((BANKER, 0), (BANKER, 1)))


class PuntoBanco(Game[Standing]):
    """PB.1-7. The hands are on two places of the house; spots only wager."""

    wager_types = (PlayerWager, BankerWager, TieWager, DragonSeven, PlayerPair, BankerPair)
    least_cards = 6
    empty_hand = NO_CARDS

    def procedure(self, r: Round) -> Iterator[Step]:
        for place in (PLAYER, BANKER, PLAYER, BANKER):  # PB.2
            if r.hand(place, NO_CARDS).held < min(2, r.hand(BANKER if place == PLAYER else PLAYER, NO_CARDS).held + 1):
                yield Draw(place)
                return
        place = _draws_next(r.hand(PLAYER, NO_CARDS), r.hand(BANKER, NO_CARDS))
        if place is not None:
            yield Draw(place)

    def standing(self, r: Round, seat: int) -> Standing:
        player, banker = r.hand(PLAYER, NO_CARDS), r.hand(BANKER, NO_CARDS)
        if player.held < 2 or banker.held < 2 or _draws_next(player, banker) is not None:
            return Standing()
        return Standing(player.total, banker.total, banker.held > THIRD)


def _draws_next(player: Punto, banker: Punto) -> Place | None:
    """PB.3, PB.4: the hand that draws a third card next; none after a natural."""
    if player.held == banker.held == 2 and max(player.total, banker.total) >= 8:
        return None
    if player.held == 2 and banker.held == 2 and player.total <= 5:
        return PLAYER
    if banker.held == 2 and _banker_draws(player, banker):
        return BANKER
    return None


def _banker_draws(player: Punto, banker: Punto) -> bool:
    """PB.4: by the player's third card; if the player stands, on five or less."""
    if player.held == 2:
        return banker.total <= 5
    return banker.total <= 2 or player.third in DRAWS_ON.get(banker.total, ())
