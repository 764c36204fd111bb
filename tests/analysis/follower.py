"""A player who follows a plan or a chart through the grammar, card by card, for the referee to watch."""

from collections.abc import Hashable, Mapping
from typing import Any

from feltworks import catalog
from feltworks.analysis.referee import Law, Referee
from feltworks.analysis.solvers.shoe_game.chart import Chart, codes_of, plan_of
from feltworks.analysis.solvers.shoe_game.solver import Plan, ShoeGame
from feltworks.cards import Card, Shoe, card
from feltworks.games.blackjack import Blackjack
from feltworks.hands.blackjack import points
from feltworks.rules.advance import advance
from feltworks.rules.round import Choice, Round
from feltworks.rules.steps import Decide

UNIT = 100


def table(name: str = "lucky-break", **options: Any) -> Blackjack:
    """A table without insurance."""
    game = catalog.game(name, options={"insurance": False} | _dashed(options))
    assert isinstance(game, Blackjack)
    return game


def own_table(kind: type[Blackjack], **options: Any) -> Blackjack:
    """The same by rules of one's own, made from those of blackjack."""
    game = table(**options)
    bonus = [type(judge) for name, judge in game.wagers.items() if type(judge) not in Blackjack.wager_types]
    return kind(game.terms, bonus)
    return game


def _dashed(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name.replace("__", ".").replace("_", "-"): value for name, value in options.items()}


def shoe_of(text: str) -> Shoe:
    """A thinned shoe such as "8h*4 Th*5"."""
    counts = (part.split("*") for part in text.split())
    return Shoe({card(code): int(count) for code, count in counts})


class Unordered(Referee):
    """Walks blackjack quickly: the order of cards within a hand is forgotten."""

    def state(self, r: Round) -> Hashable:
        assert isinstance(self.game, Blackjack)
        return _unordered(self.game, r)


def _unordered(game: Blackjack, r: Round) -> Hashable:
    seat = r.seats[0]
    if len(seat.cards) < 2:
        return seat.cards, r.dealer
    held = tuple((hand[0], _sorted(hand)) for hand in game.part_cards(r, 0, "blackjack"))
    return seat.hand(game.spot), held, r.dealer[:2], _sorted(r.dealer[2:])


def _sorted(lying: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(sorted(lying))


class Follower(Unordered):
    """Decides by a plan where the referee would look for the best choice."""

    def __init__(self, solved: ShoeGame, plan: Plan) -> None:
        super().__init__(solved.game, solved.shoe, lumps=False)
        self.solved, self.plan = solved, plan

    def best(self, r: Round, step: Decide) -> tuple[Choice, Law]:
        hands = self.solved.game.part_cards(r, step.seat, "blackjack")
        held = hands[int(step.about.removeprefix("hand ")) - 1]
        up_card = r.dealer[1]
        assert isinstance(up_card, Card)
        offers = {offer.name for offer in step.offers}
        choice = Choice(self.said(held, len(hands), up_card, offers))
        return choice, self.law(advance(r, step, choice))

    def said(self, held: tuple[Card, ...], hands: int, up_card: Card, offers: set[str]) -> str:
        solved, plan, up = self.solved, self.plan, points(up_card) - 1
        values = [points(face) - 1 for face in held]
        if "split" in offers and self._most_hands(held[0], up_card) > hands:
            return "split"
        if hands > 1:
            act = plan.split_acts[solved.split_hands.row(*values, origin=values[0]), up]
        else:
            row = solved.hands.row(*values)
            if "surrender" in offers and plan.surrenders[row, up]:
                return "surrender"
            act = plan.acts[row, up]
        return ("stand", "hit", "double")[act]

    def _most_hands(self, face: Card, up_card: Card) -> int:
        """Which of the plan's pairs this is; where ranks count, the plan tells up cards of the rank apart."""
        pairs = self.solved.pairs
        alike = self._left_alike(face, up_card)
        value, up = points(face) - 1, points(up_card) - 1
        rows = zip(pairs.value, pairs.up, pairs.alike, self.plan.hands, strict=False)
        return max((int(n) for v, u, left, n in rows if (v, u, left) == (value, up, alike)), default=0)

    def _left_alike(self, face: Card, up_card: Card) -> int:
        by_rank = not self.solved.game.spot_rules.splits_on_value

        def is_alike(other: Card) -> bool:
            return other.rank == face.rank if by_rank else points(other) == points(face)

        there = sum(count for other, count in self.solved.shoe.items() if is_alike(other))
        return there - 2 - is_alike(up_card)


def walked(solved: ShoeGame, plan: Plan, *wagers: str) -> Law:
    """The law of the settlements of a round played by a plan."""
    opened = solved.game.open_round([dict.fromkeys(wagers or ("blackjack",), UNIT)])
    return Follower(solved, plan).law(opened)


def following(game: Blackjack, shoe: Shoe, chart: Chart, *wagers: str) -> Law:
    """The same for a chart."""
    solved = ShoeGame(game, shoe, exact=True)
    return walked(solved, plan_of(solved, codes_of(chart)), *wagers)
