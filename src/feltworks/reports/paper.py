"""A paper: a template filled with facts, as self-contained HTML or as PDF."""

import datetime
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup, escape
from msgspec import Struct

from feltworks.analysis.figures import per_hundred_rounds
from feltworks.cards import Card
from feltworks.errors import FeltError
from feltworks.extras import require
from feltworks.money import dollars, signed_dollars
from feltworks.reports import text
from feltworks.reports.order import Identity, PaperRequest
from feltworks.reports.posting import in_two
from feltworks.reports.proof import ATTACHMENT, proof_of, proof_text
from feltworks.rules.round import Face

if TYPE_CHECKING:
    from jinja2 import Environment

PAGES: Final = {  # the sizes of a full page, a rack card and a pocket card
    "letter": {"whole": "letter", "rack": "4in 9in", "pocket": "4.25in 5.5in"},
    "a4": {"whole": "A4", "rack": "99mm 210mm", "pocket": "A6"},
}
_NO_DAY: Final = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)  # gives the same bytes at every printing
PACKAGES: Final = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-liberation"
_CSS: Final = {'"': r"\"", "\\": r"\\", "\n": " ", "<": r"\3c "}


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


def render(template: str, **facts: object) -> str:
    """A template filled with facts."""
    return _environment().get_template(template).render(**facts)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("feltworks.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    figures = (text.percent, text.points, text.with_sign, text.decimal, text.whole, text.ratio, text.net)
    texts = (text.day, text.decks, text.join_names, text.capital, text.money, text.in_groups)
    environment.filters |= {
        filter_.__name__: filter_ for filter_ in (*figures, *texts, dollars, signed_dollars, faces, breakable, command)
    }
    environment.globals["tints"] = text.TINTS
    environment.filters |= {"css": css_text, "per_hundred_rounds": per_hundred_rounds, "in_two": in_two}
    return environment


def css_text(words: str) -> Markup:
    """Text quoted for a style sheet.

    >>> css_text('Joe "Jack"')
    Markup('"Joe \\\\"Jack\\\\""')
    """
    return Markup('"' + "".join(_CSS.get(letter, letter) for letter in words) + '"')


def face(card: Face) -> Markup:
    """A printed card: rank and suit in its colour; a card face down is a blank back."""
    if not isinstance(card, Card):
        return Markup('<span class="card back"></span>')
    kind = "joker" if card.suit is None else "red" if card.suit.letter in "dh" else "black"
    return Markup('<span class="card {}">{}</span>').format(kind, text.card_words([card]))


def breakable(name: str) -> Markup:
    """A name from a program, with line breaks allowed after underscores and dots."""
    return Markup(escape(name).replace("_", Markup("_<wbr>")).replace(".", Markup(".<wbr>")))


def command(line: str) -> Markup:
    """A command with line breaks only before options, so that options stay with their values.

    >>> command("felt audit --date 2024-01-31")
    Markup('<span>felt audit</span> <span>--date 2024-01-31</span>')
    """
    first, *options = line.split(" --")
    parts = [first, *(f"--{option}" for option in options)]
    return Markup(" ").join(Markup("<span>{}</span>").format(part) for part in parts)


def faces(cards: tuple[Face, ...]) -> Markup:
    """Cards side by side."""
    return Markup(" ").join(map(face, cards))


def pdf(html: str) -> bytes:
    """The document as PDF; the same text gives the same bytes, and no network is used."""
    weasyprint = _weasyprint()
    fetcher = weasyprint.urls.URLFetcher(allowed_protocols=["data"])
    content: bytes = weasyprint.HTML(string=html, url_fetcher=fetcher).write_pdf(
        attachments=_attachments(weasyprint, html)
    )
    return content


def _attachments(weasyprint: Any, html: str) -> list[Any]:
    """The paper's data, attached so that a PDF can be verified like its HTML."""
    text = proof_text(html)
    if text is None:
        return []
    description = "How this paper was made, and its data"
    return [
        weasyprint.Attachment(string=text, name=ATTACHMENT, description=description, created=_NO_DAY, modified=_NO_DAY)
    ]


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
