"""The papers by name: each gathers what its template asks for, at the moment of printing."""

from typing import Final

from msgspec.structs import replace

from feltworks.reports.audited import audit_report
from feltworks.reports.confirmed import ROUNDS
from feltworks.reports.layout.drawing import layout_svg, seat_svg
from feltworks.reports.order import Order
from feltworks.reports.paper import Paper
from feltworks.reports.par import par
from feltworks.reports.posting import HouseSettings, posting
from feltworks.reports.procedure import procedure
from feltworks.reports.strategy_card import strategy_card
from feltworks.reports.submission import submission

_EVERYTHING: Final = "All games"


def par_sheet(order: Order, *, rounds: int = ROUNDS, seed: int | None = None) -> Paper:
    """The probability report of a game."""
    found = par(order, rounds=rounds, seed=seed)
    return Paper(f"par-{order.game}", "par.html.j2", "PAR sheet", found.identity, {"par": found})


def submission_pack(order: Order, *, rounds: int = ROUNDS, seed: int | None = None) -> Paper:
    """Everything a filing needs."""
    found = submission(order, rounds=rounds, seed=seed)
    facts = {"pack": found, "par": found.par, "approval": order.book.approval}
    return Paper(
        f"submission-{order.game}", "submission.html.j2", "Submission pack", found.par.identity, facts
    )


def players_card(order: Order, house: HouseSettings) -> Paper:
    """What a player takes along: how the wagers are made and what they pay."""
    found = posting(order, house)
    return Paper(
        f"rack-card-{order.game}", "rack_card.html.j2", "Rack card", found.identity, {"posting": found}
    )


def table_sign(order: Order, house: HouseSettings) -> Paper:
    """What hangs at the table."""
    found = posting(order, house)
    return Paper(f"sign-{order.game}", "sign.html.j2", "Table sign", found.identity, {"posting": found})


def procedure_card(order: Order) -> Paper:
    """What a dealer keeps at hand."""
    found = procedure(order)
    facts = {"procedure": found, "layout": layout_svg(order, in_full=False), "seat": seat_svg(order)}
    return Paper(
        f"procedure-{order.game}", "procedure_card.html.j2", "Dealer's procedure", found.identity, facts
    )


def pocket_strategy(order: Order) -> Paper:
    """What fits into a pocket."""
    found = strategy_card(order)
    return Paper(
        f"strategy-card-{order.game}",
        "strategy_card.html.j2",
        "Strategy card",
        found.identity,
        {"card": found},
    )


def audit_paper(orders: list[Order]) -> Paper:
    """The audit of one document or of all; the fingerprint of several is that of all of them."""
    from feltworks.fingerprint import digest

    games, shared = audit_report(orders)
    shown = games[0].identity
    if len(games) > 1:
        whole = digest([each.identity.fingerprint for each in games])
        deviations = tuple(words for each in games for words in each.identity.deviations)
        shown = replace(shown, title=_EVERYTHING, fingerprint=whole, deviations=deviations)
    stem = f"audit-{orders[0].game}" if len(orders) == 1 else "audit"
    return Paper(stem, "audit.html.j2", "Audit of the documents", shown, {"games": games, "shared": shared})
