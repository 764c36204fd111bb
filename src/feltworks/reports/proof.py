"""The proof of a paper: the request that made it, the software and rules, and its data; and its signature.

The proof is embedded in the HTML and attached to the PDF, so that anyone can make the paper again. Signatures are
detached Ed25519 ones, with a key that the operator makes and keeps.
"""

import base64
import binascii
import datetime
import hashlib
import re
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)
from msgspec import Struct

from feltworks import __version__
from feltworks.analysis.analyze import Answer, Question
from feltworks.errors import FeltError
from feltworks.fingerprint import PACKAGE, definition, differing_values, digest, short_value
from feltworks.private_files import open_private
from feltworks.reports.order import Order, PaperRequest, command_line

ATTACHMENT: Final = "paper.json"
UNKNOWN: Final = "not recorded"
_BEGIN: Final = '<script type="application/json" id="paper">'
_EMBEDDED: Final = re.compile(re.escape(_BEGIN) + r"(.*?)</script>", re.DOTALL)
_STREAM: Final = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
_SOURCES: Final = (".py", ".toml", ".j2")  # the files that compute and print, without the browser pages


class Proof(Struct, frozen=True, omit_defaults=True):
    """What made a paper: compared part by part when the paper is verified."""

    version: str
    commit: str
    software: Mapping[str, str]  # the digest of every file of the program
    rules: Mapping[str, str]  # the digest of every part of the games' definitions
    request: Mapping[str, object]
    command: str
    data: str  # the digest of the facts
    facts: object = None

    @property
    def software_digest(self) -> str:
        return digest(dict(self.software))

    @property
    def document(self) -> str:
        """The proof as JSON that is safe in a page."""
        text = msgspec.json.encode(self).decode()
        return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def proof_of(request: PaperRequest, facts: Mapping[str, object], commit: str | None = None) -> Proof:
    """The proof of a paper with these facts and this request."""
    plain = plain_facts(facts)
    parts = [{**definition(order.table), **_law_parts(order)}.items() for order in request.orders]
    return Proof(
        __version__,
        commit or commit_of_source(),
        software_parts(),
        {part: value for items in parts for part, value in items},
        msgspec.to_builtins(request),
        command_line(request),
        digest(plain),
        plain,
    )


def _law_parts(order: Order) -> dict[str, str]:
    """The digest of every legal value in force; houses may replace them with a file."""
    return {f"law: {subject}": digest(entry) for subject, entry in order.profile.values.items()}


def software_parts() -> dict[str, str]:
    """The digest of every file that computes or prints, by its path in the package."""
    paths = (path for path in PACKAGE.rglob("*") if path.suffix in _SOURCES)
    return {path.relative_to(PACKAGE).as_posix(): digest(path.read_text("utf-8")) for path in sorted(paths)}


def commit_of_source(root: Path = PACKAGE.parents[1]) -> str:
    """The commit of the source tree that this program runs from; empty if there is none."""
    try:
        folder = root / ".git"
        if folder.is_file():  # in a worktree
            folder = root / folder.read_text("utf-8").removeprefix("gitdir:").strip()
        head = (folder / "HEAD").read_text("utf-8").strip()
        common = folder / "commondir"
        shared = folder / common.read_text("utf-8").strip() if common.is_file() else folder
    except OSError:
        return UNKNOWN
    name = head.removeprefix("ref: ")
    return head if name == head else _commit_of(name, folder, shared)


def _commit_of(name: str, *folders: Path) -> str:
    for folder in folders:
        if (folder / name).is_file():
            return (folder / name).read_text("utf-8").strip()
        packed = folder / "packed-refs"
        lines = packed.read_text("utf-8").splitlines() if packed.is_file() else []
        for line in lines:
            commit, _, packed_name = line.partition(" ")
            if packed_name == name:
                return commit
    return UNKNOWN


def plain_facts(value: object) -> object:
    """Facts as JSON: exact numbers as fractions, records by their fields."""
    if value is None or isinstance(value, bool | int | float | str):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Question):
        return value.wager
    if isinstance(value, Answer):  # its situations are intermediate results
        return {"figures": plain_facts(value.figures)}
    if isinstance(value, Struct):
        return {field: plain_facts(getattr(value, field)) for field in value.__struct_fields__}
    if isinstance(value, Mapping):
        return {str(key): plain_facts(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_facts(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(str(plain_facts(item)) for item in value)
    if isinstance(value, datetime.date):
        return str(value)
    return type(value).__name__  # an object that computes and is never printed


def embedded_proof(content: bytes) -> Proof:
    """The proof in an HTML or PDF paper."""
    text = _proof_in_pdf(content) if content.startswith(b"%PDF") else _proof_in_html(content)
    if text is None:
        raise FeltError("the file carries no proof: it is no paper of felt report, or another program wrote it anew")
    try:
        return msgspec.json.decode(text, type=Proof)
    except (msgspec.DecodeError, RecursionError) as trouble:
        raise FeltError(f"the proof of the file cannot be read: {trouble}") from None


def _proof_in_html(content: bytes) -> str | None:
    try:
        proofs = _EMBEDDED.findall(content.decode())
    except UnicodeDecodeError:
        return None
    if len(proofs) > 1:
        raise FeltError(f"the file carries {len(proofs)} proofs; a paper of felt report has one")
    return proofs[0] if proofs else None


def _proof_in_pdf(content: bytes) -> str | None:
    """The attachment of a PDF by WeasyPrint: a compressed stream of its own."""
    proofs = [text for text in _streams(content) if text.startswith(b'{"version":')]
    if len(proofs) > 1:
        raise FeltError(f"the file carries {len(proofs)} proofs; a paper of felt report has one")
    return proofs[0].decode() if proofs else None


def page_streams(content: bytes) -> list[bytes]:
    """The text streams of a PDF, page by page."""
    return [text for text in _streams(content) if b"\nBT\n" in text]


def _streams(content: bytes) -> Iterator[bytes]:
    for stream in _STREAM.finditer(content):
        with suppress(zlib.error):
            yield zlib.decompress(stream[1])


def proof_text(html: str) -> str | None:
    """The proof in a page's text, for the attachment of its PDF."""
    match = _EMBEDDED.search(html)
    return match[1] if match else None


def without_proof(html: str) -> str:
    """The text of a page without its embedded proof."""
    return _EMBEDDED.sub("", html)


def differing_facts(before: object, now: object) -> Iterator[str]:
    """The paths of facts that differ between a paper and this computation."""
    for path, one, other in differing_values(before, now):
        yield f"{path}: {short_value(one)} on the paper, {short_value(other)} computed here"


def read_file(path: Path) -> bytes:
    """A file's bytes; raises an error with one sentence if they cannot be read."""
    try:
        return path.read_bytes()
    except OSError as trouble:
        raise FeltError(f"{path} cannot be read: {trouble.strerror}") from None


SUFFIX: Final = ".sig"
PUBLIC: Final = ".pub"
_HEAD: Final = "feltworks-signature-1"


def make_key(path: Path) -> Path:
    """Make a key: the private one, readable by its owner alone, and the public one beside it, which is returned."""
    public = path.with_name(path.name + PUBLIC)
    for each in (path, public):
        if each.exists():
            raise FeltError(f"{each} exists already; a key is never overwritten")
    if not path.parent.is_dir():
        raise FeltError(f"{path.parent} is no folder; a key is written into an existing one")
    key = Ed25519PrivateKey.generate()
    with open(path, "wb", opener=open_private) as file:
        file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return public


def sign_file(path: Path, key_path: Path) -> Path:
    """Write the signature of a file beside it; returns the path."""
    key = _private_key(key_path)
    content = read_file(path)
    lines = (_HEAD, _text(_raw(key.public_key())), _text(key.sign(content)))
    signature = path.with_name(path.name + SUFFIX)
    signature.write_text("\n".join(lines) + "\n", encoding="ascii")
    return signature


def check_signature(content: bytes, signature: Path, public_path: Path | None) -> str:
    """Who signed the file, in words; refuses a signature that does not fit the file or the key."""
    public, signed = _read(signature)
    if public_path is not None and _raw(read_public_key(public_path)) != public:
        raise FeltError(f"{signature.name} was made with another key than {public_path.name}")
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signed, content)
    except InvalidSignature:
        raise FeltError(f"{signature.name} does not fit the file: it was changed after it was signed") from None
    name = f"key {hashlib.sha256(public).hexdigest()[:16]}"
    if public_path is None:
        return f"signed with {name}; --public-key checks whose it is"
    return f"signed with {name}, which is {public_path.name}"


def _read(signature: Path) -> tuple[bytes, bytes]:
    lines = read_file(signature).decode("ascii", "replace").split()
    try:
        head, public, signed = lines
        keys = base64.b64decode(public, validate=True), base64.b64decode(signed, validate=True)
    except (ValueError, binascii.Error):
        head, keys = "", (b"", b"")
    if head != _HEAD or (len(keys[0]), len(keys[1])) != (32, 64):
        raise FeltError(f"{signature.name} is no signature of felt report signature")
    return keys


def _private_key(path: Path) -> Ed25519PrivateKey:
    try:
        key = load_pem_private_key(read_file(path), None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise FeltError(f"{path} is no private key of felt report key")
    return key


def read_public_key(path: Path) -> Ed25519PublicKey:
    """The public key in a file; refuses a file without one."""
    try:
        key = load_pem_public_key(read_file(path))
    except ValueError:
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise FeltError(f"{path} is no public key of felt report key")
    return key


def _raw(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")
