"""A worker process: does one job after the other for the server, and ends with it.

Jobs and answers travel as pickles with their length in front, over the pipes that the server holds.
"""

import importlib
import os
import pickle
import signal
import struct
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, BinaryIO, Literal

from feltworks.errors import FeltError

LENGTH = struct.Struct(">I")
STOP = "stop"  # sent in place of a job: the one under way may end early
Kind = Literal["told", "done", "refused", "failed"]


class Channel:
    """How a job tells how far it is; `stopped` turns true once nobody wants more than there is."""

    def __init__(self, pipe: BinaryIO) -> None:
        self._pipe = pipe
        self.stopped = False

    def __call__(self, *told: Any) -> None:
        """Tell whoever waits for the job."""
        self.send("told", told)

    def send(self, kind: Kind, content: Any) -> None:
        """Write one message."""
        self._pipe.write(pack((kind, content)))
        self._pipe.flush()


Job = Callable[[Channel], Any]  # a function of a module, or a partial of one: it has to travel


def pack(content: Any) -> bytes:
    """A message as it goes through a pipe."""
    message = pickle.dumps(content)
    return LENGTH.pack(len(message)) + message


def pack_error(error: FeltError) -> tuple[type[FeltError], tuple[Any, ...], dict[str, Any]]:
    """An error in parts: most are made from their fields, which pickle does not know."""
    return type(error), error.args, dict(vars(error))


def unpack_error(kind: type[FeltError], args: tuple[Any, ...], fields: dict[str, Any]) -> FeltError:
    """The error as it was raised in the worker.

    >>> from feltworks.errors import BadOption
    >>> error = unpack_error(*pack_error(BadOption("decks", 0, "1 to 8")))
    >>> error.option, str(error)
    ('decks', 'option decks cannot be 0; it takes 1 to 8')
    """
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(fields)
    return error


def do(job: Job, channel: Channel) -> None:
    """Do a job and send what came of it."""
    try:
        answer = job(channel)
    except FeltError as error:
        channel.send("refused", pack_error(error))
    except Exception:
        channel.send("failed", traceback.format_exc())
    else:
        channel.send("done", answer)


def listen(pipe: BinaryIO, channel: Channel, jobs: "SimpleQueue[Job]") -> None:
    """Take in jobs and stops; when the server is gone, whatever is under way ends with it."""
    with suppress(EOFError, struct.error):
        while True:
            message = pickle.loads(pipe.read(LENGTH.unpack(pipe.read(LENGTH.size))[0]))
            channel.stopped = message == STOP
            if not channel.stopped:
                jobs.put(message)
    os._exit(0)


def work() -> None:
    """Work until the server ends this process or is gone; `sys.argv` has what is imported beforehand."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the server to act on
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a stray print must not look like an answer
    channel, jobs = Channel(answers), SimpleQueue[Job]()
    threading.Thread(target=listen, args=(sys.stdin.buffer, channel, jobs), daemon=True).start()
    os.nice(int(sys.argv[1]))
    for module in sys.argv[2:]:
        importlib.import_module(module)
    with suppress(BrokenPipeError):
        while True:
            do(jobs.get(), channel)


if __name__ == "__main__":
    work()
