"""The dealing procedure: the steps in order with their branches, what goes wrong, and a worked round."""

import inspect
from types import CodeType, FunctionType
from typing import Any, Final

from msgspec import Struct

from feltworks.reports.examples import OwnExample, document_examples
from feltworks.reports.identity import Identity, identity
from feltworks.reports.order import Order
from feltworks.reports.rounds import DealtRound, Step, narrate, opening_wagers, table_round
from feltworks.rules.game import Game
from feltworks.rules.guide import Chapter, dealing_procedure, irregularities
from feltworks.rules.steps import Burn, Discard, Say, Tuck
from feltworks.table.events import CardPeeked, CardsTurned, ChoiceMade, LineSettled
from feltworks.table.wording import measure
from feltworks.tracing import cited_clauses

SPOTS: Final = 2
_SEEDS: Final = range(1, 25)  # of these rounds the one that shows most is chosen


class Procedure(Struct, frozen=True):
    """The dealer's steps and cases of this table, and a round of the engine as their example.

    A rulebook that writes no steps has the clauses of its dealing code instead.
    """

    identity: Identity
    chapters: tuple[Chapter, ...]
    irregularities: tuple[Chapter, ...]
    examples: tuple[OwnExample, ...]
    seed: int
    steps: tuple[Step, ...]
    clauses: tuple[tuple[str, str], ...]
    wagers: tuple[tuple[str, str, str], ...]  # title, how large it is, clause


def procedure(order: Order) -> Procedure:
    """The procedure of the ordered table."""
    dealt = richest_round(order)
    return Procedure(
        identity(order),
        dealing_procedure(order.table),
        irregularities(order.table),
        tuple(document_examples(order)),
        dealt.seed,
        tuple(narrate(order.table.terms, dealt)),
        tuple(dealing_clauses(order, dealt)),
        tuple(sizes(order)),
    )


def richest_round(order: Order) -> DealtRound:
    """The seeded round with most kinds of events, the shortest of equals."""
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


def dealing_clauses(order: Order, dealt: DealtRound) -> list[tuple[str, str]]:
    """The clauses that the game's dealing code cites and those its log cites, in the rulebook's order."""
    sources = "\n".join(inspect.getsource(part) for part in _dealing_code(order.table))
    logged = " ".join(str(getattr(event, "clause", "")) for event in dealt.events)
    named = frozenset(cited_clauses(f"{sources} {logged}"))
    return [(id_, text) for id_, text in order.book.clause.items() if id_ in named]


def _dealing_code(game: Game) -> list[FunctionType]:
    """The procedure and gestures of a game, with every function of its file that they call."""
    home = inspect.getmodule(type(game))
    waiting: list[Any] = [game.procedure, game.gestures]
    functions: list[FunctionType] = []
    while waiting:
        part = inspect.unwrap(waiting.pop())  # looks through caches
        part = getattr(part, "__func__", part)
        if isinstance(part, FunctionType) and part not in functions and part.__module__ == type(game).__module__:
            functions.append(part)
            names = [name for code in _codes(part.__code__) for name in code.co_names]
            waiting += [getattr(game, name, getattr(home, name, None)) for name in names]
    return functions


def _codes(code: CodeType) -> list[CodeType]:
    """A function's code with that of the comprehensions within it."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return [code, *(nested for part in inner for nested in _codes(part))]


def sizes(order: Order) -> list[tuple[str, str, str]]:
    """How large each wager may be by the rules."""
    rows = []
    for name in (name for wager in order.offered for name in order.group(wager)):
        entry = order.book.wager[name]
        least = f"{entry.minimum} or more" if entry.minimum else "within the posted limits"
        fixed = f"exactly {entry.fixed}" if entry.fixed else least
        words = measure(order.table.terms, name) if entry.of else fixed
        rows.append((entry.title, words, entry.clause))
    return rows
