"""Long work of the laboratory: questions, computed once and cancelled when nobody waits, and streamed simulations."""

import asyncio
import logging
import secrets
import shlex
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import msgspec
from litestar import Response, websocket
from litestar.exceptions import TooManyRequestsException, WebSocketDisconnect
from msgspec import Meta, Struct

from feltworks.analysis.progress import Progress
from feltworks.errors import BadOption, FeltError
from feltworks.web.lab.documents import MeasuredWager, SimulationResult, WorkProgress
from feltworks.web.tables.messages import encode_message, read_message
from feltworks.web.visitors import Budgets, Connection, Socket, address_of, messages_within
from feltworks.web.workers import Channel, Job, WorkerFault, Workers

if TYPE_CHECKING:
    from fractions import Fraction

    from feltworks.simulation.plan import Plan
    from feltworks.simulation.run import Run, RunResult
    from feltworks.simulation.tally import Tally
    from feltworks.simulation.workers import Threads

QUESTIONS_AT_ONCE: Final = 3  # questions computed at the same time
QUESTIONS_OF_ADDRESS: Final = 2  # of these for one address
MOST_WAITING: Final = 24
MOST_CACHED: Final = 64  # answers
MOST_CACHED_BYTES: Final = 16_000_000  # of all cached answers together
CLIENT_CLOSED_REQUEST: Final = 499  # for the logs only, as the client has left
Document = bytes  # the encoded body of a response
Compute = Callable[[Progress], Awaitable[Document]]
Disconnect = Callable[[], Awaitable[None]]


class Busy(FeltError):
    """The queue is full."""

    def __init__(self) -> None:
        super().__init__(f"{MOST_WAITING} questions are being computed; ask again when one is answered")


class ClientLeft(Exception):
    """The client closed the connection before the answer came."""


class Work:
    """A question being computed: its title, its progress and how many clients wait for it."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.began = time.monotonic()
        self.share: float | None = None  # None while the progress is unknown
        self.waiting = 0
        self.task: asyncio.Task[Document] | None = None

    def report(self, done: float, total: float) -> None:
        """Set how much of the work is done."""
        self.share = done / total if total else None


class WorkQueue:
    """Computes each question once for all clients and caches the answers."""

    def __init__(self) -> None:
        self._running: dict[str, Work] = {}
        self._cache: OrderedDict[str, Document] = OrderedDict()

    def progress(self, key: str) -> WorkProgress | None:
        """The progress of a question; None if it is not being computed."""
        work = self._running.get(key)
        return WorkProgress(work.title, work.share, round(time.monotonic() - work.began, 1)) if work else None

    async def answer(self, key: str, title: str, compute: Compute, disconnect: Disconnect) -> Document:
        """Return the cached or computed answer; `disconnect` returns when the client has left."""
        if key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key]
        leaving = asyncio.ensure_future(disconnect())
        try:
            work = self._running.get(key) or self._start(key, title, compute)
            return await self._wait(leaving, key, work)
        finally:
            leaving.cancel()

    def _start(self, key: str, title: str, compute: Compute) -> Work:
        if len(self._running) >= MOST_WAITING:
            raise Busy
        work = self._running[key] = Work(title)
        work.task = asyncio.create_task(self._run(key, work, compute))
        work.task.add_done_callback(_ignore_exception)
        return work

    async def _run(self, key: str, work: Work, compute: Compute) -> Document:
        try:
            answer = await compute(work.report)
        finally:
            self._drop(key, work)
        self._store(key, answer)
        return answer

    def _store(self, key: str, answer: Document) -> None:
        self._cache[key] = answer
        while len(self._cache) > MOST_CACHED or sum(map(len, self._cache.values())) > MOST_CACHED_BYTES:
            self._cache.popitem(last=False)

    async def _wait(self, leaving: "asyncio.Future[None]", key: str, work: Work) -> Document:
        """Wait for the answer or until the client leaves; cancel the work when the last client has left."""
        assert work.task is not None
        work.waiting += 1
        try:
            both: set[asyncio.Future[Document] | asyncio.Future[None]] = {work.task, leaving}
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            work.waiting -= 1
            if not work.waiting and not work.task.done():
                self._drop(key, work)
                work.task.cancel()
        if not work.task.done():
            raise ClientLeft
        return work.task.result()

    def _drop(self, key: str, work: Work) -> None:
        """Remove finished or cancelled work, unless the same question has been started again."""
        if self._running.get(key) is work:
            del self._running[key]


def _ignore_exception(task: "asyncio.Task[Document]") -> None:
    """Retrieve the exception of abandoned work, so that asyncio does not log it."""
    if not task.cancelled():
        task.exception()


async def job_response(
    request: Connection, title: str, job: Job[Document], media_type: str, *, saved_as: str = ""
) -> Response[Any]:
    """Run a job and respond with its answer; with `saved_as` the browser saves it under that name."""
    state = request.app.state
    queue: WorkQueue = state.work_queue
    workers: Workers = state.workers
    budgets: Budgets = state.budgets
    query = request.url.query
    key = request.url.path + (f"?{query}" if query else "")
    try:
        with budgets.question(request.scope):
            document = await queue.answer(
                key,
                title,
                lambda report: workers.do(job, report, address=address_of(request.scope)),
                lambda: _wait_for_disconnect(request),
            )
    except BadOption as error:  # options of the command line are fields of the page
        raise BadOption(error.option.removeprefix("--"), error.value, error.allowed) from None
    except ClientLeft:
        return Response(b"", status_code=CLIENT_CLOSED_REQUEST)
    headers = {"content-disposition": f'attachment; filename="{saved_as}"'} if saved_as else {}
    return Response(document, media_type=media_type, headers=headers)


async def _wait_for_disconnect(request: Connection) -> None:
    """Wait until the client closes the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


SIMULATIONS_AT_ONCE: Final = 2
SIMULATIONS_OF_ADDRESS: Final = 1
TURN_SECONDS: Final = 60.0  # a simulation that has counted for so long ends early if another one waits
_LOOK_SECONDS: Final = 0.5
MOST_ROUNDS: Final = 10**10
FIRST_TALLIES: Final = (1_000, 3_162, 10_000, 31_623, 100_000, 316_228)  # rounds
_TALLY_EVERY: Final = 0.2  # seconds
_SEED_BITS: Final = 48
MOST_QUEUED: Final = 64  # messages; a slower client misses tallies and refusals, but never the result
_FILES: Final = (".json", ".toml")
_LOG: Final = logging.getLogger(__name__)
Word = Annotated[str, Meta(max_length=60)]
Words = Annotated[tuple[Word, ...], Meta(max_length=40)]
Count = Annotated[int, Meta(ge=1, le=1000)]

# Messages.


class SimulatorAction(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """A message of a client to the simulator."""


class Start(SimulatorAction, frozen=True):
    """Simulate so many rounds; words are as the command line takes them."""

    game: Word
    wagers: Words = ()
    strategy: Word = ""
    pay_tables: Words = ()
    decks: Count | None = None
    set: Words = ()
    seats: Count | None = None
    jackpot: Annotated[int, Meta(ge=0, le=10**12)] | None = None
    penetration: Count | None = None
    fresh: bool = False
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = 10_000_000
    seed: Annotated[int, Meta(ge=0, le=2**62)] | None = None


class Stop(SimulatorAction, frozen=True):
    """Stop counting; the result so far follows."""


class WaitMessage(Struct, frozen=True, tag_field="type", tag="waiting"):
    """Other simulations run; so many that wait come first."""

    ahead: int


class BeginMessage(Struct, frozen=True, tag_field="type", tag="started"):
    """The rounds are being counted; `command` gives the same result."""

    seed: int
    of: int
    command: str


class TallyMessage(Struct, frozen=True, tag_field="type", tag="tally"):
    """The figures after the rounds so far."""

    rounds: int
    of: int
    seconds: float
    rounds_per_second: int
    wagers: dict[str, MeasuredWager]


class ResultMessage(Struct, frozen=True, tag_field="type", tag="done"):
    """The result, after all rounds, after a stop, or after a minute because another simulation waits."""

    result: SimulationResult
    made_way: bool


class SimulationRefusal(Struct, frozen=True, tag_field="type", tag="refused"):
    """A message that was not carried out, and why."""

    kind: str
    error: str


SimulatorMessage = WaitMessage | BeginMessage | TallyMessage | ResultMessage | SimulationRefusal
_decoder: Final[msgspec.json.Decoder[Start | Stop]] = msgspec.json.Decoder(Start | Stop)


# One simulation; it runs in a worker process.


class _Stop(Exception):
    """The client has asked to stop."""


class SimulationRun:
    """One simulation. `plan` runs in a thread and `count` in a worker, since both import large packages."""

    def __init__(self, start: Start, seed: int) -> None:
        self.start, self.seed = start, seed
        self._plan: Plan | None = None
        self._last_tally = self._began = 0.0
        self._exact: dict[str, Fraction | float | None] = {}

    def plan(self) -> "Plan":
        """Make the plan; raises an error if the terms cannot be simulated."""
        from feltworks.simulation.plan import OPTIMAL, Strategy, make_plan

        start = self.start
        if start.strategy.endswith(_FILES):
            raise BadOption("strategy", start.strategy, f"a strategy's name, such as {OPTIMAL}, not a file")
        return make_plan(
            start.game,
            wagers=start.wagers,
            strategy=Strategy(start.strategy or OPTIMAL),
            pay_tables=start.pay_tables,
            decks=start.decks,
            chosen=start.set,
            seats=start.seats,
            jackpot=start.jackpot,
            penetration=start.penetration,
            fresh=start.fresh,
        )

    def count(self, channel: Channel) -> SimulationResult:
        """Count all rounds or those before a stop; returns the result document, with more fields than its type."""
        from feltworks.simulation.result import exact_edges, result_document
        from feltworks.simulation.run import Run
        from feltworks.simulation.workers import Threads, machine_workers

        self._channel = channel
        run = Run(self.plan(), self.seed, rounds=self.start.rounds)
        channel(BeginMessage(self.seed, self.start.rounds, self.command))
        self._exact = exact_edges(run.plan)
        workers = max(1, machine_workers() - 1)  # leaves a core to the tables
        with Threads(workers) as threads:
            result = self._simulate(run, threads)
        document = result_document(run, result, workers=workers, command=self.command, exact=self._exact)
        return cast(SimulationResult, document)

    def _simulate(self, run: "Run", threads: "Threads") -> "RunResult":
        from feltworks.simulation.run import RunResult

        compiling = run.warm()
        self._began = time.perf_counter()
        try:
            self._send_first_tallies(run)
            return run.simulate(threads, self._send_progress)
        except _Stop:
            return RunResult(run.tally, time.perf_counter() - self._began, compiling, interrupted=True)

    def _send_first_tallies(self, run: "Run") -> None:
        """Send tallies of the first rounds, so that the chart begins where the spread is wide."""
        from feltworks.simulation.rounds.kernel import count_batch

        plan = run.plan.to_json()
        for rounds in (number for number in FIRST_TALLIES if number < self.start.rounds):
            if self._channel.stopped:
                raise _Stop
            self._send_tally(run, count_batch(plan, self.seed, rounds=rounds, batch=0))

    def _send_progress(self, run: "Run") -> None:
        if self._channel.stopped:
            raise _Stop
        if run.tally.rounds and time.perf_counter() - self._last_tally > _TALLY_EVERY:
            self._last_tally = time.perf_counter()
            self._send_tally(run, run.tally)

    def _send_tally(self, run: "Run", tally: "Tally") -> None:
        from feltworks.simulation.result import wager_documents

        seconds = time.perf_counter() - self._began
        wagers = msgspec.convert(wager_documents(run, tally, self._exact), dict[str, MeasuredWager])
        pace = round(tally.rounds / max(seconds, 1e-9))
        self._channel(TallyMessage(tally.rounds, self.start.rounds, round(seconds, 2), pace, wagers))

    @property
    def command(self) -> str:
        """The command line that gives the same result."""
        start = self.start
        words = ["felt", "simulate", start.game, "--rounds", str(start.rounds), "--seed", str(self.seed)]
        lists = {"--wager": start.wagers, "--pay-table": start.pay_tables, "--set": start.set}
        words += [word for option, values in lists.items() for value in values for word in (option, value)]
        for option in ("strategy", "decks", "seats", "jackpot", "penetration"):
            if (value := getattr(start, option)) not in (None, ""):
                words += [f"--{option}", str(value)]
        return shlex.join([*words, "--fresh"] if start.fresh else words)


def run_simulation(start: Start, seed: int, channel: Channel) -> SimulationResult:
    """Run a simulation; the job of a worker."""
    return SimulationRun(start, seed).count(channel)


# The WebSocket.


@websocket("/simulate")
async def simulate(socket: Socket) -> None:
    """Serve a tab until it closes, with one simulation at a time."""
    await socket.accept()
    budgets: Budgets = socket.app.state.budgets
    tab = SimulatorTab(socket.app.state.simulations, budgets, address_of(socket.scope))
    pace = budgets.pace(socket.scope)
    sending = asyncio.create_task(_send(socket, tab))
    try:
        async for text in messages_within(pace, socket, lambda _, error: tab.refuse(error)):
            tab.carry_out(text)
    except WebSocketDisconnect:
        pass
    finally:
        tab.leave()
        sending.cancel()


async def _send(socket: Socket, tab: "SimulatorTab") -> None:
    while True:
        await socket.send_data(encode_message(await tab.outbox.get()).decode())


class SimulatorTab:
    """A client and its simulation."""

    def __init__(self, workers: Workers, budgets: Budgets, address: str) -> None:
        self.workers, self.budgets, self.address = workers, budgets, address
        self.outbox: asyncio.Queue[SimulatorMessage] = asyncio.Queue()
        self.running: asyncio.Task[None] | None = None
        self.stopping, self.begun, self.made_way = asyncio.Event(), asyncio.Event(), False

    def carry_out(self, text: str) -> None:
        try:
            match read_message(_decoder, text, "Not a valid message to the simulator"):
                case Start() as start:
                    self._start(start)
                case Stop():
                    self.stopping.set()  # at the next report; a simulation that still waits does not begin
        except FeltError as error:
            self.refuse(error)

    def leave(self) -> None:
        """Cancel the simulation: the client has left."""
        if self.running is not None:
            self.running.cancel()

    def _start(self, start: Start) -> None:
        if self.running is not None and not self.running.done():
            raise FeltError("a simulation is running; stop it before you start another")
        seed = secrets.randbits(_SEED_BITS) if start.seed is None else start.seed
        self.stopping, self.begun, self.made_way = asyncio.Event(), asyncio.Event(), False
        self.running = asyncio.create_task(self._run(start, seed))

    async def _run(self, start: Start, seed: int) -> None:
        try:
            with self.budgets.simulations.slot(self.address):
                result = await self._count(start, seed)
            self._send(ResultMessage(result, self.made_way))  # sent last, as the client may then start another one
        except TooManyRequestsException as refusal:
            self.refuse(FeltError(refusal.detail))
        except WorkerFault:
            _LOG.exception("a simulation failed")
            self.refuse(FeltError("the simulation failed: internal server error"))
        except FeltError as error:
            self.refuse(error)

    async def _count(self, start: Start, seed: int) -> SimulationResult:
        """Check that the simulation is possible, then wait for a worker and count there."""
        await asyncio.to_thread(SimulationRun(start, seed).plan)
        making_way = asyncio.create_task(self._make_way())
        try:
            return await self.workers.do(
                partial(run_simulation, start, seed),
                self._send,
                self.stopping,
                address=self.address,
                on_wait=lambda ahead: self._send(WaitMessage(ahead)),
            )
        finally:
            making_way.cancel()

    async def _make_way(self) -> None:
        """Stop counting once a minute is over and another simulation waits, so that nobody holds a place for long."""
        await self.begun.wait()
        began = time.monotonic()
        while time.monotonic() - began < TURN_SECONDS or not self.workers.promise(self.address):
            await asyncio.sleep(_LOOK_SECONDS)
        self.made_way = True
        self.stop()

    def _send(self, message: SimulatorMessage) -> None:
        if isinstance(message, BeginMessage):
            self.begun.set()
        may_be_missed = isinstance(message, TallyMessage | SimulationRefusal | WaitMessage)
        if not may_be_missed or self.outbox.qsize() < MOST_QUEUED:
            self.outbox.put_nowait(message)

    def refuse(self, error: FeltError) -> None:
        if isinstance(error, BadOption):  # options of the command line are fields of the page
            error = BadOption(error.option.removeprefix("--"), error.value, error.allowed)
        self._send(SimulationRefusal(type(error).__name__, str(error)))
