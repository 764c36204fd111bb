"""Slips of a table: in their order, signed by everybody they take, numbered without a gap, void but kept."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import Executable, delete, insert, select, update

from feltworks.errors import (
    BadAmount,
    BadDay,
    BadOption,
    FeltError,
    NotNow,
    NotPermitted,
    PostingRefused,
    UnknownName,
)
from feltworks.house.approvals import ApprovalBook, approve_for_house
from feltworks.house.journal.book import book_number, postings
from feltworks.house.storage.schema import period, person, signature, slip, slip_void, stake, task, task_done
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import BOOK
from feltworks.house.tables.acts import Payout, Stakes
from feltworks.house.tables.books import TableBooks
from feltworks.house.tables.report import master_games_report
from feltworks.house.verification import verify_books
from feltworks.table.limits import WagerLimit
from tests.house.floor import ALL_FOUR, BOTH, CARRIERS, DAY, FIRST, OTHERS, THREE, VOIDERS, Pit, order

KEPT = [period, signature, slip, slip_void, stake, task, task_done]


def postings_so_far(books: TableBooks) -> int:
    with books.database.snapshot() as connection:
        return len(list(postings(connection, book_number(connection, BOOK))))


def test_a_day_at_a_table_goes_from_opener_to_count(pit: Pit) -> None:
    states = []
    for act in (
        lambda: pit.open(10_000_00),
        lambda: pit.fill(2_000_00),
        lambda: pit.credit(500_00),
        lambda: pit.close(9_000_00),
        pit.drop,
        lambda: pit.count({100_00: 40, 20_00: 5}),
    ):
        act()
        states.append(pit.state)
    assert states == ["open", "open", "open", "closed", "pulled", "counted"]


def test_a_slip_tells_who_signed_it_and_as_what(pit: Pit) -> None:
    pit.open()
    signed = pit.fill(100_00).signatures
    assert {each.position: (each.person, each.role) for each in signed} == {
        "floor supervisor": ("flo", "floor supervisor"),
        "cage": ("cara", "cage"),
        "security": ("sam", "security"),
        "dealer": ("dan", "dealer"),
    }


@pytest.mark.parametrize(
    ("early", "sentence"),
    [
        (lambda pit: pit.fill(100), "no table with books"),
        (lambda pit: pit.close(100), "no table with books"),
        (lambda pit: pit.drop(), "no table with books"),
    ],
)
def test_nothing_happens_at_a_table_that_was_never_open(
    pit: Pit, early: Callable[[Pit], object], sentence: str
) -> None:
    with pytest.raises(UnknownName, match=sentence):
        early(pit)


def test_every_act_out_of_its_order_is_refused_and_nothing_is_written(pit: Pit) -> None:
    pit.open()
    before = postings_so_far(pit.books)
    for early in (pit.open, pit.drop, lambda: pit.count({100: 1})):
        with pytest.raises(NotNow, match="is open"):
            early()
    assert postings_so_far(pit.books) == before
    pit.close(1_00)
    for late in (lambda: pit.fill(1), lambda: pit.credit(1), lambda: pit.close(1), pit.open):
        with pytest.raises(NotNow, match="is closed"):
            late()
    assert postings_so_far(pit.books) == before + 1


def test_a_table_opens_again_while_its_last_box_waits_in_the_count_room(pit: Pit) -> None:
    pit.open(1_000_00)
    pit.close(1_200_00)
    pit.drop()
    pit.open(1_200_00, day=DAY + timedelta(days=1))
    assert pit.state == "open"
    counted = pit.count({1_00: 50})
    assert counted.period < pit.books.period(pit.table).id  # the older box, not that on the table
    assert pit.state == "open"


@pytest.mark.parametrize(
    ("signed", "trouble", "sentence"),
    [
        ({**ALL_FOUR, "cage": ""}, UnknownName, "no user ''"),
        ({key: ALL_FOUR[key] for key in ("cage", "dealer", "security")}, PostingRefused, "floor supervisor"),
        ({**ALL_FOUR, "security": "dan"}, PostingRefused, "different persons"),
        ({**ALL_FOUR, "cage": "abe"}, NotPermitted, "abe .accounting. may not bring a fill as cage"),
        ({**ALL_FOUR, "cage": "reg"}, NotPermitted, "reg .regulator."),
        ({**ALL_FOUR, "cage": "admin"}, NotPermitted, "admin .administrator."),
        ({**ALL_FOUR, "cage": "nobody"}, UnknownName, "no user 'nobody'"),
        ({**ALL_FOUR, "friend": "dora"}, UnknownName, "no signature 'friend'"),
    ],
)
def test_a_fill_takes_four_different_persons_of_their_roles(
    pit: Pit, signed: dict[str, str], trouble: type[FeltError], sentence: str
) -> None:
    pit.open()
    before = postings_so_far(pit.books)
    with pytest.raises(trouble, match=sentence):
        pit.books.fill(pit.table, 100_00, signed)
    assert postings_so_far(pit.books) == before


@pytest.mark.parametrize("cents", [0, -5, 1.5, "100", True, 10**14])
def test_an_amount_that_is_no_amount_is_refused(pit: Pit, cents: int) -> None:
    pit.open()
    with pytest.raises(BadAmount, match="whole number of cents"):
        pit.fill(cents)


@pytest.mark.parametrize("letter", ["t", "\u0422", "\uff34"], ids=ascii)
def test_a_table_is_not_opened_under_a_name_that_looks_like_another(pit: Pit, letter: str) -> None:
    pit.open(1_000_00)
    with pytest.raises(PostingRefused, match=f"there is a table {pit.table} already"):
        pit.books.open(order(), pit.table.replace("T", letter), 1_000_00, BOTH)


def test_more_wagers_than_a_day_has_rounds_are_refused(pit: Pit) -> None:
    pit.open(1_000_00)
    with pytest.raises(BadAmount, match=r"in each of 1,440 rounds a day \(house rule\)"):
        pit.books.enter_wagers(pit.table, [Stakes("ante", 5_00, 100_000)], {"gambling": "flo"})
    with pytest.raises(BadOption, match="up to 400 characters"):
        pit.books.pay(Payout(pit.table, 0, "tie", 5_00, 35_00, "P" * 401, "Kc"), BOTH)


def test_an_amount_that_no_table_can_hold_or_win_names_its_rule(pit: Pit) -> None:
    too_much = 10_000_000_000_00
    with pytest.raises(BadAmount, match=r"opener .*\(house rule: nobody"):
        pit.open(too_much)
    small = {wager: WagerLimit(maximum=5_00) for wager in ("ante", "lucky-monkey", "tie")}
    pit.books.open(order(limits=small), pit.table, 1_000_00, BOTH)
    for act in (pit.fill, pit.close):
        with pytest.raises(BadAmount, match=r"\(house rule: nobody"):
            act(too_much)
    with pytest.raises(BadAmount, match=r"won \$999,000, and its wagers can lose \$\d+,000 .*WAC 230-15-500"):
        pit.close(1_000_000_00)
    pit.close(1_000_00)
    pit.drop()
    for hundreds, words in ((1_000_000, "house rule: nobody"), (2_521, "WAC 230-15-500")):
        with pytest.raises(BadAmount, match=words):
            pit.count({100_00: hundreds})
    assert pit.state == "pulled"


def test_who_signed_slips_of_a_box_does_not_count_it(pit: Pit) -> None:
    pit.open()
    pit.fill(100_00)
    pit.close(1_00)
    pit.drop()
    with pytest.raises(PostingRefused, match="cara signed slips of this box"):
        pit.books.tally(pit.table, {100: 1}, {"first counter": "cara"})
    pit.books.tally(pit.table, {100: 1}, FIRST)
    with pytest.raises(PostingRefused, match="cara signed slips of this box"):
        pit.books.count(pit.table, {100: 1}, {**OTHERS, "third counter": "cara"})


def test_surveillance_does_not_count(pit: Pit) -> None:
    pit.open()
    pit.close(1_00)
    pit.drop()
    pit.books.tally(pit.table, {100: 1}, FIRST)
    with pytest.raises(NotPermitted, match=r"vic \(surveillance\)"):
        pit.books.count(pit.table, {100: 1}, {**OTHERS, "third counter": "vic"})


def test_a_team_of_two_needs_what_allows_it(pit: Pit) -> None:
    pit.open()
    pit.close(1_00)
    pit.drop()
    two = {"second counter": "amy"}
    pit.books.tally(pit.table, {100: 1}, FIRST)
    with pytest.raises(PostingRefused, match="third counter"):
        pit.books.count(pit.table, {100: 1}, two)
    with pytest.raises(PostingRefused, match="letter of 2019 of a count team of two is not recorded; none"):
        pit.books.count(pit.table, {100: 1}, two, team_approval="letter of 2019")
    approved = approve_for_house("count team", "letter of 2019", DAY, DAY)
    ApprovalBook(pit.books.database).record(approved, by="abe", second="boss", day=DAY)
    pit.books.count(pit.table, {100: 1}, two, team_approval="letter of 2019")
    assert pit.state == "counted"


def test_two_counts_that_differ_are_counted_again(pit: Pit) -> None:
    pit.open()
    pit.close(1_00)
    pit.drop()
    with pytest.raises(PostingRefused, match="the two counts differ; both persons count the box again"):
        pit.count({100_00: 12}, first={100_00: 11, 20_00: 5})
    assert pit.state == "pulled"


def test_a_void_slip_keeps_its_number_and_gives_its_money_back(pit: Pit) -> None:
    pit.open(1_000_00)
    wrong = pit.fill(5_000_00).slip
    pit.books.void("fill", wrong.serial, "wrong amount", VOIDERS)
    right = pit.fill(500_00).slip
    assert right.serial == wrong.serial + 1
    found = pit.books.period(pit.table)
    assert [(each.serial, each.void) for each in found.slips if each.kind == "fill"] == [
        (wrong.serial, True),
        (right.serial, False),
    ]
    assert found.sums.fills == 500_00
    assert all(book.holds for book in verify_books(pit.books.database, ["house tables"]))


def test_a_void_closer_leaves_the_table_open_and_a_void_opener_leaves_none(pit: Pit) -> None:
    opened = pit.open(1_000_00)
    closed = pit.close(900_00)
    pit.books.void("closer", closed.slip.serial, "miscounted", VOIDERS)
    assert pit.state == "open"
    pit.books.void("opener", opened.slip.serial, "wrong table", VOIDERS)
    assert pit.state == "none"
    pit.open(1_000_00)  # the same day and shift again, since that box came to nothing
    assert pit.state == "open"


REVISERS = {"accounting": "ann", "independent": "vic"}


def test_a_counted_box_is_locked_and_revised_by_accounting_and_somebody_independent(pit: Pit) -> None:
    pit.open(1_000_00)
    filled = pit.fill(100_00).slip
    first = pit.finish_day(1_000_00, 300_00).slip
    for kind, serial in (("count", first.serial), ("fill", filled.serial)):
        with pytest.raises(NotNow, match=r"locked|cannot be void any more"):
            pit.books.void(kind, serial, "a bundle was overlooked", VOIDERS)
    with pytest.raises(PostingRefused, match="amy signed slips of this box"):
        pit.books.revise("count", first.serial, "overlooked", {**REVISERS, "independent": "amy"})
    with pytest.raises(NotPermitted):
        pit.books.revise("count", first.serial, "overlooked", {**REVISERS, "accounting": "flo"})
    revised = pit.books.revise("count", first.serial, "a bundle was overlooked", REVISERS)
    assert [task.kind for task in revised.tasks] == ["revision"]
    assert pit.state == "pulled"
    for ordinary in (
        lambda: pit.count({1_00: 400}),  # which enters another first count
        lambda: pit.books.enter_wagers(pit.table, [Stakes("ante", 5_00, 10)], {"gambling": "flo"}),
    ):
        with pytest.raises(NotNow, match="locked"):
            ordinary()
    with pytest.raises(NotNow, match="locked"):
        pit.books.count(pit.table, {1_00: 400}, OTHERS)
    pit.books.recount(pit.table, {1_00: 400}, {**OTHERS, **REVISERS})
    assert pit.books.period(pit.table).sums.win == 300_00
    report = master_games_report(pit.books.database, DAY)
    (row,) = [row for row in report.tables if row.table == pit.table]
    assert row.revisions == 1
    assert all(book.holds for book in verify_books(pit.books.database, ["house tables"]))


def test_what_later_slips_rest_on_cannot_be_void(pit: Pit) -> None:
    opened, filled = pit.open(), pit.fill(100_00)
    with pytest.raises(NotNow, match="while fill"):
        pit.books.void("opener", opened.slip.serial, "why not", VOIDERS)
    closed = pit.close(1_00)
    dropped = pit.drop()
    with pytest.raises(NotNow, match="the box is pulled"):
        pit.books.void("closer", closed.slip.serial, "why not", VOIDERS)
    pit.open(1_00, day=DAY + timedelta(days=1))
    with pytest.raises(NotNow, match="another box"):
        pit.books.void("drop", dropped.slip.serial, "why not", VOIDERS)
    pit.count({1_00: 1})
    with pytest.raises(NotNow, match="the box is counted"):
        pit.books.void("fill", filled.slip.serial, "why not", VOIDERS)


@pytest.mark.parametrize(
    ("why", "signed", "trouble"),
    [
        (" ", VOIDERS, PostingRefused),
        ("because", {"floor supervisor": "flo"}, PostingRefused),
        ("because", {"floor supervisor": "flo", "witness": "sam"}, NotPermitted),
    ],
)
def test_a_void_takes_a_reason_and_two_persons(
    pit: Pit, why: str, signed: dict[str, str], trouble: type[FeltError]
) -> None:
    opened = pit.open()
    with pytest.raises(trouble):
        pit.books.void("opener", opened.slip.serial, why, signed)
    assert pit.state == "open"


def test_a_slip_is_void_once_and_only_if_it_exists(pit: Pit) -> None:
    opened = pit.open()
    pit.books.void("opener", opened.slip.serial, "wrong table", VOIDERS)
    with pytest.raises(NotNow, match="void already"):
        pit.books.void("opener", opened.slip.serial, "wrong table", VOIDERS)
    with pytest.raises(UnknownName, match="opener slip"):
        pit.books.void("opener", 10**9, "wrong table", VOIDERS)


def test_the_same_under_one_key_is_posted_once(pit: Pit) -> None:
    key = f"{pit.table} key"
    pit.open(key=key + " open")
    first, second = pit.fill(100_00, key=key), pit.fill(100_00, key=key)
    assert (first.slip, second.repeated) == (second.slip, True)
    assert pit.open(key=key + " open").repeated
    assert pit.books.period(pit.table).sums.fills == 100_00
    with pytest.raises(PostingRefused, match="give a new key"):
        pit.fill(200_00, key=key)


def test_a_box_pulled_twice_a_day_bears_its_shift(pit: Pit) -> None:
    pit.open(1_00)
    pit.finish_day(1_00, 0)
    with pytest.raises(PostingRefused, match="bears its shift"):
        pit.open(1_00)
    pit.open(1_00, shift="swing")
    assert pit.books.period(pit.table).shift == "swing"


def test_a_day_before_the_last_is_refused(pit: Pit) -> None:
    pit.open(1_00)
    pit.finish_day(1_00, 0)
    with pytest.raises(BadDay, match="a later one"):
        pit.open(1_00, day=DAY - timedelta(days=1))


@pytest.mark.clause("WA.1")
def test_an_order_that_breaks_a_limit_opens_no_table(pit: Pit) -> None:
    unlawful = order(limits={"ante": WagerLimit(5_00, 250_00)})
    with pytest.raises(PostingRefused, match="WAC 230-15-140"):
        pit.books.open(unlawful, pit.table, 1_00, BOTH)
    assert pit.state == "none"


@pytest.mark.clause("WA.3")
def test_a_game_whose_conditions_are_open_is_not_offered(pit: Pit) -> None:
    with pytest.raises(PostingRefused, match=r"offered in this card room yet \(WAC 230-15-035\); it lacks operator-1"):
        pit.books.open(order("lucky-lucky"), pit.table, 1_00, BOTH)
    assert pit.state == "none"


@pytest.mark.clause("WA.3")
def test_what_is_not_on_the_approved_sheet_opens_only_as_such(pit: Pit) -> None:
    pit.books.open(order(options={"offers": ["ante", "lucky-monkey"]}), pit.table, 1_00, BOTH)
    found = pit.books.period(pit.table)
    assert found is not None
    assert found.deviations == ("the tie wager is left out, the approved game has it",)


def test_the_database_itself_keeps_what_was_written(pit: Pit) -> None:
    pit.open()
    pit.books.enter_wagers(pit.table, [Stakes("ante", 10_00, 3)], {"gambling": "dan"})
    paid = pit.books.pay(Payout(pit.table, 0, "lucky-monkey", 150_00, 4_500_00, "Pat", "Kc Kd"), BOTH)
    pit.books.finish(paid.tasks[0].id, "tape 7", {"surveillance": "vic"})
    pit.books.void("fill", pit.fill(1_00).slip.serial, "so that something is void", VOIDERS)
    for table in KEPT:
        key = next(iter(table.primary_key.columns))
        for statement in (delete(table), update(table).values({key: key})):
            assert "stays" in refusal_of(pit, statement)
    assert "never deleted" in refusal_of(pit, delete(person))


def refusal_of(pit: Pit, statement: Executable) -> str:
    with pytest.raises(PostingRefused) as refused, pit.books.database.transaction() as connection:
        connection.execute(statement)
    return str(refused.value)


def test_the_database_itself_refuses_a_gap(pit: Pit) -> None:
    opened = pit.open()
    with pit.books.database.snapshot() as connection:
        last = connection.execute(select(slip).where(slip.c.kind == "opener")).all()[-1]
    with (
        pytest.raises(PostingRefused, match="without a gap"),
        pit.books.database.transaction() as connection,
    ):
        connection.execute(insert(slip).values({**last._mapping, "serial": opened.slip.serial + 2}))


def test_more_tables_than_allowed_stay_closed(new_pit: Callable[[], Pit]) -> None:
    for _ in range(15):
        new_pit().open(1_00)
    with pytest.raises(NotNow, match="15 tables are open; 15 are allowed"):
        new_pit().open(1_00)


def test_an_opener_that_differs_takes_security_and_an_error_slip(pit: Pit) -> None:
    pit.open(1_000_00)
    pit.finish_day(900_00, 50_00)
    tomorrow = DAY + timedelta(days=1)
    with pytest.raises(PostingRefused, match="security"):
        pit.open(899_00, day=tomorrow)
    opened = pit.open(899_00, day=tomorrow, signed=THREE)
    assert opened.tasks == ()
    found = pit.books.period(pit.table)
    assert [(each.kind, each.cents) for each in found.slips] == [("error", -1_00), ("opener", 899_00)]


def test_the_box_is_carried_by_two_departments(pit: Pit) -> None:
    pit.open()
    pit.close(1_00)
    with pytest.raises(NotPermitted, match=r"cara \(cage\)"):
        pit.books.drop(pit.table, {**CARRIERS, "gambling": "cara"})


def test_slips_written_at_once_by_many_lose_nothing_and_leave_no_gap(new_pit: Callable[[], Pit]) -> None:
    pits = [new_pit() for _ in range(3)]
    for each in pits:
        each.open()
    with ThreadPoolExecutor(6) as pool:
        posted = list(pool.map(lambda number: pits[number % 3].fill(1_00 + number), range(24)))
    serials = sorted(each.slip.serial for each in posted)
    assert serials == list(range(serials[0], serials[0] + 24))
    for number, each in enumerate(pits):
        expected = sum(1_00 + one for one in range(24) if one % 3 == number)
        assert each.books.period(each.table).sums.fills == expected


def test_two_people_count_blind_and_separately(pit: Pit) -> None:
    pit.open(1_000_00)
    pit.close(1_000_00)
    pit.drop()
    others = {"second counter": "amy", "third counter": "sue"}
    with pytest.raises(NotNow, match="no first count yet"):
        pit.books.count(pit.table, {1_00: 300}, others)
    with pytest.raises(NotPermitted):
        pit.books.tally(pit.table, {1_00: 300}, {"first counter": "vic"})
    first = pit.books.tally(pit.table, {1_00: 300}, {"first counter": "abe"})
    with pit.books.database.snapshot() as connection:
        of = book_number(connection, BOOK)
        (entered,) = postings(connection, of, first=first.number, last=first.number)
    assert "300" not in entered.explanation
    assert '"first"' not in entered.facts
    for wrong in ({1_00: 299}, {3_00: 100}):
        with pytest.raises(PostingRefused, match=r"the two counts differ; both persons .*WAC 230-15-615"):
            pit.books.count(pit.table, wrong, others)
    with pytest.raises(PostingRefused, match="different persons"):
        pit.books.count(pit.table, {1_00: 300}, {**others, "second counter": "abe"})
    assert pit.state == "pulled"
    counted = pit.books.count(pit.table, {1_00: 300}, others)
    assert [each.person for each in counted.signatures] == ["abe", "amy", "sue"]
    assert pit.books.period(pit.table).sums.win == 300_00
    assert all(book.holds for book in verify_books(pit.books.database, ["house tables"]))


def test_a_box_that_waits_for_its_count_is_found_however_many_came_after(
    pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(periods, "NEWEST", 1)
    pit.open(1_000_00)
    pit.close(1_000_00)
    pit.drop()
    pit.open(1_000_00, day=DAY + timedelta(days=1))
    first = pit.count({1_00: 300})
    with pit.books.database.snapshot() as connection:
        assert periods.one(connection, first.period).day == DAY
