"""`felt report verify`, `key` and `signature`: checks papers against their own data, and signs them."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.exceptions import Exit

from feltworks.cli.options import json_option
from feltworks.cli.output import Page, print_json

if TYPE_CHECKING:
    from feltworks.reports.verification import Verification

DIFFERS: Final = 1  # the exit status if a paper is not what this software makes
_file_argument = click.argument("file", type=click.Path(path_type=Path), help="A paper, .html or .pdf.")


@click.command()
@_file_argument
@click.option("--signature", type=click.Path(path_type=Path), metavar="FILE", help="FILE.sig unless given.")
@click.option("--public-key", type=click.Path(path_type=Path), metavar="FILE", help="The signer's public key.")
@json_option
def verify(file: Path, signature: Path | None, public_key: Path | None, as_json: bool) -> None:
    """Make a paper again from its own data and print what differs: software, rules, request, data, pages.

    Exits 0 when the paper is what this software makes, 1 when something differs.
    """
    from feltworks.cli.progress import progress_bar
    from feltworks.reports.proof import read_file
    from feltworks.reports.verification import verify_paper

    content = read_file(file)
    signer, trouble = _check_signature(content, file, signature, public_key)
    with progress_bar("Making the paper again") as progress:
        verification = verify_paper(content, progress)
    if as_json:
        print_json(_document(file, verification, signer, trouble))
    else:
        _show(file, verification, signer, trouble)
    if trouble or not verification.agrees:
        raise Exit(DIFFERS)


def _check_signature(content: bytes, file: Path, signature: Path | None, public_key: Path | None) -> tuple[str, str]:
    """The signer of the file, and the fault of the signature; both empty if there is no signature."""
    from feltworks.errors import FeltError
    from feltworks.reports.proof import SUFFIX, check_signature, read_public_key

    if public_key is not None:
        read_public_key(public_key)  # a file that is not a key is bad input, not a bad signature
    path = signature or file.with_name(file.name + SUFFIX)
    if not path.exists():
        is_wanted = signature is not None or public_key is not None
        return "", f"there is no signature {path.name}" if is_wanted else ""
    try:
        return check_signature(content, path, public_key), ""
    except FeltError as refusal:
        return "", str(refusal)


def _document(file: Path, verification: "Verification", signer: str, trouble: str) -> dict[str, object]:
    return {
        "file": str(file),
        "paper": verification.paper,
        "agrees": verification.agrees and not trouble,
        "command": verification.command,
        "version": verification.version,
        "commit": verification.commit,
        "software": verification.software,
        "data": verification.data,
        "signature": {"signer": signer, "fault": trouble},
        "differences": verification.differences,
        "notes": verification.notes,
    }


def _show(file: Path, verification: "Verification", signer: str, trouble: str) -> None:
    page = Page()
    page.print_whole(f"{file}: {verification.command}")
    for text in (signer, *verification.notes):
        if text:
            page.print(f"{text[:1].upper()}{text[1:]}.")
    if trouble:
        page.print(f"Signature: {trouble}.")
    for each in verification.differences:
        page.print(f"{each.part.capitalize()}: {each.says}.")
    if verification.agrees:
        page.print("The paper is what this software makes of its own data.")
    page.close()


@click.command()
@click.argument("file", type=click.Path(path_type=Path), help="Where the private key goes; FILE.pub is the public one.")
@json_option
def key(file: Path, as_json: bool) -> None:
    """Make a key that signs papers. Keep the private file to yourself and give the public one away."""
    from feltworks.reports.proof import make_key

    public = make_key(file)
    if as_json:
        print_json({"private": str(file), "public": str(public)})
        return
    page = Page()
    page.print_whole(str(file))
    page.print_whole(str(public))
    page.close()


@click.command()
@_file_argument
@click.option(
    "--key",
    "key_file",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="The private key.",
)
@json_option
def signature(file: Path, key_file: Path, as_json: bool) -> None:
    """Sign a paper: write FILE.sig beside it, which `felt report verify` checks."""
    from feltworks.reports.proof import sign_file

    path = sign_file(file, key_file)
    if as_json:
        print_json({"file": str(file), "signature": str(path)})
        return
    page = Page()
    page.print_whole(str(path))
    page.close()
