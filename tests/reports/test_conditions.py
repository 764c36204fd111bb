"""Every sentence with a condition is printed where that condition holds and nowhere else.

The conditions stand here a second time, written from the clauses, so that one that is wrong or missing in a rulebook is
found: for each pattern, how many sentences of guide and procedure match it, and at which tables.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any, Final

import pytest

from feltworks.rules.game import Game
from feltworks.rules.guide import dealing_procedure, fill, holds, irregularities, players_guide
from tests.reports.test_public_truth import GAMES, tables

Options = Any
Rule = tuple[int, str, Callable[[Options], bool]]
MONEY: Final[list[Rule]] = [
    (1, r"rounded up to the next \$", lambda o: o.breakage == "up"),
    (1, r"rounded down to it", lambda o: o.breakage == "down" and o.chip > 1),
    (1, r"Wagers are multiples of \$", lambda o: o.breakage == "up" and o.chip > 1),
    (1, r"Every wager is a multiple of \$", lambda o: o.chip > 1),
]
BLACKJACK: Final[list[Rule]] = [
    (1, r"One 52-card deck", lambda o: o.decks == 1),
    (1, r"52-card decks", lambda o: o.decks > 1),
    (5, r"shuffled once the cut|cut card has come|discard rack|next card of the shoe|the shoe is", lambda o: o.is_shoe),
    (5, r"a continuous|the continuous|into the shuffler[. ]|cannot go on with", lambda o: not o.is_shoe),
    (2, r"After a split, an ace|House: Split to (two|three|four) hands", lambda o: o.max_hands > 1),
    (1, r"No splitting", lambda o: o.max_hands == 1),
    (2, r"you may insure for up to half|House: Insurance pays 2 to 1", lambda o: o.insurance),
    (1, r"No insurance", lambda o: not o.insurance),
    (1, r"the dealer checks for a blackjack before", lambda o: o.peek),
    (1, r"The dealer does not check for a blackjack before", lambda o: not o.peek),
    (2, r"check the hole card|Blackjack: turn it", lambda o: o.peek),
    (1, r"Against a dealer blackjack any other hand loses\.", lambda o: o.peek),
    (1, r"Player blackjack: it pays \S+ to \S+ at once\.", lambda o: o.peek),
    (2, r"then it waits for your hole card|if any wager still waits for your", lambda o: not o.peek),
    (2, r"A hand of 21 stands", lambda o: o.stand_on_21),
    (3, r"Double (on|\()any first two|Double on any first two", lambda o: o.double == "any"),
    (3, r"Double .*9, 10 (or|and) 11", lambda o: o.double == "9-11"),
    (3, r"Double (on a first total of|on|\(first total) 10 (or|and) 11", lambda o: o.double == "10-11"),
    (2, r"Split \(?two cards of equal value", lambda o: o.max_hands > 1 and o.split_on == "value"),
    (3, r"Split \(?two cards of equal rank|Only equal ranks", lambda o: o.max_hands > 1 and o.split_on == "rank"),
    (1, r"You may not split again", lambda o: o.max_hands == 2),
    (1, r"You may split again, up to (three|four) hands", lambda o: o.max_hands > 2),
    (2, r"Split aces get one card each", lambda o: o.max_hands > 1 and not o.hit_split_aces),
    (3, r"Split aces (are played like|may be hit)", lambda o: o.max_hands > 1 and o.hit_split_aces),
    (3, r"ace may be split again|Aces may be split again", lambda o: o.max_hands > 2 and o.resplit_aces),
    (2, r"ace may not be split|Aces are split only once", lambda o: o.max_hands > 2 and not o.resplit_aces),
    (3, r"Split hands may be doubled", lambda o: o.max_hands > 1 and o.double_after_split),
    (3, r"hands may not be doubled|No doubling after", lambda o: o.max_hands > 1 and not o.double_after_split),
    (1, r"Late surrender", lambda o: o.surrender == "late"),
    (3, r"Blackjack wager loses half\.|take half the wager|bust, surrendered or", lambda o: o.late and o.peek),
    (2, r"or all of it if the dealer|all of it against your", lambda o: o.late and not o.peek),
    (1, r"neither bust nor paid", lambda o: o.peek and not o.late),
    (3, r"on every 17", lambda o: o.soft17 == "stand"),
    (3, r"on a soft 17|hits soft 17", lambda o: o.soft17 == "hit"),
    (1, r"all that was added to it", lambda o: not o.peek and o.no_peek_loss == "all"),
    (2, r"doubled and split wagers", lambda o: not o.peek and o.no_peek_loss == "all" and o.max_hands > 1),
    (2, r"loses, doubled wagers|take doubled wagers", lambda o: o.all_lost and o.max_hands == 1),
    (2, r"takes the original Bl|take the original", lambda o: not o.peek and o.no_peek_loss == "original"),
    (1, r"a double or a split has added", lambda o: o.original_lost and o.max_hands > 1),
    (1, r"what a double has added", lambda o: o.original_lost and o.max_hands == 1),
    (3, r"before you check|Blackjack with Ins|take the Insurance", lambda o: o.insurance and o.peek),
    (2, r"before the first hand is|Insurance pays .* with a dealer bl", lambda o: o.insurance and not o.peek),
    (1, r"No blackjack: go on", lambda o: o.peek and not o.insurance),
]
LUCKY_BREAK: Final[list[Rule]] = [
    (3, r"must not be above 2[67]:|paid up to a player's|player's total is \S+ or less", lambda o: o.is_limited),
    (
        3,
        r"Your own total does not matter|has no limit|over 21: pay the base by your total\.",
        lambda o: not o.is_limited,
    ),
    (2, r"added to it, the base|add the base times", lambda o: o.lucky_break_multiplier == "added"),
    (2, r"instead of the base", lambda o: o.lucky_break_multiplier == "replaces"),
    (3, r"it is enough that one|is paid if one", lambda o: o.is_split_limited and o.lucky_break_split_limit == "any"),
    (
        3,
        r"all of your hands have|only if every hand|After a split every hand",
        lambda o: o.is_split_limited and o.lucky_break_split_limit == "all",
    ),
    (3, r"leaves it in action|stays in action on a s|on the two cards", lambda o: o.late and o.break_stays),
    (3, r"surrendered hand it loses|loses with a s|Lucky Break, too", lambda o: o.late and not o.break_stays),
    (1, r"Insurance does not cover it", lambda o: o.insurance),
    (1, r": Blackjack: take every Lucky Break", lambda o: o.peek),
    (1, r"Dealer blackjack: take every Lucky Break", lambda o: not o.peek),
]
LUCKY_LUCKY: Final[list[Rule]] = [
    (1, r"A suited 7-7-7", lambda o: o.decks > 2),
    (1, r"before Insurance, the check and any", lambda o: o.insurance and o.peek),
    (1, r"before Insurance and any", lambda o: o.insurance and not o.peek),
    (1, r"before the check and any", lambda o: not o.insurance and o.peek),
    (1, r"deal, before any decision, s", lambda o: not o.insurance and not o.peek),
]
ACEY_DEUCEY: Final[list[Rule]] = [
    (1, r"Three of a kind all of one", lambda o: o.decks > 2),
    (2, r"A pair may be raised", lambda o: o.may_raise_pair),
    (1, r"A raise on a pair is paid or returned with it", lambda o: o.may_raise_pair),
    (1, r"A raise on three of a kind", lambda o: o.may_raise_pair and o.decks > 2),
    (3, r"A pair may not be raised|No raise on a pair", lambda o: not o.may_raise_pair),
    (3, r"(Acey Deucey|House): .*need.* a Bl|Acey.*placed with a Bl", lambda o: not o.acey_deucey_21_bonus_alone),
    (3, r"(Acey Deucey|House): .*without a Bl|Acey.*or without a Bl", lambda o: o.acey_deucey_21_bonus_alone),
]
WAR: Final[list[Rule]] = [
    (2, r"War: It needs a Bl|War is placed with a Bl", lambda o: not o.acey_deucey_21_bonus_alone),
    (2, r"War: It may be wagered w|War is placed with or", lambda o: o.acey_deucey_21_bonus_alone),
    (2, r"second card decides|compare the second card", lambda o: o.second_card_decides),
    (2, r"second card is not compared", lambda o: not o.second_card_decides),
]
FU_BACC: Final[list[Rule]] = [
    (2, r"with two monkeys against a dealer's 9|Two monkeys that take", lambda o: o.fu_bacc_rescue_ten),
    (2, r"out of jack, queen and king|Two of jack, queen", lambda o: not o.fu_bacc_rescue_ten),
    (2, r"play two spots side by side", lambda o: o.fu_bacc_adjacent_spots and o.spots > 1),
    (2, r"One spot per player|One player plays one spot", lambda o: not o.fu_bacc_adjacent_spots),
]
LUCKY_MONKEY: Final[list[Rule]] = [
    (4, r"Monkey: It may be w|Monkey may be w|Monkey is placed b|Monkey alone", lambda o: o.fu_bacc_lucky_monkey_alone),
    (3, r"Monkey: It needs|Monkey needs|Monkey without an A", lambda o: not o.fu_bacc_lucky_monkey_alone),
]
TIE: Final[list[Rule]] = [
    (2, r"or take the rescue, the Tie|bonus or rescue with a Tie", lambda o: o.fu_bacc_rescue_tie == "stays"),
    (2, r"rescue, the Tie loses|Rescue with a Tie: take", lambda o: o.fu_bacc_rescue_tie == "loses"),
    (4, r"Tie: It may be w|The Tie may be w|The Tie is placed|Spot without an Ante", lambda o: o.fu_bacc_tie_alone),
    (3, r"Tie: It needs|The Tie needs|A Tie without an Ante", lambda o: not o.fu_bacc_tie_alone),
]
SPANISH_POKER: Final[list[Rule]] = [
    (1, r"The ace is high only", lambda o: not o.spanish_poker_wheel),
    (2, r"A-2-3-4-5 is (the lowest|a) straight", lambda o: o.spanish_poker_wheel),
    (3, r"You play one spot|One spot per|plays one spot", lambda o: o.spanish_poker_spots_per_player == 1),
    (3, r"two spots side by side", lambda o: o.spanish_poker_spots_per_player == 2),
    (1, r"Ante and Raise are returned", lambda o: o.spanish_poker_tie == "push"),
    (1, r"Ante and Raise lose", lambda o: o.spanish_poker_tie == "lose"),
    (1, r"five cards to a hand", lambda o: o.spanish_poker_deal == "five"),
    (1, r"one card at a time until", lambda o: o.spanish_poker_deal == "one"),
    (2, r"with a winning bonus wager|settle the bonus wagers", lambda o: len(o.offers) > 1),
    (1, r"leave your hand face down and clear", lambda o: len(o.offers) == 1),
]
GRAN_PROGRESSIVE: Final[list[Rule]] = [
    (3, r"dollar back (as|besides)|Return the dollar", lambda o: o.gran_progressive_stake == "returned"),
    (3, r"keeps the dollar|do not get their|Keep the dollar", lambda o: o.gran_progressive_stake == "kept"),
]


def beside_the_ante(title: str, wager: str, *, is_free: bool) -> Iterator[Rule]:
    """SP.21: the house's three choices about a bonus wager."""
    is_alone = lambda o: wager in o.spanish_poker_alone  # noqa: E731
    yield 3, rf"{title}: It may be w|{title} may be w|{title}.* placed with or", is_alone
    yield 3, rf"{title}: It needs|{title}.* needs an Ante", lambda o: not is_alone(o)
    if is_free:
        least = rf"{title}: Without an Ante it is|{title} without an Ante: (\$|at)"
        yield 3, least, lambda o: is_alone(o) and o.spanish_poker_alone_minimum > 1
        yield 2, rf"{title}.* may be larger", lambda o: o.spanish_poker_bonus_above_ante
        may_not = rf"{title}.* may not be larger|{title} larger than"
        yield 3, may_not, lambda o: not o.spanish_poker_bonus_above_ante


BY_WAGER: Final[dict[str, list[Rule]]] = {
    "lucky-break": LUCKY_BREAK,
    "lucky-lucky": LUCKY_LUCKY,
    "acey-deucey": ACEY_DEUCEY,
    "war": WAR,
    "blackjack": BLACKJACK,
    "lucky-monkey": LUCKY_MONKEY,
    "tie": TIE,
    "dos-pares": list(beside_the_ante("Dos Pares", "dos-pares", is_free=True)),
    "joker-in-hand": list(beside_the_ante("Joker in Hand", "joker-in-hand", is_free=True)),
    "gran-progressive": [*GRAN_PROGRESSIVE, *beside_the_ante("Gran Progressive", "gran-progressive", is_free=False)],
}
BY_GAME: Final = {"fu-bacc": FU_BACC, "spanish-poker": SPANISH_POKER}


def options_of(game: Game[Any]) -> SimpleNamespace:
    """The table's options as attributes, and what several rules ask."""
    terms = game.terms
    o = SimpleNamespace(**{re.sub(r"\W", "_", name): value for name, value in terms.options.items()})
    if "blackjack" in terms.offers:
        o.is_shoe, o.late = o.shoe == "shoe", o.surrender == "late"
        o.all_lost = not o.peek and o.no_peek_loss == "all"
        o.original_lost = not o.peek and not o.all_lost
    if "lucky-break" in terms.offers:
        o.is_limited, o.break_stays = o.lucky_break_player_limit != "none", o.lucky_break_surrender == "stays"
        o.is_split_limited = o.is_limited and o.max_hands > 1
    if "acey-deucey" in terms.offers:
        o.may_raise_pair = not terms.pay_tables["acey-deucey"].endswith("B")
        o.second_card_decides = terms.pay_tables["war"] == "1"
    return o


def printed(game: Game[Any]) -> list[str]:
    """Every sentence of the table after its heading."""
    chapters = (*players_guide(game), *dealing_procedure(game), *irregularities(game))
    heading = {"At this table": "House"}
    return [f"{heading.get(c.heading, c.heading)}: {line.text}" for c in chapters for line in c.lines]


@cache
def patterns_of(line: str) -> frozenset[str]:
    """The patterns of all rules that a line matches."""
    every = (*MONEY, *(rule for rules in (*BY_WAGER.values(), *BY_GAME.values()) for rule in rules))
    return frozenset(pattern for _, pattern, _ in every if re.search(pattern, line))


@pytest.mark.parametrize("name", GAMES)
def test_a_sentence_with_a_condition_is_printed_where_it_holds_and_nowhere_else(name: str) -> None:
    for game in tables(name):
        options, lines, book = options_of(game), printed(game), game.terms.rulebook
        by_wager = {wager: BY_WAGER.get(wager, []) for wager in book.wager}
        rules = [*MONEY, *BY_GAME.get(name, ()), *(rule for w in game.terms.offers for rule in by_wager[w])]
        expected = {pattern: number * is_true(options) for number, pattern, is_true in rules}
        for pattern in (rule[1] for w, own in by_wager.items() if w not in game.terms.offers for rule in own):
            expected.setdefault(pattern, 0)  # a wager that is not offered has no sentence
        for pattern, number in expected.items():
            found = [line for line in lines if pattern in patterns_of(line)]
            assert len(found) == number, (pattern, found, game.terms.options)
        conditional = (
            s for s in (*book.guide, *book.procedure, *book.irregularity) if s.when or s.unless or s.switches
        )
        texts = {fill(game, sentence.text) for sentence in conditional if holds(sentence, game.terms)}
        known = {line.partition(": ")[2] for line in lines if patterns_of(line)}
        assert texts - known == set()
