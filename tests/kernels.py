"""Loops are compiled once in a run: a process that needs one that another is compiling waits for its machine code."""

import fcntl
from pathlib import Path
from typing import Any

import pytest
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

_compile = Dispatcher.compile


@pytest.fixture(scope="session", autouse=True)
def one_compiler(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Locks each loop for the processes of this run while it is loaded or compiled."""
    folder = tmp_path_factory.getbasetemp().parent

    def compile_alone(loop: Any, signature: Any) -> Any:
        name = f"{loop.py_func.__module__}.{loop.py_func.__qualname__}.lock"
        # Threads of one process queue first, so that none waits for a file while it keeps others from theirs
        with global_compiler_lock, Path(folder, name).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return _compile(loop, signature)

    Dispatcher.compile = compile_alone
