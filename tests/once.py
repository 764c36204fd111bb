"""What takes long to make is made once in a run, by whichever of its processes needs it first."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(name: str, places: pytest.TempPathFactory, make: Callable[[Path], None]) -> Path:
    """A folder of this run that `make` fills; whoever comes meanwhile waits until it is whole."""
    own = places.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / name
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = places.mktemp(name)
            make(unfinished)
            unfinished.rename(folder)
    return folder
