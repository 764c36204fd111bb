"""May this spot be wagered so? The rules' own demands on opening wagers, before any card is dealt."""

from collections.abc import Mapping
from fractions import Fraction

from feltworks.errors import UnknownName, WagerRefused
from feltworks.money import MOST_CENTS, Cents, dollars
from feltworks.rules.rulebook import Beside, WagerEntry
from feltworks.rules.terms import Terms


def check_wagers(terms: Terms, wagers: Mapping[str, Cents], tokes: Mapping[str, Cents]) -> None:
    """Refuse opening wagers that the rules or the law do not allow; says what they allow."""
    for name, cents in wagers.items():
        entry = _offered(terms, name, cents)
        _check_amount(terms, name, entry, cents)
        _check_bonds(terms, name, entry, cents, wagers)
    for name, cents in tokes.items():
        entry = _offered(terms, name, cents)
        if not entry.tokes:
            allowed = [other for other, known in terms.rulebook.wager.items() if known.tokes]
            raise WagerRefused(
                f"{name} toke", cents, f"tokes are taken on {' and '.join(allowed) or 'no wager'}"
            )
        _check_amount(terms, name, entry, cents)
        _check_bond(terms, name, entry.needs, cents, wagers)


def _offered(terms: Terms, name: str, cents: object) -> WagerEntry:
    entry = terms.rulebook.wager.get(name)
    if entry is not None and name in terms.offers:
        return entry
    placed = [known for known, other in terms.rulebook.wager.items() if other.kind != "derived"]
    if entry is None:
        raise UnknownName("wager", name, placed, of=terms.rulebook.title)
    if entry.kind == "derived":
        raise WagerRefused(
            name, cents, f"it follows from the {entry.of} wager and is not placed before the deal"
        )
    raise WagerRefused(name, cents, f"this table offers {', '.join(n for n in placed if n in terms.offers)}")


def _check_amount(terms: Terms, name: str, entry: WagerEntry, cents: object) -> None:
    if type(cents) is not int or not 0 < cents <= MOST_CENTS:
        raise WagerRefused(name, cents, "the amount is a positive whole number of cents")
    if (entry.fixed or entry.minimum) and (cents < entry.least or (entry.fixed and cents != entry.least)):
        raise WagerRefused(
            name, cents, f"{'always exactly' if entry.fixed else 'at least'} {dollars(entry.least)}"
        )
    if terms.breakage.chip > 1 and cents % terms.breakage.chip:
        raise WagerRefused(name, cents, f"a multiple of the {dollars(terms.breakage.chip)} chip")
    if terms.limit and (most := most_allowed(terms, name)) is not None and cents > most:
        raise WagerRefused(
            name, cents, f"at most {dollars(most)} under the limit of {dollars(terms.limit or 0)}"
        )


def most_allowed(terms: Terms, name: str) -> Cents | None:
    """The most the law allows on a wager: a fixed multiple that follows counts on its own (WA.1)."""
    if terms.limit is None:
        return None
    factors = [e.factor for e in terms.rulebook.wager.values() if e.of == name and e.times]
    return int(terms.limit / max([Fraction(1), *factors]))


def _check_bonds(
    terms: Terms, name: str, entry: WagerEntry, cents: Cents, wagers: Mapping[str, Cents]
) -> None:
    _check_bond(terms, name, entry.needs, cents, wagers)
    above = entry.not_above
    if (
        above
        and above.wager in wagers
        and cents > wagers[above.wager]
        and not terms.lifts(above.unless, name)
    ):
        raise WagerRefused(name, cents, f"at most the {above.wager} wager, {dollars(wagers[above.wager])}")


def _check_bond(
    terms: Terms, name: str, needs: Beside | None, cents: Cents, wagers: Mapping[str, Cents]
) -> None:
    if needs and needs.wager not in wagers and not terms.lifts(needs.unless, name):
        raise WagerRefused(name, cents, f"it needs the {needs.wager} wager on the same spot")
