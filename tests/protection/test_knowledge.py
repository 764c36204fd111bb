"""What a known card is worth: against figures of others, and as properties over groups and small decks."""

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from threading import Event
from typing import Any

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from feltworks.analysis.analyze import analyze
from feltworks.analysis.design.drafts import Drafts
from feltworks.analysis.question import Question, parse_question
from feltworks.cards import Card, Rank, Shoe, cards
from feltworks.cli import protect
from feltworks.cli.protect import time_notice
from feltworks.errors import BadOption
from feltworks.machine.peek import Glimpse, PeekWalk
from feltworks.protection import duels, walks
from feltworks.protection.duels import Duels
from feltworks.protection.knowledge import Unfit, parse_knowledge
from feltworks.protection.protect import method_for, worth_of
from feltworks.protection.removal import edge_of, removal_effects
from feltworks.protection.walks import WalkWorth
from tests.conftest import Output

Felt = Callable[..., Output]


pytestmark = pytest.mark.usefixtures("gallery")


# Figures that E. Jacobson has published (apheat.net), to the digits he gave: hole-card play of Three Card Poker,
# Let It Ride and Mississippi Stud, edge sorting of Three Card Poker and of baccarat
PUBLISHED = [
    ("three-card-poker", "ante", "dealer", 0.034829),
    ("three-card-poker", "ante", "group:QKA@dealer", 0.018378),
    ("let-it-ride", "base", "board:last", 0.2443),
    ("mississippi-stud", "ante", "board:first", 0.548660),
    ("mississippi-stud", "ante", "board:last", 1.044669),
    ("punto-banco", "player", "group:6789@next", 0.06765),
]


@pytest.mark.parametrize(("game", "wager", "sees", "edge"), PUBLISHED)
def test_known_cards_are_worth_what_others_published(game: str, wager: str, sees: str, edge: float) -> None:
    question = parse_question(game, wager)
    worth = worth_of(question, [sees])
    digits = 6 if edge > 0.5 else len(str(edge)) - 2
    assert worth.method == "exact"
    assert round(float(worth.edge), digits) == edge
    assert worth.baseline == -analyze(question).figures.house_edge


def test_insurance_is_worth_3_in_45_after_six_cards_that_are_no_tens(felt: Felt) -> None:
    words = ["protect", "lucky-lucky", "--wager", "insurance", "--decks", "1", "--json", "--exposed"]
    document = json.loads(felt(*words, "2c 3c 4c 5c 6c 7c").out)
    assert document["player_edge"]["exact"] == str(Fraction(3, 45))


# A game, its wager, a card that may be known, another one beside it, and how many cards are left of its shoe
GAMES = [
    ("three-card-poker", "ante", "dealer", "dealer:2", 12),
    ("caribbean-stud", "ante", "dealer", "dealer:2", 12),
    ("let-it-ride", "base", "board:last", "board:first", 10),
    ("mississippi-stud", "ante", "board:first", "board:last", 11),
    ("fu-bacc", "ante", "hole", "next", 8),
    ("red-dog", "ante", "next", "next:2", 12),
]
RANKS = st.sets(st.sampled_from(list(Rank)[1:]))


@pytest.mark.parametrize(("name", "wager", "card", "beside", "left"), GAMES)
@settings(max_examples=2, deadline=None)
@given(data=st.data(), one=RANKS, other=RANKS)
def test_more_knowledge_never_hurts_and_none_changes_nothing(
    data: st.DataObject, name: str, wager: str, card: str, beside: str, left: int, one: set[Rank], other: set[Rank]
) -> None:
    """At a game with pays of its own, from a few cards of its shoe."""
    question = parse_question(name, wager)
    drafts = Drafts(question)
    pays = drafts.pays | {row: drafts.pays[row] * data.draw(st.integers(1, 6)) / 2 for row in drafts.rows}
    deck = list(question.shoe.all_cards())
    data.draw(st.randoms(use_true_random=False)).shuffle(deck)
    question = replace(question, game=drafts.game_with(pays), exposed=tuple(deck[left:]))
    known, method = parse_knowledge(card), method_for(question)
    both = tuple(filter(None, (frozenset(one & other), frozenset(one - other), frozenset(other - one))))
    groups = [(frozenset(Rank),), (frozenset(one or Rank),), both or (frozenset(Rank),), ()]
    worths = [method.worth([replace(known, groups=each)]) for each in groups]
    edges = [worth.edge for worth in worths]
    assert {worth.method for worth in worths} == {"exact"}
    assert edges[0] == worths[0].baseline == edge_of(question)
    assert edges == sorted(edges)
    assert method.worth([known, parse_knowledge(beside)]).edge >= edges[-1]


_KEPT: list[Duels] = []
TWELVE = "2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s"
SMALL = Shoe(Counter(cards("2c 2d 5c 5h 9c 9s Jd Qc Qd Kc Ad Ah")))


class _SmallQuestion(Question, frozen=True):
    """Three cards each from a deck so small that every deal can be written out."""

    @property
    def shoe(self) -> Shoe:
        return SMALL


def _small_duels() -> Duels:
    if not _KEPT:
        question = parse_question("three-card-poker", "ante")
        _KEPT.append(Duels(_SmallQuestion(question.game, "ante")))
    return _KEPT[0]


def _net(game: Any, hand: tuple[Card, ...], dealer: tuple[Card, ...]) -> int:
    """What raising brings, by the printed rules: 1 for the Ante, 1 for the Play, and the Ante's bonus."""
    mine, theirs = game.ranking.value(hand), game.ranking.value(dealer)
    bonus = {"straight flush": 5, "three of a kind": 4, "straight": 1}.get(mine.category, 0)
    if theirs < game.weakest_qualifier:
        return 1 + bonus
    return 2 * ((mine > theirs) - (mine < theirs)) + bonus


def test_every_deal_of_a_small_deck_written_out_gives_the_same_worth() -> None:
    method = _small_duels()
    game, deck = parse_question("three-card-poker", "ante").game, SMALL.all_cards()
    total, deals = 0, 0
    for hand in combinations(deck, 3):
        rest = [card for card in deck if card not in hand]
        for known in rest:
            others = list(combinations([card for card in rest if card != known], 2))
            total += max(-len(others), sum(_net(game, hand, (known, *pair)) for pair in others))
            deals += len(others)
    assert method.worth([parse_knowledge("dealer")]).edge == Fraction(total, deals)


@pytest.mark.parametrize("number", [2, 3])
def test_several_cards_of_the_dealer_are_worth_what_every_deal_written_out_brings(number: int) -> None:
    game, deck = parse_question("three-card-poker", "ante").game, SMALL.all_cards()
    total, deals = 0, 0
    for hand in combinations(deck, 3):
        rest = [card for card in deck if card not in hand]
        for known in combinations(rest, number):
            others = list(combinations([card for card in rest if card not in known], 3 - number))
            total += max(-len(others), sum(_net(game, hand, (*known, *more)) for more in others))
            deals += len(others)
    assert _small_duels().worth([parse_knowledge(f"dealer:{number}")]).edge == Fraction(total, deals)


class _TwoDeckQuestion(Question, frozen=True):
    """A few cards of two decks, some of which look alike."""

    @property
    def shoe(self) -> Shoe:
        return Shoe(Counter(cards("2c 2c 5c 7d 7d Jd Js Qs")))


def test_equal_faces_of_two_decks_are_two_cards() -> None:
    question = _TwoDeckQuestion(parse_question("three-card-poker", "ante").game, "ante")
    deck, total, deals = question.shoe.all_cards(), 0, 0
    for own in combinations(range(len(deck)), 3):
        rest = [place for place in range(len(deck)) if place not in own]
        hand = tuple(deck[place] for place in own)
        for known in rest:
            others = list(combinations([place for place in rest if place != known], 2))
            nets = (_net(question.game, hand, (deck[known], deck[a], deck[b])) for a, b in others)
            total += max(-len(others), sum(nets))
            deals += len(others)
    assert worth_of(question, ["dealer"]).edge == Fraction(total, deals)


class _StudQuestion(Question, frozen=True):
    """Five cards each from a deck so small that every deal can be written out."""

    @property
    def shoe(self) -> Shoe:
        return Shoe(Counter(cards("9c 9d Tc Th Jc Js Qd Qc Kc Kd Ad Ah")))


def test_a_hidden_card_beside_an_open_one_is_worth_what_every_deal_written_out_brings() -> None:
    """Caribbean Stud by its printed rules: what decides is the lot of the open card and the known one."""
    question = _StudQuestion(parse_question("caribbean-stud", "ante").game, "ante")
    deck, value = question.shoe.all_cards(), question.game.ranking.value
    pays = dict(zip(("straight flush", "four of a kind", "full house", "flush"), (50, 20, 7, 5), strict=True))
    pays |= {"straight": 4, "three of a kind": 3, "two pair": 2, "royal flush": 100}
    values = {frozenset(hand): value(hand) for hand in combinations(deck, 5)}
    least = value(cards("Ad Kc 4c 3d 2h"))
    total = deals = 0
    for hand in combinations(deck, 5):
        mine, rest = values[frozenset(hand)], [card for card in deck if card not in hand]
        for known in combinations(rest, 2):
            brought = []
            for more in combinations([card for card in rest if card not in known], 3):
                theirs = values[frozenset((*known, *more))]
                win = 1 + 2 * pays.get(mine.category, 1)
                brought.append(1 if theirs < least else win if mine > theirs else -3 * (mine < theirs))
            total, deals = total + max(sum(brought), -len(brought)), deals + len(brought)
    assert method_for(question).worth([parse_knowledge("dealer")]).edge == Fraction(total, deals)
    drawn = method_for(question).worth([parse_knowledge("dealer")], samples=4_000)
    assert abs(float(drawn.edge) - total / deals) < 4 * drawn.standard_error < 0.1


def test_the_group_of_a_hidden_card_beside_an_open_one_lies_between_nothing_and_the_card() -> None:
    question = _StudQuestion(parse_question("caribbean-stud", "ante").game, "ante")
    texts = ["group:9TJQKA@dealer", "group:QKA@dealer", "group:Q,KA@dealer", "dealer"]
    worths = [method_for(question).worth([parse_knowledge(text)]) for text in texts]
    assert {worth.method for worth in worths} == {"exact"}
    assert worths[0].gain == 0
    edges = [worth.edge for worth in worths]
    assert edges == sorted(edges)
    assert edges[0] < edges[-1]


def test_a_group_too_large_to_count_is_sampled_with_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an open card of the dealer's and without one, from decks so small that the exact figure is at hand."""
    stud = method_for(_StudQuestion(parse_question("caribbean-stud", "ante").game, "ante"))
    for method, text in ((_small_duels(), "group:QKA@dealer"), (stud, "group:Q,KA@dealer")):
        known = [parse_knowledge(text)]
        exact = method.worth(known)
        with monkeypatch.context() as patch:
            patch.setattr(duels, "_MOST_STEPS", 0)
            drawn = method.worth(known, 3_000)
        assert (exact.method, drawn.method) == ("exact", "sampled")
        assert abs(float(drawn.edge - exact.edge)) < 4 * drawn.standard_error < 0.05


@pytest.mark.parametrize(
    ("game", "wager", "sees", "decks"),
    [("acey-deucey-21", "acey-deucey", "order:2", 1), ("punto-banco", "player", "order:2", None)],
)
def test_cards_too_many_to_follow_are_drawn_and_counted_with_an_error(
    game: str, wager: str, sees: str, decks: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Known after the deal and known before the wager; suits are alike in what is left of both shoes."""
    question = parse_question(game, wager, decks=decks)
    kept = {Rank.ACE, Rank.TWO, Rank.SIX, Rank.NINE}
    question = replace(question, exposed=tuple(face for face in question.shoe.all_cards() if face.rank not in kept))
    exact = worth_of(question, [sees])
    monkeypatch.setattr(walks, "_MOST_VALUES", 0)
    monkeypatch.setattr(PeekWalk, "work", lambda *_: (10**6, 10**6))
    told: list[float] = []
    drawn = worth_of(question, [sees], 150, progress=lambda done, total: told.append(done / total))
    assert (exact.method, drawn.method, drawn.samples, drawn.baseline) == ("exact", "sampled", 150, exact.baseline)
    assert 0 < abs(float(drawn.edge - exact.edge)) < 4 * drawn.standard_error < 0.4
    assert told == sorted(told)
    assert 0 < told[0] < 0.01 < round(told[-1], 9) == 1


def test_lots_that_differ_by_suits_alone_are_followed_once_and_are_worth_the_same() -> None:
    tables, shoe = WalkWorth(parse_question("three-card-poker", "pair-plus")).tables, Shoe(Counter(cards(TWELVE)))
    first, second = Glimpse(1, None, is_early=True), Glimpse(2, None, is_early=True)
    one, other = (PeekWalk(tables, shoe, [first, second]) for _ in range(2))
    assert one._alike.fresh
    other._alike.fresh = frozenset()
    assert one.expectation() == other.expectation()
    assert (one.work(10**4)[0], other.work(10**4)[0]) == (15, 132)


def test_groups_that_are_far_too_long_are_refused_with_what_can_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walks, "_MOST_VALUES", 0)
    question = parse_question("acey-deucey-21", "war", decks=1)
    with pytest.raises(Unfit, match=r"would take about [\d,]+ values to follow; ask about fewer cards"):
        worth_of(question, ["group:A23@next", "group:456@next:2"])


def test_a_card_of_each_place_is_the_one_that_the_deal_brings_there() -> None:
    """The Player's hand lies on the board and gets the first card, the Banker's the second."""
    question = parse_question("punto-banco", "banker")
    first, second = (worth_of(question, [sees]).edge for sees in ("next", "next:2"))
    assert worth_of(question, ["board:first"]).edge == first > second == worth_of(question, ["dealer"]).edge
    assert worth_of(question, ["group:A23456789TJQK@next"]).gain == 0
    war = parse_question("acey-deucey-21", "war", decks=1)
    assert worth_of(war, ["dealer"]).edge > worth_of(war, ["hole"]).edge == 0  # which is worth no wager
    with pytest.raises(Unfit, match="no such card as board:first"):
        worth_of(parse_question("fu-bacc", "ante"), ["board:first"])


def test_several_sights_at_once_are_worth_more_than_each() -> None:
    question = parse_question("let-it-ride", "base")
    question = replace(question, exposed=tuple(face for face in question.shoe if face.rank < Rank.NINE))
    one, other, both = (worth_of(question, sees).edge for sees in (["board:first"], ["board:last"], ["order:2"]))
    assert max(one, other) < both


def test_cards_deeper_than_the_round_draws_tell_nothing_beside_those_that_it_draws() -> None:
    """One card comes after Red Dog's decision: three known ones are worth, exactly, what the first is."""
    question = parse_question("red-dog", "ante", decks=1)
    first, three = worth_of(question, ["next"]), worth_of(question, ["order:3"])
    assert three == first
    assert three.method == "exact"


def test_a_burnt_card_is_worth_what_the_shoe_without_it_brings() -> None:
    question = parse_question("acey-deucey-21", "acey-deucey", decks=1)
    question = replace(question, exposed=tuple(face for face in question.shoe if Rank.TWO < face.rank < Rank.NINE))
    assert worth_of(question, ["burn"]).gain == removal_effects(question).burned > 0
    alone = worth_of(parse_question("fu-bacc", "lucky-monkey"), ["burn"])
    assert alone.gain == 0  # nothing is decided, and the card is seen after the wager


def test_a_sampled_worth_lies_within_its_error_of_the_exact_one() -> None:
    method = method_for(parse_question("three-card-poker", "ante"))
    exact = method.worth([parse_knowledge("dealer")])
    drawn = method.worth([parse_knowledge("dealer")], samples=8_000, seed=3)
    assert drawn.method == "sampled"
    assert abs(float(drawn.edge - exact.edge)) < 4 * drawn.standard_error < 0.02


def test_neighbours_help_a_little_and_more_of_them_more() -> None:
    worth = [worth_of(parse_question("spanish-poker", "ante"), [f"neighbours:{n}"], 400) for n in (3, 5)]
    assert 0 < float(worth[0].gain) < float(worth[1].gain)
    alone = worth_of(parse_question("fu-bacc", "ante"), ["neighbours:1"], 4)
    assert 0 <= float(alone.gain) < 0.01


@pytest.mark.parametrize("text", ["", "holey", "group:QQ@dealer", "group:@dealer", "neighbours:0", "board:third"])
def test_what_cannot_be_known_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(BadOption, match="--sees cannot be"):
        parse_knowledge(text)


def test_long_work_says_once_how_long_it_takes() -> None:
    said, times = list[str](), iter([9.0, 9.5, 11.0, 12.0])
    tell = time_notice(said.append, lambda: next(times))
    for done in (1, 2, 5, 6):
        tell(done, 100)
    assert said == ["about 48 seconds more; fewer cards or --samples take less; Ctrl-C stops"]
    times = iter([0.0, 2.0])
    tell = time_notice(said.append, lambda: next(times))
    for done in (1, 90):
        tell(done, 100)
    assert len(said) == 1


def test_work_that_reports_no_pace_is_not_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no progress comes for some seconds; here for none, until the line is written."""
    written = Event()
    monkeypatch.setattr(protect, "_LONG_SECONDS", 0.0)
    monkeypatch.setattr(click, "echo", lambda *_, **__: written.set())
    with protect.announce("Following known cards"):
        assert written.wait(60)


def test_a_card_that_a_game_has_not_got_is_refused() -> None:
    with pytest.raises(Unfit, match="board:last is none of them"):
        worth_of(parse_question("three-card-poker", "ante"), ["board:last"])
    with pytest.raises(Unfit, match="before it: next, order:N"):
        worth_of(parse_question("three-card-poker", "pair-plus"), ["dealer"])
    with pytest.raises(Unfit, match=r"steps to follow exactly.*--exposed"):
        worth_of(parse_question("spanish-poker", "dos-pares"), ["next"])


@pytest.mark.parametrize("number", [1, 5])
def test_a_card_known_before_a_wager_on_ones_own_cards_tells_whether_to_make_it(number: int) -> None:
    """Joker in Hand pays 7 to 1: it is made where the joker of the 41 cards is seen among the first five."""
    worth = worth_of(parse_question("spanish-poker", "joker-in-hand"), [f"order:{number}"])
    assert (worth.baseline, worth.edge) == (Fraction(-1, 41), Fraction(7 * number, 41))
