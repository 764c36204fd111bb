"""The log: numbered, chained, appended to, and found out when damaged."""

import gc
import json
from hashlib import sha256
from pathlib import Path

import pytest

from feltworks import catalog
from feltworks.dealing.shoes import source_for
from feltworks.errors import LogError
from feltworks.table.live import Dealer
from feltworks.table.log import BEGINNING, Log, LogFile, entries, read_lines, rounds
from feltworks.table.replay import replay
from feltworks.table.table import Table
from tests.table.stacked import full_table, snapshot


def play(table: Table) -> None:
    table.wager("ann", 1, {"ante": 1000})
    table.deal()
    table.choose("ann", 1, "stay")


def logging_table(log: Log) -> Table:
    game = catalog.game("fu-bacc")
    table = Table(game, Dealer(source_for(game.terms, seed=5)), log=log)
    table.sit("ann", 1, stack=100_000)
    return table


def sealed(*lines: bytes) -> str:
    return sha256(b"".join(line + b"\n" for line in lines)).hexdigest()


def test_a_log_is_readable_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.touch(mode=0o666)
    path.chmod(0o644)
    LogFile(path).close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_every_line_carries_its_number_and_a_round_is_sealed_at_both_ends() -> None:
    kept: list[bytes] = []
    table = logging_table(Log(kept.append))
    play(table)
    first = list(kept)
    play(table)
    second = kept[len(first) :]
    read = list(map(json.loads, kept))
    assert [entry["n"] for entry in read] == list(range(1, len(kept) + 1))
    seals = {number: entry["seal"] for number, entry in enumerate(read) if "seal" in entry}
    assert seals == {
        0: BEGINNING,
        len(first) - 1: sealed(*first[:-1]),
        len(first): sealed(first[-1]),
        len(kept) - 1: sealed(*second[:-1]),
    }


def test_numbers_and_seals_run_on_from_round_to_round() -> None:
    kept: list[bytes] = []
    table = logging_table(Log(kept.append))
    play(table)
    first = list(table.log.lines)
    play(table)
    assert kept == first + table.log.lines
    assert rounds(kept) == [first, table.log.lines]
    assert [replay(lines).round for lines in rounds(kept)][1] == table.round


def test_lines_are_the_same_whether_made_at_once_or_when_wanted() -> None:
    kept: list[bytes] = []
    with_sink, without = logging_table(Log(kept.append)), logging_table(Log())
    play(with_sink)
    play(without)
    assert kept == with_sink.log.lines == without.log.lines


@pytest.mark.parametrize("fsync", [False, True])
def test_a_file_has_each_event_as_soon_as_it_happened_and_is_gone_on_with_later(tmp_path: Path, fsync: bool) -> None:
    path = tmp_path / "table.jsonl"
    first = LogFile(path, fsync=fsync)
    table = logging_table(Log(first))
    play(table)
    assert read_lines(path) == table.log.lines
    first.close()
    second = LogFile(path, fsync=fsync)
    play(logging_table(Log(second, after=read_lines(path)[-1])))
    second.close()
    assert len(rounds(read_lines(path))) == 2


def test_a_tail_without_its_line_end_never_happened(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    path.write_bytes(b"{}\n{}\n{ha")
    assert read_lines(path) == [b"{}", b"{}"]
    with pytest.raises(LogError, match=r"the log gone\.jsonl cannot be read"):
        read_lines(tmp_path / "gone.jsonl")


class FullDisk:
    """A sink that takes so many lines and no more."""

    def __init__(self, room: int) -> None:
        self.room = room

    def __call__(self, line: bytes) -> None:
        if not self.room:
            raise OSError("no space left on device")
        self.room -= 1


def test_a_round_that_cannot_be_logged_is_not_dealt() -> None:
    disk = FullDisk(0)
    table = logging_table(Log(disk))
    table.wager("ann", 1, {"ante": 1000})
    before = snapshot(table)
    with pytest.raises(OSError, match="no space"):
        table.deal()
    assert snapshot(table) == before
    disk.room = 100
    table.deal()
    assert table.decisions


def test_a_choice_that_cannot_be_logged_is_not_made() -> None:
    disk = FullDisk(6)
    table = logging_table(Log(disk))
    table.wager("ann", 1, {"ante": 1000})
    table.deal()
    assert disk.room == 0
    before = snapshot(table)
    with pytest.raises(OSError, match="no space"):
        table.choose("ann", 1, "stay")
    assert snapshot(table) == before


def test_a_line_the_disk_took_half_of_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.jsonl"
    sink = LogFile(path)
    sink(b"{}")

    class HalfWritten:
        def __init__(self, file: object) -> None:
            self.file = file

        def write(self, line: bytes) -> int:
            return int(self.file.write(line[:3]))  # type: ignore[attr-defined]

        def __getattr__(self, name: str) -> object:
            return getattr(self.file, name)

    monkeypatch.setattr(sink, "_file", HalfWritten(sink._file))
    with pytest.raises(OSError, match="only part of a line"):
        sink(b'{"whole": 1}')
    sink.close()
    assert path.read_bytes() == b"{}\n"


def finished_lines() -> list[bytes]:
    table = full_table("fu-bacc", seed=8)
    table.deal()
    while table.decisions:
        seat = table.seats[table.decisions[0].seat]
        table.choose(seat.player, seat.spot, "stay")
    return table.log.lines


def test_a_lost_moved_or_doubled_line_is_found_and_named() -> None:
    lines = finished_lines()
    for damaged in (
        lines[:5] + lines[6:],
        [*lines[:4], lines[5], lines[4], *lines[6:]],
        lines[:5] + lines[4:],
    ):
        with pytest.raises(LogError, match=r"^line [56] of the log does not follow line [45]"):
            entries(damaged)


def test_a_changed_line_of_a_finished_round_is_found_by_its_seal() -> None:
    lines = finished_lines()
    assert b'"ante":1000' in lines[0]
    lines[0] = lines[0].replace(b'"ante":1000', b'"ante":9000')
    end = len(lines)
    with pytest.raises(LogError, match=f"line {end} of the log does not follow lines 1 to {end - 1}"):
        entries(lines)


def test_a_changed_last_line_is_found_where_the_next_round_opens() -> None:
    kept: list[bytes] = []
    table = logging_table(Log(kept.append))
    play(table)
    end = len(kept)
    play(table)
    changed = kept[end - 1].replace(b'"shoe_number":1', b'"shoe_number":2')
    assert changed != kept[end - 1]
    with pytest.raises(LogError, match=f"line {end + 1} of the log does not follow line {end}:"):
        entries([*kept[: end - 1], changed, *kept[end:]])


def test_a_seal_where_none_belongs_is_refused() -> None:
    lines = finished_lines()
    lines[3] = lines[3][:-1] + b',"seal":"' + BEGINNING.encode() + b'"}'
    with pytest.raises(LogError, match="line 4 of the log does not follow line 3"):
        entries(lines)


@pytest.mark.parametrize(
    "damage",
    [b"", b"\xff\xfe", b"not json", b"[]", b'{"n":1}', b'{"n":7,"event":{"type":"danced"}}'],
)
def test_a_line_that_is_none_is_named(damage: bytes) -> None:
    lines = finished_lines()
    lines[6] = damage
    with pytest.raises(LogError, match="line 7 of the log is damaged"):
        entries(lines)


def test_a_log_has_to_begin_with_an_opened_round() -> None:
    for lines in ([], finished_lines()[1:]):
        with pytest.raises(LogError, match="line 1 of the log has to open a round"):
            entries(lines)


def test_rounds_leave_nothing_in_memory() -> None:
    """msgspec 0.22 loses an iterator at every `encode_lines` of a tuple."""
    table = logging_table(Log(lambda _: None))
    table.buy_in("ann", 100_000_000)

    def objects_after(rounds: int) -> int:
        for _ in range(rounds):
            play(table)
        gc.collect()
        return len(gc.get_objects())

    before = objects_after(20)
    assert objects_after(200) - before < 200  # less than one a round, of some fifteen lines
