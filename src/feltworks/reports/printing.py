"""PDF from a paper's HTML by WeasyPrint, or one sentence on what is missing for it."""

import datetime
from typing import Any, Final

from feltworks.errors import FeltError
from feltworks.extras import require
from feltworks.reports.proof import ATTACHMENT, proof_text

_NO_DAY: Final = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)  # the same bytes whenever it is printed
PACKAGES: Final = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-liberation"


def pdf(html: str) -> bytes:
    """The document as PDF; the same text gives the same bytes, and nothing is fetched from a network."""
    weasyprint = _weasyprint()
    fetcher = weasyprint.urls.URLFetcher(allowed_protocols=["data"])
    content: bytes = weasyprint.HTML(string=html, url_fetcher=fetcher).write_pdf(
        attachments=_attachments(weasyprint, html)
    )
    return content


def _attachments(weasyprint: Any, html: str) -> list[Any]:
    """The paper's data, so that a PDF can be verified like the page it was made from."""
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
    except OSError:  # WeasyPrint is there, and the libraries it loads are not
        raise FeltError(
            "writing PDF needs the Pango libraries, which cannot be loaded here"
            f" (Debian: apt-get install {PACKAGES}); HTML needs none"
        ) from None
    return weasyprint
