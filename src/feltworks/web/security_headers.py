"""What every answer tells browsers: run nothing from elsewhere, guess nothing, and frame nothing."""

import base64
import hashlib
import re
from pathlib import Path
from typing import Final

from litestar.datastructures import MutableScopeHeaders
from litestar.types import Message, Scope

from feltworks.web.public_address import PublicAddress

HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
}
_INLINE_SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_POLICY: Final = (
    "default-src 'self'",
    "script-src 'self'{scripts}",
    "style-src 'self' 'unsafe-inline'",  # papers carry their style with them, and the felt is laid out by it
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
)


class SecurityHeaders:
    """Adds to every answer, whoever gives it, what browsers have to heed."""

    def __init__(self, address: PublicAddress, page: Path) -> None:
        self._is_secure = address.is_secure
        self._headers = {**HEADERS, "content-security-policy": content_security_policy(page)}

    async def __call__(self, message: Message, scope: Scope) -> None:
        if message["type"] != "http.response.start":
            return
        MutableScopeHeaders.from_message(message).update(self._headers)
        if self._is_secure or scope.get("scheme") == "https":
            message["headers"] = [_secured(name, value) for name, value in message["headers"]]


def content_security_policy(page: Path) -> str:
    """Scripts come from this server alone; the page's own inline one is known by its hash."""
    html = page.read_text(encoding="utf-8") if page.is_file() else ""
    hashes = "".join(f" 'sha256-{_sha256(script)}'" for script in _INLINE_SCRIPT.findall(html))
    return "; ".join(_POLICY).format(scripts=hashes)


def _sha256(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _secured(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    """A cookie that travels over TLS only; any other header as it is."""
    is_open_cookie = name.lower() == b"set-cookie" and b"; secure" not in value.lower()
    return name, value + b"; Secure" if is_open_cookie else value
