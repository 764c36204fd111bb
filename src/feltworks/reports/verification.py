"""Verifies a paper: makes it again from its own request and lists the differences, part by part."""

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from feltworks.analysis.progress import Progress
from feltworks.errors import FeltError
from feltworks.fingerprint import changed_parts, digest
from feltworks.reports.order import command_line, read_request
from feltworks.reports.paper import make_paper, pdf
from feltworks.reports.proof import (
    UNKNOWN,
    Proof,
    commit_of_source,
    differing_facts,
    embedded_proof,
    page_streams,
    proof_of,
    without_proof,
)

MOST_FACTS: Final = 12  # differences of the data that are listed; the others are counted
_ASIDE: Final = re.compile(r'<aside class="proof">.*?</aside>', re.DOTALL)
_TAGS: Final = re.compile(r"<[^>]*>")


class Difference(Struct, frozen=True):
    """A part of the paper that this software makes differently."""

    part: str  # software, rules, request, data or pages
    says: str


class Verification(Struct, frozen=True):
    """The statements of a paper about itself, and the differences from the paper made here."""

    paper: str
    command: str
    version: str
    commit: str
    software: str
    data: str
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        return not self.differences


def verify_paper(content: bytes, progress: Progress | None = None) -> Verification:
    """Make the paper again and compare; a file without a proof is refused."""
    proof = embedded_proof(content)
    differences, notes = list(_compare(proof, content, progress)), []
    here = commit_of_source()
    if proof.commit != here and UNKNOWN not in (proof.commit, here):
        notes.append(f"made from commit {proof.commit[:12]}, verified from commit {here[:12]}")
    return Verification(
        str(proof.request.get("paper", "")),
        proof.command,
        proof.version,
        proof.commit,
        proof.software_digest,
        proof.data,
        tuple(differences),
        tuple(notes),
    )


def _compare(proof: Proof, content: bytes, progress: Progress | None) -> Iterator[Difference]:
    if digest(proof.facts) != proof.data:
        yield Difference("data", "the data were changed: they do not have the digest recorded for them")
    try:
        request = read_request(proof.request)
        paper = make_paper(request, progress)
    except FeltError as refusal:
        yield Difference("request", f"the paper cannot be made here: {refusal}")
        return
    if proof.command != command_line(request):
        yield Difference("request", f"the recorded request is {command_line(request)}")
    now = proof_of(request, paper.facts, proof.commit)
    if proof.version != now.version:
        yield Difference("software", f"version {proof.version} on the paper, {now.version} here")
    yield from _parts("software", proof.software, now.software)
    yield from _parts("rules", proof.rules, now.rules)
    facts = list(differing_facts(proof.facts, now.facts))
    yield from (Difference("data", says) for says in facts[:MOST_FACTS])
    if len(facts) > MOST_FACTS:
        yield Difference("data", f"and {len(facts) - MOST_FACTS} more values")
    is_same_maker = (proof.version, proof.software, proof.rules) == (now.version, now.software, now.rules)
    yield from _pages(content, paper.html(proof.commit), is_exact=is_same_maker and not facts)


def _parts(name: str, before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[Difference]:
    for part in changed_parts(before, now):
        state = "is missing here" if part not in now else "is new here" if part not in before else "differs"
        yield Difference(name, f"{part} {state}")


def _pages(content: bytes, html: str, *, is_exact: bool) -> Iterator[Difference]:
    """Compare the pages with those made here, except the digests if other software made them."""
    if content.startswith(b"%PDF"):
        yield from (Difference("pages", says) for says in _pdf_pages(content, pdf(html), is_exact=is_exact))
        return
    text = content.decode()
    before, now = without_proof(text), without_proof(html)
    if not is_exact:
        before, now = (_ASIDE.sub("", text) for text in (before, now))
    lines = list(_lines(before, now))
    yield from lines
    if is_exact and not lines and text != html:
        yield Difference("pages", "the file is not the one printed here, though it reads the same: record or line ends")


def _pdf_pages(content: bytes, made: bytes, *, is_exact: bool) -> Iterator[str]:
    """The differing pages by number, digests on the last. A PDF has glyphs, not words, so nothing is quoted."""
    theirs, ours = page_streams(content), page_streams(made)
    if len(theirs) != len(ours):
        yield f"the file has {len(theirs)} pages, printed here it has {len(ours)}"
        return
    pairs = list(zip(theirs, ours, strict=True))[: None if is_exact else -1]
    numbers = [str(number) for number, (one, other) in enumerate(pairs, 1) if one != other]
    yield from (f"page {number} is not the one printed here from this data" for number in numbers)
    if is_exact and not numbers and content != made:
        yield "the file is not the one printed here, though its pages draw alike: their order, notes, fonts or record"


def _lines(before: str, now: str) -> Iterator[Difference]:
    matcher = difflib.SequenceMatcher(None, before.splitlines(), now.splitlines(), autojunk=False)
    changes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    for _, begin, end, here_begin, here_end in changes[:3]:
        paper = _words("\n".join(before.splitlines()[begin:end]))
        here = _words("\n".join(now.splitlines()[here_begin:here_end]))
        yield Difference("pages", _contrast(paper, here))
    if len(changes) > 3:
        yield Difference("pages", f"and {len(changes) - 3} more places")


def _words(text: str) -> str:
    return " ".join(_TAGS.sub(" ", text).split())


def _contrast(paper: str, here: str) -> str:
    """The first words that differ between two texts, with a few around them."""
    ours, theirs = paper.split(" "), here.split(" ")
    first = next((n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), 0)
    begin = max(0, first - 4)
    before, now = (" ".join(words[begin : first + 6]) for words in (ours, theirs))
    if before == now:
        return f"the markup near “{now}” differs" if now else "the markup differs where no words stand"
    quoted = [f"“{words}”" if words else "nothing" for words in (before, now)]
    return f"{quoted[0]} on the paper, {quoted[1]} printed here"
