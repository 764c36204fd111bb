"""Parses a question from the options of a command line or the parameters of a page's address."""

from collections.abc import Sequence
from fractions import Fraction

from feltworks import catalog
from feltworks.analysis.question import Question
from feltworks.analysis.strategy.file import StrategyFile
from feltworks.cards import cards
from feltworks.errors import BadOption
from feltworks.rules.rulebook.model import Rulebook

_MOST_SIZES = 200
_LONGEST, _LONGEST_EXPONENT = 40, 4  # characters of a ratio


def parse_question(
    name: str,
    wager: str,
    *,
    pay_table: str | None = None,
    decks: int | None = None,
    chosen: Sequence[str] = (),
    beside: Sequence[str] = (),
    exposed: str = "",
    jackpot: int | None = None,
    strategy: str = "optimal",
    plays: StrategyFile | None = None,
    seats: int = 1,
    by_size: str = "",
) -> Question:
    """Parses the options of a question; `plays` is the content of a strategy file."""
    book = catalog.game(name).terms.rulebook  # refuses an unknown game before anything else
    ratios = _ratios(beside)
    options = {**book.offers_for([wager, *ratios]), **chosen_options(book, chosen, decks)}
    game = catalog.game(name, options=options, pay_tables=_pay_tables(wager, pay_table))
    return Question(
        game,
        wager,
        ratios,
        cards(exposed),
        jackpot,
        strategy,
        plays=plays,
        seats=seats,
        sizes=_sizes(by_size, game.terms.breakage.chip),
    )


def _pay_tables(wager: str, text: str | None) -> dict[str, str]:
    """Parses the wager's pay table and, after commas, those of wagers beside it: `2,war=2`."""
    tables: dict[str, str] = {}
    for part in text.split(",") if text is not None else ():
        name, equals, table = part.strip().partition("=")
        key, value = (name, table) if equals else (wager, name)
        if key in tables:
            raise BadOption("--pay-table", text, f"one table for {key}")
        tables[key] = value
    return tables


def _sizes(text: str, chip: int) -> tuple[int, ...]:
    """Parses amounts in cents: a list, or a range in steps of one chip."""
    sizes: list[int] = []
    for part in filter(None, text.replace(" ", "").split(",")):
        least, dash, most = part.partition("-")
        if not least.isdecimal() or not (most.isdecimal() if dash else not most):
            raise BadOption("--by-size", text, "amounts in cents such as 500,1000 or 500-2500")
        amounts = range(int(least), int(most or least) + 1, chip)
        if len(sizes) + len(amounts) > _MOST_SIZES:
            raise BadOption("--by-size", text, f"at most {_MOST_SIZES} amounts")
        sizes += amounts
    if text and not sizes:
        raise BadOption("--by-size", text, "amounts in cents, the least first, such as 500-2500")
    return tuple(sizes)


def chosen_options(book: Rulebook, chosen: Sequence[str], decks: int | None) -> dict[str, object]:
    """Parses options in the form option=value, each given once, and checks the number of decks against them."""
    options: dict[str, object] = {}
    for option in chosen:
        key, equals, value = option.partition("=")
        if not equals:
            raise BadOption("--set", option, "option=value, such as soft17=hit")
        if key in options:
            raise BadOption("--set", option, f"{key} once only")
        options[key] = value
    if decks is not None and options.get("decks", str(decks)) != str(decks):
        raise BadOption("--decks", decks, f"the same number as --set decks={options['decks']}")
    if decks is not None and ("decks" in book.option or decks != book.cards.decks):
        if "decks" not in book.option:
            raise BadOption("--decks", decks, f"{book.cards.decks}, the decks of {book.title}")
        options["decks"] = decks
    return options


def _ratios(beside: Sequence[str]) -> dict[str, Fraction | None]:
    ratios: dict[str, Fraction | None] = {}
    for text in (part for wagers in beside for part in wagers.split(",")):
        name, equals, ratio = text.strip().partition("=")
        if name in ratios:
            raise BadOption("--beside", text, f"{name} once only")
        try:
            ratios[name] = _ratio(ratio) if equals else None
        except (ValueError, ZeroDivisionError):
            raise BadOption("--beside", text, "a wager, or a wager and its ratio such as ante=1/3") from None
    return ratios


def _ratio(text: str) -> Fraction:
    """Parses a fraction or a decimal; refuses exponents so large that they would fill the memory."""
    if len(text) > _LONGEST or len(text.lower().partition("e")[2]) > _LONGEST_EXPONENT:
        raise ValueError(text)
    return Fraction(text)
