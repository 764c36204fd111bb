"""PDF from a paper's HTML by WeasyPrint, or one sentence on what is missing for it."""

from typing import Any, Final

from feltworks.errors import FeltError

PACKAGES: Final = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-liberation"


def pdf(html: str) -> bytes:
    """The document as PDF; the same text gives the same bytes, and nothing is fetched from a network."""
    weasyprint = _weasyprint()
    fetcher = weasyprint.urls.URLFetcher(allowed_protocols=["data"])
    content: bytes = weasyprint.HTML(string=html, url_fetcher=fetcher).write_pdf()
    return content


def _weasyprint() -> Any:
    try:
        import weasyprint  # type: ignore[import-untyped]
    except (ImportError, OSError):
        raise FeltError(
            "PDF needs WeasyPrint and the Pango libraries, which cannot be loaded here"
            f" (Debian: apt-get install {PACKAGES}); HTML needs neither"
        ) from None
    return weasyprint
