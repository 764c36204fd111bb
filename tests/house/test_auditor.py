"""Acts of an auditor who wanted to cheat, through the books that command line and HTTP share: each is refused."""

import datetime
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from feltworks.errors import BadAmount, BadDay, BadOption, FeltError, NotNow, NotPermitted, PostingRefused
from feltworks.house.approvals import ApprovalBook, approve_for_house, find_approval, record_definition
from feltworks.house.closing import ClosingBook, parse_span
from feltworks.house.entries import RegisterEntry
from feltworks.house.progressive.acts import (
    Adjustment,
    Contribution,
    Deposit,
    ProgressiveRound,
    Removal,
    RemovalNotice,
    Share,
)
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.register import Register
from feltworks.house.storage.database import Database
from feltworks.house.storage.migration import open_database
from feltworks.house.tables.acts import Payout, Stakes
from feltworks.house.tables.books import TableBooks
from feltworks.house.tables.tokes import TokeBook
from feltworks.house.users import Users
from feltworks.house.verification import audit
from feltworks.table.limits import WagerLimit
from tests.house.desk import FIRST_DAY, FLUSH, ROYALS, Desk, signed, terms
from tests.house.floor import BOTH, DAY, PASSWORD, QUICK, VOIDERS, Pit, approve, approve_here, order

TWO = {"by": "flo", "second": "abe", "day": DAY}
CAGE = {"by": "cara", "second": "abe", "day": DAY}
BEFORE = DAY - datetime.timedelta(days=1)
REVISERS = {"accounting": "ann", "independent": "vic"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, staffed_books: Path) -> Iterator[Database]:
    database = open_database(str(shutil.copy(staffed_books, tmp_path_factory.mktemp("audited"))))
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
    for reference, cents in (("abe", 900_00), ("amy", 500_00)):
        approve_here(register.database, "imprest", reference, CAGE["day"], cents)
    number = register.add(RegisterEntry("imprest", "vault", "abe", cents=900_00), **CAGE)
    with pytest.raises(NotNow, match="it is struck first"):
        register.add(RegisterEntry("imprest", "vault", "amy", cents=500_00), **CAGE)
    register.strike(number, "another amount", **CAGE)
    register.add(RegisterEntry("imprest", "vault", "amy", cents=500_00), **CAGE)


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


@pytest.mark.parametrize("hand", ["9c 2d 9h", "monkeys against 9"], ids=["in another order", "as its outcome"])
def test_a_hand_is_paid_once_however_it_is_written(pit: Pit, hand: str) -> None:
    paid = Payout(pit.table, 0, "lucky-monkey", 5_00, 150_00, "Pia", "9h 9c 2d", "12")
    pit.books.pay(paid, BOTH)
    with pytest.raises(PostingRefused, match=r"is paid already .*house rule, for WAC 230-15-320"):
        pit.books.pay(replace(paid, hand=hand), BOTH)
    pit.books.pay(replace(paid, hand="9h 9s 2d"), BOTH)  # on another spot


def test_a_table_pays_no_more_than_its_limit_of_a_deal(house: Database) -> None:
    approve(house, "lucky-lucky")
    pit = Pit(TableBooks(house))
    lucky = {"limits": {"lucky-lucky": WagerLimit(1_00, 400_00)}, "aggregate": {"lucky-lucky": 20_000_00}}
    pit.books.open(order("lucky-lucky", **lucky), pit.table, 1_000_00, BOTH)
    paid = Payout(pit.table, 0, "lucky-lucky", 400_00, 80_000_00, "Quinn", "suited 7-7-7")
    with pytest.raises(BadAmount, match=r"pays \$20,000 a deal at most \(WAC 230-15-490"):
        pit.books.pay(paid, BOTH)
    pit.books.pay(replace(paid, cents=20_000_00), BOTH)


def test_wagers_are_not_multiplied_by_entering_them_again(pit: Pit) -> None:
    wagers = [Stakes("ante", 5_00, 7_200)]
    pit.books.enter_wagers(pit.table, wagers, {"gambling": "flo"})
    with pytest.raises(BadAmount, match=r"1 to 10,080 with those entered before: .*house rule"):
        pit.books.enter_wagers(pit.table, wagers, {"gambling": "flo"})


def test_a_player_is_not_rated_twice_for_a_day(pit: Pit, register: Register) -> None:
    rating = RegisterEntry("rating", "Kim", "ante", table=pit.table, cents=25_00, count=1_000)
    register.add(rating, **TWO)
    with pytest.raises(BadAmount, match="up to 1,440 rounds a day"):
        register.add(replace(rating, name="kim"), **TWO)


@pytest.mark.parametrize("key", ["fill/{}", "log 0f0f to 9", "2024-01-31 table s round 7"])
def test_no_key_keeps_out_a_posting_that_the_books_key_themselves(pit: Pit, gran: Desk, key: str) -> None:
    of_next = key.format(pit.fill(1_00).number + 2)
    with pytest.raises(PostingRefused, match=r"the books make keys like .*house rule: one key, one posting"):
        pit.books.enter_wagers(pit.table, [Stakes("ante", 5_00, 1)], {"gambling": "flo"}, key=of_next)
    with pytest.raises(PostingRefused, match="the books make keys like"):
        gran.ledger.post(Deposit(1_00), signed(of_next))
    with pytest.raises(PostingRefused, match="the books make keys like"):
        TokeBook(pit.books.database).take(pit.table, 1_00, {"dealer": "dan", "witness": "flo"}, day=DAY, key=of_next)


def test_a_round_has_no_more_hands_than_its_table_has_spots(staffed: Database) -> None:
    approve(staffed, "spanish-poker")
    offers = {"offers": ["ante", "gran-progressive"]}
    TableBooks(staffed).open(order("spanish-poker", options=offers, seats=5), "P", 1_000_00, BOTH)
    gran = Desk(Ledger.open(staffed, "spots", terms(increment=56), signed("opening", DAY)), DAY)
    hands = ("2c 3d 4c 5d Kh", "2h 3h 4h 5h 6h", FLUSH, "Ac Kc Qd Jd 7h", "7c Jc Qc Kd Ad", "2d 3c 4d 5c 6c")
    for act in (ProgressiveRound("P", "1", hands), Contribution("P", "2", 6)):
        with pytest.raises(BadAmount, match=r"1 to 5, one for each spot; .*SP.15"):
            gran.post(act)
    gran.post(ProgressiveRound("P", "1", hands[:5]))


def test_a_round_written_with_a_nought_is_the_same_round(gran: Desk) -> None:
    gran.post(Contribution("S", "81", 1))
    with pytest.raises(PostingRefused, match="round 81 at table S is posted already"):
        gran.post(Contribution("S", "081", 1))


def test_a_task_that_is_finished_again_under_its_key_is_finished_once(pit: Pit) -> None:
    pit.books.revise("count", pit.finish_day(900_00, 5_00).slip.serial, "look again", REVISERS)
    task = pit.books.tasks()[-1]
    done = [pit.books.finish(task.id, "folder 7", {"reviewer": "amy"}, key="done") for _ in range(2)]
    assert [posting.repeated for posting in done] == [False, True]
    assert done[0].number == done[1].number


def test_who_voided_a_slip_of_a_box_is_not_independent_of_it(pit: Pit) -> None:
    pit.books.void("fill", pit.fill(10_00).slip.serial, "a mistake", VOIDERS)
    pit.close(900_00)
    pit.drop()
    with pytest.raises(PostingRefused, match=r"carl signed slips of this box .*WAC 230-15-610"):
        pit.books.tally(pit.table, {1_00: 5}, {"first counter": "carl"})
    counted = pit.count({1_00: 5}).slip.serial
    with pytest.raises(PostingRefused, match="fred signed slips of this box and cannot be the independent person"):
        pit.books.revise("count", counted, "look again", {"accounting": "ann", "independent": "fred"})


def test_a_slip_has_words_that_can_be_printed(pit: Pit) -> None:
    with pytest.raises(BadOption, match="a shift's number or name"):
        Pit(pit.books).open(shift="a\nb")
    pit.close(900_00)
    with pytest.raises(BadOption, match="a box's number or name"):
        pit.drop(box="A\nB")


def test_the_same_chips_lie_in_one_tray_only(staffed: Database) -> None:
    pit, register = Pit(TableBooks(staffed)), Register(staffed)
    chips = RegisterEntry("chips", "house", "received", pieces={100_00: 100})
    register.add(chips, **TWO)
    pit.open({100_00: 80})
    pit.close({100_00: 80})
    other = Pit(pit.books)
    with pytest.raises(NotNow, match=r"has 100, 80 of them in the trays of other tables \(house rule.*WAC 230-15-730"):
        other.open({100_00: 21})
    with pytest.raises(NotNow, match="the destruction has 21 chips"):
        register.add(replace(chips, says="destroyed", pieces={100_00: 21}), **TWO)
    other.open({100_00: 20})
    request = RegisterEntry("request", "fill", "low", table=other.table, pieces={100_00: 21})
    with pytest.raises(NotNow, match="the request has 21 chips"):
        register.add(request, by="flo", second="sam", day=DAY)


def test_whoever_signs_at_a_table_is_licensed_and_on_shift_there(staffed: Database) -> None:
    pit, register, tokes = Pit(TableBooks(staffed)), Register(staffed), TokeBook(staffed)
    pit.open(1_000_00)
    gran = Desk(Ledger.open(staffed, "shifts", terms(), signed("opening")))
    gran.cover()
    asked = RegisterEntry("request", "fill", "low", table=pit.table, pieces={1_00: 5})
    register.add(RegisterEntry("shift", "fred", "the pit", table="another"), **{**TWO, "second": "boss"})
    acts = {
        "flo": (
            lambda: tokes.take(pit.table, 5_00, {"dealer": "dan", "witness": "flo"}, day=DAY),
            lambda: register.add(asked, by="flo", second="sam", day=DAY),
        ),
        "bob": (lambda: gran.post(Contribution("S", "1", 1)), lambda: gran.post(ProgressiveRound("S", "2", (FLUSH,)))),
    }
    for person, posts in acts.items():
        for post in posts:
            with pytest.raises(PostingRefused, match=rf"{person} is not on shift .*house rule"):
                post()
    with pytest.raises(PostingRefused, match="Ann cannot record an own licence"):
        register.add(RegisterEntry("licence", "Ann", "68-9"), by="abe", second="ann", day=DAY)
    register.add(RegisterEntry("licence", "Dan", "68-1", until=DAY), **{**TWO, "second": "boss"})
    register.strike(1, "relieved", **{**TWO, "second": "boss"})
    for post in (lambda: pit.fill(1_00), acts["flo"][0]):
        with pytest.raises(PostingRefused, match=r"dan may not sign .* ran out on 2024-01-31 .*house rule"):
            post()


def test_an_approval_ends_by_recording_it_again(house: Database) -> None:
    approve_here(house, "toke method", "by points", BEFORE)
    with house.snapshot() as connection:
        assert find_approval(connection, "toke method", "by points", DAY) == "by points"
    act = approve_for_house("toke method", "by points", BEFORE, BEFORE)
    ApprovalBook(house).record(act, by="abe", second="boss", day=BEFORE)
    with house.snapshot() as connection, pytest.raises(PostingRefused, match=rf"by points .* is recorded for {DAY}"):
        find_approval(connection, "toke method", "by points", DAY)


def test_an_excluded_person_gets_nothing_from_a_removal(staffed: Database) -> None:
    Register(staffed).add(RegisterEntry("excluded person", "Max", "by own wish"), **{**TWO, "day": FIRST_DAY})
    gran = Desk(Ledger.open(staffed, "removed", terms(notice_days=0), signed("opening")))
    gran.post(RemovalNotice("WAC 230-15-710"))
    plan = (Share("jackpot", gran["jackpot"], "players", "MAX"),)
    with pytest.raises(PostingRefused, match=r"winnings are not paid .WAC 230-23-020"):
        gran.post(Removal(FIRST_DAY, "WAC 230-15-710", plan))


def test_an_administrator_does_not_take_over_the_only_other_second_person(tmp_path: Path) -> None:
    database = open_database(str(tmp_path / "books.sqlite"))
    users = Users(database, hasher=QUICK)
    users.add("eve", "administrator", PASSWORD)
    users.add("abe", "accounting", PASSWORD, by="eve")
    users.add("flo", "floor supervisor", PASSWORD, by="eve", second="abe")
    with pytest.raises(PostingRefused, match="takes a second person; name one of flo"):
        users.set_password("abe", "a new password for abe", by="eve")
    users.set_password("abe", "a new password for abe", by="eve", second="flo")
    database.close()


def test_a_second_set_of_books_in_the_place_of_the_first_is_found(tmp_path: Path) -> None:
    """Books kept with the same program on the same computer, whole in themselves and marked with a key of their own."""
    shown, other = tmp_path / "books.sqlite", tmp_path / "other.sqlite"
    for path in (shown, other):
        database = open_database(str(path))
        Users(database, hasher=QUICK).add("eve", "administrator", PASSWORD)
        assert audit(database).faults == []
        database.close()
    shutil.copy(other, shown)
    database = open_database(str(shown))
    assert [fault.fault for fault in audit(database).faults] == [
        "posting 1 of house users does not bear the seal that was noted"
    ]
    database.close()


@pytest.mark.parametrize("sign", ["\0", "\x1b", "\ud800"], ids=["nothing", "escape", "half a character"])
def test_words_that_a_server_cannot_store_are_refused(pit: Pit, register: Register, sign: str) -> None:
    """Else books with one such word could not move from a file to a server."""
    serial = pit.fill(1_00).slip.serial
    for act in (
        lambda: pit.fill(1_00, key=f"a{sign}"),
        lambda: pit.books.void("fill", serial, f"a mistake{sign}", VOIDERS),
        lambda: register.add(RegisterEntry("incident", "table A", f"a card{sign} fell", "log 7"), **TWO),
    ):
        with pytest.raises(BadOption, match=r"printable|printed"):
            act()
    pit.books.void("fill", serial, "a mistake,\nin two lines", VOIDERS)


def test_nobody_is_named_as_the_journal_names_strangers(house: Database) -> None:
    with pytest.raises(PostingRefused, match="whoever it does not know"):
        Users(house, hasher=QUICK).add("A  Stranger", "dealer", PASSWORD, by="boss", second="abe")


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


def test_periods_close_one_after_the_other(staffed: Database) -> None:
    database = staffed
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
