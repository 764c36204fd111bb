"""Simulations over a WebSocket: started, streamed as they are counted, and stopped when asked or left."""

import asyncio
import secrets
from typing import Any

from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from feltworks.errors import BadOption, FeltError
from feltworks.web import wire
from feltworks.web.budget import Pace, messages_within
from feltworks.web.guests import guest_of
from feltworks.web.simulation_run import Counting
from feltworks.web.simulation_wire import Start, Stop, read_asked

AT_ONCE = 2
_SEED_BITS = 48
_OUTBOX = 64  # messages; a client that reads more slowly misses tallies, never the end


class Bench:
    """Where simulations are counted: so many at once, the others wait their turn."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self.room = asyncio.Semaphore(at_once)


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
        tab.stop()
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
        self.counting: Counting | None = None

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
        if self.counting is not None:
            self.counting.stopped = True

    def _start(self, start: Start) -> None:
        if self.running is not None and not self.running.done():
            raise FeltError("a simulation is running; stop it before another is started")
        seed = secrets.randbits(_SEED_BITS) if start.seed is None else start.seed
        loop = asyncio.get_running_loop()
        self.counting = Counting(start, seed, lambda told: loop.call_soon_threadsafe(self._tell, told))
        self.running = asyncio.create_task(self._run(self.counting))

    async def _run(self, counting: Counting) -> None:
        try:
            await asyncio.to_thread(counting.plan)
            if self.bench.room.locked():
                self._tell({"type": "waiting"})
            async with self.bench.room:
                await asyncio.to_thread(counting.count)
        except FeltError as trouble:
            self.refuse(trouble)

    def _tell(self, told: dict[str, Any]) -> None:
        if told["type"] != "tally" or self.outbox.qsize() < _OUTBOX:
            self.outbox.put_nowait(told)

    def refuse(self, trouble: FeltError) -> None:
        if isinstance(trouble, BadOption):  # the options of the command line are the fields of the page
            trouble = BadOption(trouble.option.removeprefix("--"), trouble.value, trouble.allowed)
        self._tell({"type": "refused", "kind": type(trouble).__name__, "error": str(trouble)})
