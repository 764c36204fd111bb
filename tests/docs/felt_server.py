"""A `felt` that has started already: every command of a page runs in a fork of one warm interpreter.

Run with a path it listens there; run with a path and words it asks the one there to carry them out.
"""

import json
import os
import socket
import sys

_STREAMS, _MOST = 3, 1 << 20
_WARM = (
    "analysis.analyze",
    "analysis.documents",
    "cli.main",
    "house.progressive.ledger",
    "house.users",
    "house.verification",
    "simulation.result",
    "machine.compiler",
    "simulation.run",
    "table.table",
)


def ask(path: str, words: list[str]) -> int:
    """Have the words carried out here: this folder, this environment, these streams."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.connect(path)
        asked = json.dumps([words, os.getcwd(), dict(os.environ)]).encode()
        socket.send_fds(server, [len(asked).to_bytes(4, "big")], [0, 1, 2])
        server.sendall(asked)
        status = server.recv(1)
    return status[0] if status else 1


def serve(path: str) -> None:
    """Listen until somebody ends the process."""
    import signal
    from importlib import import_module

    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as the console's entry has it; a fork takes no threads along
    for name in _WARM:
        import_module(f"feltworks.{name}")
    _hash_quickly()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(path)
        listening.listen()
        while True:
            asking, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                _carry_out(asking)
            asking.close()


def _hash_quickly() -> None:
    """Hashing is dear on purpose; no password of a page is worth anything."""
    from argon2 import PasswordHasher

    from feltworks.house import users

    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    users.default_hasher = lambda: quick


def _carry_out(asking: socket.socket) -> None:
    size, streams, _, _ = socket.recv_fds(asking, 4, _STREAMS)
    asked = b""
    while len(asked) < int.from_bytes(size, "big"):
        asked += asking.recv(_MOST)
    words, folder, environment = json.loads(asked)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    status = 1
    try:
        from feltworks.cli.main import main

        status = main(words)
        sys.stdout.flush()
    finally:
        asking.sendall(bytes([status]))
        os._exit(status)


if __name__ == "__main__":
    if len(sys.argv) == 2:
        serve(sys.argv[1])
    sys.exit(ask(sys.argv[1], sys.argv[2:]))
