"""The protection report of a game: the cost of each procedural error and each count, and the remedies."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from feltworks import catalog
from feltworks.analysis.progress import Progress
from feltworks.analysis.question import Question, parse_question
from feltworks.analysis.shape import main_wager_of
from feltworks.money import Cents, dollars
from feltworks.protection.boards import BoardWorth
from feltworks.protection.counting import (
    Count,
    CountTerms,
    Immune,
    count_plan,
    count_wager,
    effects_or_none,
    immunity,
    no_effects,
)
from feltworks.protection.knowledge import (
    DEALER,
    HIT,
    NEXT,
    Grouping,
    Terms,
    Unfit,
    Worth,
    group_words,
    parse_knowledge,
    words_of,
)
from feltworks.protection.protect import Method, method_for
from feltworks.protection.remedies import CountStudy, Remedy, Slip, hide, slips, title_of
from feltworks.protection.removal import Removal, removal_effects
from feltworks.protection.spots import SpotWorth
from feltworks.protection.streets import StreetWorth
from feltworks.protection.walks import WalkWorth
from feltworks.rules.game import Game
from feltworks.rules.terms import most_placed

_NEIGHBOURS: Final = 5
_WALK_SAMPLES: Final = 40
_COUNT: Final = CountTerms(rounds=4_000_000)


class Rung(Struct, frozen=True):
    """One thing that a player of a wager may know, and its worth per hour at the most that is wagered."""

    wager: str
    sees: str
    worth: Worth
    per_hour: Cents

    def document(self) -> dict[str, Any]:
        """The rung as a JSON document."""
        return {
            "wager": self.wager,
            "sees": self.sees,
            "words": words_of(self.sees),
            **self.worth.document(),
            "per_hour": self.per_hour,
        }


class Report(Struct, frozen=True):
    """The contents of a report; money in cents per hour at the most that each wager takes."""

    game: str
    title: str
    terms: Terms
    limits: Mapping[str, Cents]  # the most on each wager
    ladder: Sequence[Rung]
    groupings: Mapping[str, Sequence[Grouping]]
    removal: Mapping[str, Removal]
    counting: Mapping[str, Count | Immune]
    depths: Mapping[str, Sequence[tuple[int, float]]]  # by wager: cards behind the cut card, gain per 100
    slips: Sequence[Slip]
    remedies: Sequence[Remedy]
    face_up: str
    deviations: Sequence[str]  # from the approved sheet

    def document(self) -> dict[str, Any]:
        """The report as a JSON document."""
        return {
            "game": self.game,
            "title": self.title,
            "limit": self.terms.limit,
            "limits": dict(self.limits),
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
            "errors": [asdict(slip) for slip in self.slips],
            "remedies": [asdict(remedy) for remedy in self.remedies],
            "face_up": self.face_up,
            "deviations": list(self.deviations),
        }


def wager_limits(game: Game, limit: Cents, wagers: Iterable[str]) -> dict[str, Cents]:
    """The most on each wager of a table where no wager exceeds `limit`."""
    terms = catalog.game(game.terms.rulebook.name, options=game.terms.options, limit=limit).terms
    return {wager: most_placed(terms, wager) for wager in wagers}


def pace_words(name: str, limits: Mapping[str, Cents], rounds_an_hour: int) -> str:
    """The most on each wager and the rounds per hour, in words."""
    entries = catalog.rulebook(name).wager
    each = ", ".join(f"{entries[wager].title} {dollars(cents)}" for wager, cents in limits.items())
    return f"{each} at most, {rounds_an_hour} rounds an hour"


def protection_report(
    name: str, terms: Terms, progress: Progress | None = None, *, with_removal: bool = True
) -> Report:
    """The report of a game at a table.

    Effects of single cards that no count needs take one solution a card; `with_removal` false leaves them out.
    """
    tell: Progress = progress or (lambda *_: None)
    game = catalog.game(name)
    book = game.terms.rulebook
    about = terms.wagers or book.wager
    placed = [wager for wager, entry in book.wager.items() if entry.kind != "derived" and wager in about]
    questions = {
        wager: parse_question(
            name, wager, pay_table=terms.pay_tables.get(wager), decks=terms.decks, chosen=terms.chosen
        )
        for wager in placed
    }
    limits = wager_limits(next(iter(questions.values())).game, terms.limit, placed)
    at_most = {wager: replace(terms, limit=cents) for wager, cents in limits.items()}
    ladder, groupings = _worth_of_knowledge(questions, at_most, tell)
    removal, counting = dict[str, Removal](), dict[str, Count | Immune]()
    by_hand = main_wager_of(game) if game.has_spots else ""  # counted with `felt simulate --strategy`
    counted = [wager for wager, one in questions.items() if not one.meters and wager != by_hand]  # no jackpots
    depths, against_counts = dict[str, Sequence[tuple[int, float]]](), list[Remedy]()
    for place, (wager, question) in enumerate(questions.items()):
        tell(len(questions) + place, 2 * len(questions))
        if wager not in counted:
            if with_removal and not question.meters:
                removal[wager] = removal_effects(question)
            continue
        counting[wager], study = _count_of(name, question, counted, at_most[wager], with_removal=with_removal)
        removal[wager] = counting[wager].removal
        if study:
            depths[wager] = study.rows()
            against_counts += study.remedies()
    errors = [
        slip
        for wager, one in questions.items()
        if not one.meters
        for slip in slips(name, one, limits[wager], terms.rounds_an_hour)
    ]
    hidden = (hide(one.wager, book.wager[one.wager].title, one.sees, one.worth, at_most[one.wager]) for one in ladder)
    remedies = [*chain.from_iterable(hidden), *against_counts]
    return Report(
        name, book.title, terms, limits, ladder, groupings, removal, counting, depths, errors, remedies,
        face_up_statement(questions, ladder), next(iter(questions.values())).game.terms.deviations,
    )  # fmt: skip


def _worth_of_knowledge(
    questions: Mapping[str, Question], at_most: Mapping[str, Terms], tell: Progress
) -> tuple[list[Rung], dict[str, Sequence[Grouping]]]:
    """The rungs of all wagers, and the worst groupings of a card by wager; the first half of a report's progress."""
    ladder, groupings = list[Rung](), dict[str, Sequence[Grouping]]()
    for place, (wager, question) in enumerate(questions.items()):
        tell(place, 2 * len(questions))
        with suppress(Unfit):
            method = method_for(question)
            ladder += _rungs(wager, method, at_most[wager])
            if isinstance(method, WalkWorth) and method.has_decision and method.is_short:
                groupings[wager] = method.worst_groupings(parse_knowledge(DEALER))
            elif isinstance(method, SpotWorth):
                groupings[wager] = method.worst_groupings()
    return ladder, groupings


def _rungs(wager: str, method: Method, terms: Terms) -> list[Rung]:
    """The rungs for everything in the list that exists in this game, by gain."""
    sees = [DEALER, HIT, NEXT, "board:first", "board:last", "neighbours:1", f"neighbours:{_NEIGHBOURS}"]
    if isinstance(method, SpotWorth) or not method.has_decision:
        sees = [DEALER, NEXT] if method.has_decision else [NEXT]
    rungs: list[Rung] = []
    for text in sees:
        if isinstance(method, StreetWorth | BoardWorth) and text == NEXT:
            continue  # the next card is the first card of the board
        if isinstance(method, WalkWorth) and text.startswith("board"):
            continue
        with suppress(Unfit):
            samples = _WALK_SAMPLES if isinstance(method, WalkWorth | BoardWorth) else None
            worth = method.worth([parse_knowledge(text)], samples, terms.seed)
            if worth.gain:  # zero if the game has no such card
                rungs.append(Rung(wager, text, worth, terms.per_hour(float(worth.gain))))
    return sorted(rungs, key=lambda rung: rung.worth.gain)


def _count_of(
    name: str, question: Question, wagers: Sequence[str], terms: Terms, *, with_removal: bool
) -> tuple[Count | Immune, CountStudy | None]:
    """The count of a wager at a table with all counted wagers, and its study at other cut cards and pays."""
    if reason := immunity(question):
        return Immune(effects_or_none(question) if with_removal else no_effects(question), reason), None
    plan = count_plan(name, wagers, terms)
    counted = count_wager(question, plan, replace(_COUNT, seed=terms.seed))
    return counted, CountStudy(name, question, counted, plan, terms) if isinstance(counted, Count) else None


def face_up_statement(questions: Mapping[str, Question], ladder: Sequence[Rung]) -> str:
    """The statement on dealing face up: what a player gains from the hands of neighbours."""
    shown = [rung for rung in ladder if rung.sees == f"neighbours:{_NEIGHBOURS}"]
    shown = shown or [rung for rung in ladder if rung.sees.startswith("neighbours:")]
    game = next(iter(questions.values())).game
    title, by_hand = game.terms.rulebook.title, main_wager_of(game) if game.has_spots else ""
    if not shown and by_hand in questions:
        return (
            f"Dealt face up, the hands of neighbours tell a player of {title_of(questions[by_hand])} which cards "
            "are gone before each choice, as a count does. This report does not measure that; felt protect does, with "
            f"--wager {by_hand} --sees neighbours:{_NEIGHBOURS}. No other wager here is decided after they are seen."
        )
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
    change = f"{before:.4f} % to {after:.4f} %".replace("-", "−")
    return (
        f"Dealt face up, {words_of(rung.sees)} bring the house edge of {title_of(questions[rung.wager])} from "
        f"{change} (sampled, standard error {error:.4f} %): that {turns}."
    )
