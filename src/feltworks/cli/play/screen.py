"""The player's terminal: output, input and animation; in a pipe, plain text without pauses."""

import contextlib
import select
import signal
import sys
import time
from collections.abc import Iterator
from typing import Final

from rich.console import Console, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from feltworks.cli.play import felt
from feltworks.cli.play.felt import DRAWN, TYPED, WIDEST, Deck

if sys.platform != "win32":
    import termios

_INDENT = 1


class Screen:
    """Prints to a player and reads what the player types."""

    def __init__(self, *, colour: bool = True, four_colours: bool = False, fast: bool = False) -> None:
        self.console: Final = Console(highlight=False, markup=False, emoji=False, no_color=None if colour else True)
        self.is_live: Final = self.console.is_terminal and sys.stdin.isatty()
        self.paces: Final = self.is_live and not fast
        glyphs = TYPED if self.console.options.ascii_only else DRAWN
        self.deck: Final = Deck(four_colours, glyphs)
        _prepare_input(editing=self.is_live)

    @property
    def columns(self) -> int:
        return min(self.console.width, WIDEST)

    def print(self, shown: RenderableType = "", style: str | None = None) -> None:
        """Print something at the left edge of the felt."""
        if shown == "":
            self.console.print()
            return
        text = Text(shown, style=style or "") if isinstance(shown, str) else shown
        self.console.print(Padding(text, (0, _INDENT), expand=isinstance(text, Grid)), width=self.columns)

    def draw(self, shown: RenderableType) -> None:
        """Print something that has its own width."""
        self.console.print(shown)

    def refuse(self, words: str) -> None:
        """Print a refusal, with a sign that shows without colours."""
        self.print(Text.assemble(("× ", felt.REFUSED), (words, felt.REFUSED)))

    def ask(self, prompt: str) -> str:
        """Read a typed line; raises EOFError at the end of the input."""
        line = input(f" {prompt} ")
        if not sys.stdin.isatty():
            self.console.print("".join(filter(str.isprintable, line)))  # shows piped input in the transcript
        return line.strip()

    @contextlib.contextmanager
    def animation(self) -> Iterator["Animation"]:
        """Yield a picture that is redrawn in place on a terminal; elsewhere only its last state is printed."""
        if not self.paces:
            still = Animation(None)
            yield still
            if still.last is not None:
                self.draw(still.last)
            return
        with _ignore_keys(), Live(console=self.console, auto_refresh=False) as live:
            yield Animation(live)


class Animation:
    """Redraws a picture with pauses between its states; any key skips the pauses."""

    def __init__(self, live: Live | None) -> None:
        self._live = live
        self._hurried = live is None
        self.last: RenderableType | None = None

    def show(self, picture: RenderableType, seconds: float = 0) -> None:
        """Draw the next state and pause."""
        self.last = picture
        if self._live is None:
            return
        self._live.update(picture, refresh=True)
        if seconds and not self._hurried:
            self._hurried = _has_key_within(seconds)


def _has_key_within(seconds: float) -> bool:
    if sys.platform == "win32":
        time.sleep(seconds)
        return False
    return bool(select.select([sys.stdin], [], [], seconds)[0])


@contextlib.contextmanager
def _ignore_keys() -> Iterator[None]:
    """Ignore keys during the deal: they are not echoed and do not answer the next question."""
    if sys.platform == "win32":  # keys are echoed there
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    quiet = [*before[:3], before[3] & ~(termios.ECHO | termios.ICANON), *before[4:]]
    termios.tcsetattr(sys.stdin, termios.TCSANOW, quiet)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSAFLUSH, before)


@contextlib.contextmanager
def ignore_interrupts() -> Iterator[None]:
    """Ignore Ctrl-C while wagers are returned and the summary is shown."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _prepare_input(*, editing: bool) -> None:
    """Make typed lines editable, and replace bytes that are not valid text."""
    if reconfigure := getattr(sys.stdin, "reconfigure", None):
        reconfigure(errors="replace")
    if editing:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - the import makes input() editable
