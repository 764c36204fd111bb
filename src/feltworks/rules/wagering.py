"""May this spot be wagered so? The rules' own demands on opening wagers, before any card is dealt."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from feltworks.errors import FeltError, ImpossibleRound, UnknownName, WagerRefused
from feltworks.money import MOST_CENTS, Cents, dollars
from feltworks.rules.terms import Opening, Terms


def check_wagers(terms: Terms, wagers: Mapping[str, Cents], tokes: Mapping[str, Cents]) -> None:
    """Refuse opening wagers that the rules or the law do not allow; says what they allow."""
    openings, is_bound = terms.openings, terms.limit is not None or terms.breakage.chip > 1
    for name, cents in wagers.items():
        opening = openings.get(name)
        if opening is None:
            raise _not_offered(terms, name, cents)
        if is_bound or type(cents) is not int or not opening.least <= cents <= opening.most:
            _check_amount(terms, name, opening, cents)
        if opening.needs and opening.needs not in wagers:
            raise _alone(name, opening, cents)
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
        raise _alone(name, opening, cents)


def _alone(name: str, opening: Opening, cents: Cents) -> WagerRefused:
    return WagerRefused(name, cents, f"it needs the {opening.needs} wager on the same spot")


def _not_offered(terms: Terms, name: str, cents: object) -> FeltError:
    entry = terms.rulebook.wager.get(name)
    placed = [known for known, other in terms.rulebook.wager.items() if other.kind != "derived"]
    if entry is None:
        return UnknownName("wager", name, placed, of=terms.rulebook.title)
    if entry.kind == "derived":
        return WagerRefused(
            name, cents, f"it follows from the {entry.of} wager and is not placed before the deal"
        )
    return WagerRefused(name, cents, f"this table offers {', '.join(n for n in placed if n in terms.offers)}")


def _check_amount(terms: Terms, name: str, opening: Opening, cents: object) -> None:
    if type(cents) is not int or not 0 < cents <= MOST_CENTS:
        allowed = f"the amount is a positive whole number of cents, at most {dollars(MOST_CENTS)}"
        raise WagerRefused(name, cents, allowed)
    if not opening.least <= cents <= opening.most:
        exactly = opening.least == opening.most
        raise WagerRefused(
            name, cents, f"{'always exactly' if exactly else 'at least'} {dollars(opening.least)}"
        )
    if cents % terms.breakage.chip:
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


def check_adjacent(terms: Terms, player: str, spots: Sequence[int]) -> None:
    """FB.15, SP.24: one player's spots lie side by side and are no more than the house allows."""
    most = terms.spots_per_player
    if most is None:
        return
    if len(spots) > most or max(spots) - min(spots) >= len(spots):
        raise ImpossibleRound(
            f"player {player} may play {'one spot' if most == 1 else f'{most} adjacent spots'} at most"
        )
