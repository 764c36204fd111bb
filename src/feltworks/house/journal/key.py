"""The key of a house's books, kept outside the database: it marks every posting and signs closed periods.

Somebody who can write the database file but lacks this key cannot add a posting in another's name: the mark would be
missing, and the next writer and `felt house verify` both check it.
"""

import os
from collections.abc import Mapping
from hashlib import sha256
from hmac import compare_digest
from hmac import new as new_mac
from pathlib import Path
from secrets import token_bytes
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec import Struct

from feltworks.errors import StorageTrouble
from feltworks.private_files import make_private_folder, open_private

FOLDER_VARIABLE: Final = "FELT_HOUSE_KEYS"
_MARKS: Final = b"feltworks marks of postings"


class _KeyFile(Struct, frozen=True):
    """The content of the file; `unmarked` has the last posting of each book from before it had a key."""

    books: str
    secret: str
    unmarked: dict[str, int] = {}


class HouseKey:
    """The secret of one house's books.

    >>> key = HouseKey(bytes(32))
    >>> key.bears_mark("gran", 1, b"seal", key.mark("gran", 1, b"seal"))
    True
    """

    def __init__(self, secret: bytes, unmarked: Mapping[str, int] | None = None) -> None:
        self._marks = new_mac(sha256(_MARKS + secret).digest(), digestmod="sha256")
        self._signer = Ed25519PrivateKey.from_private_bytes(secret)
        self._unmarked = dict(unmarked or {})

    @property
    def public(self) -> str:
        """The public key, with which others check the signatures of closed periods."""
        return self._signer.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    def mark(self, book: str, number: int, seal: bytes) -> bytes:
        """The mark of a posting: only a holder of the key can make it."""
        mac = self._marks.copy()
        mac.update(b"%s/%d/%s" % (book.encode(), number, seal))
        return mac.digest()

    def bears_mark(self, book: str, number: int, seal: bytes, mark: bytes | None) -> bool:
        """Whether a posting bears this house's mark, or is older than the key."""
        if number <= self._unmarked.get(book, 0):
            return True
        return mark is not None and compare_digest(mark, self.mark(book, number, seal))

    def sign(self, document: bytes) -> str:
        """Sign a document."""
        return self._signer.sign(document).hex()


def is_signed(document: bytes, signature: str, public: str) -> bool:
    """Whether the owner of this public key signed the document."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), document)
    except (InvalidSignature, ValueError):
        return False
    return True


def new_key() -> HouseKey:
    """A key that is not stored, for books in memory."""
    return HouseKey(token_bytes(32))


def key_file(books: str) -> Path:
    """The file with the key of these books, in FELT_HOUSE_KEYS or the user's data folder."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder:
        return Path(folder) / f"{books}.key"
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "feltworks" / "keys" / f"{books}.key"


def read_key(books: str) -> HouseKey | None:
    """The key of these books; None where it is not on this computer."""
    path = key_file(books)
    try:
        file = msgspec.json.decode(path.read_bytes(), type=_KeyFile)
        if file.books != books:
            raise StorageTrouble(f"{path} is the key of other books")
        return HouseKey(bytes.fromhex(file.secret), file.unmarked)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as trouble:
        raise StorageTrouble(f"the key of these books at {path} cannot be read: {trouble}") from None


def make_key(books: str, unmarked: Mapping[str, int]) -> HouseKey:
    """Make the key of books that have none; two processes that do so at once get the same key."""
    path = key_file(books)
    content = msgspec.json.encode(_KeyFile(books, token_bytes(32).hex(), dict(unmarked)))
    draft = path.with_name(f"{path.name}.{os.getpid()}.{token_bytes(4).hex()}")
    try:
        make_private_folder(path.parent)
        with open(draft, "wb", opener=open_private) as file:
            file.write(content)
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # another process made it first
        finally:
            draft.unlink()
    except OSError as trouble:
        raise StorageTrouble(
            f"the key of these books cannot be written to {path.parent} ({trouble.strerror}); "
            f"name another folder in {FOLDER_VARIABLE}"
        ) from None
    key = read_key(books)
    assert key is not None
    return key
