"""A question as it is written: on a command line, or in the address of a page."""

from collections.abc import Sequence
from fractions import Fraction

from feltworks import catalog
from feltworks.analysis.question import Question
from feltworks.analysis.strategy.file import StrategyFile
from feltworks.cards import cards
from feltworks.errors import BadOption
from feltworks.rules.rulebook import Rulebook

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
    """The question as a command line or an address asks it; `plays` is what a strategy's file says."""
    book = catalog.game(name).terms.rulebook  # what is no game is refused before anything else
    standing = _ratios(beside)
    options = {**book.offers_seen([wager, *standing]), **chosen_options(book, chosen, decks)}
    game = catalog.game(name, options=options, pay_tables=_pay_tables(wager, pay_table))
    return Question(
        game,
        wager,
        standing,
        cards(exposed),
        jackpot,
        strategy,
        plays=plays,
        seats=seats,
        sizes=_sizes(by_size, game.terms.breakage.chip),
    )


def _pay_tables(wager: str, said: str | None) -> dict[str, str]:
    """The wager's pay table, and after commas those of wagers beside it: `2,war=2`."""
    tables: dict[str, str] = {}
    for part in said.split(",") if said is not None else ():
        name, equals, table = part.strip().partition("=")
        key, value = (name, table) if equals else (wager, name)
        if key in tables:
            raise BadOption("--pay-table", said, f"one table for {key}")
        tables[key] = value
    return tables


def _sizes(said: str, chip: int) -> tuple[int, ...]:
    """Amounts in cents, listed, or from the least to the most in chips."""
    sizes: list[int] = []
    for part in filter(None, said.replace(" ", "").split(",")):
        least, dash, most = part.partition("-")
        if not least.isdecimal() or not (most.isdecimal() if dash else not most):
            raise BadOption("--by-size", said, "amounts in cents such as 500,1000 or 500-2500")
        asked = range(int(least), int(most or least) + 1, chip)
        if len(sizes) + len(asked) > _MOST_SIZES:
            raise BadOption("--by-size", said, f"at most {_MOST_SIZES} amounts")
        sizes += asked
    if said and not sizes:
        raise BadOption("--by-size", said, "amounts in cents, the least first, such as 500-2500")
    return tuple(sizes)


def chosen_options(book: Rulebook, chosen: Sequence[str], decks: int | None) -> dict[str, object]:
    """Options as a command line names them, each once, and the decks that go with them."""
    options: dict[str, object] = {}
    for said in chosen:
        key, equals, value = said.partition("=")
        if not equals:
            raise BadOption("--set", said, "option=value, such as soft17=hit")
        if key in options:
            raise BadOption("--set", said, f"{key} once only")
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
    for said in (part for each in beside for part in each.split(",")):
        name, equals, ratio = said.strip().partition("=")
        if name in ratios:
            raise BadOption("--beside", said, f"{name} once only")
        try:
            ratios[name] = _ratio(ratio) if equals else None
        except (ValueError, ZeroDivisionError):
            raise BadOption("--beside", said, "a wager, or a wager and its ratio such as ante=1/3") from None
    return ratios


def _ratio(said: str) -> Fraction:
    """A fraction or a decimal; a long exponent would ask for more digits than there is room for."""
    if len(said) > _LONGEST or len(said.lower().partition("e")[2]) > _LONGEST_EXPONENT:
        raise ValueError(said)
    return Fraction(said)
