"""Known cards where hands are doubled and surrendered: against a recursion over every card, written anew."""

from collections import Counter
from functools import cache
from itertools import combinations

import pytest

from feltworks.analysis.question import Question, parse_question
from feltworks.analysis.solvers.shoe_game.solver import ShoeGame
from feltworks.cards import Shoe, cards
from feltworks.errors import FeltError
from feltworks.protection.protect import worth_of
from feltworks.protection.spots import SpotWorth

RULES = ("max-hands=1", "surrender=late", "insurance=true")
FACES = "Ac Ac 5c 5c 5c 6c 6c 9c 9c Tc Tc Tc Tc"
Cards = tuple[int, ...]


class _SmallQuestion(Question, frozen=True):
    """A shoe so small that every order of its cards can be followed."""

    @property
    def shoe(self) -> Shoe:
        return Shoe(Counter(cards(FACES))).without(self.exposed)


SHOE: Cards = tuple(sorted(1 if c[0] == "A" else 10 if c[0] == "T" else int(c[0]) for c in FACES.split()))


def _total(hand: Cards) -> int:
    low = sum(hand)
    return low + 10 if 1 in hand and low <= 11 else low


def _without(left: Cards, card: int) -> Cards:
    place = left.index(card)
    return left[:place] + left[place + 1 :]


@cache
def _dealer(hand: Cards, left: Cards, following: Cards) -> Counter[int]:
    """Final totals (22: over), each with its chance; `following` come first."""
    if _total(hand) >= 17:
        return Counter({min(_total(hand), 22): 1.0})
    result: Counter[int] = Counter()
    for card in following[:1] or left:
        rest = left if following else _without(left, card)
        share = 1 if following else len(left)
        for total, chance in _dealer((*hand, card), rest, following[1:]).items():
            result[total] += chance / share
    return result


def _stand(hand: Cards, dealer: Cards, left: Cards, following: Cards, stake: int = 1) -> float:
    if _total(hand) > 21:
        return -stake
    mine = _total(hand)
    law = _dealer(dealer, left, following).items()
    return stake * sum(p * (1 if total == 22 else (mine > total) - (mine < total)) for total, p in law)


@cache
def _best(hand: Cards, dealer: Cards, left: Cards, following: Cards) -> float:
    """Best play of a player who knows both cards of the dealer, and `following`."""
    if _total(hand) > 21:
        return -1
    worth = [_stand(hand, dealer, left, following)]
    if _total(hand) < 21:
        drawn = [(c, left) for c in following] or [(c, _without(left, c)) for c in left]
        grown = [(tuple(sorted((*hand, card))), rest) for card, rest in drawn]
        worth.append(sum(_best(one, dealer, rest, ()) for one, rest in grown) / len(grown))
        if len(hand) == 2:
            worth.append(sum(_stand(one, dealer, rest, (), 2) for one, rest in grown) / len(grown))
            worth.append(-0.5)
    return max(worth)


def _round(mine: Cards, dealer: Cards, left: Cards, following: Cards) -> float:
    insured = 1.0 if dealer == (1, 10) else 0.0  # under an ace, and known to win
    if _total(dealer) == 21:
        return insured + (0 if _total(mine) == 21 else -1)
    return 1.5 if _total(mine) == 21 else _best(mine, dealer, left, following)


def _every_deal(knows_next: bool) -> float:
    total = deals = 0.0
    for a, rest in [(c, _without(SHOE, c)) for c in SHOE]:
        for b, rest_b in [(c, _without(rest, c)) for c in rest]:
            for up, rest_up in [(c, _without(rest_b, c)) for c in rest_b]:
                for hole, left in [(c, _without(rest_up, c)) for c in rest_up]:
                    mine = (min(a, b), max(a, b))
                    for following in [(c,) for c in left] if knows_next else [()]:
                        rest_all = _without(left, following[0]) if following else left
                        total += _round(mine, (up, hole), rest_all, following)
                        deals += 1
    return total / deals


@cache
def _blind(hand: Cards, up: int, unseen: Cards, group: frozenset[int]) -> float:
    """Best play where the hole card is one of `group` and no blackjack: summed over those it may be."""
    holes = [card for card in unseen if card in group and _total((up, card)) != 21]
    if _total(hand) > 21 or not holes:
        return -len(holes)
    worth = [sum(_stand(hand, (up, hole), _without(unseen, hole), ()) for hole in holes)]
    if _total(hand) < 21:
        drawn = [(tuple(sorted((*hand, card))), card) for card in unseen]
        rest = len(unseen) - 1
        worth.append(sum(_blind(one, up, _without(unseen, card), group) for one, card in drawn) / rest)
        if len(hand) == 2:
            doubled = 0.0
            for one, card in drawn:
                left = _without(unseen, card)
                held = [hole for hole in left if hole in group and _total((up, hole)) != 21]
                doubled += sum(_stand(one, (up, hole), _without(left, hole), (), 2) for hole in held)
            worth += [doubled / rest, -0.5 * len(holes)]
    return max(worth)


def _every_sorted_deal(groups: list[frozenset[int]]) -> float:
    total = deals = 0.0
    for a, rest in [(c, _without(SHOE, c)) for c in SHOE]:
        for b, rest_b in [(c, _without(rest, c)) for c in rest]:
            for up, unseen in [(c, _without(rest_b, c)) for c in rest_b]:
                mine = (min(a, b), max(a, b))
                deals += len(unseen)
                for group in groups:
                    holes = [card for card in unseen if card in group]
                    naturals = sum(_total((up, card)) == 21 for card in holes)
                    insured = naturals - (len(holes) - naturals) / 2 if up == 1 else 0.0
                    total += max(insured, 0) - naturals * (_total(mine) != 21)
                    over = 1.5 * (len(holes) - naturals) if _total(mine) == 21 else 0.0
                    total += over or _blind(mine, up, unseen, group)
    return total / deals


def test_a_sorted_hole_card_is_worth_what_every_deal_of_a_small_shoe_brings() -> None:
    asked = parse_question("lucky-break", "blackjack", decks=1, chosen=RULES)
    question = _SmallQuestion(asked.game, "blackjack")
    groups = [frozenset({1, 10}), frozenset({5, 6, 9})]
    assert float(worth_of(question, ["group:ATJQK@hole"]).edge) == pytest.approx(_every_sorted_deal(groups), abs=1e-9)
    nothing, all_told = worth_of(question, ["group:A23456789TJQK@hole"]), worth_of(question, ["group:A,5,6,9@hole"])
    insurable = _every_sorted_deal([frozenset(range(1, 11))])
    assert float(nothing.edge) == pytest.approx(insurable, abs=1e-9)
    assert float(all_told.edge) == pytest.approx(float(worth_of(question, ["hole"]).edge), abs=1e-9)
    worst = SpotWorth(question).worst_groupings(2)
    every = [frozenset(some) for n in (1, 2) for some in combinations((1, 5, 6, 9, 10), n)]
    best = max(_every_sorted_deal([some, frozenset({1, 5, 6, 9, 10}) - some]) for some in every)
    assert worst[0].edge == pytest.approx(best, abs=1e-9)


class _AceQuestion(Question, frozen=True):
    """A shoe with so many aces that insurance decides which cards are worth sorting."""

    @property
    def shoe(self) -> Shoe:
        return Shoe(Counter(cards("Ac Ac Ac Ac 6c 6c 9c 9c Tc Tc Tc Tc")))


def test_the_worst_way_to_sort_a_hole_card_is_the_best_of_all_ways_followed_in_full() -> None:
    asked = parse_question("lucky-break", "blackjack", decks=1, chosen=RULES)
    question = _AceQuestion(asked.game, "blackjack")
    groups = [some for number in (1, 2) for some in combinations(("A", "6", "9", "TJQK"), number)]
    every = [worth_of(question, [f"group:{''.join(some)}@hole"]).edge for some in groups]
    assert SpotWorth(question).worst_groupings()[0].edge == pytest.approx(float(max(every)), abs=1e-9)


def test_neighbours_at_a_spot_are_worth_what_every_lot_of_their_cards_brings() -> None:
    """Drawn lots, whose first-order effect is taken off, against all of them written out."""
    asked = parse_question("lucky-break", "blackjack", decks=1, chosen=RULES)
    question = _SmallQuestion(asked.game, "blackjack")
    drawn = worth_of(question, ["neighbours:1"], 40)
    shoe, total, lots = question.shoe, 0.0, 0
    for pair, times in Counter(combinations(shoe.all_cards(), 2)).items():
        game = ShoeGame(question.game, shoe.without(pair))
        total, lots = total + times * float(game.expectation(game.best_plan())), lots + times
    assert drawn.method == "sampled"
    assert abs(float(drawn.edge) - total / lots) < 4 * drawn.standard_error
    assert 0 < total / lots - float(drawn.baseline) < 0.1


@pytest.mark.parametrize("sees", [["hole"], ["hole", "next"]])
def test_known_cards_are_worth_what_every_deal_of_a_small_shoe_brings(sees: list[str]) -> None:
    asked = parse_question("lucky-break", "blackjack", decks=1, chosen=RULES)
    question = _SmallQuestion(asked.game, "blackjack")
    worth = worth_of(question, sees)
    assert float(worth.edge) == pytest.approx(_every_deal("next" in sees), abs=1e-9)
    assert worth.document()["player_edge"]["exact"] is None


def test_a_hole_card_at_six_decks_is_worth_what_the_literature_says() -> None:
    """Perfect play with the hole card known is put at ten to thirteen per cent, by the rules of the table."""
    question = parse_question("lucky-break", "blackjack", chosen=("max-hands=1",))
    assert 0.10 < float(worth_of(question, ["hole"]).edge) < 0.135


@pytest.mark.parametrize("sees", [["hole", "neighbours:2"], ["group:TJQK@next"], ["board:last"], ["dealer:2"]])
def test_what_a_spot_does_not_follow_is_refused_with_what_it_does(sees: list[str]) -> None:
    with pytest.raises(FeltError, match="what can be known: hole, next"):
        worth_of(parse_question("lucky-break", "blackjack"), sees)
