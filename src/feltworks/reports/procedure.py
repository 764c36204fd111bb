"""The dealing procedure: the steps in order with branches, irregularities, and a worked round."""

from typing import Final

from msgspec import Struct

from feltworks.reports.order import Identity, Order, identity
from feltworks.reports.rounds import (
    DealtRound,
    OwnExample,
    Step,
    document_examples,
    narrate,
    opening_wagers,
    table_round,
)
from feltworks.rules.guide import Chapter, dealing_procedure, irregularities
from feltworks.rules.steps import Burn, Discard, Say, Tuck
from feltworks.table.events import CardPeeked, CardsTurned, ChoiceMade, LineSettled
from feltworks.table.wording import measure

SPOTS: Final = 2
_SEEDS: Final = range(1, 25)  # the round of these that shows most is chosen


class Procedure(Struct, frozen=True):
    """The steps and cases of this table, with a round of the engine as an example.

    A rulebook without steps shows its clauses instead.
    """

    identity: Identity
    chapters: tuple[Chapter, ...]
    irregularities: tuple[Chapter, ...]
    examples: tuple[OwnExample, ...]
    seed: int
    steps: tuple[Step, ...]
    clauses: tuple[tuple[str, str], ...]
    wagers: tuple[tuple[str, str, str], ...]  # title, size, clause


def procedure(order: Order) -> Procedure:
    """The dealing procedure of the ordered table."""
    dealt, chapters = richest_round(order), dealing_procedure(order.table)
    return Procedure(
        identity(order),
        chapters,
        irregularities(order.table),
        tuple(document_examples(order)),
        dealt.seed,
        tuple(narrate(order.table.terms, dealt)),
        () if chapters else tuple(order.book.clause.items()),
        tuple(sizes(order)),
    )


def richest_round(order: Order) -> DealtRound:
    """The seeded round with most kinds of events, and of these the shortest."""
    game = order.table
    seats = [opening_wagers(game, order.offered)] * SPOTS
    return max((table_round(game, seats, seed) for seed in _SEEDS), key=_variety)


def _variety(dealt: DealtRound) -> tuple[int, int]:
    kinds: set[object] = set()
    for event in dealt.events:
        if isinstance(event, ChoiceMade):
            kinds.add((event.name, event.about))
        elif isinstance(event, LineSettled):
            kinds.add((event.wager, bool(event.taken), bool(event.paid)))
        elif isinstance(event, Say | Tuck | Burn | Discard | CardsTurned | CardPeeked):
            kinds.add((type(event), getattr(event, "clause", "")))
    return len(kinds), -len(dealt.events)


def sizes(order: Order) -> list[tuple[str, str, str]]:
    """The size of each wager under the rules."""
    rows = []
    for name in (name for wager in order.offered for name in order.group(wager)):
        entry = order.book.wager[name]
        least = f"{entry.minimum} or more" if entry.minimum else "within the posted limits"
        fixed = f"exactly {entry.fixed}" if entry.fixed else least
        words = measure(order.table.terms, name) if entry.of else fixed
        rows.append((entry.title, words, entry.clause))
        together = (order.book.wager[other] for other in order.companions(name))
        rows += [(other.title, f"as much as the {entry.title}", other.clause) for other in together]
    return rows
