"""The house's settings of a progressive, within the limits of the game's rules (SP.15–SP.18)."""

from fractions import Fraction
from functools import cached_property
from typing import Final

import msgspec
from msgspec import Struct

from feltworks import catalog
from feltworks.errors import BadAmount, BadOption, UnknownName
from feltworks.house.law import HouseKind
from feltworks.money import MOST_CENTS, Cents, dollars
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.rulebook.model import MeterEntry

GAME: Final = "spanish-poker"  # the game whose progressive a house opens unless it names another
WAGER: Final = "gran-progressive"
# How the acts of a progressive are carried out. In edition 2 every wager moves a real-time meter even while
# seed is recovered, a removal needs a posted notice and names its payees, and awards raise tasks.
EDITION: Final = 2
NOTHING: Final = Fraction(0)
ALL: Final = Fraction(1)


def smallest_seed() -> Cents:
    """The smallest seed that the rules allow (SP.15)."""
    return catalog.rulebook(GAME).meter_of(WAGER).seed


class ProgressiveTerms(Struct, frozen=True, kw_only=True):
    """How a progressive is seeded, fed, recovered and backed up; amounts in cents, parts as fractions.

    `increment` is the part of each losing wager that is added to the jackpot at once. It is 0 for a jackpot
    that is run by hand, whose box is divided at the end of the day.
    """

    approval: str  # SP.15: the approved accounting process, or the approved system
    house: HouseKind = "card room"
    game: str = GAME
    wager: str = WAGER
    options: dict[str, str | int | bool] = {}
    seed: Cents = msgspec.field(default_factory=smallest_seed)
    increment: Cents = 0
    recovery: Fraction = ALL  # SP.17: the part of each addition that pays back the seed
    fee: Fraction = NOTHING
    fee_approval: str = ""
    recovers_tray: bool = True
    carries_shortfall: bool = False
    backups: int = 2
    to_backup: Fraction = ALL  # SP.18: the part of an addition that goes to a backup once one is started
    deposit_days: int = 7  # WAC 230-15-455: accrued funds go to the bank at least weekly
    notice_days: int | None = None  # WAC 230-15-710: its text is unverified, so no time is assumed
    # SP.15 asks for a seed of $500, SP.18 says that a 25 % win needs no new seed. We read the first as a
    # floor of the posted amount: after a win of a part, seed is added up to it. False is the other reading.
    keeps_smallest_seed: bool = True
    edition: int = EDITION

    @property
    def by_hand(self) -> bool:
        return self.increment == 0

    @property
    def meter_rules(self) -> MeterEntry:
        """What the rules of the game require of the jackpot."""
        return catalog.rulebook(self.game).meter_of(self.wager)

    def check(self) -> None:
        """Refuse settings that the rules do not allow."""
        if not self.approval.strip():
            raise BadOption("approval", self.approval, "the approved accounting process or system (SP.15)")
        meter = self.meter_rules  # SP.15: the smallest seed of a jackpot
        if type(self.seed) is not int or not meter.seed <= self.seed <= MOST_CENTS:
            rule = meter.clause or "the rules of the game"
            raise BadAmount("seed", self.seed, f"at least {dollars(meter.seed)} ({rule})")
        for name in ("recovery", "fee", "to_backup"):
            if not 0 <= getattr(self, name) <= 1:
                raise BadOption(name, str(getattr(self, name)), "a part from 0 to 1")
        if self.fee and not self.fee_approval.strip():
            # No known rule allows a fee on a house-banked progressive, so it needs its own approval.
            raise BadOption("fee", str(self.fee), "0 unless fee_approval names what allows it (SP.16)")
        if self.backups not in (0, 1, 2):
            raise BadOption("backups", self.backups, "0, 1 or 2 (SP.18)")
        if not 1 <= self.deposit_days <= 7:
            raise BadOption("deposit_days", self.deposit_days, "1 to 7 (WAC 230-15-455)")
        if self.notice_days is not None and not 0 <= self.notice_days <= 3650:
            raise BadOption("notice_days", self.notice_days, "a number of days")
        wager = ProgressiveWager(self)
        stake, _ = wager.stake, wager.meter  # raises an error if the wager feeds no jackpot
        if type(self.increment) is not int or not 0 <= self.increment <= stake:
            raise BadAmount("increment", self.increment, f"0 to {stake} cents, the wager itself (house rule)")


class ProgressiveWager:
    """The wager that feeds a progressive, read from the rulebook of its game."""

    def __init__(self, terms: ProgressiveTerms) -> None:
        self.name, self._terms = terms.wager, terms
        book = catalog.rulebook(terms.game)
        if terms.wager not in book.wager:
            raise UnknownName("wager", terms.wager, book.wager, of=book.title)
        self.stake: Cents = book.wager[terms.wager].least

    @cached_property
    def game(self) -> Game:
        return catalog.game(self._terms.game, options=self._terms.options)

    @cached_property
    def spots(self) -> int:
        """How many spots a table has of which these books know nothing."""
        return self.game.terms.number("spots")

    @cached_property
    def meter(self) -> str:
        meters = meters_of(self.game.pays[self.name].values())
        if len(meters) != 1:
            fed = [name for name, pays in self.game.pays.items() if meters_of(pays.values())]
            raise UnknownName("progressive wager", self.name, fed, of=self.game.terms.rulebook.title)
        (meter,) = meters
        return meter


_encoder = msgspec.json.Encoder(enc_hook=str)


def encode(document: object) -> str:
    """A record as JSON for the journal; fractions are written as text."""
    return _encoder.encode(document).decode()


def settings_of_edition_1(terms: ProgressiveTerms) -> ProgressiveTerms:
    """Terms stored before there were editions, with the settings they had then."""
    return msgspec.structs.replace(terms, keeps_smallest_seed=False, edition=1)


def decode_terms(text: str) -> ProgressiveTerms:
    """Read terms from their JSON."""
    terms = msgspec.json.decode(text, type=ProgressiveTerms, dec_hook=decode_fraction)
    return terms if '"edition"' in text else settings_of_edition_1(terms)


def decode_fraction(kind: type, text: object) -> object:
    """Read a fraction from text."""
    return kind(text)
