"""The protection report of a game: what each slip of procedure and each count costs, and what stops it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import numpy as np
from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.documents.request import parse_question
from feltworks.analysis.progress import Progress
from feltworks.analysis.question import Question
from feltworks.analysis.shape import main_wager_of
from feltworks.money import Cents, dollars
from feltworks.protection.compositions import draw_compositions, edges_at
from feltworks.protection.counting import Count, CountTerms, Immune, best_gain, count_wager, immunity
from feltworks.protection.knowledge import DEALER, HIT, NEXT, group_words, parse_knowledge
from feltworks.protection.protect import Method, method_for
from feltworks.protection.removal import Removal, removal_effects
from feltworks.protection.slips import Slip, slips
from feltworks.protection.spots import SpotWorth
from feltworks.protection.streets import StreetWorth
from feltworks.protection.walks import Grouping, WalkWorth
from feltworks.protection.worth import Unfit, Worth
from feltworks.simulation.plan import make_plan

ROUNDS_AN_HOUR: Final = 40  # a reading: what a full table of these games is dealt in an hour
WORTH_WHILE: Final[Cents] = 1_000  # a reading: nobody works at a table for less than this an hour
_NEIGHBOURS: Final = 5
_WALK_SAMPLES: Final = 40
_COUNT_ROUNDS: Final = 10_000_000
_DEPTHS: Final = (1 / 2, 2 / 3, 3 / 4, 4 / 5, 5 / 6, 9 / 10)  # parts of a shoe before the cut card
_COMPOSITIONS: Final = 3_000  # at each cut card and pay table
_WORDS: Final = {
    DEALER: "a hidden card of the dealer",
    HIT: "the dealer's hit card",
    NEXT: "the next card",
    "board:first": "the first card of the board",
    "board:last": "the last card of the board",
}
_STOPS: Final = {
    DEALER: "The dealer's cards are slid, never lifted, until all have acted.",
    HIT: "The hit card stays in the shuffler or under a card until it is turned.",
    NEXT: "The next card stays in the shoe, whose mouth is covered.",
    "board:first": "The board is dealt face down and not touched before its turn.",
    "board:last": "The board is dealt face down and not touched before its turn.",
}


class Terms(Struct, frozen=True):
    """How the table is run that a report speaks of."""

    decks: int | None = None
    chosen: tuple[str, ...] = ()
    limit: Cents = 0  # the most on one wager
    rounds_an_hour: int = ROUNDS_AN_HOUR
    seed: int = 1
    pay_tables: Mapping[str, str] = {}

    @property
    def pace(self) -> tuple[Cents, int]:
        """The most on a wager, and how often an hour."""
        return self.limit, self.rounds_an_hour


class Rung(Struct, frozen=True):
    """One thing a player may know about a wager, and what that is worth an hour at the limit."""

    wager: str
    sees: str
    worth: Worth
    per_hour: Cents

    def document(self) -> dict[str, Any]:
        """The rung as JSON has it."""
        return {
            "wager": self.wager,
            "sees": self.sees,
            "words": words_of(self.sees),
            **self.worth.document(),
            "per_hour": self.per_hour,
        }


class Report(Struct, frozen=True):
    """All that a report says; money in cents an hour at the limit."""

    game: str
    title: str
    terms: Terms
    ladder: Sequence[Rung]
    groupings: Mapping[str, Sequence[Grouping]]
    removal: Mapping[str, Removal]
    counting: Mapping[str, Count | Immune]
    depths: Mapping[str, Sequence[tuple[int, float]]]  # by wager: cards behind the cut card, gain per 100
    slips: Sequence[Slip]
    remedies: Sequence[tuple[str, str]]
    face_up: str

    def document(self) -> dict[str, Any]:
        """The report as JSON has it."""
        return {
            "game": self.game,
            "title": self.title,
            "limit": self.terms.limit,
            "rounds_an_hour": self.terms.rounds_an_hour,
            "ladder": [rung.document() for rung in self.ladder],
            "edge_sorting": {
                wager: [{"group": group_words([one.ranks]), "player_edge": one.edge, "gain": one.gain} for one in some]
                for wager, some in self.groupings.items()
            },
            "removal": {
                wager: {name: float(effect) for name, effect in removal.effects.items()}
                for wager, removal in self.removal.items()
            },
            "counting": {wager: counted.document() for wager, counted in self.counting.items()},
            "cut_card": {
                wager: [{"cut_card": behind, "per_100": gain} for behind, gain in rows]
                for wager, rows in self.depths.items()
            },
            "errors": [slip.document() for slip in self.slips],
            "remedies": [{"risk": risk, "remedy": remedy} for risk, remedy in self.remedies],
            "face_up": self.face_up,
        }


def words_of(sees: str) -> str:
    """What is known, in words."""
    if sees.startswith("neighbours:"):
        number = sees.partition(":")[2]
        return "the hand of one neighbour" if number == "1" else f"the hands of {number} neighbours"
    return _WORDS.get(sees, sees)


def protection_report(name: str, terms: Terms, progress: Progress | None = None) -> Report:
    """The report of a game at a table."""
    tell: Progress = progress or (lambda *_: None)
    game = catalog.game(name)
    book = game.terms.rulebook
    placed = [wager for wager, entry in book.wager.items() if entry.kind != "derived"]
    questions = {
        wager: parse_question(
            name, wager, pay_table=terms.pay_tables.get(wager), decks=terms.decks, chosen=terms.chosen
        )
        for wager in placed
    }
    ladder, groupings = list[Rung](), dict[str, Sequence[Grouping]]()
    for place, (wager, question) in enumerate(questions.items()):
        tell(place, 2 * len(questions))
        with suppress(Unfit):
            method = method_for(question)
            ladder += _rungs(wager, method, terms)
            if isinstance(method, WalkWorth) and method.has_decision and method.is_short:
                groupings[wager] = method.worst_groupings(parse_knowledge(DEALER))
    removal, counting = dict[str, Removal](), dict[str, Count | Immune]()
    depths: dict[str, Sequence[tuple[int, float]]] = {}
    for place, (wager, question) in enumerate(questions.items()):
        tell(len(questions) + place, 2 * len(questions))
        if question.meters:
            continue  # a jackpot moves more than any card
        if wager == main_wager_of(game) and game.has_spots:
            removal[wager] = removal_effects(question)
            continue  # the hands themselves are counted with `felt simulate --strategy`
        counting[wager] = counted = _counted(name, question, terms)
        removal[wager] = counted.removal
        if isinstance(counted, Count):
            depths[wager] = _by_cut_card(question, counted)
    errors = [slip for one in questions.values() if not one.meters for slip in slips(name, one, *terms.pace)]
    remedies = [*_stops(questions, ladder, terms), *_count_remedies(name, questions, counting, depths, terms)]
    return Report(
        name, book.title, terms, ladder, groupings, removal, counting, depths, errors, remedies,
        _face_up(questions, ladder),
    )  # fmt: skip


def _rungs(wager: str, method: Method, terms: Terms) -> list[Rung]:
    """Everything of the list that there is to know in this game."""
    sees = [DEALER, HIT, NEXT, "board:first", "board:last", "neighbours:1", f"neighbours:{_NEIGHBOURS}"]
    if isinstance(method, SpotWorth) or not method.has_decision:
        sees = [DEALER, NEXT] if method.has_decision else [NEXT]
    rungs: list[Rung] = []
    for text in sees:
        if isinstance(method, StreetWorth) and text == NEXT:
            continue  # which is the first card of the board
        if isinstance(method, WalkWorth) and text.startswith("board"):
            continue
        with suppress(Unfit):
            samples = _WALK_SAMPLES if isinstance(method, WalkWorth) else None
            worth = method.worth([parse_knowledge(text)], samples, terms.seed)
            if worth.gain:  # a game without such a card gains nothing by it
                rungs.append(Rung(wager, text, worth, _per_hour(float(worth.gain), terms)))
    return sorted(rungs, key=lambda rung: rung.worth.gain)


def _per_hour(gain: float, terms: Terms) -> Cents:
    return round(gain * terms.limit * terms.rounds_an_hour)


def _counted(name: str, question: Question, terms: Terms) -> Count | Immune:
    if reason := immunity(question):
        return Immune(removal_effects(question), reason)
    main = main_wager_of(question.game)
    plan = make_plan(
        name,
        wagers=tuple(dict.fromkeys((question.wager, main))),
        pay_tables=tuple(f"{wager}={table}" for wager, table in terms.pay_tables.items()),
        decks=terms.decks,
        chosen=terms.chosen,
    )
    return count_wager(question, plan, CountTerms(rounds=_COUNT_ROUNDS, seed=terms.seed))


def _by_cut_card(question: Question, counted: Count) -> list[tuple[int, float]]:
    """What the count gains per 100 rounds by how many cards lie behind the cut card."""
    shoe, generator = question.game.terms.shoe, np.random.default_rng(1)
    faces, rows = {face: shoe[face] for face in shoe}, list[tuple[int, float]]()
    for part in _DEPTHS:
        dealt = round(shoe.total * part)
        depths = range(0, dealt, max(1, question.game.least_cards))
        met = draw_compositions(depths, faces, _COMPOSITIONS, generator)
        edges = edges_at(question, counted.removal, met).fixed
        is_made = met.true_counts(counted.tags) >= counted.trigger
        rows.append((shoe.total - dealt, 100 * float(np.where(is_made, edges, 0.0).mean())))
    return rows


def _stops(questions: Mapping[str, Question], ladder: Sequence[Rung], terms: Terms) -> list[tuple[str, str]]:
    """For everything that makes a player win enough an hour: the procedure that hides it."""
    found: list[tuple[str, str]] = []
    for rung in ladder:
        won = _per_hour(float(rung.worth.edge), terms)
        if won < WORTH_WHILE:
            continue
        risk = f"{_title(questions[rung.wager])}, {words_of(rung.sees)}: the player wins {dollars(won)} an hour"
        hidden = _STOPS.get(rung.sees, "Hands are not shown to neighbours before all have acted.")
        found.append((risk, hidden))
    return found


def _count_remedies(
    name: str,
    questions: Mapping[str, Question],
    counting: Mapping[str, Count | Immune],
    depths: Mapping[str, Sequence[tuple[int, float]]],
    terms: Terms,
) -> list[tuple[str, str]]:
    """For every count that is worth while: the cut card, the cap and the pay table that make it not so."""
    remedies: list[tuple[str, str]] = []
    for wager, counted in counting.items():
        if isinstance(counted, Immune):
            continue
        hourly = _per_hour(counted.per_100 / 100, terms)
        risk = f"{_title(questions[wager])}, counting: the player wins {dollars(max(hourly, 0))} an hour"
        if hourly < WORTH_WHILE:
            remedies.append((risk, "Nothing: it is not worth while at this limit."))
            continue
        deep = [behind for behind, gain in depths[wager] if _per_hour(gain / 100, terms) < WORTH_WHILE]
        cap = int(WORTH_WHILE * 100 / counted.per_100 / terms.rounds_an_hour)
        cut = f"At least {min(deep)} cards behind the cut card, or a" if deep else "A"
        remedies.append((risk, f"{cut} cap of {dollars(cap)} on the wager, or a shuffle after every round."))
        every_round = _per_hour(float(counted.removal.edge), terms)
        remedies.append(
            (risk, f"No wager that begins mid-shoe: one who wagers every round makes {dollars(every_round)}.")
        )
        remedies += [(risk, words) for words in _other_tables(name, questions[wager], counted, terms)]
    return remedies


def _other_tables(name: str, question: Question, counted: Count, terms: Terms) -> Iterator[str]:
    """What the other pay tables leave of a count, wagered at whatever true count is best for them."""
    book, shoe = question.game.terms.rulebook, question.game.terms.shoe
    depths = range(0, shoe.total - counted.cut_card, max(1, question.game.least_cards))
    faces, generator = {face: shoe[face] for face in shoe}, np.random.default_rng(terms.seed)
    met = draw_compositions(depths, faces, _COMPOSITIONS, generator)
    for table in book.pay_table.get(question.wager, ()):
        if table == question.game.terms.pay_tables.get(question.wager):
            continue
        other = parse_question(name, question.wager, pay_table=table, decks=terms.decks, chosen=terms.chosen)
        gain = best_gain(edges_at(other, counted.removal, met).fixed, met.true_counts(counted.tags))
        yield f"Pay table {table}: the same count makes {dollars(_per_hour(gain, terms))} an hour."


def _title(question: Question) -> str:
    return question.game.terms.rulebook.wager[question.wager].title


def _face_up(questions: Mapping[str, Question], ladder: Sequence[Rung]) -> str:
    """Whether the game may be dealt face up: what the hands of neighbours tell a player."""
    shown = [rung for rung in ladder if rung.sees == f"neighbours:{_NEIGHBOURS}"]
    shown = shown or [rung for rung in ladder if rung.sees.startswith("neighbours:")]
    title = next(iter(questions.values())).game.terms.rulebook.title
    if not shown:
        return (
            f"Nothing in {title} that is measured here is decided after other hands are seen: dealt face up "
            "its wagers cost what they cost face down. What a count of the open cards gains is stated apart."
        )
    rung = max(shown, key=lambda one: one.worth.gain)
    before, after = -100 * float(rung.worth.baseline), -100 * float(rung.worth.edge)
    error = 100 * rung.worth.standard_error
    turns = "turns the edge to the player" if after < 0 else "leaves the edge with the house"
    turns = "adds to an edge that the player has without them" if before < 0 else turns
    return (
        f"Dealt face up, {words_of(rung.sees)} bring the house edge of {_title(questions[rung.wager])} from "
        f"{before:.4f} % to {after:.4f} % (sampled, standard error {error:.4f}): that {turns}."
    )
