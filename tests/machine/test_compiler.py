"""Machine code is kept by the sources it was made from."""

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
