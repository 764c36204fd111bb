"""The papers by name: each puts the facts of its template together."""

from typing import Final

from msgspec.structs import replace

from feltworks.reports.audit import audit_report
from feltworks.reports.layout.drawing import layout_svg, seat_svg
from feltworks.reports.order import Order
from feltworks.reports.paper import Paper
from feltworks.reports.par import par
from feltworks.reports.posting import HouseSettings, posting
from feltworks.reports.procedure import procedure
from feltworks.reports.request import PaperRequest
from feltworks.reports.strategy_card import strategy_card
from feltworks.reports.submission import submission

_EVERYTHING: Final = "All games"


def par_sheet(order: Order, *, rounds: int | None = None, seed: int | None = None) -> Paper:
    """The probability report of a game."""
    facts = par(order, rounds=rounds, seed=seed)
    request = PaperRequest("par", (order,), rounds=rounds, seed=seed)
    return Paper(f"par-{order.game}", "par.html.j2", "PAR sheet", facts.identity, {"par": facts}, request)


def submission_pack(order: Order, *, rounds: int | None = None, seed: int | None = None) -> Paper:
    """Everything a filing needs."""
    facts = submission(order, rounds=rounds, seed=seed)
    values = {"pack": facts, "par": facts.par, "approval": order.book.approval}
    request = PaperRequest("submission", (order,), rounds=rounds, seed=seed)
    return Paper(
        f"submission-{order.game}",
        "submission.html.j2",
        "Submission pack",
        facts.par.identity,
        values,
        request,
    )


def players_card(order: Order, house: HouseSettings) -> Paper:
    """The rack card for players: how the wagers are made and what they pay."""
    facts = posting(order, house)
    request = PaperRequest("rack-card", (order,), house)
    return Paper(
        f"rack-card-{order.game}",
        "rack_card.html.j2",
        "Rack card",
        facts.identity,
        {"posting": facts},
        request,
    )


def table_sign(order: Order, house: HouseSettings) -> Paper:
    """The sign at the table."""
    facts = posting(order, house)
    request = PaperRequest("sign", (order,), house)
    return Paper(f"sign-{order.game}", "sign.html.j2", "Table sign", facts.identity, {"posting": facts}, request)


def procedure_card(order: Order) -> Paper:
    """The dealer's procedure card."""
    facts = procedure(order)
    values = {"procedure": facts, "layout": layout_svg(order, in_full=False), "seat": seat_svg(order)}
    request = PaperRequest("procedure", (order,))
    return Paper(
        f"procedure-{order.game}",
        "procedure_card.html.j2",
        "Dealer's procedure",
        facts.identity,
        values,
        request,
    )


def pocket_strategy(order: Order) -> Paper:
    """The pocket strategy card."""
    facts = strategy_card(order)
    return Paper(
        f"strategy-card-{order.game}",
        "strategy_card.html.j2",
        "Strategy card",
        facts.identity,
        {"card": facts},
        PaperRequest("strategy-card", (order,)),
    )


def audit_paper(orders: list[Order]) -> Paper:
    """The audit of one document or of all; the fingerprint of several is that of all of them."""
    from feltworks.analysis.audit.departures import departures
    from feltworks.fingerprint import digest

    games, shared = audit_report(orders)
    identity = games[0].identity
    if len(games) > 1:
        whole = digest([game.identity.fingerprint for game in games])
        deviations = tuple(words for game in games for words in game.identity.deviations)
        identity = replace(identity, title=_EVERYTHING, fingerprint=whole, deviations=deviations)
    stem = f"audit-{orders[0].game}" if len(orders) == 1 else "audit"
    facts = {"games": games, "shared": shared, "departures": departures([order.game for order in orders])}
    request = PaperRequest("audit", tuple(orders))
    return Paper(stem, "audit.html.j2", "Audit of the documents", identity, facts, request)


def make_paper(request: PaperRequest) -> Paper:
    """The paper that a request asks for."""
    order = request.orders[0]
    match request.paper:
        case "par":
            paper = par_sheet(order, rounds=request.rounds, seed=request.seed)
        case "submission":
            paper = submission_pack(order, rounds=request.rounds, seed=request.seed)
        case "rack-card":
            paper = players_card(order, request.house)
        case "sign":
            paper = table_sign(order, request.house)
        case "procedure":
            paper = procedure_card(order)
        case "strategy-card":
            paper = pocket_strategy(order)
        case "audit":
            paper = audit_paper(list(request.orders))
    return replace(paper, request=request)
