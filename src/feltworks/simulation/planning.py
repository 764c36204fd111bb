"""A simulation's plan as it is written: what stands on every seat, on which terms, and how it is played."""

from collections.abc import Iterable, Sequence

import msgspec

from feltworks import catalog
from feltworks.analysis.documents.request import chosen_options
from feltworks.errors import BadOption, UnknownName
from feltworks.money import Cents
from feltworks.rules.rulebook import Rulebook
from feltworks.rules.terms import Terms
from feltworks.simulation.plan import Plan, Strategy, needed

UNIT: Cents = 100_00  # what is wagered where no amount is said: every pay comes out even


def planned(
    name: str,
    *,
    wagers: Sequence[str] | None = None,
    strategy: Strategy | None = None,
    pay_tables: Sequence[str] | None = None,
    decks: int | None = None,
    chosen: Sequence[str] | None = None,
    seats: int | None = None,
    jackpot: Cents | None = None,
    penetration: int | None = None,
    fresh: bool = False,
    alone: bool = False,
) -> Plan:
    """The plan, checked: what makes no sense is refused before any work.

    Bonus wagers get the wager they need beside them, or where they may be measured `alone` nothing.
    """
    catalog.check_game(name)
    book, asked = catalog.rulebook(name), _amounts(wagers or ())
    picked = chosen_options(book, chosen or (), decks)
    terms = Terms(book, options={**book.offers_seen(asked), **picked})
    alone = alone and strategy is None and _is_alone(terms, asked)
    seat = _seat(terms, asked, alone=alone, offered=_offered(terms, is_chosen="offers" in picked))
    options = {**book.offers_seen(seat), **picked}
    _check_table(book, seats, penetration)
    plan = Plan(
        name,
        (seat,) * (seats or 1),
        strategy or Strategy(),
        options,
        _pay_tables(book, pay_tables or (), list(asked)),
        jackpot,
        75 if penetration is None else penetration,
        fresh or (alone and penetration is None),
        alone,
    )
    plan = _posted(plan)
    plan.check()
    return plan


def _check_table(book: Rulebook, seats: int | None, penetration: int | None) -> None:
    if book.cards.shuffle == "every round" and penetration is not None:
        raise BadOption("--penetration", penetration, f"nothing: {book.title} is shuffled for every round")
    if seats is not None and seats < 1:
        raise BadOption("--seats", seats, "a whole number from 1 on")


def _posted(plan: Plan) -> Plan:
    """Where nothing is said of the jackpot it is the smallest that a house may post."""
    least = plan.table.least_posted(plan.wagers)
    if plan.jackpot is None:
        return plan if least is None else msgspec.structs.replace(plan, jackpot=least)
    if least is None:
        raise BadOption("--jackpot", plan.jackpot, "nothing where no wager wins from a jackpot")
    return plan


def _amounts(said: Sequence[str]) -> dict[str, Cents | None]:
    amounts: dict[str, Cents | None] = {}
    for each in said:
        name, equals, cents = each.partition("=")
        if equals and not cents.isdecimal():
            raise BadOption("--wager", each, "a wager, or a wager and its cents such as tie=500")
        if name in amounts:
            raise BadOption("--wager", each, f"{name} once, and --seats for more of the same")
        amounts[name] = int(cents) if equals else None
    return amounts


def _is_alone(terms: Terms, asked: Iterable[str]) -> bool:
    """Whether these wagers need one that is not asked for, and come out the same without it.

    Beside spots first cards and the dealer's hand decide them; a Tie is another wager beside an Ante (FB.13).
    """
    return catalog.game_type(terms.rulebook.name).has_spots and bool(needed(terms, asked) - set(asked))


def _offered(terms: Terms, *, is_chosen: bool) -> list[str]:
    """What a table offers where nobody asks for a wager; SP.20: of more than it may have, the first."""
    book = terms.rulebook
    placed = [name for name, entry in book.wager.items() if entry.kind != "derived"]
    if book.most_wagers and not is_chosen:
        return placed[: book.most_wagers]
    return [name for name in placed if name in terms.offers]


def _seat(
    terms: Terms, asked: dict[str, Cents | None], *, alone: bool, offered: Sequence[str]
) -> dict[str, Cents]:
    """The opening wagers of a seat: those asked for with what they need, or all that a table can offer."""
    book = terms.rulebook
    placed = [name for name, entry in book.wager.items() if entry.kind != "derived"]
    for name in asked:
        if name not in placed:
            raise UnknownName("wager", name, placed, of=book.title)
    named = set(asked or offered)
    if not alone:
        named |= needed(terms, named)
    said = {name: cents for name, cents in asked.items() if cents is not None}
    return {name: said.get(name, _usual(book, name)) for name in placed if name in named}


def _usual(book: Rulebook, wager: str) -> Cents:
    entry = book.wager[wager]
    return entry.least if entry.fixed else UNIT


def _pay_tables(book: Rulebook, said: Sequence[str], asked: list[str]) -> dict[str, str]:
    tables: dict[str, str] = {}
    for each in said:
        wager, equals, table = each.partition("=")
        if not equals and len(asked) != 1:
            wanted = f"a wager and its table, such as {next(iter(book.wager))}=1"
            raise BadOption("--pay-table", each, wanted)
        tables[wager if equals else asked[0]] = table if equals else each
    return tables
