"""Acts of an auditor who wanted to cheat, through the books that command line and HTTP share: each is refused."""

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from feltworks.errors import BadAmount, BadDay, BadOption, FeltError, NotNow, NotPermitted, PostingRefused
from feltworks.house.approvals import ApprovalBook, record_definition
from feltworks.house.closing import ClosingBook, parse_span
from feltworks.house.entries import RegisterEntry
from feltworks.house.progressive.acts import Adjustment, Contribution, ProgressiveRound
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.register import Register
from feltworks.house.storage.database import Database
from feltworks.house.storage.migration import open_database
from feltworks.house.tables.books import TableBooks
from feltworks.house.tables.tokes import TokeBook
from feltworks.house.users import Users
from tests.house.desk import FLUSH, ROYALS, Desk, signed, terms
from tests.house.floor import DAY, PASSWORD, QUICK, Pit, approve, approve_here, hire

TWO = {"by": "flo", "second": "abe", "day": DAY}
CAGE = {"by": "cara", "second": "abe", "day": DAY}
BEFORE = DAY - datetime.timedelta(days=1)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    database = open_database(str(tmp_path_factory.mktemp("audited") / "books.sqlite"))
    hire(database)
    approve(database, "fu-bacc")
    yield database
    database.close()


@pytest.fixture
def pit(house: Database) -> Pit:
    pit = Pit(TableBooks(house))
    pit.open(1_000_00)
    return pit


@pytest.fixture
def register(house: Database) -> Register:
    return Register(house)


def test_who_signed_slips_of_a_box_does_not_enter_its_first_count(pit: Pit) -> None:
    pit.close(900_00)
    pit.drop()
    with pytest.raises(PostingRefused, match=r"dan signed slips of this box .*WAC 230-15-610"):
        pit.books.tally(pit.table, {1_00: 5}, {"first counter": "dan"})


def test_an_entry_is_not_struck_before_it_began(register: Register) -> None:
    """Else an exclusion could be ended before anybody was paid in spite of it."""
    number = register.add(RegisterEntry("excluded person", "Max", "by own wish"), **TWO)
    with pytest.raises(BadDay, match="house rule: nothing ends before it began"):
        register.strike(number, "a mistake", **{**TWO, "day": BEFORE})


def test_chips_that_were_destroyed_do_not_come_back(register: Register) -> None:
    register.add(RegisterEntry("chips", "house", "received", pieces={100_00: 10}), **TWO)
    number = register.add(RegisterEntry("chips", "house", "destroyed", pieces={100_00: 10}), **TWO)
    with pytest.raises(NotNow, match=r"was destroyed, which is final \(house rule\)"):
        register.strike(number, "a mistake", **TWO)


def test_chips_that_are_out_were_received(register: Register) -> None:
    number = register.add(RegisterEntry("chips", "new", "received", pieces={5_00: 10}), **TWO)
    issued = register.add(RegisterEntry("chips", "new", "issued", pieces={5_00: 10}), **TWO)
    with pytest.raises(NotNow, match="later entries rest on entry"):
        register.strike(number, "a mistake", **TWO)
    register.strike(issued, "a mistake", **TWO)
    register.strike(number, "a mistake", **TWO)


def test_cash_that_is_struck_is_reported_all_the_same(register: Register) -> None:
    cash = RegisterEntry("transaction", "Cy", "cash in", cents=9_999_00)
    register.strike(register.add(cash, **TWO), "a mistake", **TWO)
    tasks = TableBooks(register.database).tasks
    before = len(tasks())
    register.add(cash, **TWO)
    assert "Cy: cash in of $19,998" in tasks()[-1].says
    assert len(tasks()) == before + 1


@pytest.mark.parametrize(
    "entry",
    [
        RegisterEntry("cage count", "vault", "abe", pieces={100_00: 1}),
        RegisterEntry("cards", "red", "received", count=10),
    ],
    ids=lambda entry: entry.kind,
)
def test_what_is_held_against_earlier_entries_is_not_back_dated(register: Register, entry: RegisterEntry) -> None:
    who = CAGE if entry.kind == "cage count" else TWO
    register.add(entry, **who)
    with pytest.raises(BadDay, match=rf"the {entry.kind} entries have gone on to {DAY} \(house rule"):
        register.add(entry, **{**who, "day": BEFORE})


def test_cash_may_be_entered_late_and_is_not_hidden_by_it(register: Register) -> None:
    cash, tasks = RegisterEntry("transaction", "Di", "cash in", cents=5_000_00), TableBooks(register.database).tasks
    before = len(tasks())
    register.add(cash, **TWO)
    register.add(cash, **{**TWO, "day": BEFORE})
    assert len(tasks()) == before
    register.add(replace(cash, cents=1_00), **{**TWO, "day": BEFORE - datetime.timedelta(days=1)})
    late = f"Di: cash in of $10,001 on {datetime.date.today()}, $1 of it entered late"
    assert (len(tasks()), tasks()[-1].says.startswith(late)) == (before + 1, True)


def test_a_place_has_one_imprest_at_a_time(register: Register) -> None:
    approve_here(register.database, "imprest", "abe", CAGE["day"])
    number = register.add(RegisterEntry("imprest", "vault", "abe", cents=900_00), **CAGE)
    with pytest.raises(NotNow, match="it is struck first"):
        register.add(RegisterEntry("imprest", "vault", "abe", cents=500_00), **CAGE)
    register.strike(number, "another amount", **CAGE)
    register.add(RegisterEntry("imprest", "vault", "abe", cents=500_00), **CAGE)


def test_nobody_is_rated_for_more_rounds_than_a_day_has(pit: Pit, register: Register) -> None:
    with pytest.raises(BadAmount, match=r"up to 1,440 rounds a day \(house rule\)"):
        register.add(RegisterEntry("rating", "Bo", "ante", table=pit.table, cents=25_00, count=1_441), **TWO)


def test_a_fill_brings_the_pieces_that_were_asked_for(pit: Pit, register: Register) -> None:
    register.add(RegisterEntry("chips", "house", "received", pieces={100_00: 1, 25_00: 4}), **TWO)
    asked = RegisterEntry("request", "fill", "low", table=pit.table, pieces={25_00: 4})
    number = register.add(asked, by="flo", second="sam", day=DAY)
    with pytest.raises(PostingRefused, match="asks for other pieces"):
        pit.fill({100_00: 1}, request=number)
    pit.fill({25_00: 4}, request=number)


def test_an_incident_is_written_somewhere(register: Register) -> None:
    with pytest.raises(PostingRefused, match=r"under which reference it is written \(house rule\)"):
        register.add(RegisterEntry("incident", "table A", "a card fell"), **TWO)


def test_a_key_is_known_however_its_name_is_written(register: Register) -> None:
    register.add(RegisterEntry("key", "contents A", "abe"), **TWO)
    with pytest.raises(PostingRefused, match="nobody opens a box alone"):
        register.add(RegisterEntry("key", "Table  Lock A", "abe"), **TWO)


def test_the_cage_does_not_count_itself(register: Register) -> None:
    with pytest.raises(NotPermitted, match="carl"):
        register.add(RegisterEntry("cage count", "cage", "abe", pieces={1_00: 1}), by="cara", second="carl", day=DAY)


def test_one_dealer_does_not_sign_all_tokes_over_alone(pit: Pit) -> None:
    tokes = TokeBook(pit.books.database)
    tokes.take(pit.table, 50_00, {"dealer": "dan", "witness": "flo"}, day=DAY)
    with pytest.raises(PostingRefused, match="dan cannot sign all of the tokes over alone"):
        tokes.pay({"dan": 50_00}, "hours", {"dealer": "dan", "witness": "cara"}, day=DAY)


def test_tokes_are_not_shared_before_they_came_in(pit: Pit) -> None:
    tokes = TokeBook(pit.books.database)
    tokes.take(pit.table, 50_00, {"dealer": "dan", "witness": "flo"}, day=DAY)
    approve_here(pit.books.database, "toke method", "hours", BEFORE)
    with pytest.raises(BadDay, match=f"tokes were posted on {DAY} already"):
        tokes.pay({"dora": 50_00}, "hours", {"dealer": "dan", "witness": "cara"}, day=BEFORE)


@pytest.fixture(scope="module")
def gran(house: Database) -> Desk:
    desk = Desk(Ledger.open(house, "gran", terms(), signed("opening")))
    desk.cover()
    return desk


def test_a_round_is_not_posted_as_lost_and_as_won(gran: Desk) -> None:
    gran.post(Contribution("S", "7", 5))
    with pytest.raises(PostingRefused, match="round 7 at table S is posted already"):
        gran.post(ProgressiveRound("S", "7", (ROYALS[0], FLUSH)))
    gran.post(ProgressiveRound("S", "70", (ROYALS[0], FLUSH)))


@pytest.mark.parametrize("cents", [10_000_000_01, -10_000_000_01])
def test_a_prize_is_not_changed_by_a_fortune(gran: Desk, cents: int) -> None:
    with pytest.raises(BadAmount):
        gran.post(Adjustment("jackpot", cents, "malfunction"))


@pytest.mark.parametrize(("table", "round_"), [("S", "2\n1"), ("S\t", "21"), ("S\u200b", "21")])
def test_a_round_has_a_name_that_can_be_printed(gran: Desk, table: str, round_: str) -> None:
    with pytest.raises(BadOption, match="printable"):
        gran.post(Contribution(table, round_, 1))


def test_a_password_that_somebody_else_set_is_not_kept(house: Database) -> None:
    users = Users(house, hasher=QUICK)
    users.set_password("dora", "handed over by boss", by="boss", second="abe")
    with pytest.raises(BadOption, match="another one than before"):
        users.set_password("dora", "handed over by boss", by="dora")
    users.set_password("dora", PASSWORD, by="dora")


def test_periods_close_one_after_the_other(tmp_path: Path) -> None:
    database = open_database(str(tmp_path / "books.sqlite"))
    hire(database)
    approve(database, "fu-bacc")
    pit, closings = Pit(TableBooks(database)), ClosingBook(database)
    pit.open(1_000_00)
    pit.finish_day(900_00, 300_00)
    with pytest.raises(NotNow, match=rf"2024-02 cannot be closed: tables were open on {DAY}, .*one after the other"):
        closings.close(parse_span("2024-02"), by="abe", second="amy")
    for name in ("2024-01", "2024-02"):
        closings.close(parse_span(name), by="abe", second="amy")
    with pytest.raises(FeltError, match="2024-01-15 is closed"):
        ApprovalBook(database).record(
            record_definition("fu-bacc", "card room", "another letter"),
            by="abe",
            second="boss",
            day=datetime.date(2024, 1, 15),
        )
    database.close()
