"""The papers by name: each gathers the facts for its template."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.audit.audit import departures
from feltworks.analysis.progress import Progress
from feltworks.fingerprint import digest
from feltworks.reports.audit import audit_report
from feltworks.reports.layout.drawing import layout_svg, seat_svg
from feltworks.reports.order import Identity, Order, PaperName, PaperRequest
from feltworks.reports.paper import Paper
from feltworks.reports.par import par
from feltworks.reports.posting import posting
from feltworks.reports.procedure import procedure
from feltworks.reports.strategy_card import strategy_card
from feltworks.reports.submission import submission

_KINDS: Final[Mapping[PaperName, str]] = {  # the kind of paper at the head of every page
    "par": "PAR sheet",
    "submission": "Submission pack",
    "rack-card": "Rack card",
    "sign": "Table sign",
    "procedure": "Dealer's procedure",
    "strategy-card": "Strategy card",
    "audit": "Audit of the documents",
}


class _Content(Struct, frozen=True):
    """The facts that a template is filled with."""

    identity: Identity
    facts: Mapping[str, object]


def make_paper(request: PaperRequest, progress: Progress | None = None) -> Paper:
    """Make the paper of a request."""
    names = [order.game for order in request.orders]
    stem = f"{request.paper}-{names[0]}" if len(names) == 1 else request.paper
    content = _content(request, progress)
    return Paper(stem, _KINDS[request.paper], content.identity, content.facts, request)


def _content(request: PaperRequest, progress: Progress | None) -> _Content:
    order = request.orders[0]
    match request.paper:
        case "par":
            par_facts = par(order, rounds=request.rounds, seed=request.seed, progress=progress)
            return _Content(par_facts.identity, {"par": par_facts})
        case "submission":
            pack = submission(order, rounds=request.rounds, seed=request.seed, progress=progress)
            return _Content(pack.par.identity, {"pack": pack, "par": pack.par, "approval": order.book.approval})
        case "rack-card" | "sign":
            posted = posting(order, request.house)
            return _Content(posted.identity, {"posting": posted})
        case "procedure":
            steps = procedure(order)
            drawings = {"layout": layout_svg(order, in_full=False), "seat": seat_svg(order)}
            return _Content(steps.identity, {"procedure": steps, **drawings})
        case "strategy-card":
            card = strategy_card(order)
            return _Content(card.identity, {"card": card})
        case "audit":
            return _audit(request.orders)


def _audit(orders: tuple[Order, ...]) -> _Content:
    """The audit of one document or of all; several share one combined fingerprint."""
    games, shared = audit_report(list(orders))
    identity = games[0].identity
    if len(games) > 1:
        whole = digest([game.identity.fingerprint for game in games])
        deviations = tuple(words for game in games for words in game.identity.deviations)
        identity = replace(identity, title="All games", fingerprint=whole, deviations=deviations)
    facts = {"games": games, "shared": shared, "departures": departures([order.game for order in orders])}
    return _Content(identity, facts)
