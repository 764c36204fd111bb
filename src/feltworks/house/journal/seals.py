"""The key of a house's books and the seals noted beside it, both outside the database.

The key marks every posting and signs closed periods. Somebody who can write the database file but lacks this key
cannot add a posting in another's name: the mark would be missing, and the next writer and `felt house verify` both
check it. The noted seals are those of closed periods and the last of every book, so verification notices when
postings are cut off the end of a book.
"""

import fcntl
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from hmac import compare_digest
from hmac import new as new_mac
from itertools import count
from pathlib import Path
from secrets import token_bytes
from threading import Lock
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec import Struct

from feltworks.errors import BadOption, FeltError, StorageTrouble
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
        self.unmarked = dict(unmarked or {})

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
        if number <= self.unmarked.get(book, 0):
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


_SHORTEST: Final = 16  # digits of a seal
_LINE: Final = 256  # bytes of one line; a book with too long a name is not noted


class NotedSeal(Struct, frozen=True):
    """A seal noted outside the database: beside the key, on a printed report, in a letter, in a safe."""

    book: str
    number: int
    seal: str

    def __str__(self) -> str:
        return f"{self.book}:{self.number}:{self.seal}"


def parse_seal(text: str) -> NotedSeal:
    """Read BOOK:N:SEAL.

    >>> parse_seal("house tables:12:00ff00ff00ff00ff").number
    12
    """
    name, number, seal = ("::" + text).rsplit(":", 2)
    if not (name[2:] and number.isdecimal() and len(seal) >= _SHORTEST and set(seal) <= set("0123456789abcdefABCDEF")):
        raise BadOption("expect", text, f"BOOK:N:SEAL, with {_SHORTEST} or more digits of the seal")
    return NotedSeal(name[2:], int(number), seal.lower())


def _seals_file(books: str) -> Path:
    return key_file(books).with_suffix(".seals")


def note_seal(books: str, seal: NotedSeal) -> None:
    """Note the seal of a closed period beside the key."""
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
    """The seals of closed periods beside the key of these books, as BOOK:N:SEAL, the oldest first."""
    return _read_lines(_seals_file(books))


def _read_lines(path: Path) -> list[str]:
    """The lines of a file; it is read until two reads agree, as a line may be half written."""
    try:
        while (content := path.read_text(encoding="utf-8")) != path.read_text(encoding="utf-8"):
            pass
        return [line.rstrip() for line in content.splitlines()]
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as trouble:
        raise StorageTrouble(f"the seals in {path} cannot be read: {trouble}") from None


class _Line(Struct, frozen=True):
    """A line of the file: where it begins, and which posting it names."""

    place: int
    number: int
    seal: str


class LastSeals:
    """The last seal of every book that this process posted to, in a file that only this process writes.

    A line is BOOK:N:SEAL. A process takes over the file of one that has ended; a restored copy of the books in another
    place has files of its own. A posting that follows the one on a line replaces the line. If that one is no longer
    in its book, the line stays and a new line begins, so that later postings do not erase the proof of the loss.
    """

    def __init__(self, books: str, place: str, is_stored: Callable[[NotedSeal], bool]) -> None:
        self._place = sha256(place.encode()).hexdigest()[:16]
        self._stem = f"{key_file(books).stem}.{self._place}"
        self._folder, self._is_stored = key_file(books).parent, is_stored
        self._lock, self._file, self._size = Lock(), -1, 0
        self._lines: dict[str, _Line] = {}  # the last line of each book

    def note(self, book: str, number: int, seal: bytes, follows: bytes) -> None:
        """Note a stored posting; `follows` is the seal of the posting before it.

        A folder that cannot be written does not prevent posting.
        """
        sealed = seal.hex()
        text = f"{book}:{number}:{sealed}".encode().ljust(_LINE - 1) + b"\n"
        if len(text) > _LINE or not book.isprintable():
            return
        with suppress(OSError), self._lock:
            if self._file < 0:
                self._take_file()
            line = self._lines.get(book)
            if line is not None and line.seal != follows.hex():  # another writer or thread posted between
                if not self._finds(book, line):
                    line = None
                elif number <= line.number:
                    return
            place = self._size if line is None else line.place
            os.pwrite(self._file, text, place)
            self._size = max(self._size, place + _LINE)
            self._lines[book] = _Line(place, number, sealed)

    def all(self) -> list[str]:
        """The lines of every process, as BOOK:N:SEAL.

        Those of other books that were in this place belong to them, so that nobody puts a second set of books in the
        place of the first.
        """
        return [line for path in sorted(self._folder.glob(f"*.{self._place}*.heads")) for line in _read_lines(path)]

    def close(self) -> None:
        """Leave the file to the next process."""
        with self._lock:
            if self._file >= 0:
                os.close(self._file)
                self._file = -1

    def _take_file(self) -> None:
        """Take the first file that no running process uses; its lock ends with this process."""
        for number in count():
            path = self._folder / f"{self._stem}{f'.{number}' if number else ''}.heads"
            file = open_private(str(path), os.O_RDWR | os.O_CREAT)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as trouble:
                os.close(file)
                if not isinstance(trouble, BlockingIOError):
                    raise  # the folder does not support locks
        self._file, self._lines = file, {}
        content = os.pread(file, os.fstat(file).st_size, 0)
        self._size = len(content) - len(content) % _LINE
        for place in range(0, self._size, _LINE):
            with suppress(BadOption, UnicodeDecodeError):
                noted = parse_seal(content[place : place + _LINE].decode().rstrip())
                self._lines[noted.book] = _Line(place, noted.number, noted.seal)

    def _finds(self, book: str, line: _Line) -> bool:
        try:
            return self._is_stored(NotedSeal(book, line.number, line.seal))
        except FeltError:
            return False  # an additional line does no harm
