"""The key of a house's books, and what is noted beside it: the seals of closings and the last seal of every book.

The key is kept outside the database: it marks every posting and signs the ends of days. Somebody who can write the
database file but has not this key cannot add a posting in another's name: the mark would be missing, and the next
writer and `felt house verify` both look for it. Nor can postings be cut off the end of a book: its last seal is noted
beside the key by whoever posted it.
"""

import fcntl
import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from hmac import compare_digest, digest
from pathlib import Path
from secrets import token_bytes
from threading import Lock
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
    """What the file holds; `unmarked` says how far each book went before it had a key."""

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
        self._marks = sha256(_MARKS + secret).digest()
        self._signer = Ed25519PrivateKey.from_private_bytes(secret)
        self._unmarked = dict(unmarked or {})

    @property
    def public(self) -> str:
        """The public key, with which others check the signed ends of days."""
        return self._signer.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    def mark(self, book: str, number: int, seal: bytes) -> bytes:
        """The mark of a posting: only a holder of the key can make it."""
        return digest(self._marks, b"%s/%d/%s" % (book.encode(), number, seal), "sha256")

    def bears_mark(self, book: str, number: int, seal: bytes, mark: bytes | None) -> bool:
        """Whether a posting bears this house's mark, or is older than the key."""
        if number <= self._unmarked.get(book, 0):
            return True
        return mark is not None and compare_digest(mark, self.mark(book, number, seal))

    def sign(self, document: bytes) -> str:
        """Sign a document."""
        return self._signer.sign(document).hex()


def is_signed(document: bytes, signature: str, public: str) -> bool:
    """Whether this public key's holder signed the document."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), document)
    except (InvalidSignature, ValueError):
        return False
    return True


def new_key() -> HouseKey:
    """A key that is written nowhere, for books in memory."""
    return HouseKey(token_bytes(32))


def key_file(books: str) -> Path:
    """Where the key of these books lies: FELT_HOUSE_KEYS, or the user's data folder."""
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


def _seals_file(books: str) -> Path:
    return key_file(books).with_suffix(".seals")


def note_seal(books: str, seal: str) -> None:
    """Note a seal beside the key, where somebody who can write the database alone does not reach it."""
    path = _seals_file(books)
    try:
        with open(path, "a", encoding="utf-8", opener=open_private) as file:
            file.write(f"{seal}\n")
    except OSError as trouble:
        raise StorageTrouble(
            f"what was closed is closed, but its seal cannot be noted in {path} ({trouble.strerror}); note it "
            f"yourself, for `felt house verify --expect {seal}`"
        ) from None


def noted_seals(books: str) -> list[str]:
    """The seals beside the key of these books, as BOOK:N:SEAL, the oldest first."""
    try:
        return _seals_file(books).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as trouble:
        raise StorageTrouble(f"the seals in {_seals_file(books)} cannot be read: {trouble}") from None


def make_key(books: str, unmarked: Mapping[str, int]) -> HouseKey:
    """Make the key of books that have none; of two processes that do so at once both get the same one."""
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
            pass  # another process was first
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


_LINE: Final = 256  # bytes of one line; a book whose name leaves no room is not noted


class LastSeals:
    """The last seal of every book at one place, a line a book, renewed by every process that posts there.

    A line is BOOK:N:SEAL. A restored copy elsewhere has lines of its own. Where a book is found shorter than its line
    says, that line stays and another begins, so that nobody loses the proof by posting on.
    """

    def __init__(self, books: str, place: str) -> None:
        digest_of_place = sha256(place.encode()).hexdigest()[:16]
        self.path = key_file(books).with_suffix(f".{digest_of_place}.heads")
        self._lock, self._file = Lock(), -1
        self._places: dict[str, int] = {}  # the last line of a book, while the file has this size
        self._size = 0
        self._own: dict[str, int] = {}  # the last posting of a book that this process noted

    def goes_beyond(self, book: str, number: int) -> bool:
        """Whether a later posting of a book than this one is noted, so that the book was cut off there."""
        with suppress(OSError), self._lock:
            if self._find(book)[1] <= number:
                return False
            fcntl.flock(self._file, fcntl.LOCK_EX)  # what was read may have been half written
            try:
                return self._find(book)[1] > number
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)
        return False

    def note(self, book: str, number: int, seal: bytes, cut_at: int | None = None) -> str:
        """Note a posting that is stored; returns the line that stays instead where it names a later posting.

        `cut_at` is the number with which the book was found to end where more had been noted. A folder that cannot be
        written keeps nobody from posting.
        """
        line = f"{book}:{number}:{seal.hex()}".encode().ljust(_LINE - 1) + b"\n"
        if len(line) > _LINE or not book.isprintable():
            return ""
        with suppress(OSError), self._lock:
            if cut_at is None and self._follows_own(book, number):
                os.pwrite(self._file, line, self._places[book])
                self._own[book] = number
                return ""
            self._open()
            fcntl.flock(self._file, fcntl.LOCK_EX)
            try:
                place, noted = self._find(book)
                self._own[book] = number
                if place < 0 or (cut_at is not None and noted > cut_at):
                    os.pwrite(self._file, line, self._size)
                    self._places.pop(book, None)
                elif number > noted:
                    os.pwrite(self._file, line, place)
                elif (other := os.pread(self._file, _LINE, place)) != line:
                    return other.decode().rstrip()
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)
        return ""

    def all(self) -> list[str]:
        """Every line, as BOOK:N:SEAL."""
        try:
            return [line.rstrip() for line in self.path.read_text(encoding="utf-8").splitlines()]
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as trouble:
            raise StorageTrouble(f"the seals in {self.path} cannot be read: {trouble}") from None

    def _follows_own(self, book: str, number: int) -> bool:
        """Whether the line is still that of the posting before, by this process, so that no lock is needed."""
        if self._own.get(book) != number - 1 or self._places.get(book, -1) < 0:
            return False
        return _number(os.pread(self._file, _LINE, self._places[book]), f"{book}:".encode()) == number - 1

    def _open(self) -> None:
        if self._file < 0:
            self._file = open_private(str(self.path), os.O_RDWR | os.O_CREAT)

    def _find(self, book: str) -> tuple[int, int]:
        """Where the last line of a book begins, and the number in it; -1 and 0 where it has none."""
        self._open()
        size = os.fstat(self._file).st_size
        if size != self._size:  # another book has come, or a book was cut off and goes on in another line
            self._places, self._size = {}, size
        begins = f"{book}:".encode()
        if book not in self._places:
            content = os.pread(self._file, size, 0)
            places = (at for at in range(0, size, _LINE) if content.startswith(begins, at))
            self._places[book] = max((at for at in places if _number(content[at : at + _LINE], begins)), default=-1)
        place = self._places[book]
        return place, _number(os.pread(self._file, _LINE, place), begins) if place >= 0 else 0

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._file >= 0:
                os.close(self._file)
                self._file, self._places, self._own, self._size = -1, {}, {}, 0


def _number(line: bytes, begins: bytes) -> int:
    """The number in a line of a book; 0 where it is another's whose name only begins alike."""
    number, _, seal = line.removeprefix(begins).partition(b":")
    return int(number) if number.isdigit() and b":" not in seal else 0
