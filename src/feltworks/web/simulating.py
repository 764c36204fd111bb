"""Simulations over a WebSocket: started, streamed as they are counted, and stopped when asked or left."""

import asyncio
import logging
import secrets
from functools import partial
from typing import Any

from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from feltworks.errors import BadOption, FeltError
from feltworks.web import wire
from feltworks.web.budget import Pace, messages_within
from feltworks.web.guests import guest_of
from feltworks.web.simulation_run import Counting, count
from feltworks.web.simulation_wire import Start, Stop, read_asked
from feltworks.web.workers import WorkerFault, Workers

AT_ONCE = 2
_SEED_BITS = 48
_OUTBOX = 64  # messages; a client that reads more slowly misses tallies, never the end
_log = logging.getLogger(__name__)


class Bench:
    """Where simulations are counted: so many at once, the others wait their turn."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self.room = asyncio.Semaphore(at_once)
        self.workers = Workers(at_once)

    async def close(self) -> None:
        """End what is counted."""
        await self.workers.close()


@websocket("/simulate")
async def simulate(socket: WebSocket[Any, Any, Any]) -> None:
    """Serve one tab: one simulation at a time, until it closes."""
    await socket.accept()
    tab = _Tab(socket.app.state.bench)
    pace = Pace(socket.app.state.budgets.actions.of(guest_of(socket).session))
    sending = asyncio.create_task(_send(socket, tab))
    try:
        async for text in messages_within(pace, socket, lambda _, trouble: tab.refuse(trouble)):
            tab.carry_out(text)
    except WebSocketDisconnect:
        pass
    finally:
        tab.leave()
        sending.cancel()


async def _send(socket: WebSocket[Any, Any, Any], tab: "_Tab") -> None:
    while True:
        await socket.send_data(wire.written(await tab.outbox.get()).decode())


class _Tab:
    """A client with the simulation it has asked for."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.outbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.running: asyncio.Task[None] | None = None
        self.stopping = asyncio.Event()

    def carry_out(self, text: str) -> None:
        try:
            match read_asked(text):
                case Start() as start:
                    self._start(start)
                case Stop():
                    self.stop()
        except FeltError as trouble:
            self.refuse(trouble)

    def stop(self) -> None:
        """Have the counting end at the next look; one that still waits its turn does not begin."""
        self.stopping.set()

    def leave(self) -> None:
        """Nobody wants the result any more: what is counted ends at once."""
        if self.running is not None:
            self.running.cancel()

    def _start(self, start: Start) -> None:
        if self.running is not None and not self.running.done():
            raise FeltError("a simulation is running; stop it before another is started")
        seed = secrets.randbits(_SEED_BITS) if start.seed is None else start.seed
        self.stopping = asyncio.Event()
        self.running = asyncio.create_task(self._run(start, seed))

    async def _run(self, start: Start, seed: int) -> None:
        try:
            await asyncio.to_thread(Counting(start, seed).plan)
            if self.bench.room.locked():
                self._tell({"type": "waiting"})
            job = partial(count, start, seed)
            async with self.bench.room:
                result = await self.bench.workers.do(job, self._tell, self.stopping)
            self._tell({"type": "done", "result": result})  # last of all: another may be started now
        except WorkerFault:
            _log.exception("a simulation failed")
            self.refuse(FeltError("the simulation failed by a fault of the server's own"))
        except FeltError as trouble:
            self.refuse(trouble)

    def _tell(self, told: dict[str, Any]) -> None:
        if told["type"] != "tally" or self.outbox.qsize() < _OUTBOX:
            self.outbox.put_nowait(told)

    def refuse(self, trouble: FeltError) -> None:
        if isinstance(trouble, BadOption):  # the options of the command line are the fields of the page
            trouble = BadOption(trouble.option.removeprefix("--"), trouble.value, trouble.allowed)
        self._tell({"type": "refused", "kind": type(trouble).__name__, "error": str(trouble)})
