"""A paper: one template filled once, as HTML for a screen and as PDF for a printer."""

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup, escape
from msgspec import Struct

from feltworks.analysis.audit.figure_text import per_hundred_rounds
from feltworks.cards import Card
from feltworks.money import dollars, moved
from feltworks.reports import words
from feltworks.reports.choices import TINTS
from feltworks.reports.identity import Identity
from feltworks.reports.pay_sheet import in_two
from feltworks.rules.round import Face

if TYPE_CHECKING:
    from jinja2 import Environment

_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_CSS: Final = {'"': r"\"", "\\": r"\\", "\n": " ", "<": r"\3c "}


class Paper(Struct, frozen=True):
    """What is printed: the file's name, the template, whose rules, and what the template asks for."""

    stem: str
    template: str
    kind: str  # as the head of every page calls it
    identity: Identity
    facts: dict[str, Any]

    def html(self) -> str:
        """The whole document, self-contained."""
        return (
            _environment()
            .get_template(self.template)
            .render(paper=self, identity=self.identity, **self.facts)
        )


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    found = Environment(
        loader=PackageLoader("feltworks.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    figures = (words.percent, words.points, words.signed, words.decimal, words.whole, words.ratio, words.net)
    texts = (words.day, words.decks, words.listed, words.capital, words.money, words.spaced)
    found.filters |= {
        each.__name__: each for each in (*figures, *texts, dollars, moved, faces, breakable, command)
    }
    found.globals["tints"] = TINTS
    found.filters |= {"css": css_text, "per_hundred_rounds": per_hundred_rounds, "in_two": in_two}
    return found


def css_text(text: str) -> Markup:
    """Text as a style sheet quotes it.

    >>> css_text('Joe "Jack"')
    Markup('"Joe \\\\"Jack\\\\""')
    """
    return Markup('"' + "".join(_CSS.get(letter, letter) for letter in text) + '"')


def face(card: Face) -> Markup:
    """A card in print: rank and suit, red where it is red; what lies down is a blank back."""
    if not isinstance(card, Card):
        return Markup('<span class="card back"></span>')
    if card.suit is None:
        return Markup('<span class="card joker">Joker</span>')
    colour = "red" if card.suit.letter in "dh" else "black"
    rank = {"T": "10"}.get(card.rank.letter, card.rank.letter)
    return Markup(f'<span class="card {colour}">{escape(rank)}{_SUITS[card.suit.letter]}</span>')


def breakable(name: str) -> Markup:
    """A name of a program, which may be broken after its underscores and dots."""
    return Markup(escape(name).replace("_", Markup("_<wbr>")).replace(".", Markup(".<wbr>")))


def command(line: str) -> Markup:
    """A command that is broken only before an option, so that no option stands apart from its value.

    >>> command("felt audit --date 2024-01-31")
    Markup('<span>felt audit</span> <span>--date 2024-01-31</span>')
    """
    first, *options = line.split(" --")
    parts = [first, *(f"--{option}" for option in options)]
    return Markup(" ").join(Markup("<span>{}</span>").format(part) for part in parts)


def faces(cards: tuple[Face, ...]) -> Markup:
    """Cards side by side."""
    return Markup(" ").join(map(face, cards))
