"""Wagers that the player's first two cards and the up card decide: fixed cards, one decision at most.

Suits that have shown the same are walked once. Who is dealt what is restated for speed (AD.7); what is
offered comes from the wager's own `asks`, what is paid from its `judge` and the pay table.
"""

from collections.abc import Hashable, Iterable, Iterator

from feltworks.analysis.counted import Counted, Counts, as_situations
from feltworks.analysis.situations import Situation
from feltworks.analysis.up_card.three_cards import Deal, facts, three_cards
from feltworks.cards import Shoe
from feltworks.games.blackjack import BEFORE_UP_CARD, Blackjack
from feltworks.machine.walk import Settled
from feltworks.money import Cents, Odds
from feltworks.rules.advance import advance
from feltworks.rules.round import FACE_DOWN, Choice, Round, Seat
from feltworks.rules.steps import Decide, Offer
from feltworks.rules.wager import Wager

UNIT: Cents = 100_00  # enough that every derived wager has its whole range


def is_decided_by_up_card(game: Blackjack, wager: str) -> bool:
    """Whether nothing after the up card touches this wager."""
    sample = list(game.terms.shoe)[:3]
    judge = game.wagers[wager]
    return judge.judge(facts(judge, (sample[0], sample[1]), sample[2])) is not None


def situations(game: Blackjack, wager: str, shoe: Shoe) -> list[Situation]:
    """Every first two cards, one for all that differ only by suits, with the exact law of each choice."""
    return as_situations(counted(game, wager, shoe))


def counted(game: Blackjack, wager: str, shoe: Shoe) -> list[Counted]:
    """The same in whole numbers."""
    deals = three_cards(game.wagers[wager]).deals(shoe)
    return list(_UpCards(game, wager).counted((deal, deal.ways) for deal in deals))


def lumped(game: Blackjack, wager: str, shoe: Shoe) -> list[Counted]:
    """The same for its cost alone: pairs that are offered alike and come out alike stand as one."""
    table = _UpCards(game, wager)
    if type(game.wagers[wager]).asks is Wager.asks:  # it has nothing to offer anybody
        whole = three_cards(game.wagers[wager]).whole(shoe)
        return list(table.counted([(whole, whole.ways)]))
    lumps: dict[Hashable, tuple[Deal, int]] = {}
    for deal in three_cards(game.wagers[wager]).deals(shoe):
        key = (deal.outcomes, table.offers(table.seat(deal)))
        before = lumps.get(key)
        lumps[key] = (before[0], before[1] + deal.ways) if before else (deal, deal.ways)
    return list(table.counted(lumps.values()))


class _UpCards:
    def __init__(self, game: Blackjack, wager: str) -> None:
        self.game, self.wager = game, wager
        self._known: dict[Hashable, Settled] = {}

    def seat(self, deal: Deal) -> Seat:
        return Seat({self.wager: UNIT}, deal.pair)

    def offers(self, seat: Seat) -> tuple[Offer, ...]:
        return self.game.wagers[self.wager].asks(BEFORE_UP_CARD, Round((seat,)), 0)

    def counted(self, deals: Iterable[tuple[Deal, int]]) -> Iterator[Counted]:
        for deal, ways in deals:
            shown = Round((self.seat(deal),), (FACE_DOWN,))
            yield Counted(ways, shown, self._choices(deal, shown))

    def _choices(self, deal: Deal, shown: Round) -> dict[str, Counts]:
        offers = self.offers(shown.seats[0])
        if not offers:
            return {"": self._counts(deal, shown.seats[0])}
        step = Decide(0, offers, self.wager)
        choices = {}
        for offer in offers:
            seat = advance(shown, step, Choice(offer.name, offer.most)).seats[0]
            choices[offer.name] = self._counts(deal, seat)
        return choices

    def _counts(self, deal: Deal, seat: Seat) -> Counts:
        return [(self._settled(seat, outcome), ways) for outcome, ways in deal.outcomes]

    def _settled(self, seat: Seat, outcome: str) -> Settled:
        """Every line of the wager and of what was raised on it, which is judged by the same outcome."""
        key = (outcome, *seat.wagers.items())
        if key not in self._known:
            lines = []
            for name, cents in seat.wagers.items():
                pay = self.game.pays[name][outcome]
                assert isinstance(pay, Odds)
                lines.append((name, outcome, pay.exact * cents, cents))
            self._known[key] = tuple(lines)
        return self._known[key]
