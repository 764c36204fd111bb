"""The dealing procedure: one seeded round that shows most of it, and the clauses the game is dealt by."""

import inspect
from types import CodeType, FunctionType
from typing import Any, Final

from msgspec import Struct

from feltworks.reports.engine import DealtRound, opening_wagers, table_round
from feltworks.reports.identity import Identity, identity
from feltworks.reports.narration import Told, told
from feltworks.reports.order import Order
from feltworks.rules.game import Game
from feltworks.rules.steps import Burn, Discard, Say, Tuck
from feltworks.table.events import CardPeeked, CardsTurned, ChoiceMade, LineSettled
from feltworks.table.wording import measure
from feltworks.tracing import cited_clauses

SPOTS: Final = 2
_SEEDS: Final = range(1, 25)  # looked through for the round that shows most


class Procedure(Struct, frozen=True):
    """Steps from a real round, and the clauses in full."""

    identity: Identity
    seed: int
    steps: tuple[Told, ...]
    clauses: tuple[tuple[str, str], ...]
    wagers: tuple[tuple[str, str, str], ...]  # title, how large it is, clause


def procedure(order: Order) -> Procedure:
    """The procedure of the ordered table."""
    dealt = richest_round(order)
    return Procedure(
        identity(order),
        dealt.seed,
        tuple(told(order.table.terms, dealt)),
        tuple(dealing_clauses(order, dealt)),
        tuple(sizes(order)),
    )


def richest_round(order: Order) -> DealtRound:
    """Of some seeded rounds the one with most different things in it, the shortest of equals."""
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


def _dealing_code(game: Game[Any]) -> list[FunctionType]:
    """What a game deals and gestures by, with every function of its file that is called from there."""
    home = inspect.getmodule(type(game))
    waiting: list[Any] = [game.procedure, game.gestures]
    found: list[FunctionType] = []
    while waiting:
        part = inspect.unwrap(waiting.pop())  # what is remembered counts as well
        part = getattr(part, "__func__", part)
        if isinstance(part, FunctionType) and part not in found and part.__module__ == type(game).__module__:
            found.append(part)
            names = [name for code in _codes(part.__code__) for name in code.co_names]
            waiting += [getattr(game, name, getattr(home, name, None)) for name in names]
    return found


def _codes(code: CodeType) -> list[CodeType]:
    """A function's code with that of the comprehensions within it."""
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return [code, *(found for each in inner for found in _codes(each))]


def sizes(order: Order) -> list[tuple[str, str, str]]:
    """How large each wager may be, as the rules say it."""
    found = []
    for name in (each for wager in order.offered for each in order.group(wager)):
        entry = order.book.wager[name]
        least = f"{entry.minimum} or more" if entry.minimum else "within the posted limits"
        fixed = f"exactly {entry.fixed}" if entry.fixed else least
        words = measure(order.table.terms, name) if entry.of else fixed
        found.append((entry.title, words, entry.clause))
    return found
