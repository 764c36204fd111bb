"""What counting is worth: effects that sum to nothing, the best tags, and two methods that agree."""

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import gcd

import numpy as np
import pytest
from msgspec.structs import replace

from feltworks import catalog
from feltworks.analysis.analyze import analyze
from feltworks.analysis.design.drafts import Drafts
from feltworks.analysis.question import Question, parse_question
from feltworks.cards import DECK, Rank, card
from feltworks.errors import BadOption, FeltError
from feltworks.protection import removal
from feltworks.protection.compositions import Compositions, deal_suits, edges_at, exact_form, suit_gain
from feltworks.protection.counting import (
    Count,
    CountTerms,
    best_difference,
    count_wager,
    difference_tags,
    find_compositions,
    tally_counts,
)
from feltworks.protection.knowledge import mean_error
from feltworks.protection.removal import LETTERS, Removal, best_tags, edge_of, parse_tags, removal_effects
from feltworks.simulation.plan import make_plan
from tests.conftest import Output

Felt = Callable[..., Output]
# Of the mock of the protection page, in points: another program's figures for six decks
LUCKY_LUCKY = [-0.2669, 0.2625, 0.2033, 0.1428, 0.0923, -0.3329, -0.6425, -0.4011, 0.0817, *[0.2152] * 4]
QUEEN = card("Qh")
WAGERS = [("lucky-lucky", "lucky-lucky"), ("acey-deucey-21", "war"), ("acey-deucey-21", "acey-deucey")]


def _draw(question: Question, depth: int, number: int) -> Compositions:
    """Shoes of which so many cards are gone, any cards as likely."""
    shoe = question.game.terms.shoe
    whole = np.array([shoe[face] for face in shoe])
    gone = np.random.default_rng(4).multivariate_hypergeometric(whole, depth, number)
    return Compositions(tuple(shoe), whole - gone, whole)


@cache
def _removal(game: str, wager: str, decks: int) -> Removal:
    return removal_effects(parse_question(game, wager, decks=decks))


def test_effects_of_removal_are_those_of_another_program() -> None:
    effects = _removal("lucky-lucky", "lucky-lucky", 6).effects.values()
    assert [round(100 * float(effect), 4) for effect in effects] == LUCKY_LUCKY


DECIDED = {"ante", "base", "acey-deucey", "insurance"}  # and what is decided is not known before a card is
LONG = {"caribbean-stud", "draw-poker", "four-of-five", "front-and-back", "ultimate-holdem", "spanish-poker"}
LONG |= {"let-it-ride", "mississippi-stud"}
LOW = tuple(face for face in DECK if face.rank < Rank.TEN)
ALL_GAMES = ["fu-bacc", "acey-deucey-21", "lucky-break", "spanish-poker", "lucky-lucky"]
ALL_GAMES += sorted(book.stem for book in catalog.examples_folder().glob("*.toml"))


@pytest.mark.parametrize("game", ALL_GAMES)
@pytest.mark.usefixtures("gallery")
def test_effects_of_every_wager_sum_to_zero(game: str) -> None:
    """Games of many hands are dealt from their tens and above."""
    book = catalog.rulebook(game)
    opening = [name for name, entry in book.wager.items() if entry.kind in ("main", "bonus") and name != "blackjack"]
    placed = {other for name in opening for other in book.placed_with(name)}
    for wager in opening:
        if wager in placed and wager not in DECIDED:
            continue
        question = parse_question(game, wager)
        out = [face for face in LOW if face in question.shoe] if game in LONG else []
        question = replace(question, exposed=tuple(out))
        if game == "ultimate-holdem":  # whose boards are counted where suits are alike
            with pytest.raises(FeltError, match="felt simulate"):
                removal_effects(question)
            continue
        effects = removal_effects(question)
        assert sum(effects.cards[name] * effect for name, effect in effects.effects.items()) == 0
        assert sum(n * effect for n, effect in effects.faces.values()) == 0
        assert effects.burned >= 0, wager
        assert effects.burned == 0 or wager in DECIDED, wager


def test_no_balanced_tags_follow_the_effects_closer_than_the_best() -> None:
    names, effects = "A234", [Fraction(7, 10), Fraction(-9, 10), Fraction(1, 10), Fraction(1, 10)]
    by_rank = dict(zip(names, effects, strict=True))
    faces = {face: (1, by_rank[LETTERS[face.rank]]) for face in DECK if LETTERS[face.rank] in names}
    effects_of = Removal(Fraction(0), by_rank, dict.fromkeys(names, 4), Fraction(0), faces=faces)
    best = best_tags(effects_of, 2)
    every = [dict(zip(names, tags, strict=True)) for tags in product(range(-2, 3), repeat=4) if not sum(tags)]
    assert not sum(best.values())
    assert effects_of.correlation(best) == pytest.approx(max(map(effects_of.correlation, every)))


@pytest.mark.parametrize(("game", "wager"), [("acey-deucey-21", "acey-deucey"), ("lucky-break", "lucky-break")])
def test_the_edge_at_a_composition_is_that_of_the_analysis(game: str, wager: str) -> None:
    question = parse_question(game, wager, decks=2)
    drawn = _draw(question, 30, 1)
    edges = edges_at(question, _removal("acey-deucey-21", "war", 1), drawn)
    assert edges.method == "exact"
    for row, edge in zip(drawn.left, edges.best.tolist(), strict=True):
        gone = [f for f, n, left in zip(drawn.faces, drawn.whole, row, strict=True) for _ in range(n - left)]
        known = parse_question(game, wager, decks=2, exposed=" ".join(map(str, gone)))
        assert edge == pytest.approx(-float(analyze(known).figures.house_edge), abs=1e-12)


def test_choices_fixed_by_a_whole_shoe_keep_its_edge_whatever_cards_are_gone() -> None:
    """Unknown cards gone change nothing on average, unless the player decides by them."""
    question = parse_question("acey-deucey-21", "acey-deucey", decks=1)
    drawn = _draw(question, 26, 2_000)
    edges, whole = edges_at(question, _removal("acey-deucey-21", "war", 1), drawn), float(edge_of(question))
    assert abs(edges.fixed.mean() - whole) < 3 * mean_error(edges.fixed) < 0.004
    assert (edges.best >= edges.fixed - 1e-12).all()
    assert edges.best.mean() - whole > 0.03


@pytest.mark.usefixtures("gallery")
def test_compositions_are_those_that_rounds_of_different_lengths_leave() -> None:
    """A round of four cards has a natural or two hands that stand: more eights and nines than any four cards."""
    question = parse_question("punto-banco", "tie", decks=6)
    tags, terms = {"8": 6, "9": 6}, CountTerms(cut_card=300, rounds=40_000, compositions=3_000)
    tallies, kernel = tally_counts(question, make_plan("punto-banco", wagers=["tie"], decks=6), tags, terms)
    met, per_shoe = find_compositions(kernel, terms)
    assert 2 < per_shoe < 3
    for count in range(3):  # six decks are left: each such card makes a true count of one
        dealt = sum(int(tally.rounds[tally.counts == count].sum()) for tally in tallies) / 40_000
        is_met = (met.true_counts(tags) == count).astype(float)
        assert abs(is_met.mean() - dealt) < 4 * mean_error(is_met) < 0.04
    gone = met.whole - met.left
    high = gone[:, [face.rank in (8, 9) for face in met.faces]].sum(axis=1)[gone.sum(axis=1) == 4].astype(float)
    assert high.mean() - 4 * 8 / 52 > 5 * mean_error(high)


@pytest.mark.parametrize(("game", "wager", "has_suits"), [("lucky-lucky", "lucky-lucky", True), (*WAGERS[1], False)])
def test_suits_add_something_only_where_they_decide(game: str, wager: str, has_suits: bool) -> None:
    question, effects = parse_question(game, wager, decks=1), _removal(game, wager, 1)
    drawn = _draw(question, 25, 300)
    anew = deal_suits(drawn, np.random.default_rng(5))
    by_rank = [{f.rank: 0 for f in drawn.faces} for _ in range(2)]
    for ranks, one in zip(by_rank, (drawn, anew), strict=True):
        for place, face in enumerate(one.faces):
            ranks[face.rank] += int(one.left[7, place])
    assert by_rank[0] == by_rank[1]
    gain = suit_gain(question, effects, drawn, edges_at(question, effects, drawn).best, 1)
    assert (gain > 0.01) is has_suits


def test_a_card_unlike_its_rank_has_an_effect_and_a_tag_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wager on the queen of hearts among the next two cards, settled here instead of by rules: 2 to 1."""

    def edge(question: Question) -> Fraction:
        shoe = question.shoe
        missed = Fraction(shoe.total - shoe[QUEEN], shoe.total) * Fraction(shoe.total - 1 - shoe[QUEEN], shoe.total - 1)
        return 2 - 3 * missed

    monkeypatch.setattr(removal, "edge_of", edge)
    monkeypatch.setattr(removal, "are_suits_alike", lambda *_: False)
    effects = removal_effects(parse_question("acey-deucey-21", "war", decks=2))
    assert set(effects.special) == {"Qh"}
    assert sum(26 * effect for effect in effects.suits.values()) == 0
    assert effects.suits["h"] < 0 < effects.suits["c"] == effects.suits["d"] == effects.suits["s"]
    tags = parse_tags("Qh=-20", effects)
    assert effects.correlation(tags) == pytest.approx(1)
    assert 0 < effects.correlation(parse_tags("h=-1", effects)) < 0.3
    best = best_tags(effects)
    assert effects.correlation(best) == pytest.approx(1)
    assert sum(best.get(face.code, best.get(LETTERS[face.rank])) for face in DECK) == 0


ROUNDS = 500_000
UNSPLIT = ("max-hands=1",)  # rules of blackjack that are compiled sooner; no bonus wager goes by them


@cache
def _count(tags: str = "best", trigger: int | None = 5) -> Count:
    question = parse_question("lucky-lucky", "lucky-lucky", decks=6)
    plan = make_plan("lucky-lucky", wagers=["lucky-lucky"], decks=6, chosen=UNSPLIT)
    terms = CountTerms(tags, cut_card=52, trigger=trigger, rounds=ROUNDS, compositions=3_000)
    counted = count_wager(question, plan, terms)
    assert isinstance(counted, Count)
    return counted


def test_a_count_brings_what_exact_edges_at_sampled_compositions_say() -> None:
    counted = _count()
    error = (counted.standard_error**2 + counted.ceiling.counted_error**2) ** 0.5
    assert abs(counted.per_100 - counted.ceiling.counted_per_100) < 3 * error < 0.5
    assert counted.ceiling.method == "exact"
    assert 0 < counted.ceiling.counted_per_100 <= counted.ceiling.per_100
    assert counted.per_100 == pytest.approx(100 * counted.bets * counted.edge)
    spread = 10 * counted.per_100 / counted.desirability
    assert counted.standard_error == pytest.approx(100 * spread / ROUNDS**0.5, rel=0.25)


def test_tags_with_the_other_sign_are_wagered_below_their_trigger() -> None:
    turned = ",".join(f"{name}={-tag}" for name, tag in _count().tags.items())
    other = _count(turned, -6)
    assert other.correlation == pytest.approx(-_count().correlation)
    assert 0.5 < other.bets / _count().bets < 2


def test_a_game_shuffled_for_every_round_is_immune_and_says_why(felt: Felt) -> None:
    document = json.loads(felt("protect", "fu-bacc", "--wager", "tie", "--count", "--json").out)
    assert document["immune"]
    assert "shuffled for every round" in document["reason"]
    assert document["per_100"] == 0
    assert document["removal"].keys() == {*"A23456789TJQK"}
    assert document["removal_suits"] == dict.fromkeys("cdhs", 0)  # which decide nothing here


@pytest.mark.parametrize(("game", "wager"), [("lucky-lucky", "lucky-lucky"), ("lucky-break", "lucky-break")])
def test_a_row_that_pays_more_brings_its_slope_at_every_composition(game: str, wager: str) -> None:
    """Also where a row is multiplied, or pays several outcomes: against the edge of a table that pays so."""
    question = parse_question(game, wager, decks=2)
    drawn, form, drafts = _draw(question, 40, 5), exact_form(question), Drafts(question)
    assert form is not None
    now = form.at(drawn).fixed
    for row in drafts.rows[-3:]:
        other = exact_form(drafts.question_with(drafts.pays | {row: drafts.pays[row] + 2}))
        assert other is not None
        more = 2 * form.slope(drawn, drafts.slopes(row))
        assert other.at(drawn).fixed - now == pytest.approx(more, abs=1e-12)
        assert (more > 0).any()


def test_counts_of_suits_try_all_small_balanced_tags() -> None:
    """Suits are alike, so tags in another order, the other way round or all doubled are the same count."""

    def form(tags: tuple[int, ...]) -> frozenset[tuple[int, ...]]:
        small = [tag // gcd(*tags) for tag in tags]
        return frozenset([tuple(sorted(small)), tuple(sorted(-tag for tag in small))])

    every = {form(tags) for tags in product(range(-3, 4), repeat=4) if any(tags) and not sum(tags)}
    tried = [form(tuple(tags.get(suit, 0) for suit in "cdhs")) for tags in difference_tags()]
    assert len(tried) == len(every)
    assert set(tried) == every


def test_the_best_difference_is_the_best_of_all_where_it_is_chosen() -> None:
    """An edge that goes by the clubs left: no other tags bring more, and it follows them without rounding."""
    question = parse_question("acey-deucey-21", "war", decks=1)
    drawn = _draw(question, 26, 4_000)
    clubs = drawn.left[:, [face.suit == 0 for face in drawn.faces]].sum(axis=1)
    edges = np.abs(clubs - 6.5) - 2.5
    best = best_difference(drawn, edges)
    assert sorted(best.tags.values()) in ([-1, -1, -1, 3], [-3, 1, 1, 1])
    assert best.correlation == pytest.approx(1)


@pytest.mark.usefixtures("gallery")
def test_suits_against_each_other_are_counted_where_suits_that_are_alike_decide() -> None:
    """Dealt rounds, sorted by the difference, against exact edges at compositions: three cards of one suit pay."""
    question = parse_question("blackjack-sides", "21-3", decks=2)
    plan = make_plan("blackjack-sides", wagers=["21-3"], decks=2, chosen=UNSPLIT)
    terms = CountTerms("suits", cut_card=20, trigger=4, rounds=ROUNDS, compositions=1_500)
    counted = count_wager(question, plan, terms)
    assert isinstance(counted, Count)
    assert counted.difference is not None
    assert counted.difference.tags == counted.tags
    assert counted.correlation > 0.1
    error = (counted.standard_error**2 + counted.ceiling.counted_error**2) ** 0.5
    assert abs(counted.per_100 - counted.ceiling.counted_per_100) < 3 * error
    low, high = (
        sum(row[0] for count, row in counted.by_count.items() if side(count))
        for side in (lambda count: count < -4, lambda count: count >= 4)
    )
    assert low + high == pytest.approx(counted.bets)
    assert 0.8 < low / high < 1.25  # whichever suit is ahead


@pytest.mark.parametrize("text", ["A", "A=x", "Z=1", "A=1,A=2", "A=99"])
def test_tags_that_mean_nothing_are_refused(text: str) -> None:
    with pytest.raises(BadOption, match="--count cannot be"):
        parse_tags(text, _removal("acey-deucey-21", "war", 1))
