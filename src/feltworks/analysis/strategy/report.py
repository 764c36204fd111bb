"""Reports on the play of a wager: best play as grids, practical lists of rules, and turning ratios.

The rows of a grid are what a player holds; its columns are what the dealer shows or another feature.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from heapq import nsmallest

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.analyze import Question, analyze, check_cards
from feltworks.analysis.figures import Number
from feltworks.analysis.joint import TurningPoint, turning_ratios
from feltworks.analysis.progress import Progress
from feltworks.analysis.shape import estimate, high_rank_of, main_wager_of, ranking_of, shoe_game_of
from feltworks.analysis.solvers.counts import Situation, count_later, tables_of, weighted_law
from feltworks.analysis.solvers.shoe_game.chart import Chart as BlackjackChart
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis
from feltworks.analysis.solvers.showdown.solver import Showdown
from feltworks.analysis.strategy.charts import Cell, Grid
from feltworks.analysis.strategy.decisions import trial_views
from feltworks.analysis.strategy.ladders import chart_ladder
from feltworks.analysis.strategy.optimal import SolvedSight, Strategy, optimal_strategy, solve_sight
from feltworks.analysis.strategy.practical import MOST_RULES, NO_RULES, Ladder, ladder
from feltworks.cards import Card, Rank
from feltworks.hands.poker import HandValue, Ranking, best_value
from feltworks.machine.felt import CardsRead
from feltworks.machine.node import TooManyStates
from feltworks.machine.sights import Sight
from feltworks.machine.tables import Tables
from feltworks.rules.game import Game
from feltworks.rules.round import Round
from feltworks.rules.sights import Axis, Chart, PlayerView, seat_view

_CLOSEST = 8  # borderline hands to list
_MOST_ROWS = 120  # of the chart of a later decision
Place = Callable[[PlayerView], str]
Held = Callable[[PlayerView], Sequence[Card]]


def grid_of(decided: Sequence[SolvedSight], chart: Chart) -> Grid:
    """Groups situations into the cells of a chart, weighting values and choices by probability."""
    down, across = chart.down, chart.across
    by_place: dict[tuple[str, str], list[SolvedSight]] = {}
    for sight in decided:
        if len(sight.values) > 1:
            by_place.setdefault((down.label(sight.view), across.label(sight.view)), []).append(sight)
    cells = {place: _cell(sights) for place, sights in by_place.items()}
    rows, columns = (
        [name for name in axis.labels if any(name == key[at] for key in cells)]
        for at, axis in enumerate((down, across))
    )
    ordered = {(row, column): cells[row, column] for row in rows for column in columns if (row, column) in cells}
    exceptions = tuple(sorted(_divided_cells(decided, chart, chart.hand, ordered))) if chart.hand else ()
    notes = tuple(_borderline(decided, chart.hand, chart.closest)) if chart.hand and chart.closest else exceptions
    return Grid(
        "Best play", down.title, across.title, tuple(rows), tuple(columns), ordered, notes, exceptions, chart.meaning
    )


def _cell(sights: Sequence[SolvedSight]) -> Cell:
    whole = sum((sight.probability for sight in sights), Fraction(0))
    shares: dict[str, Fraction] = {}
    for sight in sights:
        for name, share in sight.best.items():
            shares[name] = shares.get(name, Fraction(0)) + sight.probability * share / whole
    open_to_all = [name for name in sights[0].values if all(name in sight.values for sight in sights)]
    values = {
        name: sum((sight.probability * sight.values[name] for sight in sights), Fraction(0)) / whole
        for name in open_to_all
    }
    return Cell(shares, values)


def grids_of(strategy: Strategy) -> list[Grid]:
    """Builds the charts of a strategy: as its game declares them, by poker hands, or by the cards themselves."""
    game, decided = strategy.question.game, strategy.decided
    is_walked = bool(strategy.answer.situations) and not game.has_spots  # else there is only one decision
    later = _later_grids(strategy.question) if is_walked else ()
    return [grid_of(decided, _chart(game, decided)), *(grid for grid in later if len(grid.rows) <= _MOST_ROWS)]


def _later_grids(question: Question) -> Iterator[Grid]:
    """Yields a chart for every decision after the first and every sequence of choices before it."""
    tables = _tables_with_later_decisions(question)
    if tables is None:
        return
    for path, sights in count_later(tables, question.shoe, question.serving).items():
        dealt = sum(sight.ways for _, sight in sights)
        decided = [_solve_later(question, about, sight, dealt) for about, sight in sights]
        chart = _chart(question.game, decided, _cards_in_order)
        yield replace(grid_of(decided, chart), title=f"{sights[0][0] or 'Best play'} after {', '.join(path)}")


def _tables_with_later_decisions(question: Question) -> Tables | None:
    """Compiles the rules of a spot with later decisions; None if there are none or compiling is not possible."""
    with suppress(CardsRead, TooManyStates):
        tables = tables_of(question.game, tuple(question.stakes.items()), tuple(question.posted.items()))
        return tables if tables.has_later_decisions else None
    return None


def _solve_later(question: Question, about: str, sight: Sight, dealt: int) -> SolvedSight:
    laws = {name: weighted_law(weighted) for name, weighted in sight.choices.items()}
    view = seat_view(sight.mine, sight.house, tuple(laws), about)
    return solve_sight(Situation(Fraction(sight.ways, dealt), Round(()), laws), question, view)


def _cards(view: PlayerView) -> Sequence[Card]:
    return sorted(view.cards)


def _cards_in_order(view: PlayerView) -> Sequence[Card]:
    return view.cards


def _chart(game: Game, decided: Sequence[SolvedSight], hand: Held = _cards) -> Chart:
    if sights := game.sights:
        return sights.chart
    if ranking := ranking_of(game):
        return _hands_chart(decided, ranking, high_rank_of(game, ranking))
    return _cards_chart([each.view for each in decided], hand)


def _cards_chart(views: Sequence[PlayerView], hand: Held) -> Chart:
    """Builds a chart of cards: by their ranks where these tell all that is seen apart, else by their codes."""
    seen = {(*hand(view), None, *view.dealer) for view in views}
    ranks = {tuple(face and face.rank for face in faces) for faces in seen}
    words = _rank_words if len(ranks) == len(seen) else _codes

    def axis(title: str, held: Held) -> Axis:
        labels = dict.fromkeys(words(held(view)) for view in sorted(views, key=lambda view: sorted(held(view))))
        return Axis(title, tuple(labels), lambda view: words(held(view)))

    return Chart(axis("cards", hand), axis("dealer", lambda view: view.dealer))


def _rank_words(faces: Sequence[Card]) -> str:
    return "-".join(face.rank.letter.replace("T", "10") for face in faces)


def _codes(faces: Sequence[Card]) -> str:
    return " ".join(face.code for face in faces)


def _hands_chart(decided: Sequence[SolvedSight], ranking: Ranking, high: Rank) -> Chart:
    """Builds a chart of hands by name against the number of their high cards."""
    values = {each.view: best_value(ranking, each.view.cards) for each in decided}
    names = {value: _hand(value.category, value.words) for value in values.values()}
    ordered = dict.fromkeys(names[value] for value in sorted(names, reverse=True))
    numbers = tuple(map(str, range(max(len(view.cards) for view in values) + 1)))
    across = f"cards {high.word} or higher"
    return Chart(
        Axis("hand", tuple(ordered), lambda view: names[values[view]]),
        Axis(across, numbers, lambda view: str(sum(face.rank >= high for face in view.cards)), f"with {{}} {across}"),
        hand=lambda view: " ".join(face.rank.letter for face in sorted(view.cards, key=lambda f: -f.rank)),
        closest=_CLOSEST,
    )


def _hand(category: str, words: str) -> str:
    return words if category in ("high card", "pair") else category


def _divided_cells(
    decided: Sequence[SolvedSight], chart: Chart, hand: Place, cells: Mapping[tuple[str, str], Cell]
) -> Iterator[str]:
    """Yields notes on cells in which some hands are played differently from most, and names those hands."""
    by_place: dict[tuple[str, str], list[SolvedSight]] = {}
    for sight in decided:
        by_place.setdefault((chart.down.label(sight.view), chart.across.label(sight.view)), []).append(sight)
    for (down, across), cell in cells.items():
        sights = by_place[down, across]
        for name in cell.shares if cell.is_mixed else ():
            if name != cell.choice:
                yield f"{down} {chart.across.words.format(across)}: {name} {_holding(sights, name, hand)}"


def _holding(sights: Sequence[SolvedSight], name: str, hand: Place) -> str:
    """Names the hands of a cell that make a choice, so that a reader can distinguish them from the others.

    Hands that look alike and choose differently are distinguished by the offer or by their suits.
    """
    choosing = [sight for sight in sights if name in sight.best]
    others = {hand(sight.view) for sight in sights if name not in sight.best}
    is_offered_otherwise = any(name in sight.values and name not in sight.best for sight in sights)
    if not is_offered_otherwise and any(hand(sight.view) in others for sight in choosing):
        return "whenever it is offered"
    return "with " + ", ".join(sorted({hand(sight.view) + _suit_words(sight, name) for sight in choosing}))


def _suit_words(sight: SolvedSight, name: str) -> str:
    """Describes the suits that make this choice, if suits decide: " (3 suits only)".

    Sizes are the numbers of cards of each suit of the hand, the longest first.
    """
    if len(sight.best) == 1:
        return ""
    patterns = {sizes for sizes, choice in sight.by_suits.items() if choice == name}
    for words, holds in _SUIT_RULES:
        if patterns and patterns == {sizes for sizes in sight.by_suits if holds(sizes)}:
            return f" ({words})"
    sizes_text = ", ".join("-".join(map(str, sizes)) for sizes in sorted(patterns, reverse=True))
    return f" (suits {sizes_text})" if patterns else " (some suits)"


_SUIT_RULES: Sequence[tuple[str, Callable[[tuple[int, ...]], bool]]] = (
    *((f"{n} or more of a suit", lambda sizes, n=n: sizes[0] >= n) for n in (4, 3)),
    *((f"no {n} of a suit", lambda sizes, n=n: sizes[0] < n) for n in (4, 3)),
    *((f"{n} suits only", lambda sizes, n=n: len(sizes) <= n) for n in (2, 3)),
    *((f"{n} suits or more", lambda sizes, n=n: len(sizes) >= n) for n in (3, 4)),
)


def _borderline(decided: Sequence[SolvedSight], hand: Place, closest: int) -> Iterator[str]:
    """Yields notes on the hands for which the choice matters least."""
    decisions = [sight for sight in decided if len(sight.values) > 1]
    for sight in nsmallest(closest, decisions, key=_difference):
        best, next_best = sorted(sight.values, key=lambda name: -sight.values[name])[:2]
        cost = float(_difference(sight))
        suits = " for most suits" if len(sight.best) > 1 else ""
        yield f"borderline {hand(sight.view)}: {best}{suits}; to {next_best} would cost {cost:.5f} of a unit"


def _difference(sight: SolvedSight) -> Fraction:
    best, next_best = sorted(sight.values.values(), reverse=True)[:2]
    return best - next_best


def blackjack_grids(chart: BlackjackChart) -> list[Grid]:
    """Builds charts of hard totals, soft totals and pairs against the up card."""
    return [_blackjack_grid(chart, kind) for kind in ("hard", "soft", "pair")]


def _blackjack_grid(chart: BlackjackChart, kind: str) -> Grid:
    lines = sorted({held for key, held, _ in chart if key == kind and (kind, held) != ("soft", 12)})
    lines.sort(key=lambda held: held == 1 or held / 22, reverse=True)  # aces are the highest pair
    rows = {held: _pair(held) if kind == "pair" else str(held) for held in lines}
    ups = {up: "A" if up == 1 else str(up) for up in (*range(2, 11), 1)}
    cells = {
        (rows[held], ups[up]): Cell({advice.choice: 1.0}, advice.values, advice.otherwise)
        for (key, held, up), advice in chart.items()
        if key == kind and held in rows
    }
    title = {"hard": "Hard totals", "soft": "Soft totals", "pair": "Pairs"}[kind]
    return Grid(title, kind, "up card", tuple(rows.values()), tuple(ups.values()), cells)


def _pair(value: int) -> str:
    card = "A" if value == 1 else str(value)
    return f"{card}-{card}"


class StrategyReport(Struct, frozen=True):
    """The results on the play of a wager."""

    question: Question
    house_edge: Number  # under best play
    grids: Sequence[Grid]
    ladder: Ladder
    decided: Sequence[SolvedSight] = ()
    turns: Sequence[tuple[str, TurningPoint]] = ()  # for each wager whose amount varies against the played one
    chart_edge: Number | None = None  # under the best chart, where best play depends on the exact cards
    streets: Sequence[tuple[str, Ladder]] = ()  # the lists for each decision, with best play at the others
    left_out: str = ""  # a sentence that names the decisions without a chart


def strategy_report(
    question: Question, most_rules: int = MOST_RULES, progress: Progress | None = None
) -> StrategyReport:
    """Reports best play and practical play of a wager; refuses a wager with nothing to decide."""
    question.check()
    check_cards(question)
    game = shoe_game_of(question.game)
    if game and question.wager == main_wager_of(game):
        return _by_hand(question, TableAnalysis(game, question.shoe), most_rules, progress)
    by_streets = _by_streets(question, most_rules, progress) or _by_setting(question)
    if report := by_streets or _by_up_card(question, most_rules, progress):
        return report
    strategy = optimal_strategy(question)
    turns = turning_ratios(question, strategy.answer.situations) if question.beside else {}
    grids = grids_of(strategy)
    return StrategyReport(
        question,
        strategy.answer.figures.house_edge,
        grids,
        ladder(strategy, most_rules, progress),
        strategy.decided,
        [(wager, turn) for (wager, _), wager_turns in turns.items() for turn in wager_turns],
        left_out="" if question.game.has_spots else _left_out(question, grids),
    )


def _left_out(question: Question, grids: Sequence[Grid]) -> str:
    """Names the later decisions without a chart in a sentence; empty if there are none."""
    views = trial_views(question.game, question.stakes, question.shoe, question.posted)
    names = list(dict.fromkeys(view.about for view in views))[1:]
    later = [name for name in names if not any(grid.title.startswith(f"{name} after ") for grid in grids)]
    if not later:
        return ""
    left_out = f"There is no chart of {' and '.join(later)}"
    return f"{left_out}: too much is seen there to list; a strategy file can have rules for it."


def _by_streets(question: Question, most_rules: int, progress: Progress | None) -> StrategyReport | None:
    """Reports on a game with decisions on several streets, a draw or a board; None for any other."""
    if ranking_of(question.game) is None or estimate(question.game).solver not in ("streets", "board", "draw"):
        return None
    from feltworks.analysis.solvers.streets.solver import StreetsSolver
    from feltworks.analysis.strategy.charts import chart_edge, draw_list, join_rows, street_grids
    from feltworks.analysis.strategy.ladders import street_ladders

    answer = analyze(question, progress)
    edge = answer.figures.house_edge
    if isinstance(streets := answer.notes.get("streets"), StreetsSolver):
        grids = street_grids(question, streets)
        by_street = street_ladders(question, answer, streets, most_rules, progress)
        by_chart = chart_edge(question, streets, grids)
        grids = list(map(join_rows, grids)) if streets.streets.has_dealer else grids
        return StrategyReport(question, edge, grids, NO_RULES, chart_edge=by_chart, streets=by_street)
    if draw := answer.notes.get("draw"):
        grid, by_list = draw_list(question, draw)  # type: ignore[arg-type]  # notes hold any solver
        return StrategyReport(question, edge, [grid], NO_RULES, chart_edge=by_list)
    if board := answer.notes.get("board"):
        from feltworks.analysis.strategy.board_charts import board_charts

        grids, lost = board_charts(question, board)  # type: ignore[arg-type]  # notes hold any solver
        return StrategyReport(question, edge, grids, NO_RULES, chart_edge=edge + lost) if grids else None
    return None


def _by_setting(question: Question) -> StrategyReport | None:
    """Reports on a game in which cards are set into hands; None for any other."""
    from feltworks.analysis.solvers.setting import sets_hands
    from feltworks.analysis.strategy.charts import setting_chart

    if ranking_of(question.game) or not sets_hands(question.game, question.stakes):
        return None

    answer = analyze(question)
    if (setting := answer.notes.get("setting")) is None:
        return None
    grid, edge = setting_chart(question, setting)  # type: ignore[arg-type]  # notes hold any solver
    return StrategyReport(question, answer.figures.house_edge, [grid], NO_RULES, chart_edge=edge)


def _by_up_card(question: Question, most_rules: int, progress: Progress | None) -> StrategyReport | None:
    """Reports on poker hands that decide against a dealer's up card; None for any other game."""
    from feltworks.analysis.strategy.charts import up_card_grid

    if ranking_of(question.game) is None or estimate(question.game).solver != "showdown":
        return None
    solved = analyze(question).notes.get("showdown")
    if (
        not isinstance(solved, Showdown)
        or not solved.has_up_card
        or not isinstance(solved.classes.values[0], HandValue)
    ):
        return None
    grid, lost = up_card_grid(solved)
    strategy = optimal_strategy(question)
    edge, rules = strategy.answer.figures.house_edge, ladder(strategy, most_rules, progress)
    return StrategyReport(question, edge, [grid], rules, chart_edge=edge + lost)


def _by_hand(question: Question, table: TableAnalysis, most_rules: int, progress: Progress | None) -> StrategyReport:
    return StrategyReport(
        question,
        table.best.house_edge,
        blackjack_grids(table.basic_strategy),
        chart_ladder(table, most_rules, progress),
        chart_edge=table.figures_under(table.basic_strategy).house_edge,
    )
