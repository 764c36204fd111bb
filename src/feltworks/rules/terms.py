"""The terms of a table: a rulebook with its options, pay tables and offers chosen.

Opening wagers are checked against them before any card is dealt.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache

from msgspec import Struct

from feltworks.cards import RANKS, Rank, Shoe, standard_shoe
from feltworks.errors import (
    BadOption,
    FeltError,
    ImpossibleRound,
    RulebookError,
    UnknownName,
    WagerRefused,
    one_of,
)
from feltworks.money import MOST_CENTS, Breakage, Cents, dollars
from feltworks.rules.round import Seat
from feltworks.rules.rulebook.model import Bond, OptionValue, PayTable, Rulebook, WagerEntry, value_text
from feltworks.rules.rulebook.toml import dotted
from feltworks.rules.steps import Offer


class Opening(Struct, frozen=True, gc=False):
    """What a wager requires before the deal, without the requirements that an option lifts."""

    least: Cents
    most: Cents
    needs: str  # the wager it has to be placed with
    not_above: str  # the wager it may not exceed
    tokes: bool
    together: tuple[str, ...] = ()  # the wagers placed together with it, each for the same amount


class Terms:
    """Every option with its value, every wager with its pay table, and the legal limit of a wager.

    Options read like a mapping: `terms["soft17"]`.
    """

    def __init__(
        self,
        rulebook: Rulebook,
        *,
        options: Mapping[str, object] | None = None,
        pay_tables: Mapping[str, str] | None = None,
        limit: Cents | None = None,
    ) -> None:
        self.rulebook = rulebook
        self.options = _resolve_options(rulebook, options or {})
        self.pay_tables = _resolve_pay_tables(rulebook, pay_tables or {})
        self.limit = limit
        self.offers = _resolve_offers(rulebook, self.options)
        chip = self.options.get("chip", 1)
        assert isinstance(chip, int)
        self.breakage = Breakage(chip, favours_player=self.options.get("breakage") == "up")
        self._sized = lru_cache(maxsize=1 << 10)(self._size_offer)

    def __getitem__(self, option: str) -> OptionValue:
        try:
            return self.options[option]
        except KeyError:
            key = dotted("option", option)
            raise RulebookError(self.rulebook.file, key, "the rules file asks for this option") from None

    def number(self, option: str) -> int:
        """The value of an option that is a whole number."""
        value = self[option]
        assert isinstance(value, int)
        return value

    @property
    def decks(self) -> int:
        return self.number("decks") if "decks" in self.options else self.rulebook.cards.decks

    @cached_property
    def shoe(self) -> Shoe:
        """The full shoe that the game is dealt from."""
        entry = self.rulebook.cards
        removed = [Rank(RANKS.index(letter) + 2) for letter in entry.without]
        return standard_shoe(decks=self.decks, without=removed, jokers=entry.jokers)

    def pay_table(self, wager: str) -> PayTable:
        """The pay table chosen for a wager."""
        try:
            return self.rulebook.pay_table[wager][self.pay_tables[wager]]
        except KeyError:
            key = dotted("pay_table", wager)
            raise RulebookError(self.rulebook.file, key, "the rules file asks for this pay table") from None

    def switch(self, wager: str, name: str) -> bool:
        """A switch of the chosen pay table; true unless the table sets it."""
        return self.pay_table(wager).switches.get(name, True)

    def lifts(self, option: str, wager: str) -> bool:
        """Whether an option lifts a requirement of a wager: by being true, or by listing the wager."""
        value = self.options[option] if option else False
        return wager in value if isinstance(value, tuple) else value is True

    def offer(self, name: str, wager: str, seat: Seat) -> Offer | None:
        """The offer of a derived wager, its size measured by another wager (WA.1, AD.8)."""
        measured_by = self.rulebook.wager[wager].of
        if not measured_by:
            raise FeltError(f"{wager} is no derived wager, so no offer has its size; `of` in the rulebook makes it one")
        return self._sized(name, wager, seat.wagers.get(measured_by, 0))

    def _size_offer(self, name: str, wager: str, measure: Cents) -> Offer | None:
        entry = self.rulebook.wager[wager]
        most, chip = int(measure * entry.factor), self.breakage.chip
        if len(sizes := [cents for size in entry.sizes if (cents := int(measure * size))]) > 1:
            return Offer(name, wager, sizes[0], sizes[-1], chip, tuple(sizes))
        if entry.times:
            return Offer(name, wager, most, most) if most else None
        most = min(most, self.limit or most) // chip * chip
        least = max(entry.least, int(measure * Fraction(entry.at_least or 0)))
        least = -(-least // chip) * chip
        return Offer(name, wager, least, most, chip) if least <= most else None

    @cached_property
    def openings(self) -> dict[str, Opening]:
        """The requirements before the deal of every wager that this table offers."""
        entries = self.rulebook.wager.items()
        return {name: self._opening(name, entry) for name, entry in entries if name in self.offers}

    def needed_wagers(self, wagers: Iterable[str]) -> set[str]:
        """The wagers required by these at this table, and those that they require in turn."""
        needed, waiting = set[str](), list(wagers)
        while waiting:
            opening = self.openings.get(waiting.pop())
            for other in (opening.needs, *opening.together) if opening else ():
                if other and other not in needed:
                    needed.add(other)
                    waiting.append(other)
        return needed

    def _opening(self, name: str, entry: WagerEntry) -> Opening:
        def bond(beside: Bond | None) -> str:
            return beside.wager if beside and not self.lifts(beside.unless, name) else ""

        most = entry.least if entry.fixed else MOST_CENTS
        companions = tuple(other for other in self.rulebook.placed_with(name) if other in self.offers)
        return Opening(entry.least, most, bond(entry.needs), bond(entry.not_above), entry.tokes, companions)

    @cached_property
    def spots(self) -> int | None:
        """The number of spots of the table, if the rules give it."""
        return self.number("spots") if "spots" in self.options else None

    @property
    def spots_per_player(self) -> int | None:
        """How many adjacent spots one player may play (FB.15, SP.24); None: any free spots."""
        rule = self.rulebook.spots_per_player
        value = self[rule] if isinstance(rule, str) else rule
        if isinstance(value, bool):
            return 2 if value else 1
        return value if isinstance(value, int) else None

    @cached_property
    def deviations(self) -> tuple[str, ...]:
        """Where this table differs from the approved sheet (WA.3)."""
        differences = [*self.rulebook.departures]
        differences += [] if self.rulebook.approval else ["the game has no approval"]
        for name, option in self.rulebook.option.items():
            if option.approved is not None and self.options[name] not in option.approved:
                approved = one_of(map(value_text, option.approved))
                differences.append(f"{name} is {value_text(self.options[name])}, approved is {approved}")
        for name, entry in self.rulebook.wager.items():
            if entry.leave_out == "deviates" and name not in self.offers:
                differences.append(f"the {name} wager is left out, the approved game has it")
        return tuple(differences)


def _resolve_options(rulebook: Rulebook, given: Mapping[str, object]) -> dict[str, OptionValue]:
    options = {name: option.preset for name, option in rulebook.option.items()}
    for text, value in given.items():
        name = rulebook.option_name(text)
        if name is None:
            raise UnknownName("option", text, rulebook.option, of=rulebook.title)
        options[name] = rulebook.option[name].read(name, value)
    return options


def _resolve_pay_tables(rulebook: Rulebook, given: Mapping[str, str]) -> dict[str, str]:
    chosen = {wager: next(iter(tables)) for wager, tables in rulebook.pay_table.items()}
    for wager, name in given.items():
        if wager not in rulebook.pay_table:
            raise UnknownName("wager with pay tables", wager, rulebook.pay_table, of=rulebook.title)
        if str(name) not in rulebook.pay_table[wager]:
            raise UnknownName(f"{wager} pay table", name, rulebook.pay_table[wager], of=rulebook.title)
        chosen[wager] = str(name)
    return chosen


def _resolve_offers(rulebook: Rulebook, options: Mapping[str, OptionValue]) -> frozenset[str]:
    value = options.get("offers", tuple(rulebook.placed))
    offers = frozenset(value if isinstance(value, tuple) else ())
    always = [name for name in rulebook.placed if rulebook.wager[name].leave_out == "never"]
    if missing := [name for name in always if name not in offers]:
        raise BadOption("offers", sorted(offers), f"a list with {', '.join(missing)} in it")
    if rulebook.most_wagers and len(offers) > rulebook.most_wagers:
        raise BadOption("offers", sorted(offers), f"at most {rulebook.most_wagers} wagers")
    return offers


def check_wagers(terms: Terms, wagers: Mapping[str, Cents], tokes: Mapping[str, Cents]) -> None:
    """Refuse opening wagers that the rules or the law do not allow, and say what they allow."""
    openings, is_bound = terms.openings, terms.limit is not None or terms.breakage.chip > 1
    for name, cents in wagers.items():
        opening = openings.get(name)
        if opening is None:
            raise _not_offered(terms, name, cents)
        if is_bound or type(cents) is not int or not opening.least <= cents <= opening.most:
            _check_amount(terms, name, opening, cents)
        if opening.needs and opening.needs not in wagers:
            raise _lacks_other(name, opening, cents)
        if any(wagers.get(other) != cents for other in opening.together):
            raise WagerRefused(name, cents, f"it is placed with as much {_all_of(opening.together)}")
        if opening.not_above and cents > wagers.get(opening.not_above, cents):
            above = wagers[opening.not_above]
            raise WagerRefused(name, cents, f"at most the {opening.not_above} wager, {dollars(above)}")
    for name, cents in tokes.items():
        _check_toke(terms, name, cents, wagers)


def _check_toke(terms: Terms, name: str, cents: Cents, wagers: Mapping[str, Cents]) -> None:
    opening = terms.openings.get(name)
    if opening is None:
        raise _not_offered(terms, name, cents)
    if not opening.tokes:
        allowed = [other for other, known in terms.rulebook.wager.items() if known.tokes]
        raise WagerRefused(f"{name} toke", cents, f"tokes are taken on {' and '.join(allowed) or 'no wager'}")
    _check_amount(terms, name, opening, cents)
    if opening.needs and opening.needs not in wagers:
        raise _lacks_other(name, opening, cents)


def _all_of(names: Sequence[str]) -> str:
    """Several names as a list, with "and" before the last."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _lacks_other(name: str, opening: Opening, cents: Cents) -> WagerRefused:
    return WagerRefused(name, cents, f"it needs the {opening.needs} wager on the same spot")


def _not_offered(terms: Terms, name: str, cents: object) -> FeltError:
    entry, placed = terms.rulebook.wager.get(name), terms.rulebook.placed
    if entry is None:
        return UnknownName("wager", name, placed, of=terms.rulebook.title)
    if entry.kind == "derived":
        return WagerRefused(name, cents, f"it follows from the {entry.of} wager and is not placed before the deal")
    return WagerRefused(name, cents, f"this table offers {', '.join(n for n in placed if n in terms.offers)}")


def _check_amount(terms: Terms, name: str, opening: Opening, cents: object) -> None:
    if type(cents) is not int or not 0 < cents <= MOST_CENTS:
        allowed = f"the amount is a positive whole number of cents, at most {dollars(MOST_CENTS)}"
        raise WagerRefused(name, cents, allowed)
    if not opening.least <= cents <= opening.most:
        exactly = opening.least == opening.most
        raise WagerRefused(name, cents, f"{'always exactly' if exactly else 'at least'} {dollars(opening.least)}")
    if cents % terms.breakage.chip:
        raise WagerRefused(name, cents, f"a multiple of the {dollars(terms.breakage.chip)} chip")
    if terms.limit and (most := most_allowed(terms, name)) is not None and cents > most:
        raise WagerRefused(name, cents, f"at most {dollars(most)} under the limit of {dollars(terms.limit or 0)}")


def most_allowed(terms: Terms, name: str) -> Cents | None:
    """The legal maximum of a wager; its fixed multiples have to keep within the limit too (WA.1)."""
    if terms.limit is None:
        return None
    factors = [e.factor for e in terms.rulebook.wager.values() if e.of == name and e.times]
    return int(terms.limit / max([Fraction(1), *factors]))


def most_placed(terms: Terms, name: str) -> Cents:
    """The most that players place on a wager of a table with a limit, as high as those placed with it allow.

    SP.21: one that needs another wager may have to keep to it.
    """

    def most(wager: str) -> Cents:
        entry = terms.rulebook.wager[wager]
        if entry.fixed:
            return entry.least
        bonds = [bond for bond in (entry.needs, entry.not_above) if bond and not terms.lifts(bond.unless, wager)]
        others = [most(bonds[1].wager)] if len(bonds) > 1 else []
        return min([most_allowed(terms, wager) or 0, *others])

    return min(map(most, (name, *terms.rulebook.placed_with(name))))


def check_adjacent(terms: Terms, player: str, spots: Sequence[int]) -> None:
    """FB.15, SP.24: check that a player's spots are adjacent and no more than the house allows."""
    most = terms.spots_per_player
    if most is None:
        return
    if len(spots) > most or max(spots) - min(spots) >= len(spots):
        raise ImpossibleRound(
            f"player {player} may play {'one spot' if most == 1 else f'{most} adjacent spots'} at most"
        )
