"""Numbers, days, names and the choices of a chart as text for papers, and the templates that they fill."""

import datetime
import re
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final

from markupsafe import Markup, escape

from feltworks.analysis.figures import per_hundred_rounds
from feltworks.analysis.figures import percent as printed_percent
from feltworks.cards import Card
from feltworks.money import Cents, dollars, signed_dollars
from feltworks.rules.round import Face
from feltworks.rules.steps import trade_choice

if TYPE_CHECKING:
    from jinja2 import Environment

    from feltworks.analysis.strategy.charts import Cell

Number = float | Fraction
_MONTHS: Final = "January February March April May June July August September October November December"
_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_NARROW: Final = "\u00a0"
_ODDS: Final = re.compile(r"(\d) to (?=\d)")
_ALONE: Final = re.compile(r"\d+ to \d+")  # odds in a column of their own
_RANKS: Final = re.compile(r"\b(10|[2-9JQKA]|an?) (?=(?:10|[2-9JQKA])\b)")
_CSS: Final = {'"': r"\"", "\\": r"\\", "\n": " ", "<": r"\3c "}
_SMALL: Final = 100  # below it, fractions are printed as they are
_LONGEST: Final = 44  # longest fraction, in characters, that fits beside a figure
TINTS: Final = {  # ink and paper; style sheets use the names
    "lose": ("#9c2c22", "#f9e4df"),
    "info": ("#1c4f8f", "#dbe8f7"),
    "push": ("#3f5570", "#e4eaf1"),
    "win": ("#14633b", "#d3ebdb"),
    "warn": ("#7a4b00", "#fbecd0"),
    "rare": ("#6a359c", "#ecdff6"),
    "plain": ("#1a1c1e", "#e9e6dc"),
}


def percent(value: Number, places: int = 4) -> str:
    """A number as a percentage.

    >>> percent(Fraction(1, 17)).replace(chr(160), " "), percent(-0.043, 2).replace(chr(160), " ")
    ('5.8824 %', '−4.30 %')
    >>> percent(Fraction(-5261, 2), 0).replace(chr(160), " "), percent(-1e-9, 2).replace(chr(160), " ")
    ('−263,050 %', '0.00 %')
    """
    digits = printed_percent(Fraction(value), places).rstrip("%")
    sign = "−" if value < 0 and digits.strip("−0.") else ""
    before, _, after = digits.strip("−").partition(".")
    return f"{sign}{int(before):,}{f'.{after}' if places else ''}{_NARROW}%"


def points(value: Number, places: int = 4) -> str:
    """A difference of two percentages, with its sign.

    >>> points(Fraction(1, 1000)), points(Fraction(-1, 1000)), points(Fraction(0))
    ('+0.1000', '−0.1000', '0.0000')
    """
    return with_sign(Fraction(value) * 100, places)


def with_sign(value: Number, places: int) -> str:
    """A decimal with its sign and a typographic minus; no sign if it rounds to zero."""
    digits = f"{abs(float(value)):.{places}f}"
    sign = "" if not float(digits) else "−" if value < 0 else "+"
    return sign + digits


def decimal(value: Number, places: int = 4) -> str:
    """A decimal with a sign only if it is negative.

    >>> decimal(Fraction(5, 2), 2), decimal(-1234.5, 1)
    ('2.50', '−1,234.5')
    """
    return f"{float(value):,.{places}f}".replace("-", "−")


def whole(number: int) -> str:
    """A count with thousands separators."""
    return f"{number:,}"


def ratio(value: Number) -> str:
    """An exact number as a fraction; empty if it is not exact or too long to print.

    >>> ratio(Fraction(1186, 22274)), ratio(0.5), ratio(Fraction(3))
    ('593 / 11,137', '', '3')
    """
    if not isinstance(value, Fraction):
        return ""
    digits = f"{value.numerator:,} / {value.denominator:,}".replace("-", "−")
    return digits.removesuffix(" / 1") if len(digits) <= _LONGEST else ""


def net(value: Fraction) -> str:
    """A net result per unit; what cents and small fractions cannot state, to two decimals.

    >>> net(Fraction(3, 2)), net(Fraction(-1)), net(Fraction(0)), net(Fraction(1, 3))
    ('+1.5', '−1', '0', '+1/3')
    >>> net(Fraction(1234567, 100)), net(Fraction(1234567, 400))
    ('+12,345.67', '+3,086.42')
    """
    sign = "+" if value > 0 else "−" if value < 0 else ""
    if 100 % value.denominator and abs(value) < _SMALL:
        return f"{sign}{abs(value)}"
    digits = f"{float(abs(value)):,.2f}"
    return sign + digits.rstrip("0").rstrip(".")


def day(date: datetime.date) -> str:
    """A day with the month in words.

    >>> day(datetime.date(2021, 11, 4))
    '4 November 2021'
    """
    return f"{date.day} {_MONTHS.split()[date.month - 1]} {date.year}"


def decks(number: int) -> str:
    """A number of decks, in words.

    >>> decks(1), decks(6)
    ('one deck', '6 decks')
    """
    return "one deck" if number == 1 else f"{number} decks"


def join_names(names: Iterable[str]) -> str:
    """Names as a list in a sentence.

    >>> join_names(["Ante", "Play", "Tie"])
    'Ante, Play and Tie'
    """
    all_names = list(names)
    return " and ".join(filter(None, [", ".join(all_names[:-1]), *all_names[-1:]]))


def in_groups(fingerprint: str) -> str:
    """A fingerprint in groups of four digits.

    >>> in_groups("5c1e90ab44")
    '5c1e 90ab 44'
    """
    return " ".join(fingerprint[at : at + 4] for at in range(0, len(fingerprint), 4))


def money(cents: Cents | Fraction) -> str:
    """An amount, rounded to the cent."""
    return dollars(round(cents))


def card_words(faces: Iterable[Card]) -> str:
    """Cards by rank and suit, as printed.

    >>> from feltworks.cards import cards
    >>> card_words(cards(["Th", "7c", "Jo"])).split()
    ['10♥', '7♣', 'Joker']
    """
    return _NARROW.join(
        "Joker" if face.suit is None else f"{face.rank.letter.replace('T', '10')}{_SUITS[face.suit.letter]}"
        for face in faces
    )


def capital(text: str) -> str:
    """The text with a capital first letter.

    >>> capital("suited 7-7-7")
    'Suited 7-7-7'
    """
    return text[:1].upper() + text[1:]


def option_words(value: object) -> str:
    """An option's value as written on the command line.

    >>> option_words(True), option_words(("ante", "tie")), option_words(6)
    ('true', 'ante,tie', '6')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, list | tuple) else str(value)


# The colours of choices in charts, on paper and on screen.


def tint(choice: str) -> str:
    """The name of a choice's tint."""
    return trade_choice(choice).tint


def ink_and_paper(choice: str) -> tuple[str, str]:
    """The two colours of a choice."""
    return TINTS[tint(choice)]


def letter(cell: "Cell") -> str:
    """The letter of a choice, with a mark if larger hands choose otherwise."""
    choice = trade_choice(cell.choice)
    instead = trade_choice(cell.otherwise or "").mark if choice.two_cards else ""
    return (choice.letter or cell.choice[:1].upper()) + instead


def meaning(cell: "Cell") -> str:
    """The meaning of a letter, with the choice that replaces it if it is not offered."""
    if trade_choice(cell.choice).two_cards and cell.otherwise:
        return f"{cell.choice}, or {cell.otherwise}"
    return cell.choice


def star(cell: "Cell") -> str:
    """The mark of a cell in which the other cards matter too."""
    return "*" if cell.is_mixed else ""


def render(template: str, **facts: object) -> str:
    """A template filled with facts."""
    return _environment().get_template(template).render(**facts)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("feltworks.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=unbroken,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    figures = (percent, points, with_sign, decimal, whole, ratio, net, per_hundred_rounds)
    texts = (day, decks, join_names, capital, money, in_groups, dollars, signed_dollars, faces, breakable, command)
    environment.filters |= {filter_.__name__: filter_ for filter_ in (*figures, *texts)} | {"css": css_text}
    environment.globals["tints"] = TINTS
    return environment


def unbroken(value: object) -> object:
    """A value for print, with odds and hands in a sentence that no line break divides; markup stays as it is.

    >>> unbroken("pays 3 to 2"), unbroken("fold with A K 7"), unbroken("3 to 2")
    ('pays 3\\xa0to\\xa02', 'fold with A\\xa0K\\xa07', '3 to 2')
    """
    if not isinstance(value, str) or isinstance(value, Markup) or _ALONE.fullmatch(value):
        return value
    return _RANKS.sub(rf"\1{_NARROW}", _ODDS.sub(rf"\1{_NARROW}to{_NARROW}", value))


def css_text(words: str) -> Markup:
    """Text quoted for a style sheet.

    >>> css_text('Joe "Jack"')
    Markup('"Joe \\\\"Jack\\\\""')
    """
    return Markup('"' + "".join(_CSS.get(letter, letter) for letter in words) + '"')


def face(card: Face) -> Markup:
    """A printed card: rank and suit in its colour; a card face down is a blank back."""
    if not isinstance(card, Card):
        return Markup('<span class="card back"></span>')
    kind = "joker" if card.suit is None else "red" if card.suit.letter in "dh" else "black"
    return Markup('<span class="card {}">{}</span>').format(kind, card_words([card]))


def breakable(name: str) -> Markup:
    """A name from a program, with line breaks allowed after underscores and dots."""
    return Markup(escape(name).replace("_", Markup("_<wbr>")).replace(".", Markup(".<wbr>")))


def command(line: str) -> Markup:
    """A command with line breaks only before options, so that options stay with their values.

    >>> command("felt audit --date 2024-01-31")
    Markup('<span>felt audit</span> <span>--date 2024-01-31</span>')
    """
    first, *options = line.split(" --")
    parts = [first, *(f"--{option}" for option in options)]
    return Markup(" ").join(Markup("<span>{}</span>").format(part) for part in parts)


def faces(cards: tuple[Face, ...]) -> Markup:
    """Cards side by side."""
    return Markup(" ").join(map(face, cards))
