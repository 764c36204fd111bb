"""Machine code is kept by the sources it was made from."""

import ast
from collections.abc import Iterator
from pathlib import Path

import numba

from feltworks.machine import compiler


def test_the_cache_folder_is_named_after_all_kernels() -> None:
    folder = Path(numba.config.CACHE_DIR)  # type: ignore[attr-defined]
    assert folder.name.endswith(compiler.kernels_fingerprint())


def test_a_change_in_any_kernel_is_another_fingerprint(tmp_path: Path) -> None:
    sources = tmp_path / "kernels"
    (sources / "blackjack").mkdir(parents=True)
    for name in ("compiler.py", "blackjack/shoe.py"):
        (sources / name).write_text("x = 1\n")
    prints = {compiler.fingerprint_of(sources)}
    for name in ("compiler.py", "blackjack/shoe.py"):
        (sources / name).write_text("x = 2\n")
        prints.add(compiler.fingerprint_of(sources))
    assert len(prints) == 3


def test_every_compiled_loop_is_in_the_fingerprint() -> None:
    """Loops take in functions of other files: one that is left out would leave old machine code in use."""
    sources = Path(compiler.__file__).parents[1].rglob("*.py")
    loops = [path for path in sources if "\n@compile_loop\n" in path.read_text(encoding="utf-8")]
    assert loops
    assert not [path for path in loops if not any(path.is_relative_to(at) for at in compiler.KERNEL_FOLDERS)]


def test_only_loops_call_what_is_inlined() -> None:
    """It has no entry for Python: a call from there would end the process."""
    package = Path(compiler.__file__).parents[1]
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in package.rglob("*.py")}
    functions = [each for tree in trees.values() for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)]
    inlined = {function.name for function in functions if "inline" in _decorators(function)}
    assert {"deal", "word", "surplus"} <= inlined
    for path, tree in trees.items():
        known = inlined & _names_of_loops(tree)
        assert not [(path.name, name) for name in _called_from_python(tree) if name in known]


def _decorators(function: ast.FunctionDef) -> set[str]:
    return {each.id for each in function.decorator_list if isinstance(each, ast.Name)}


def _names_of_loops(tree: ast.Module) -> set[str]:
    """What a module defines for loops or imports."""
    imported = {alias.name for each in ast.walk(tree) if isinstance(each, ast.ImportFrom) for alias in each.names}
    defined = {each.name for each in tree.body if isinstance(each, ast.FunctionDef) and "inline" in _decorators(each)}
    return imported | defined


def _called_from_python(tree: ast.AST) -> Iterator[str]:
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.FunctionDef) and _decorators(child) & {"inline", "compile_loop"}:
            continue
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Name):
            yield child.func.id
        yield from _called_from_python(child)
