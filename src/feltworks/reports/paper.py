"""The papers by name: each a template filled with gathered facts, as self-contained HTML or as PDF."""

import datetime
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.audit.audit import departures
from feltworks.analysis.progress import Progress
from feltworks.errors import FeltError
from feltworks.extras import require
from feltworks.fingerprint import digest
from feltworks.reports.audit import audit_report
from feltworks.reports.layout.drawing import layout_svg, seat_svg
from feltworks.reports.order import Identity, Order, PaperName, PaperRequest
from feltworks.reports.par import par
from feltworks.reports.posting import posting, procedure
from feltworks.reports.proof import ATTACHMENT, proof_of, proof_text
from feltworks.reports.strategy_card import strategy_card
from feltworks.reports.submission import submission
from feltworks.reports.text import render

PAGES: Final = {  # the sizes of a full page, a rack card and a pocket card
    "letter": {"whole": "letter", "rack": "4in 9in", "pocket": "4.25in 5.5in"},
    "a4": {"whole": "A4", "rack": "99mm 210mm", "pocket": "A6"},
}
_NO_DAY: Final = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)  # gives the same bytes at every printing
PACKAGES: Final = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-liberation"
_KINDS: Final[Mapping[PaperName, str]] = {  # the kind of paper at the head of every page
    "par": "PAR sheet",
    "submission": "Submission pack",
    "rack-card": "Rack card",
    "sign": "Table sign",
    "procedure": "Dealer's procedure",
    "strategy-card": "Strategy card",
    "audit": "Audit of the documents",
}


class Paper(Struct, frozen=True):
    """A file name, the identity of the rules, and the facts of the template."""

    stem: str
    kind: str  # the kind of paper at the head of every page
    identity: Identity
    facts: Mapping[str, object]
    request: PaperRequest

    def html(self, commit: str | None = None) -> str:
        """The whole document, self-contained, with the proof of how it was made.

        The commit is that of the source of the running program, unless given.
        """
        return render(
            f"{self.request.paper.replace('-', '_')}.html.j2",
            paper=self,
            identity=self.identity,
            sizes=PAGES[self.request.page],
            proof=proof_of(self.request, self.facts, commit),
            **self.facts,
        )


def make_paper(request: PaperRequest, progress: Progress | None = None) -> Paper:
    """Make the paper of a request."""
    names = [order.game for order in request.orders]
    stem = f"{request.paper}-{names[0]}" if len(names) == 1 else request.paper
    return Paper(stem, _KINDS[request.paper], *_content(request, progress), request)


def _content(request: PaperRequest, progress: Progress | None) -> tuple[Identity, Mapping[str, object]]:
    """The identity of the rules, and the facts that the template is filled with."""
    order = request.orders[0]
    match request.paper:
        case "par":
            par_facts = par(order, rounds=request.rounds, seed=request.seed, progress=progress)
            return par_facts.identity, {"par": par_facts}
        case "submission":
            pack = submission(order, rounds=request.rounds, seed=request.seed, progress=progress)
            return pack.par.identity, {"pack": pack, "par": pack.par, "approval": order.book.approval}
        case "rack-card" | "sign":
            posted = posting(order, request.house)
            return posted.identity, {"posting": posted}
        case "procedure":
            steps = procedure(order)
            drawings = {"layout": layout_svg(order, in_full=False), "seat": seat_svg(order)}
            return steps.identity, {"procedure": steps, **drawings}
        case "strategy-card":
            card = strategy_card(order)
            return card.identity, {"card": card}
        case "audit":
            return _audit(request.orders)


def _audit(orders: tuple[Order, ...]) -> tuple[Identity, Mapping[str, object]]:
    """The audit of one document or of all; several share one combined fingerprint."""
    games, shared = audit_report(list(orders))
    identity = games[0].identity
    if len(games) > 1:
        whole = digest([game.identity.fingerprint for game in games])
        deviations = tuple(words for game in games for words in game.identity.deviations)
        identity = replace(identity, title="All games", fingerprint=whole, deviations=deviations)
    facts = {"games": games, "shared": shared, "departures": departures([order.game for order in orders])}
    return identity, facts


def pdf(html: str) -> bytes:
    """The document as PDF, its data attached; the same text gives the same bytes, and no network is used."""
    weasyprint = _weasyprint()
    text, about = proof_text(html), "How this paper was made, and its data"
    data = {"string": text, "name": ATTACHMENT, "description": about, "created": _NO_DAY, "modified": _NO_DAY}
    attachments = [] if text is None else [weasyprint.Attachment(**data)]
    fetcher = weasyprint.urls.URLFetcher(allowed_protocols=["data"])
    content: bytes = weasyprint.HTML(string=html, url_fetcher=fetcher).write_pdf(attachments=attachments)
    return content


def _weasyprint() -> Any:
    try:
        require("pdf")
        import weasyprint  # type: ignore[import-untyped]
    except OSError:  # WeasyPrint is installed, but not the libraries it loads
        raise FeltError(
            "writing PDF needs the Pango libraries, which cannot be loaded here"
            f" (Debian: apt-get install {PACKAGES}); HTML needs none"
        ) from None
    return weasyprint
