"""The Python interface as pages: what every module says of itself, its public names and their signatures.

Source text is read, nothing is imported: a signature stands on the page as it is written.
"""

import ast
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from markdown_text import NOTE, page, table

PACKAGE = Path(str(files("feltworks")))
_ENTRIES = (
    "analyze",
    "question",
    "figures",
    "referee",
    "strategy/optimal",
    "strategy/report",
    "joint",
    "audit/audit",
    "audit/readings",
)
_RUNS = ("plan", "run", "rounds/kernel", "workers", "tally", "checkpoint", "result")
# A page a package; where a package has many modules, those that others enter by.
CONTENTS = {
    "values": ("Cards, money and errors", ["cards.py", "money.py", "errors.py", "catalog.py"]),
    "rules": ("The grammar of a round", ["rules/*.py", "rules/rulebook/*.py"]),
    "table": ("A live table", ["table/*.py"]),
    "dealing": ("Dealing", ["dealing/*.py"]),
    "written": ("Written rounds", ["written/*.py"]),
    "definition": ("Tracing and fingerprints", ["tracing.py", "fingerprint.py"]),
    "analysis": (
        "Exact analysis",
        [*(f"analysis/{name}.py" for name in _ENTRIES), "analysis/documents/*.py"],
    ),
    "simulation": ("Simulation", [f"simulation/{name}.py" for name in _RUNS]),
}


def python_pages() -> dict[str, str]:
    """The pages by their place in the site."""
    made = {name: _package(title, _found(patterns)) for name, (title, patterns) in CONTENTS.items()}
    return {
        "reference/python/index.md": _index(),
        **{f"reference/python/{n}.md": text for n, text in made.items()},
    }


def _found(patterns: list[str]) -> list[Path]:
    paths = [path for pattern in patterns for path in sorted(PACKAGE.glob(pattern))]
    return [path for path in paths if path.name != "__init__.py"]


def _index() -> str:
    rows = [
        [f"[{title}]({name}.md)", ", ".join(_module(path) for path in _found(patterns))]
        for name, (title, patterns) in CONTENTS.items()
    ]
    words = "Names that begin with an underscore are nobody else's business and are not listed."
    return page("# Python interface", words, table(["page", "modules"], rows), NOTE)


def _module(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def _package(title: str, paths: list[Path]) -> str:
    return page(f"# {title}", NOTE, *(part for path in paths for part in _described(path)))


def _described(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield f"## feltworks.{_module(path)}"
    yield _words(tree)
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from _class(node)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield f"`{_signature(node)}`"
            yield f": {_words(node)}".replace("\n", "\n    ")


def _class(node: ast.ClassDef) -> Iterator[str]:
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    yield f"### {node.name}"
    yield f"`class {node.name}({bases})`" if bases else f"`class {node.name}`"
    yield _words(node)
    yield table(["", ""], [*_fields(node), *_methods(node)])


def _fields(node: ast.ClassDef) -> Iterator[list[str]]:
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and not ast.unparse(each.target).startswith("_"):
            yield [f"`{ast.unparse(each)}`", ""]


def _methods(node: ast.ClassDef) -> Iterator[list[str]]:
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
            first = _words(each).partition("\n\n")[0]
            yield [f"`{_signature(each)}`", first]


def _signature(node: ast.FunctionDef) -> str:
    arguments = node.args
    if arguments.args and arguments.args[0].arg in ("self", "cls"):
        arguments = ast.arguments(**{**vars(arguments), "args": arguments.args[1:]})
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({ast.unparse(arguments)}){returned}"


def _words(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> str:
    """A docstring; its examples stand as code."""
    written = ast.get_docstring(node) or ""
    before, mark, examples = written.partition(">>> ")
    return f"{before.rstrip()}\n\n```pycon\n{mark}{examples}\n```" if mark else written
