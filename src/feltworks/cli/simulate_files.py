"""The files of a simulation's result: its document and its drawing, checked before the work."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from feltworks.errors import BadOption
from feltworks.simulation.checkpoint import check_writable, replace_file


class ResultFiles:
    """Where `--output` and `--plot` put the result; a folder's drawing is named by game and kind."""

    def __init__(self, output: Path | None, plot: Path | None) -> None:
        self.output, self.plot = output, plot
        if output is not None and (output.is_dir() or not output.parent.is_dir()):
            raise BadOption("--output", str(output), "a file in a folder that is there")
        if plot is not None and not plot.is_dir() and (plot.suffix != ".svg" or not plot.parent.is_dir()):
            wanted = "a folder, or a file that ends in .svg in a folder that is there"
            raise BadOption("--plot", str(plot), wanted)
        for path in filter(None, (output, self._drawing("felt"))):
            check_writable(path)

    def keep(self, told: dict[str, Any], kind: str, draw: Callable[[], str]) -> None:
        """Write what was asked for, each file whole or not at all."""
        if self.output is not None:
            replace_file(self.output, msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n")
        if drawing := self._drawing(f"{told['game']}-{kind or 'edges'}"):
            replace_file(drawing, draw().encode())

    def _drawing(self, name: str) -> Path | None:
        return self.plot / f"{name}.svg" if self.plot is not None and self.plot.is_dir() else self.plot
