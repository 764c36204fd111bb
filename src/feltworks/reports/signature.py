"""Detached Ed25519 signatures of papers, with a key that the operator makes and keeps."""

import base64
import binascii
import hashlib
from pathlib import Path
from typing import Final

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

from feltworks.errors import FeltError
from feltworks.private_files import open_private
from feltworks.reports.proof import read_file

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
