"""A question to the analysis, its parsing from options or addresses, and its answer.

A question is about one wager, alone or beside others on its spot.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from feltworks import catalog
from feltworks.analysis.figures import Figures
from feltworks.analysis.referee import Law
from feltworks.analysis.solvers.counts import Situation
from feltworks.analysis.strategy.file import StrategyFile
from feltworks.cards import Card, Shoe, cards
from feltworks.errors import BadOption, UnknownName
from feltworks.money import MOST_CENTS, Cents, dollars
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.rulebook.model import UNRULED, Rulebook

if TYPE_CHECKING:
    from feltworks.analysis.solvers.shoe_game.rounds import RoundFigures

OPTIMAL = "optimal"
PRACTICAL = "practical-"  # followed by the number of rules to remember
_MOST_RULES = 60  # as many as `felt strategy` searches for
UNIT: Cents = 100_00  # the amount of the wager; multiplied if ratios such as 1/3 need it for whole cents


class Question(Struct, frozen=True):
    """A wager at a table, alone or beside others in a ratio, with cards that may be known to be out."""

    game: Game
    wager: str
    # The ratio of each wager; None means the same amount, and that decisions are not made for it
    beside: Mapping[str, Fraction | None] = {}
    exposed: Sequence[Card] = ()
    jackpot: Cents | None = None
    strategy: str = OPTIMAL
    plays: StrategyFile | None = None  # the content of the file that `strategy` then names
    seats: int = 1  # in action on a progressive
    sizes: tuple[Cents, ...] = ()  # amounts of the wager to compute the edge for when paid in whole chips
    opened: Cents | None = None  # the amount of the wager where rounding to chips makes it matter

    @property
    def shoe(self) -> Shoe:
        return self.game.terms.shoe.without(self.exposed)

    @property
    def ratios(self) -> dict[str, Fraction]:
        """The ratio of every opening wager of the spot to the wager in question."""
        ratios = {name: ratio or Fraction(1) for name, ratio in self.beside.items()}
        ratios[self.wager] = Fraction(1)
        for name, ratio in [*ratios.items()]:  # wagers that are placed together have the same amount
            opening = self.game.terms.openings.get(name)
            ratios |= dict.fromkeys(opening.together if opening else (), ratio)
        return ratios

    @property
    def stakes(self) -> dict[str, Cents]:
        """The opening wagers of the spot in cents; a wager of a fixed amount sets the scale."""
        unit, ratios = self._unit, self.ratios
        if any((unit * ratio).denominator > 1 for ratio in ratios.values()):
            ratios_text = ", ".join(f"{name}={ratio}" for name, ratio in self.beside.items() if ratio)
            raise BadOption("--beside", ratios_text, f"ratios that give whole cents beside {self._fixed_words}")
        return {name: int(unit * ratio) for name, ratio in ratios.items()}

    @property
    def _unit(self) -> Fraction:
        book, ratios = self.game.terms.rulebook.wager, self.ratios
        if self.opened is not None:
            return Fraction(self.opened)
        for name, ratio in ratios.items():
            if book[name].fixed:
                return book[name].least / ratio
        whole = lcm(UNIT, self.game.terms.breakage.chip)
        return Fraction(whole * lcm(*(ratio.denominator for ratio in ratios.values())))

    @property
    def _fixed_words(self) -> str:
        book = self.game.terms.rulebook.wager
        fixed = [f"the {dollars(book[name].least)} of {name}" for name in self.ratios if book[name].fixed]
        return fixed[0] if fixed else f"{dollars(self.opened or 0)} of {self.wager}"

    @property
    def unit(self) -> Cents:
        return self.stakes[self.wager]

    @property
    def group(self) -> frozenset[str]:
        """The wager with those placed together with it or derived from them."""
        return self.group_of(self.wager)

    def group_of(self, wager: str) -> frozenset[str]:
        """Returns a wager of the spot with those placed together with it or derived from them."""
        book = self.game.terms.rulebook
        placed = [wager, *(book.placed_with(wager) if wager in book.wager else ())]
        return frozenset([*placed, *(name for name, entry in book.wager.items() if entry.of in placed)])

    @property
    def serving(self) -> dict[str, Fraction]:
        """The wagers that decisions are made for.

        If every wager has a ratio, these are all of them. If one has none, the hand is played for the wagers
        from which others derive, or else for the main ones, so that a Tie beside an Ante does not change the
        play.
        """
        book = self.game.terms.rulebook.wager
        names = placed = [self.wager, *self.beside]
        if None in self.beside.values():
            bases = {entry.of for entry in book.values()}
            main = [name for name in placed if book[name].kind == "main"]
            without_ratio = [name for name, ratio in self.beside.items() if ratio is None]
            names = [name for name in placed if name in bases] or main or without_ratio
        names += [other for name in names for other in self.game.terms.rulebook.placed_with(name)]
        return {name: Fraction(1) for name, entry in book.items() if name in names or entry.of in names}

    @property
    def meters(self) -> frozenset[str]:
        """The jackpots that the wagers of the spot can win from."""
        return frozenset(meter for name in self.ratios for meter in meters_of(self.game.pays[name].values()))

    @property
    def posted(self) -> dict[str, Cents]:
        """The posted jackpots; the seed of each where the question gives none."""
        if self.jackpot is not None:
            return dict.fromkeys(self.meters, self.jackpot)
        rules = self.game.terms.rulebook.meter
        return {meter: rules.get(meter, UNRULED).seed for meter in self.meters}

    def check(self) -> None:
        """Validates the question before any work."""
        self._check_names()
        self._check_ratios()
        self._check_jackpot()
        self._check_sizes()

    def _check_names(self) -> None:
        terms = self.game.terms
        placed = [name for name, entry in terms.rulebook.wager.items() if entry.kind != "derived"]
        derived = [name for name, entry in terms.rulebook.wager.items() if entry.kind == "derived"]
        alone = [name for name in derived if self.game.has_spots and terms.options.get(name) is True]
        if self.wager in alone:
            self._check_alone()
            return
        for name in (self.wager, *self.beside):
            if name not in placed:
                known = [*placed, *alone] if name == self.wager else placed
                raise UnknownName("wager", name, known, of=terms.rulebook.title)
            if leader := terms.rulebook.wager[name].equals:
                raise BadOption("--wager", name, f"{leader}, together with which it is placed")
            if name not in terms.offers:
                raise BadOption("offers", sorted(terms.offers), f"a list with {name}, which is asked about")
        if self.wager in self.beside:
            raise BadOption("--beside", self.wager, f"wagers other than {self.wager} itself")

    def _check_alone(self) -> None:
        """Refuses wagers beside insurance, and a strategy for it."""
        if self.beside:
            raise BadOption("--beside", list(self.beside), f"nothing beside {self.wager}")
        if self.strategy != OPTIMAL:
            raise BadOption("--strategy", self.strategy, f"{OPTIMAL} for {self.wager}")

    def _check_ratios(self) -> None:
        """Refuses ratios out of range, and a wager above the one that it may not exceed (SP.21)."""
        for name, ratio in self.beside.items():
            if ratio is not None and not Fraction(1, MOST_CENTS) <= ratio <= MOST_CENTS:
                text = f"{name}={ratio}"
                raise BadOption("--beside", text, "ratios above zero such as ante=1/3, within all money")
        ratios, openings = self.ratios, self.game.terms.openings
        for name, ratio in ratios.items() if self.beside else ():
            above = openings[name].not_above
            if above in ratios and ratio > ratios[above]:
                raise BadOption("--beside", f"{name} above {above}", f"at most as much {name} as {above} here")

    def _check_jackpot(self) -> None:
        if not self.meters and (self.jackpot is not None or self.seats != 1):
            option, value = ("--seats", self.seats) if self.jackpot is None else ("--jackpot", self.jackpot)
            raise BadOption(option, value, f"a wager that wins from a jackpot, not {self.wager}")
        if self.jackpot is not None and not 0 <= self.jackpot <= MOST_CENTS:
            raise BadOption("--jackpot", self.jackpot, f"a whole number of cents from 0 to {MOST_CENTS}")
        spots = self.game.terms.options.get("spots", 1)
        if self.seats != 1 and not (isinstance(spots, int) and 1 <= self.seats <= spots):
            raise BadOption("--seats", self.seats, f"1 to {spots}, the spots of this table")
        if self.seats != 1 and self.beside:
            raise BadOption("--seats", self.seats, "1 where --beside names other wagers of the spot")

    def _check_sizes(self) -> None:
        """Refuses amounts that chips cannot make or that the wager does not allow."""
        chip, entry = self.game.terms.breakage.chip, self.game.terms.rulebook.wager[self.wager]
        for cents in self.sizes:
            if not entry.least <= cents <= (entry.least if entry.fixed else MOST_CENTS):
                words = "alone, which it always is" if entry.fixed else f"to {dollars(MOST_CENTS)}, in cents"
                raise BadOption("--by-size", cents, f"{dollars(entry.least)} {words}")
            for name, placed in replace(self, opened=cents).stakes.items():
                if placed % chip:
                    raise BadOption(
                        "--by-size", cents, f"amounts that make {name} a multiple of the {dollars(chip)} chip"
                    )


class Answer(Struct, frozen=True):
    """The figures of a wager, and the choice in each situation."""

    figures: "Figures | RoundFigures"
    situations: Sequence[Situation] = ()
    choices: Sequence[str] = ()
    notes: Mapping[str, object] = {}
    law: Law | None = None  # of every wager on the spot together


def is_practical(strategy: str) -> bool:
    """Whether a strategy is a list of rules to remember, which cover the first decision of a round."""
    return strategy.startswith(PRACTICAL)


def rules_in(strategy: str) -> int:
    """Returns the number of rules that a practical strategy of this name may have."""
    most = strategy.removeprefix(PRACTICAL)
    if not most.isdecimal() or not 1 <= int(most) <= _MOST_RULES:
        wanted = f"a number of rules from 1 to {_MOST_RULES}, such as {PRACTICAL}3"
        raise BadOption("--strategy", strategy, wanted)
    return int(most)


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
