"""The laboratory over the wire: the command line's documents, refusals in one sentence, streamed counting."""

import asyncio
import csv
import io
import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import msgspec
import pytest
from websockets.sync.client import ClientConnection, connect

from feltworks.analysis.progress import Progress
from feltworks.web.lab import documents
from feltworks.web.lab.documents import csv_bytes
from feltworks.web.lab.jobs import (
    MOST_CACHED_BYTES,
    MOST_QUEUED,
    MOST_WAITING,
    Busy,
    ClientLeft,
    Document,
    SimulatorTab,
    WorkQueue,
)
from feltworks.web.visitors import USUAL, Budgets
from feltworks.web.workers import Workers
from tests.web.player import PATIENCE
from tests.web.serving import served

Spoken = dict[str, Any]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for all: the laboratory keeps nothing that a test could leave behind."""
    with served(tmp_path_factory.mktemp("laboratory")) as found:
        yield found


@pytest.fixture(scope="module")
def lab(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"http://{address}/api/lab", timeout=60) as client:
        yield client


@pytest.fixture
def said(felt: Callable[..., Any]) -> Callable[[str], Spoken]:
    """What the command line prints."""

    def spoken(words: str) -> Spoken:
        found = felt(*shlex.split(words), "--json")
        status = 1 if words == "audit spanish-poker" else 0  # of which some printed figures do not agree
        assert found.status == status, found.err
        document: Spoken = json.loads(found.out)
        return document

    return spoken


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("fu-bacc/ante", "analyze fu-bacc --wager ante"),
        (
            "lucky-lucky/lucky-lucky?pay_table=2&decks=5&exposed=7h 7d",
            "analyze lucky-lucky --wager lucky-lucky --pay-table 2 --decks 5 --exposed '7h 7d'",
        ),
        (
            "fu-bacc/tie?beside=ante=1/3&set=fu-bacc.rescue-ten=false",
            "analyze fu-bacc --wager tie --beside ante=1/3 --set fu-bacc.rescue-ten=false",
        ),
        (
            "spanish-poker/gran-progressive?jackpot=2500000&seats=3",
            "analyze spanish-poker --wager gran-progressive --jackpot 2500000 --seats 3",
        ),
        (
            "acey-deucey-21/acey-deucey?strategy=always-raise",
            "analyze acey-deucey-21 --wager acey-deucey --strategy always-raise",
        ),
        ("spanish-poker/dos-pares/compare", "compare spanish-poker --wager dos-pares"),
        (
            "acey-deucey-21/acey-deucey/strategy?rules=2&values=true",
            "strategy acey-deucey-21 --wager acey-deucey --rules 2 --values",
        ),
        ("audit?game=spanish-poker", "audit spanish-poker"),
        (
            "fu-bacc/lucky-monkey/knowledge?sees=next&sees=dealer",
            "protect fu-bacc --wager lucky-monkey --sees next --sees dealer",
        ),
    ],
)
def test_an_address_answers_with_the_command_line_s_document(
    lab: httpx.Client, said: Callable[[str], Spoken], path: str, words: str
) -> None:
    answer = lab.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.json() == said(words)


def test_a_draft_is_solved_with_its_own_best_play(lab: httpx.Client) -> None:
    as_option = lab.get("lucky-break/blackjack?set=blackjack-pays=6:5").json()  # the rulebook's own option
    drafted = lab.get("lucky-break/blackjack?draft=blackjack=6 to 5").json()
    assert drafted["house_edge"] == as_option["house_edge"]
    assert drafted["as_approved"] is False

    folding = lab.get("fu-bacc/ante?draft=player higher=1 to 2").json()  # so low that more hands fold
    before = lab.get("fu-bacc/ante?draft=").json()
    assert folding["average_wager"]["value"] < before["average_wager"]["value"]
    assert before["house_edge"] == lab.get("fu-bacc/ante").json()["house_edge"]
    slope = next(row["slope"] for row in before["draft"]["rows"] if row["row"] == "rescue")
    one_more = lab.get("fu-bacc/ante?draft=rescue=101 to 100").json()["house_edge"]["value"]
    assert one_more - before["house_edge"]["value"] == pytest.approx(slope["value"] / 100)


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("fan-tan/ante", "there is no game 'fan-tan'"),
        ("fu-bacc/blackjack", "Fu Bacc has no wager 'blackjack'"),
        ("fu-bacc/play", "it may be ante, lucky-monkey or tie"),
        ("fu-bacc/ante?pay_table=9", "pay table"),
        ("fu-bacc/ante?decks=2", "option decks cannot be 2"),
        ("lucky-break/blackjack?set=soft17", "option set cannot be 'soft17'"),
        ("lucky-break/blackjack?set=soft17=never", "soft17"),
        ("lucky-break/blackjack?beside=lucky-break=1e9999999", "option beside cannot be"),
        ("lucky-break/blackjack?exposed=1x", "is no card"),
        ("fu-bacc/tie?beside=", "Fu Bacc has no wager ''"),
        ("fu-bacc/tie?beside=%00", "Fu Bacc has no wager"),
        ("lucky-break/blackjack?beside=tie", "no wager 'tie'"),
        ("fu-bacc/ante?jackpot=5", "option jackpot cannot be 5"),
        ("fu-bacc/ante?strategy=/etc/passwd.json", "strategy"),
        ("fu-bacc/tie/strategy", "leaves nothing to decide"),
        ("audit?game=fan-tan", "there is no game 'fan-tan'"),
        ("fu-bacc/tie/knowledge?sees=sideways", "option sees cannot be 'sideways'"),
        ("fu-bacc/tie/knowledge?sees=hit", "so hit is of no use"),
        ("protection/fan-tan", "there is no game 'fan-tan'"),
        ("fu-bacc/ante?draft=flush=3 to 1", "no row 'flush'"),
        ("fu-bacc/ante?draft=rescue=often", "option draft cannot be 'rescue=often'"),
        ("fu-bacc/ante?draft=rescue=0 to 1", "odds above 0"),
        ("spanish-poker/gran-progressive?draft=", "works with odds alone"),
        ("lucky-break/blackjack/design?target=2", "played hand by hand"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(lab: httpx.Client, path: str, sentence: str) -> None:
    answer = lab.get(path)
    assert answer.status_code == 400, answer.text
    assert sentence in answer.json()["error"]
    assert "--" not in answer.json()["error"]


@pytest.mark.parametrize("path", ["fu-bacc/ante?decks=many", "fu-bacc/ante?format=pdf", "fu-bacc/ante?seats=0"])
def test_what_is_no_value_at_all_is_refused_too(lab: httpx.Client, path: str) -> None:
    assert lab.get(path).status_code == 400


def test_a_value_of_the_wrong_kind_names_its_field(lab: httpx.Client) -> None:
    refused = lab.get("/fu-bacc/ante?decks=many")
    assert (refused.status_code, refused.json()["field"]) == (400, "decks")
    assert refused.json()["error"].startswith("the request cannot be used: decks: expected `int")


def test_tables_come_for_spreadsheets(lab: httpx.Client) -> None:
    answer = lab.get("lucky-lucky/lucky-lucky?format=csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert 'filename="feltworks-lucky-lucky-lucky-lucky.csv"' in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    document = lab.get("lucky-lucky/lucky-lucky").json()
    assert [row["exact"] for row in rows] == [row["probability"]["exact"] for row in document["outcomes"]]
    assert sum(int(row["ways"]) for row in rows) == int(rows[0]["of"])


def test_no_cell_of_a_table_runs_in_a_spreadsheet() -> None:
    sheet = csv_bytes([["outcome", "net"], ["=1+1", -500]]).decode("utf-8-sig")
    assert sheet.splitlines() == ["outcome,net", "'=1+1,-500"]


@pytest.mark.parametrize(
    ("path", "first"),
    [
        ("spanish-poker/dos-pares/compare?format=csv", "pay table"),
        ("acey-deucey-21/acey-deucey/strategy?values=true&rules=1&format=csv", "chart"),
        ("audit?game=spanish-poker&format=csv", "game"),
        ("spanish-poker/joker-in-hand/design?target=5&format=csv", "house edge"),
    ],
)
def test_every_table_has_as_many_fields_as_its_heading(lab: httpx.Client, path: str, first: str) -> None:
    rows = list(csv.reader(io.StringIO(lab.get(path).content.decode("utf-8-sig"))))
    assert rows[0][0] == first
    assert len(rows) > 1
    assert {len(row) for row in rows} == {len(rows[0])}


def test_nobody_works_on_what_was_not_asked(lab: httpx.Client) -> None:
    assert lab.get("progress", params={"of": "/api/lab/fu-bacc/ante"}).json() is None


class Held:
    """Work that waits until it is let go, and counts how often it was begun."""

    def __init__(self) -> None:
        self.begun = self.ended = 0
        self.go = asyncio.Event()

    async def __call__(self, progress: Callable[[float, float], None]) -> Document:
        self.begun += 1
        try:
            progress(1, 4)
            await asyncio.wait_for(self.go.wait(), PATIENCE)
            progress(2, 4)
            return b"answer"
        finally:
            self.ended += 1


async def never() -> None:
    await asyncio.Event().wait()


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.005)


def test_the_same_question_is_worked_on_once_and_says_how_far_it_is() -> None:
    async def asked() -> None:
        queue, work = WorkQueue(), Held()
        both = [asyncio.create_task(queue.answer("q", "Counting", work, never)) for _ in range(2)]
        await until(lambda: bool(work.begun))
        told = queue.progress("q")
        assert told is not None
        assert (told.words, told.done) == ("Counting", 0.25)
        work.go.set()
        assert [await each for each in both] == [b"answer", b"answer"]
        assert await queue.answer("q", "Counting", work, never) == b"answer"
        assert work.begun == 1
        assert queue.progress("q") is None

    asyncio.run(asked())


def test_work_that_everybody_left_ends_and_begins_again_for_the_next() -> None:
    async def asked() -> None:
        queue, work, leaves = WorkQueue(), Held(), asyncio.Event()

        async def gone() -> None:
            await leaves.wait()

        one = asyncio.create_task(queue.answer("q", "Counting", work, gone))
        await until(lambda: bool(work.begun))
        leaves.set()
        with pytest.raises(ClientLeft):
            await one
        assert queue.progress("q") is None
        await until(lambda: bool(work.ended))
        work.go.set()
        assert await queue.answer("q", "Counting", work, never) == b"answer"
        assert work.begun == 2

    asyncio.run(asked())


def test_work_goes_on_for_the_second_when_the_first_leaves() -> None:
    async def asked() -> None:
        queue, work, leaves = WorkQueue(), Held(), asyncio.Event()

        async def gone() -> None:
            await leaves.wait()

        first = asyncio.create_task(queue.answer("q", "Counting", work, gone))
        second = asyncio.create_task(queue.answer("q", "Counting", work, never))
        await until(lambda: bool(work.begun))
        leaves.set()
        with pytest.raises(ClientLeft):
            await first
        work.go.set()
        assert await second == b"answer"
        assert work.begun == 1

    asyncio.run(asked())


def test_remembered_answers_take_a_bounded_share_of_memory() -> None:
    async def asked() -> None:
        queue, begun = WorkQueue(), 0

        async def work(_: Progress) -> Document:
            nonlocal begun
            begun += 1
            return bytes(MOST_CACHED_BYTES // 3)

        for key in ("a", "b", "c", "d", "d"):
            await queue.answer(key, "Printing", work, never)
        assert begun == 4
        await queue.answer("a", "Printing", work, never)  # which was dropped for the last one
        assert begun == 5

    asyncio.run(asked())


def test_a_full_queue_takes_no_more_questions() -> None:
    async def asked() -> None:
        queue, work = WorkQueue(), Held()
        waiting = [asyncio.create_task(queue.answer(str(n), "Counting", work, never)) for n in range(MOST_WAITING)]
        await until(lambda: work.begun == MOST_WAITING)
        with pytest.raises(Busy):
            await queue.answer("one more", "Counting", work, never)
        work.go.set()
        await asyncio.gather(*waiting)

    asyncio.run(asked())


@contextmanager
def simulator(address: str) -> Iterator[ClientConnection]:
    with connect(f"ws://{address}/api/lab/simulate", proxy=None) as socket:
        yield socket


def heard(socket: ClientConnection, *kinds: str) -> list[Spoken]:
    """Everything up to the first message of one of these kinds."""
    found: list[Spoken] = []
    while not found or found[-1]["type"] not in kinds:
        found.append(json.loads(socket.recv(timeout=60)))
    return found


def test_a_simulation_is_streamed_and_ends_as_the_command_line_s_does(
    address: str, said: Callable[[str], Spoken]
) -> None:
    with simulator(address) as socket:
        socket.send(json.dumps({"type": "start", "game": "fu-bacc", "rounds": 1_200_000, "seed": 7}))
        *told, done = heard(socket, "done", "refused")
    tallies = [each for each in told if each["type"] == "tally"]
    assert [each["rounds"] for each in tallies[:2]] == [1_000, 3_162]
    assert all(each["of"] == 1_200_000 and each["wagers"]["ante"]["exact"] for each in tallies)
    errors = [each["wagers"]["ante"]["standard_error"] for each in tallies]
    assert errors == sorted(errors, reverse=True)
    printed = said("simulate fu-bacc --rounds 1200000 --seed 7")
    assert done["result"]["wagers"] == printed["wagers"]
    assert done["result"]["made"]["command"] == "felt simulate fu-bacc --rounds 1200000 --seed 7"
    assert not done["result"]["interrupted"]


def test_a_simulation_is_stopped_and_another_is_started(address: str) -> None:
    with simulator(address) as socket:
        socket.send(json.dumps({"type": "start", "game": "fu-bacc", "rounds": 10**10}))
        heard(socket, "tally")
        socket.send(json.dumps({"type": "start", "game": "fu-bacc"}))
        assert "is running" in heard(socket, "refused")[-1]["error"]
        socket.send(json.dumps({"type": "stop"}))
        stopped = heard(socket, "done")[-1]["result"]
        assert stopped["interrupted"]
        assert stopped["rounds"] < 10**10
        socket.send(json.dumps({"type": "start", "game": "fu-bacc", "wagers": ["tie"], "rounds": 1000}))
        assert heard(socket, "done")[-1]["result"]["rounds"] == 1000


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ('{"type":"start"}', "Not a valid message to the simulator"),
        ("{", "Not a valid message to the simulator"),
        ('{"type":"start","game":"fu-bacc","rounds":0}', "Not a valid message to the simulator"),
        ('{"type":"start","game":"fan-tan"}', "there is no game 'fan-tan'"),
        ('{"type":"start","game":"fu-bacc","wagers":["tie=x"]}', "option wager cannot be"),
        ('{"type":"start","game":"fu-bacc","strategy":"/etc/x.json"}', "not a file"),
        ('{"type":"start","game":"fu-bacc","strategy":"by-heart"}', "strategy"),
        (f'{{"type":"start","game":"{"x" * 5000}"}}', "at most 4096 bytes"),
    ],
)
def test_what_cannot_be_simulated_is_refused_in_one_sentence(address: str, message: str, sentence: str) -> None:
    with simulator(address) as socket:
        socket.send(message)
        told = heard(socket, "refused", "done")[-1]
        assert sentence in told.get("error", "")


def test_a_client_that_reads_nothing_queues_refusals_up_to_a_limit() -> None:
    async def flood() -> int:
        tab = SimulatorTab(Workers(1), Budgets(USUAL), "192.0.2.7")
        for _ in range(10_000):
            tab.carry_out('{"type": "nonsense"}')
        return tab.outbox.qsize()

    assert asyncio.run(flood()) <= MOST_QUEUED


def test_papers_are_printed_of_a_game_under_its_terms(lab: httpx.Client) -> None:
    terms = "pay_table=acey-deucey=2&decks=2"
    shown = lab.get(f"papers/procedure/acey-deucey-21?{terms}")
    assert shown.status_code == 200, shown.text
    assert shown.headers["content-type"].startswith("text/html")
    assert "Acey Deucey" in shown.text
    assert "2 decks, 104 cards" in shown.text
    printed = lab.get(f"papers/procedure/acey-deucey-21?{terms}&format=pdf")
    assert printed.content.startswith(b"%PDF")


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("papers/par/fan-tan", "there is no game 'fan-tan'"),
        ("papers/poem/fu-bacc", "there is no paper 'poem'"),
        ("papers/par/fu-bacc?set=soft17", "option set cannot be 'soft17'"),
        ("papers/par/fu-bacc?pay_table=2", "option pay_table cannot be '2'"),
        ("papers/par/fu-bacc?jackpot=5", "option jackpot cannot be 5"),
    ],
)
def test_papers_there_are_not_are_refused(lab: httpx.Client, path: str, sentence: str) -> None:
    answer = lab.get(path)
    assert answer.status_code == 400, answer.text
    assert sentence in answer.json()["error"]


@pytest.mark.parametrize(
    ("path", "record"),
    [
        ("spanish-poker/gran-progressive?jackpot=1000000", documents.Analysis),
        ("fu-bacc/tie?beside=ante=1/3", documents.Analysis),
        ("acey-deucey-21/war/compare", documents.Comparison),
        ("fu-bacc/ante/strategy?rules=2&values=true", documents.Strategy),
        ("audit?game=fu-bacc", documents.Audit),
        ("fu-bacc/tie?draft=tie=8 to 1", documents.Analysis),
        ("spanish-poker/joker-in-hand/design?target=5", documents.Design),
    ],
)
def test_every_document_has_the_fields_of_its_record(lab: httpx.Client, path: str, record: type) -> None:
    document = lab.get(path).json()
    fields = msgspec.structs.fields(record)
    assert {field.encode_name for field in fields if field.required} <= document.keys()
    assert msgspec.convert(document, record)
