"""Worker processes: they answer, refuse in the same words, and are gone when nobody waits for them."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from feltworks.errors import BadOption
from feltworks.web import workers as pool
from feltworks.web.tables.figures import LATE, TOO_LONG, Coach
from feltworks.web.tables.messages import Advice
from feltworks.web.workers import Channel, Closing, TooLarge, TooLong, WorkerFault, WorkerLost, Workers

PATIENCE = 20.0


def add(a: int, b: int, tell: Channel) -> int:
    tell(a)
    tell(b)
    return a + b


def refuse(_: Channel) -> None:
    raise BadOption("decks", 0, "1 to 8")


def fail(_: Channel) -> None:
    raise ZeroDivisionError


def die(_: Channel) -> None:
    os._exit(3)


def process(_: Channel) -> int:
    return os.getpid()


def go_on(tell: Channel) -> str:
    tell(os.getpid())
    while not tell.stopped:
        time.sleep(0.01)
    return "as far as it came"


def take_much(_: Channel) -> int:
    taken = [bytes(64 << 20) for _ in range(1 + (pool.HARD_MEGABYTES >> 6))]  # never touched, so never resident
    return len(taken)


def print_something(_: Channel) -> str:
    print("not an answer")  # noqa: T201
    return "the answer"


def run(asked: Callable[[Workers], Awaitable[None]], **chosen: Any) -> None:
    async def whole() -> None:
        workers = Workers(2, **chosen)
        try:
            await asyncio.wait_for(asked(workers), PATIENCE)
        finally:
            await workers.close()
        assert workers.count == 0

    asyncio.run(whole())


async def is_gone(pid: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while Path(f"/proc/{pid}").exists():
            await asyncio.sleep(0.01)


def test_an_address_with_many_jobs_leaves_a_process_for_others() -> None:
    async def asked(workers: Workers) -> None:
        begun: list[int] = []
        stop = asyncio.Event()
        many = [asyncio.create_task(workers.do(go_on, begun.append, stop, address="192.0.2.1")) for _ in range(4)]
        while not begun:
            await asyncio.sleep(0.01)
        assert [workers.promise("192.0.2.1") for _ in range(4)] == [True, True, True, False]
        assert not workers.promise("192.0.2.2")
        assert await workers.do(process, address="192.0.2.2") not in begun
        assert len(begun) == 1
        stop.set()
        await asyncio.gather(*many)

    run(asked, of_address=1)


def test_whoever_waits_hears_how_many_come_first() -> None:
    async def asked(workers: Workers) -> None:
        stop, told = asyncio.Event(), [list[int]() for _ in range(5)]
        jobs = [
            asyncio.create_task(workers.do(go_on, stop=stop, address=f"192.0.2.{number}", on_wait=places.append))
            for number, places in enumerate(told)
        ]
        await asyncio.sleep(0)
        assert told == [[], [], [0], [1], [2]]
        jobs[2].cancel()
        await asyncio.sleep(0.01)
        assert told == [[], [], [0], [1, 0], [2, 1]]
        stop.set()
        await asyncio.gather(*jobs, return_exceptions=True)
        assert not workers.promise("192.0.2.1")

    run(asked)


def test_a_job_is_answered_and_tells_how_far_it_is() -> None:
    async def asked(workers: Workers) -> None:
        told: list[int] = []
        assert await workers.do(partial(add, 2, 3), told.append) == 5
        assert told == [2, 3]
        assert await workers.do(print_something) == "the answer"

    run(asked)


def test_a_refusal_comes_as_it_was_raised_and_the_worker_stays() -> None:
    async def asked(workers: Workers) -> None:
        first = await workers.do(process)
        with pytest.raises(BadOption, match="option decks cannot be 0; it takes 1 to 8") as refused:
            await workers.do(refuse)
        assert (refused.value.option, refused.value.allowed) == ("decks", "1 to 8")
        assert await workers.do(process) == first

    run(asked)


def test_a_fault_brings_its_traceback_and_a_worker_that_died_is_replaced() -> None:
    async def asked(workers: Workers) -> None:
        with pytest.raises(WorkerFault, match="ZeroDivisionError"):
            await workers.do(fail)
        with pytest.raises(WorkerLost):
            await workers.do(die)
        assert await workers.do(partial(add, 1, 1)) == 2

    run(asked)


def test_a_job_that_nobody_waits_for_is_killed() -> None:
    async def asked(workers: Workers) -> None:
        begun: asyncio.Queue[int] = asyncio.Queue()
        job = asyncio.create_task(workers.do(go_on, begun.put_nowait))
        pid = await begun.get()
        job.cancel()
        await is_gone(pid)
        assert workers.count == 0

    run(asked)


def test_a_job_that_is_stopped_ends_with_what_it_has() -> None:
    async def asked(workers: Workers) -> None:
        stop = asyncio.Event()
        begun: asyncio.Queue[int] = asyncio.Queue()
        job = asyncio.create_task(workers.do(go_on, begun.put_nowait, stop))
        pid = await begun.get()
        stop.set()
        assert await job == "as far as it came"
        assert await workers.do(process) == pid

    run(asked)


def test_closing_ends_what_is_under_way_and_takes_nothing_more() -> None:
    async def asked(workers: Workers) -> None:
        begun: asyncio.Queue[int] = asyncio.Queue()
        jobs = [asyncio.create_task(workers.do(go_on, begun.put_nowait)) for _ in range(3)]
        pids = [await begun.get() for _ in range(2)]
        closing = asyncio.create_task(workers.close())
        for job in jobs:
            with pytest.raises(Closing):
                await job
        await closing
        for pid in pids:
            await is_gone(pid)

    async def whole() -> None:
        await asked(Workers(2))

    asyncio.run(whole())


def test_an_idle_worker_ends() -> None:
    async def asked(workers: Workers) -> None:
        await is_gone(await workers.do(process))
        assert workers.count == 0

    run(asked, idle_seconds=0.05)


def test_a_worker_that_has_grown_large_gives_its_memory_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async def asked(workers: Workers) -> None:
        monkeypatch.setattr(pool, "MOST_MEGABYTES", 1)
        await is_gone(await workers.do(process))
        assert workers.count == 0

    run(asked)


_worked: list[float] = []  # in a worker process


def fill_a_cache(_: Channel) -> Advice:
    time.sleep(1)
    _worked.append(1.0)
    return Advice(None, [])


def read_the_cache(_: Channel) -> Advice:
    return Advice("stay", []) if _worked else Advice(None, [])


def test_late_work_of_the_coach_serves_the_next_question_and_no_second_one_goes_on() -> None:
    async def asked() -> None:
        coach = Coach(seconds=PATIENCE)
        await coach.answer(read_the_cache)  # the process runs
        coach.seconds = 0.3
        assert (await coach.answer(fill_a_cache)).hint == LATE
        assert (await coach.answer(go_on)).hint == TOO_LONG
        coach.seconds = PATIENCE
        deadline = time.monotonic() + PATIENCE
        while (await coach.answer(read_the_cache)).best != "stay":
            assert time.monotonic() < deadline
            await asyncio.sleep(0.1)
        await coach.close()

    asyncio.run(asked())


def test_the_coach_gives_up_in_time_and_answers_the_next_question() -> None:
    async def asked() -> None:
        coach = Coach(seconds=0.5)
        begun = time.monotonic()
        silent = await coach.answer(go_on)
        assert time.monotonic() - begun < PATIENCE / 4
        assert silent.best is None
        assert "more than two seconds" in str(silent.hint)
        await coach.close()
        patient = Coach(seconds=PATIENCE)
        assert (await patient.answer(refuse)).hint == "Option decks cannot be 0; it takes 1 to 8."
        assert "server error" in str((await patient.answer(fail)).hint)
        await patient.close()

    asyncio.run(asked())


def test_a_job_that_needs_too_much_memory_is_refused_and_the_next_one_is_answered() -> None:
    async def asked(workers: Workers) -> None:
        with pytest.raises(TooLarge, match="needs more than 3,000 MB of memory; ask a smaller one"):
            await workers.do(take_much)
        assert await workers.do(partial(add, 1, 2)) == 3

    run(asked)


def test_a_job_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    async def asked(workers: Workers) -> None:
        await workers.warm_up()
        pids: list[int] = []
        monkeypatch.setattr(pool, "MOST_SECONDS", 1.5)
        with pytest.raises(TooLong, match="minutes; ask a smaller one"):
            await workers.do(go_on, pids.append)
        monkeypatch.undo()  # a new process may take its time to start
        assert await workers.do(partial(add, 1, 2)) == 3
        for pid in pids:
            await is_gone(pid)

    run(asked)
