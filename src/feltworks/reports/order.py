"""The subject of a paper: a game with options and pay tables under the law of a day, its rules and the request for it.

A paper names its rules by fingerprint, version and approval, and says whether the table is as approved.
"""

import datetime
import shlex
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final, Literal

import msgspec
from msgspec import Struct

from feltworks import __version__, catalog
from feltworks.errors import BadOption, FeltError
from feltworks.fingerprint import definition_fingerprint, digest
from feltworks.house.configuration import TableOrder, too_early
from feltworks.house.law import HouseKind, Profile, profile_on
from feltworks.money import Cents
from feltworks.reports.text import day, decks, join_names, option_words
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.rulebook.model import Reading, Rulebook
from feltworks.table.limits import WagerLimit

PaperName = Literal["par", "submission", "rack-card", "sign", "procedure", "strategy-card", "audit"]
_OF_HOUSE = ("sign", "rack-card")
_WITH_JACKPOT = ("par", "submission", "sign", "rack-card")
_SIMULATED = ("par", "submission")
DISPUTE: Final = (
    "Call the floor supervisor before the cards are cleared; cards and wagers stay where they are until then."
    " [House: name here who decides, and where a player turns next.]"
)
EMPLOYEES: Final = "[House: state here which employees may play, and when.]"


class Order(Struct, frozen=True, dict=True):
    """A game as a paper describes it; missing values are the rulebook's defaults."""

    game: str
    day: datetime.date
    options: Mapping[str, object] = {}
    pay_tables: Mapping[str, str] = {}
    jackpot: Cents | None = None
    house: HouseKind = "card room"  # whose law and supplement apply

    @cached_property
    def book(self) -> Rulebook:
        return catalog.rulebook(self.game)

    @property
    def is_of_the_gallery(self) -> bool:
        """Whether only the gallery has this game."""
        return catalog.rulebook_files()[self.game].parent == catalog.examples_folder()

    @cached_property
    def profile(self) -> Profile:
        """The law of the day for tables of the game."""
        return profile_on(self.day, self.house, self.book.jurisdiction)

    @cached_property
    def table(self) -> Game:
        """The table as ordered."""
        return catalog.shared_game(self.game, options=self.options, pay_tables=self.pay_tables)

    def check(self) -> "Order":
        """Refuse a table that cannot be dealt, or a day without known law; returns the order itself."""
        meters = {meter for pays in self.table.pays.values() for meter in meters_of(pays.values())}
        if self.jackpot is not None and not meters:
            raise BadOption("--jackpot", self.jackpot, f"nothing: {self.book.title} has no jackpot")
        assert self.profile.day == self.day
        return self

    @property
    def wagers(self) -> list[str]:
        """The opening wagers of the paper: those that the order names, or all of the game."""
        # Wagers placed together with another wager are described there
        placed = [name for name, e in self.book.wager.items() if e.kind != "derived" and not e.equals]
        placed.sort(key=lambda name: self.book.wager[name].kind != "main")
        chosen = self._chooses_offers
        return [name for name in placed if not chosen or name in self.table.terms.offers]

    @property
    def offered(self) -> list[str]:
        """The opening wagers of the ordered table."""
        return [name for name in self.wagers if name in self.table.terms.offers]

    @property
    def _chooses_offers(self) -> bool:
        return any(self.book.option_name(name) == "offers" for name in self.options)

    @property
    def spots(self) -> int:
        """The number of spots: given by the rules, or the most that the law allows."""
        return self.table.terms.spots or self.profile.number("seats")

    @cached_property
    def absent_clauses(self) -> frozenset[str]:
        """The clauses cited only by wagers that are not in the paper."""
        book, shown = self.book, set(self.wagers)
        present, absent = set[str](), set[str]()
        for name, entry in book.wager.items():
            clauses = present if shown & {name, entry.of} else absent
            clauses.update([entry.clause, *(table.clause for table in book.pay_table.get(name, {}).values())])
        for sentence in (*book.guide, *book.procedure):
            (present if shown.issuperset(sentence.offers) else absent).add(sentence.clause)
        if not any(meters_of(self.table_with(name).pays[name].values()) for name in shown):
            absent.update(self._meter_clauses())
        return frozenset(absent - present)

    def _meter_clauses(self) -> list[str]:
        """The clauses of a meter and those after it: how it is fed, recovers its seed and is taken out of play."""
        meters, ids = self.book.meter.values(), list(self.book.clause)
        named = [meter.clause for meter in meters] + [meter.backups.clause for meter in meters if meter.backups]
        places = [ids.index(clause) for clause in named]
        return ids[min(places) : max(places) + 2] if places else []

    def group(self, wager: str) -> list[str]:
        """A wager and those derived from it."""
        offered = self.table.terms.options
        derived = (
            name
            for name, entry in self.book.wager.items()
            if entry.of == wager and (not entry.offered_by or offered[entry.offered_by])
        )
        return [wager, *derived]

    def companions(self, wager: str) -> list[str]:
        """The wagers placed together with this one, each for the same amount."""
        return [name for name, entry in self.book.wager.items() if entry.equals == wager]

    @property
    def offerings(self) -> Iterator[list[str]]:
        """SP.20: the wagers of enough tables to have each once, as a table's are limited; all have the main wager."""
        main = [name for name in self.wagers if self.book.wager[name].kind == "main"]
        others = [name for name in self.wagers if name not in main]
        most = max(1, (self.book.most_wagers or len(self.wagers)) - len(main))
        for first in range(0, max(1, len(others)), most):
            yield [*main, *others[first : first + most]]

    def table_with(self, *wagers: str) -> Game:
        """The table with these wagers, as some tables cannot offer all at once."""
        return catalog.shared_game(self.game, options=self.options_with(*wagers), pay_tables=self.pay_tables)

    def options_with(self, *wagers: str) -> dict[str, object]:
        """The options, with these wagers offered if a table has to choose."""
        chosen = {} if self._chooses_offers else self.book.offers_for(wagers)
        return {**chosen, **self.options}

    def table_order(self, *wagers: str) -> TableOrder:
        """The order of such a table in a house, with only the legal limits."""
        options = self.options_with(*(wagers or self.offered))
        return TableOrder(self.game, self.day, options, self.pay_tables, house=self.house)


class HouseSettings(Struct, frozen=True):
    """The facts that only the house knows."""

    name: str = "[House]"
    dispute: str = DISPUTE
    employees: str = EMPLOYEES
    limits: Mapping[str, WagerLimit] = {}
    aggregate: Mapping[str, Cents] = {}


class PaperRequest(Struct, frozen=True):
    """A paper by name, its tables, and the words of the house."""

    paper: PaperName
    orders: tuple[Order, ...]
    house: HouseSettings = HouseSettings()
    rounds: int | None = None  # of the simulation; None: the paper's default
    seed: int | None = None
    page: str = "letter"


def read_request(document: object) -> PaperRequest:
    """Read a request from a paper's proof; refuse anything else."""
    try:
        request = msgspec.convert(document, PaperRequest)
    except msgspec.ValidationError as trouble:
        raise FeltError(f"the paper's request cannot be read: {trouble}") from None
    for order in request.orders:
        order.check()
    return request


def command_line(request: PaperRequest) -> str:
    """The command that makes the paper, with every value given explicitly."""
    first = request.orders[0]
    words = ["felt", "report", request.paper]
    if first.is_of_the_gallery:
        words.insert(1, "--examples")
    if request.paper != "audit" or len(request.orders) == 1:
        words += [first.game, *_table_words(first)]
    if request.paper in _WITH_JACKPOT and first.jackpot is not None:
        words += ["--jackpot", amount_words(first.jackpot)]
    if request.paper in _SIMULATED:
        words += [] if request.rounds is None else ["--rounds", str(request.rounds)]
        words += [] if request.seed is None else ["--seed", str(request.seed)]
    if request.paper in _OF_HOUSE:
        words += _house_words(request.house)
    words += ["--date", str(first.day)]
    words += ["--page", request.page] if request.page != "letter" else []
    return shlex.join(words)


def _table_words(order: Order) -> list[str]:
    words: list[str] = ["--tribal"] if order.house == "tribal operation" else []
    for wager, table in order.pay_tables.items():
        words += ["--pay-table", f"{wager}={table}"]
    for name, value in order.options.items():
        words += ["--set", f"{name}={option_words(value)}"]
    return words


def _house_words(house: HouseSettings) -> list[str]:
    words: list[str] = []
    for wager, limit in house.limits.items():
        words += ["--limit", f"{wager}={amount_words(limit.minimum or 0)}-{amount_words(limit.maximum or 0)}"]
    for wager, cents in house.aggregate.items():
        words += ["--aggregate", f"{wager}={amount_words(cents)}"]
    words += ["--house", house.name] if house.name != HouseSettings().name else []
    words += ["--dispute", house.dispute] if house.dispute != DISPUTE else []
    words += ["--employees", house.employees] if house.employees != EMPLOYEES else []
    return words


def amount_words(cents: Cents) -> str:
    """An amount as the command line takes it, in dollars.

    >>> amount_words(5_00), amount_words(12_345_67)
    ('5', '12345.67')
    """
    return str(cents // 100) if cents % 100 == 0 else f"{cents // 100}.{cents % 100:02}"


SHORT = 12  # digits of a fingerprint in a footer
_NOTICE = "Play money laboratory; no wager is accepted"


class OptionChoice(Struct, frozen=True):
    """An option and the table's value, as written on the command line."""

    name: str
    value: str
    text: str
    clause: str
    is_default: bool


class SetReading(Struct, frozen=True):
    """A reading, the option that chooses it, and whether this table uses it."""

    reading: Reading
    option: str  # as written on the command line; empty if no option chooses it
    is_used: bool


class Identity(Struct, frozen=True):
    """The facts in the head of a paper and the foot of every page."""

    title: str
    version: str
    fingerprint: str  # of the rules: rulebook and source text
    configuration: str  # of the rules with options and pay tables
    day: str
    approval: str
    deviations: tuple[str, ...]
    dealt_from: str
    pay_tables: str
    options: tuple[OptionChoice, ...]
    readings: tuple[SetReading, ...]
    notice: str = _NOTICE

    @property
    def short(self) -> str:
        """The first digits of the fingerprint, for a footer."""
        return self.fingerprint[:SHORT]

    @property
    def as_approved(self) -> bool:
        """WA.3: a table that differs from the approved sheet is marked on every page."""
        return not self.deviations

    @property
    def clauses_read(self) -> str:
        """The clauses with a reading."""
        return ", ".join(dict.fromkeys(each.reading.clause for each in self.readings)) or "none"


def identity(order: Order) -> Identity:
    """The identity of a table's rules on the day of the paper."""
    book, terms = order.book, order.table.terms
    fingerprint = definition_fingerprint(order.table)
    chosen = [[name, value] for name, value in terms.options.items()]
    tables = [[name, table] for name, table in terms.pay_tables.items()]
    return Identity(
        title=book.title,
        version=__version__,
        fingerprint=fingerprint,
        configuration=digest([fingerprint, chosen, tables]),
        day=day(order.day),
        approval=_approval(book),
        deviations=(*terms.deviations, *too_early(order.table, order.day)),
        dealt_from=_shoe(order),
        pay_tables=_pay_tables(order),
        options=tuple(_options(order)),
        readings=tuple(
            _set_reading(order, reading) for reading in book.reading if reading.clause not in order.absent_clauses
        ),
    )


def _approval(book: Rulebook) -> str:
    if book.approval is None:
        return "no approval"
    name = f"submission {book.approval.submission}," if book.approval.submission else "letter of"
    return f"{name} {day(book.approval.date)}"


def _shoe(order: Order) -> str:
    terms = order.table.terms
    from_shoe = {"continuous": "from a continuous shuffler"}.get(
        str(terms.options.get("shoe")), "from a shoe to the cut card"
    )
    how = "shuffled for every round" if order.book.cards.shuffle == "every round" else from_shoe
    return f"{decks(terms.decks)}, {terms.shoe.total} cards, {how}"


def _pay_tables(order: Order) -> str:
    tables, book = order.table.terms.pay_tables, order.book
    return join_names(f"{book.wager[name].title} {tables[name]}" for name in order.wagers)


def _options(order: Order) -> list[OptionChoice]:
    values = order.table.terms.options
    return [
        OptionChoice(name, option_words(values[name]), entry.text, entry.clause, values[name] == entry.preset)
        for name, entry in order.book.option.items()
    ]


def _set_reading(order: Order, reading: Reading) -> SetReading:
    if not reading.option:
        return SetReading(reading, "", is_used=True)
    value = order.table.terms.options[reading.option]
    words = f"{reading.option}={option_words(value)}"
    return SetReading(reading, words, is_used=value == order.book.option[reading.option].preset)
