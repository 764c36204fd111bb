"""Sentences of a rulebook for players and dealers, each with the tables for which it is true."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from feltworks.errors import BadOption, one_of
from feltworks.rules.rulebook.toml import KeyPath, Number, Text

if TYPE_CHECKING:
    from feltworks.rules.rulebook.model import Rulebook

Troubles = Iterator[tuple[KeyPath, str]]
Values = dict[str, list[bool | Number | str]]

GUIDE: Final = "guide"
PROCEDURE: Final = "procedure"
IRREGULARITY: Final = "irregularity"
WAGER_PART: Final = "wager"  # sentences of this part are printed under the title of their wager
HOUSE_PART: Final = "house"  # the choices of the house, printed on its sign
# The parts of each list in the order of a paper, with their headings; irregularities name their own
HEADINGS: Final[Mapping[str, Mapping[str, str]]] = {
    GUIDE: {
        "cards": "The cards",
        "hands": "The hands",
        "round": "How a round goes",
        WAGER_PART: "",
        HOUSE_PART: "At this table",
    },
    PROCEDURE: {
        "wagers": "Wagers",
        "deal": "The deal",
        "bonus": "Bonus wagers",
        "decisions": "Players' decisions",
        "dealer": "The dealer's hand",
        "settlement": "Take and pay",
        "clearing": "Clearing the table",
    },
}
PLACEHOLDER: Final = re.compile(r"\{(\$?)([a-z0-9.-]+)(?:: ([^{}]+))?\}")


class Sentence(Struct, forbid_unknown_fields=True, frozen=True):
    """A sentence, and the tables for which it is true.

    Its text may name an option's value, `{decks}`, an amount in cents, `{$alone-minimum}`, or the pay
    of an outcome of a wager, `{ante: tie}`.
    """

    part: Text
    text: Text
    clause: str = ""
    name: str = ""  # a sentence with this name in an including rulebook replaces it
    after: str = ""  # the name of the sentence it follows, in this or an included rulebook
    offers: list[str] = []  # the table offers all of these wagers
    when: Values = {}  # each of these options has one of the values; a list contains one of them
    unless: Values = {}  # none of these options has one of the values
    switches: dict[str, bool] = {}  # "war.second_card_decides": a switch of the wager's pay table
    decides: dict[str, list[str]] = {}  # the outcomes of each wager that the sentence decides
    branch: bool = False  # whether it is a case of the sentence before it


def merge_sentences(own: list[Sentence], included: list[Sentence]) -> list[Sentence]:
    """The included sentences first, each replaced by the own one with its name; then the remaining own ones."""
    by_name = {sentence.name: sentence for sentence in own if sentence.name}
    taken = [by_name.get(sentence.name, sentence) for sentence in included]
    if all(sentence in own for sentence in taken):  # already included
        return own
    return taken + [sentence for sentence in own if sentence not in taken]


def sentence_troubles(book: "Rulebook") -> Troubles:
    """The faults in the sentences of a rulebook: parts, clauses, options, wagers and placeholders.

    Only the rules files know the outcomes and their wagers: a game checks them when it prints
    the sentence.
    """
    for section in (GUIDE, PROCEDURE, IRREGULARITY):
        for place, sentence in enumerate(getattr(book, section)):
            for inner, trouble in _troubles(book, section, sentence):
                yield (section, place, *inner), trouble


def _troubles(book: "Rulebook", section: str, sentence: Sentence) -> Troubles:
    parts = HEADINGS.get(section)
    if parts and sentence.part not in parts:
        yield ("part",), f"there is no part {sentence.part!r}; it may be {one_of(parts)}"
    if sentence.part == WAGER_PART and not sentence.offers:
        yield ("offers",), "a sentence about a wager names that wager first"
    if sentence.clause not in book.clause and (sentence.clause or section != IRREGULARITY):
        yield ("clause",), f"there is no clause {sentence.clause!r}"
    names = {other.name for other in getattr(book, section) if other.name}
    if sentence.after and sentence.after not in names:
        yield ("after",), f"there is no sentence of the name {sentence.after!r}; it may be {one_of(names)}"
    for place, wager in enumerate(sentence.offers):
        if wager not in book.wager:
            yield ("offers", place), f"there is no wager {wager!r}; it may be {one_of(book.wager)}"
    for field, values in (("when", sentence.when), ("unless", sentence.unless)):
        for inner, trouble in _value_troubles(book, values):
            yield (field, *inner), trouble
    yield from _switch_troubles(book, sentence)
    for inner, trouble in _placeholder_troubles(book, sentence.text):
        yield ("text", *inner), trouble


def _value_troubles(book: "Rulebook", values: Values) -> Troubles:
    for name, listed in values.items():
        if name not in book.option:
            yield (name,), f"there is no such option; it may be {one_of(book.option)}"
            continue
        option = book.option[name]
        for place, value in enumerate(listed):
            if option.members is not None:
                if value not in option.members:
                    yield (name, place), f"{value!r} is not in the option's list {one_of(option.members)}"
                continue
            try:
                if option.read(name, value) is not value and option.read(name, value) != value:
                    yield (name, place), f"write the value as the option does, {option.allowed}"
            except BadOption as refusal:
                yield (name, place), str(refusal)


def _switch_troubles(book: "Rulebook", sentence: Sentence) -> Troubles:
    for key in sentence.switches:
        wager, _, switch = key.partition(".")
        tables = book.pay_table.get(wager, {}).values()
        if not any(switch in table.switches for table in tables):
            yield ("switches", key), "no pay table has this switch; write it as wager.switch"


def _placeholder_troubles(book: "Rulebook", text: str) -> Troubles:
    for match in PLACEHOLDER.finditer(text):
        _, name, outcome = match.groups()
        if outcome is None and name not in book.option:
            yield (), f"{match[0]} names no option; it may be {one_of(book.option)}"
    if any(brace in PLACEHOLDER.sub("", text) for brace in "{}"):
        yield (), "a brace belongs to a placeholder, such as {decks} or {ante: tie}"
