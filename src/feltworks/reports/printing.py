"""PDF from a paper's HTML by WeasyPrint, or one sentence on what is missing for it."""

from typing import Any, Final

from feltworks.errors import FeltError
from feltworks.extras import require

PACKAGES: Final = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-liberation"


def pdf(html: str) -> bytes:
    """The document as PDF; the same text gives the same bytes, and nothing is fetched from a network."""
    weasyprint = _weasyprint()
    fetcher = weasyprint.urls.URLFetcher(allowed_protocols=["data"])
    content: bytes = weasyprint.HTML(string=html, url_fetcher=fetcher).write_pdf()
    return content


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
