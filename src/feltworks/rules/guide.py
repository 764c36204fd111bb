"""How a table is played and dealt: the sentences of its rulebook that are true of this table.

Each sentence names its wager and the outcomes it decides, for papers and other front ends.
"""

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from feltworks.errors import RulebookError, one_of
from feltworks.money import dollars
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Pay
from feltworks.rules.rulebook.model import OptionValue
from feltworks.rules.rulebook.sentences import (
    GUIDE,
    HEADINGS,
    HOUSE_PART,
    IRREGULARITY,
    PLACEHOLDER,
    PROCEDURE,
    WAGER_PART,
    Sentence,
    Values,
)
from feltworks.rules.rulebook.toml import dotted
from feltworks.rules.terms import Terms

_RESULTS: Final = {"push": "is returned", "lose": "loses", "lose half": "loses half"}
_CHOICES: Final = re.compile(r"\b(?:choose|fold|raise|call|check|stand|stay|hit|double|split)\b")
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class GuideLine(Struct, frozen=True):
    """A sentence for the players or the dealers of this table."""

    text: str
    clause: str
    wager: str = ""  # the wager it is about, if any
    decides: tuple[tuple[str, str], ...] = ()  # wager and outcome
    is_branch: bool = False


class Chapter(Struct, frozen=True):
    """Sentences under one heading."""

    part: str
    heading: str
    lines: tuple[GuideLine, ...]


def players_guide(game: Game) -> tuple[Chapter, ...]:
    """How to play at this table; a wager that the rulebook's guide does not mention shows its clauses instead."""
    book = game.terms.rulebook
    guided = {sentence.offers[0] for sentence in book.guide if sentence.part == WAGER_PART}
    chapters = list(_chapters(game, book.guide, GUIDE))
    # The house's own choices come last
    place = next((n for n, chapter in enumerate(chapters) if chapter.part == HOUSE_PART), len(chapters))
    chapters[place:place] = _clause_chapters(game, [w for w in game.terms.openings if w not in guided])
    if not has_guide(game):
        chapters.insert(0, _other_clauses(game, chapters))
    return tuple(chapters)


def has_guide(game: Game) -> bool:
    """Whether the rulebook's guide explains the game itself, not only the choices of the house."""
    return any(sentence.part != HOUSE_PART for sentence in game.terms.rulebook.guide)


def how_to_play(game: Game, most: int = 5) -> tuple[GuideLine, ...]:
    """The rack card in a few lines: the hand, the choice, and what wins each wager, in the card's own sentences.

    Lines that are left take more sentences of the card, all in its order.
    """
    chapters = [chapter for chapter in players_guide(game) if chapter.part != HOUSE_PART]
    lines = {part: [line for each in chapters if each.part == part for line in each.lines] for part in HEADINGS[GUIDE]}
    choice = max(reversed(lines["round"]), key=lambda line: len(set(_CHOICES.findall(line.text))), default=None)
    # A wager whose clauses all stand under another wager keeps a chapter of pays without a line
    lines_by_wager = [chapter.lines for chapter in chapters if chapter.part == WAGER_PART and chapter.lines]
    wagers = [next((line for line in some if line.decides), some[0]) for some in lines_by_wager]
    first = [*(lines["hands"] or lines["cards"])[:1], *([choice] if choice else []), *wagers]
    ranked = list(dict.fromkeys([*first, *lines["round"], *lines[WAGER_PART]]))[:most]
    kept = (line for chapter in chapters for line in chapter.lines if line in ranked)
    if has_guide(game):
        return tuple(kept)
    clauses = list(game.terms.rulebook.clause)  # in the order of the document, not by the wagers that cite them
    return tuple(sorted(kept, key=lambda line: clauses.index(line.clause)))


def _clause_chapters(game: Game, wagers: Iterable[str]) -> list[Chapter]:
    """The clauses cited by wagers, their derived wagers and their pay tables, each under the first that cites it."""
    terms, book, used = game.terms, game.terms.rulebook, set[str]()
    chapters = []
    for wager in sorted(wagers, key=lambda name: book.wager[name].kind != "main"):
        group = [name for name, entry in book.wager.items() if wager in (name, entry.of)]
        cited = {book.wager[name].clause for name in group}
        cited |= {terms.pay_table(name).clause for name in group if name in book.pay_table}
        lines = [GuideLine(text, id_, wager) for id_, text in book.clause.items() if id_ in cited - used]
        used |= cited
        if lines:
            chapters.append(Chapter(WAGER_PART, book.wager[wager].title, tuple(lines)))
    return chapters


def _other_clauses(game: Game, chapters: Iterable[Chapter]) -> Chapter:
    """The clauses that no wager cites, offered or not: the cards, their ranks, and the order of the deal."""
    book = game.terms.rulebook
    cited = {line.clause for chapter in chapters for line in chapter.lines}
    own = {clause.partition(".")[0] for clause in cited}
    for name in book.wager.keys() - wagers_at(game):
        cited |= {book.wager[name].clause, *(table.clause for table in book.pay_table.get(name, {}).values())}
    rest = (id_ for id_ in book.clause if id_ not in cited and id_.partition(".")[0] in own)
    lines = tuple(GuideLine(book.clause[id_], id_) for id_ in rest)
    return Chapter("round", HEADINGS[GUIDE]["round"], lines)


def house_rules(game: Game) -> tuple[GuideLine, ...]:
    """The choices of the house for this table, in the words of its sign."""
    chapters = [chapter for chapter in players_guide(game) if chapter.part == HOUSE_PART]
    return tuple(line for chapter in chapters for line in chapter.lines)


def dealing_procedure(game: Game) -> tuple[Chapter, ...]:
    """The dealer's steps in order, with cases as branches; empty if the rulebook has none."""
    return _chapters(game, game.terms.rulebook.procedure, PROCEDURE)


def irregularities(game: Game) -> tuple[Chapter, ...]:
    """What the dealer does when something goes wrong, a chapter for each case."""
    held = [sentence for sentence in game.terms.rulebook.irregularity if holds(sentence, game.terms)]
    cases = dict.fromkeys(sentence.part for sentence in held)
    return tuple(
        Chapter(IRREGULARITY, case, tuple(_line(game, each) for each in held if each.part == case)) for case in cases
    )


def wagers_at(game: Game) -> list[str]:
    """The wagers that this table offers, each derived one after the wager it follows from."""
    terms, entries = game.terms, game.terms.rulebook.wager
    return [
        name
        for opening in sorted(terms.openings, key=lambda name: entries[name].kind != "main")
        for name, entry in entries.items()
        if name == opening or (entry.of == opening and _is_offered(terms, name))
    ]


def _is_offered(terms: Terms, derived: str) -> bool:
    option = terms.rulebook.wager[derived].offered_by
    return not option or bool(terms.options[option])


def outcomes_at(game: Game, wager: str) -> frozenset[str]:
    """The outcomes that can happen at this table, with its options and number of decks."""
    judge = game.wagers[wager]
    needed = game.terms.pay_table(judge.paid_by or wager).needs_decks
    return frozenset(row for row in judge.possible if needed.get(row, 1) <= game.terms.decks)


def holds(sentence: Sentence, terms: Terms) -> bool:
    """Whether the sentence holds for a table with these terms."""
    return (
        terms.offers.issuperset(sentence.offers)
        and all(_has_value(terms.options[name], name, sentence.when) for name in sentence.when)
        and not any(_has_value(terms.options[name], name, sentence.unless) for name in sentence.unless)
        and all(_switch_is(terms, key, value) for key, value in sentence.switches.items())
    )


def _has_value(value: OptionValue, name: str, wanted: Values) -> bool:
    values = value if isinstance(value, tuple) else (value,)
    return any(type(one) is type(other) and one == other for one in values for other in wanted[name])


def _switch_is(terms: Terms, key: str, value: bool) -> bool:
    wager, _, switch = key.partition(".")
    return terms.switch(wager, switch) is value


def _chapters(game: Game, sentences: Iterable[Sentence], section: str) -> tuple[Chapter, ...]:
    held: list[Sentence] = []
    for sentence in (each for each in sentences if holds(each, game.terms)):
        before = (place for place, other in enumerate(held, 1) if sentence.after and other.name == sentence.after)
        held.insert(next(before, len(held)), sentence)
    chapters = []
    for part, heading in HEADINGS[section].items():
        of_part = [sentence for sentence in held if sentence.part == part]
        if part == WAGER_PART:
            chapters += _wager_chapters(game, of_part)
        elif of_part:
            chapters.append(Chapter(part, heading, tuple(_line(game, each) for each in of_part)))
    return tuple(chapters)


def _wager_chapters(game: Game, sentences: list[Sentence]) -> list[Chapter]:
    """A chapter for each opening wager, the main wager's first."""
    entries = game.terms.rulebook.wager
    wagers = sorted(entries, key=lambda name: entries[name].kind != "main")
    chapters = []
    for wager in wagers:
        lines = [_line(game, sentence) for sentence in sentences if sentence.offers[0] == wager]
        if lines:
            chapters.append(Chapter(WAGER_PART, entries[wager].title, tuple(lines)))
    return chapters


def _line(game: Game, sentence: Sentence) -> GuideLine:
    decides = tuple((wager, outcome) for wager, outcomes in sentence.decides.items() for outcome in outcomes)
    wager = sentence.offers[0] if sentence.offers else ""
    return GuideLine(fill(game, sentence.text), sentence.clause, wager, decides, sentence.branch)


def fill(game: Game, text: str) -> str:
    """The text with this table's values and pays filled in."""
    filled = PLACEHOLDER.sub(lambda match: _value(game, *match.groups()), text)
    return filled[:1].upper() + filled[1:]


def _value(game: Game, sign: str, name: str, outcome: str | None) -> str:
    if outcome is not None:
        if outcome not in game.pays.get(name, ()):
            raise RulebookError(game.terms.rulebook.file, dotted("pay_table", name), _no_row(game, name, outcome))
        return pay_words(game.pays[name][outcome])
    value = game.terms.options[name]
    if sign:
        assert isinstance(value, int)
        return dollars(value)
    if type(value) is int and 0 <= value < len(_NUMBERS):
        return _NUMBERS[value]
    return str(value)


def _no_row(game: Game, wager: str, outcome: str) -> str:
    return f"a sentence names the outcome {outcome!r}; it may be {one_of(game.pays.get(wager, ()))}"


def pay_words(pay: Pay) -> str:
    """What a wager with this pay does, as the end of a sentence.

    >>> from feltworks.rules.pay_table import parse_pay
    >>> tuple(pay_words(parse_pay(text)) for text in ("3 to 2", "push", "lose half"))
    ('pays 3 to 2', 'is returned', 'loses half')
    """
    return _RESULTS.get(str(pay), f"pays {pay}")
