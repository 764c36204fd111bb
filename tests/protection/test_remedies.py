"""What stops a count: the smallest changes, each held against a table that is run that way."""

from fractions import Fraction
from functools import cache
from math import ceil

from feltworks.analysis.design.drafts import Drafts
from feltworks.analysis.question import parse_question
from feltworks.protection.compositions import edges_at, exact_form
from feltworks.protection.counting import Count, CountTerms, count_kernel, count_wager, find_compositions
from feltworks.protection.knowledge import Terms, mean_error
from feltworks.protection.remedies import WORTH_WHILE, CountStudy
from feltworks.simulation.plan import make_plan


@cache
def _study() -> tuple[CountStudy, Count]:
    question = parse_question("lucky-lucky", "lucky-lucky", decks=2)
    plan = make_plan("lucky-lucky", wagers=["lucky-lucky"], decks=2, chosen=("max-hands=1",))
    counted = count_wager(question, plan, CountTerms(rounds=100_000, compositions=1_000))
    assert isinstance(counted, Count)
    return CountStudy("lucky-lucky", question, counted, plan, Terms(2, limit=200_00)), counted


def test_a_cut_card_leaves_what_a_shoe_dealt_to_it_leaves() -> None:
    """Rounds of a shoe cut there, drawn anew, against the first rounds of the deep shoes of the study."""
    study, counted = _study()
    plan = make_plan("lucky-lucky", wagers=["lucky-lucky"], decks=2, chosen=("max-hands=1",))
    kernel = count_kernel(plan, counted.tags, 60)
    met, _ = find_compositions(kernel, CountTerms(compositions=1_500, cut_card=60, seed=9))
    question = parse_question("lucky-lucky", "lucky-lucky", decks=2)
    edges, counts = edges_at(question, counted.removal, met).fixed, met.true_counts(counted.tags)
    made = edges * (counts >= 4)
    rows = study._behind > 60
    deep = study._edges[rows] * (study._counts[rows] >= 4)
    assert abs(made.mean() - deep.mean()) < 4 * (mean_error(made) ** 2 + mean_error(deep) ** 2) ** 0.5


def test_each_change_is_the_smallest_that_makes_the_count_not_worth_while() -> None:
    study, counted = _study()
    stops = {one.kind: one for one in study.remedies()}
    assert {"cut card", "cap", "pay", "table", "shuffle", "entry"} <= stops.keys()
    cut = int(stops["cut card"].remedy.split()[2])
    assert study._hourly(cut) < WORTH_WHILE
    assert cut == counted.cut_card or study._hourly(cut - 1) >= WORTH_WHILE
    cap = 100 * int(stops["cap"].remedy.split("$")[1].split()[0])
    assert cap * counted.per_100 / 100 * 40 <= WORTH_WHILE < (cap + 100) * counted.per_100 / 100 * 40
    assert stops["pay"].after < WORTH_WHILE
    assert stops["pay"].after_cut < WORTH_WHILE


def test_no_whole_pay_of_a_single_row_stops_the_count_at_less_cost() -> None:
    """Every lower whole pay of every row, one by one; what it costs is the edge of a table that pays so."""
    study, counted = _study()
    question = parse_question("lucky-lucky", "lucky-lucky", decks=2)
    drafts, form = Drafts(question), exact_form(question)
    assert form is not None
    costs, before = dict[str, Fraction](), drafts.solve(drafts.pays).figures.house_edge
    for row in drafts.rows:
        slope, now = form.slope(study._compositions, drafts.slopes(row)), drafts.pays[row]
        for units in range(ceil(now)):
            if study._hourly(counted.cut_card, study._edges - float(now - units) * slope) < WORTH_WHILE:
                draft = drafts.solve(drafts.pays | {row: Fraction(units)})
                costs[f"{row} pays {units} to 1"] = draft.figures.house_edge - before
    (stop,) = [one.remedy for one in study.remedies() if one.kind == "pay"]
    least = min(costs, key=lambda words: costs[words])
    assert stop.startswith(least)
    assert stop.endswith(f"the house edge rises by {100 * float(costs[least]):.2f} points.")
