"""Traces clauses: the lines of code and data that implement each, and the tests that prove it."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from feltworks import catalog
from feltworks.errors import UnknownName

PACKAGE = Path(__file__).parent
PROJECT = PACKAGE.parents[1]
# A citation is an id or a range of them: XY.7, XY.16–18, XY.16-XY.18
_CITATION = re.compile(r"\b([A-Z]{1,4})\.(\d+)(?:[–-](?:\1\.)?(\d+))?(?!\d)")
_SECTION = re.compile(r"\[\[?([a-z_]+)[^\]]*\]\]?\s*(?:#.*)?")
_DESCRIPTIVE = frozenset(["clause", "waiting", "reading"])  # sections that describe clauses

Places = Mapping[str, list[str]]


class ClauseTrace(Struct, frozen=True):
    """One clause with everything that cites it."""

    id: str
    text: str
    implemented: list[str]
    tests: list[str]
    waiting: str | None = None  # the reason why a clause is not implemented yet

    def missing(self, *, tests_known: bool = True) -> list[str]:
        """What the clause lacks: code, a test, or both."""
        if self.waiting is not None:
            return []
        lacks_test = tests_known and not self.tests
        return [word for word, lacks in (("code", not self.implemented), ("test", lacks_test)) if lacks]


def cited_clauses(text: str) -> list[str]:
    """The ids of the clauses that a text cites, ranges expanded.

    >>> cited_clauses("XY.4: as XY.16–18 say; see XZ.3-XZ.5")
    ['XY.4', 'XY.16', 'XY.17', 'XY.18', 'XZ.3', 'XZ.4', 'XZ.5']
    """
    ids = []
    for document, first, last in _CITATION.findall(text):
        ids += [f"{document}.{number}" for number in range(int(first), int(last or first) + 1)]
    return ids


def trace(selected: Iterable[str] = ()) -> list[ClauseTrace]:
    """Every clause of every rulebook, or those selected by id, by range or by document (its letters)."""
    texts, waiting = _clauses()
    chosen = _select(list(selected), list(texts))
    code, proofs = places(), proving_tests()
    return [ClauseTrace(id_, texts[id_], code.get(id_, []), proofs.get(id_, []), waiting.get(id_)) for id_ in chosen]


def _clauses() -> tuple[dict[str, str], dict[str, str]]:
    whole = catalog.rulebook_files().keys() - catalog.broken_books().keys()
    books = [catalog.rulebook(name) for name in sorted(whole)]
    # An including book may rewrite a clause under its own letter; the first text is its own book's
    texts = {id_: text for book in reversed(books) for id_, text in book.clause.items()}
    waiting = {id_: text for book in books for id_, text in book.waiting.items()}
    return dict(sorted(texts.items(), key=lambda item: _order(item[0]))), waiting


def _order(id_: str) -> tuple[str, int]:
    document, _, number = id_.partition(".")
    return document, int(number)


def _select(wanted: list[str], known: list[str]) -> list[str]:
    if not wanted:
        return known
    documents = dict.fromkeys(id_.partition(".")[0] for id_ in known)
    chosen: set[str] = set()
    for word in wanted:
        whole = [id_ for id_ in known if id_.startswith(f"{word}.")]
        ids = whole if word in documents else cited_clauses(word)
        if not ids or not set(ids) <= set(known):
            raise UnknownName("clause", word, [*documents, "an id such as " + known[0]])
        chosen.update(ids)
    return [id_ for id_ in known if id_ in chosen]


def places() -> Places:
    """The citations of each clause in code and in the facts of the rulebooks."""
    found_places: dict[str, list[str]] = defaultdict(list)
    for place, line in [*_code_lines(), *_rulebook_lines()]:
        for id_ in dict.fromkeys(cited_clauses(line)):
            found_places[id_].append(place)
    return found_places


def _code_lines() -> Iterator[tuple[str, str]]:
    """All lines of code; an id is not valid Python, so it occurs only in comments and strings."""
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        yield from _numbered_lines(path, module)
    for folder in _own_folders():
        for path in sorted(folder.glob("*.py")):
            if not path.name.startswith("test_"):
                yield from _numbered_lines(path, path.stem)


def _rulebook_lines() -> Iterator[tuple[str, str]]:
    for path in catalog.rulebook_files().values():
        where = f"{path.parent.name}/{path.name}"
        section = ""
        for place, line in _numbered_lines(path, where):
            if heading := _SECTION.fullmatch(line.rstrip()):
                section = heading[1]
            elif section not in _DESCRIPTIVE:
                yield place, line


def _numbered_lines(path: Path, name: str) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        yield f"{name}:{number}", line


def _own_folders() -> list[Path]:
    folders = dict.fromkeys(path.parent for path in catalog.rulebook_files().values())
    return [folder for folder in folders if not folder.is_relative_to(PACKAGE)]


def files_of_tests() -> list[tuple[Path, Path]]:
    """Every test file with the folder for its relative name; empty if only the package is installed."""
    in_project = (PROJECT / "pyproject.toml").exists() and PACKAGE.parent.name == "src"
    shipped = sorted((PROJECT / "tests").rglob("test_*.py")) if in_project else []
    own = [(path, folder) for folder in _own_folders() for path in sorted(folder.glob("test_*.py"))]
    return [(path, PROJECT) for path in shipped] + own


def proving_tests() -> Places:
    """The tests marked with `@pytest.mark.clause(...)`, by clause."""
    tests: dict[str, list[str]] = defaultdict(list)
    for path, root in files_of_tests():
        for test, ids in clause_marks(path.read_text(encoding="utf-8")):
            for id_ in dict.fromkeys(ids):
                tests[id_].append(f"{path.relative_to(root).as_posix()}::{test}")
    return tests


def clause_marks(source: str) -> Iterator[tuple[str, list[str]]]:
    """The tests of a file with their clauses, marked on the test, its class or the whole file."""
    tree = ast.parse(source)
    bound = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    everywhere = _marks([bound["pytestmark"]], bound) if "pytestmark" in bound else []
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            within = everywhere + _marks(node.decorator_list, bound)
            for name, ids in _marked_tests(node.body, bound):
                yield f"{node.name}::{name}", within + ids
    for name, ids in _marked_tests(tree.body, bound):
        yield name, everywhere + ids


def _marked_tests(body: list[ast.stmt], bound: Mapping[str, ast.expr]) -> Iterator[tuple[str, list[str]]]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            yield node.name, _marks(node.decorator_list, bound)


def _marks(expressions: Iterable[ast.expr], bound: Mapping[str, ast.expr]) -> list[str]:
    """The ids in `clause(...)` marks of these expressions, with the file's own names resolved."""
    ids: list[str] = []
    for node in [inner for expression in expressions for inner in ast.walk(expression)]:
        if isinstance(node, ast.Name) and node.id in bound:
            ids += _marks([bound[node.id]], {})
        elif isinstance(node, ast.Call) and _is_clause(node.func):
            ids += [id_ for argument in node.args for id_ in _argument_clauses(argument, bound)]
    return ids


def _argument_clauses(argument: ast.expr, bound: Mapping[str, ast.expr]) -> list[str]:
    value = argument.value if isinstance(argument, ast.Starred) else argument
    value = bound.get(value.id, value) if isinstance(value, ast.Name) else value
    texts = [node.value for node in ast.walk(value) if isinstance(node, ast.Constant)]
    return [id_ for text in texts if isinstance(text, str) for id_ in cited_clauses(text)]


def _is_clause(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and function.attr == "clause"
