"""The register: licences that run out, excluded persons, and entries that are struck and never changed."""

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta

import pytest
from msgspec.structs import replace

from feltworks.errors import BadAmount, BadDay, FeltError, NotNow, NotPermitted, PostingRefused, UnknownName
from feltworks.house.closing import ClosingBook, parse_span
from feltworks.house.entries import RegisterEntry, known_kind
from feltworks.house.floor import floor_day
from feltworks.house.journal.book import book_number, postings
from feltworks.house.progressive.acts import Deposit
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.register import Register
from feltworks.house.storage.database import Database
from feltworks.house.storage.migration import open_database
from feltworks.house.tables.acts import Payout, Stakes, decode_act
from feltworks.house.tables.books import TableBooks
from feltworks.house.tables.report import master_games_report
from feltworks.house.verification import audit
from tests.house.desk import signed, terms
from tests.house.floor import BOTH, VOIDERS, Pit, approve, approve_here, hire
from tests.house.servers import new_database

TODAY = date.today()
ABE = {"second": "abe", "day": TODAY}
TWO = {"by": "flo", **ABE}


@pytest.fixture
def pit(staffed: Database) -> Pit:
    return Pit(TableBooks(staffed))


@pytest.fixture(params=["sqlite", "postgresql"])
def new_house(request: pytest.FixtureRequest) -> Iterator[Pit]:
    """A house without entries, on either database."""
    if request.param == "sqlite":
        yield request.getfixturevalue("pit")
        return
    database = open_database(new_database(request.getfixturevalue("postgresql_url"), "register"))
    hire(database)
    approve(database, "fu-bacc")
    yield Pit(TableBooks(database))
    database.close()


def test_who_signs_a_slip_is_on_shift_there_once_shifts_are_kept(new_house: Pit) -> None:
    pit, register = new_house, Register(new_house.books.database)
    pit.open(1_000_00)  # nobody's shift is kept yet
    elsewhere = register.add(RegisterEntry("shift", "dan", "dealing", table="another"), **TWO)
    slips: list[Callable[[], object]] = [lambda: pit.fill(1_00), lambda: pit.close(900_00)]
    for post in slips:
        with pytest.raises(
            PostingRefused, match=rf"dan is on shift at another table .* table {pit.table}: .*house rule"
        ):
            post()
    register.strike(elsewhere, "relieved", **TWO)
    with pytest.raises(PostingRefused, match="dan is not on shift"):
        pit.fill(1_00)  # shifts of dealers are kept on this day, also while nobody is on one
    register.add(RegisterEntry("shift", "dan", "dealing", table=pit.table), **TWO)
    serial = pit.fill(1_00).slip.serial
    register.add(RegisterEntry("shift", "flo", "all tables"), **TWO)
    with pytest.raises(PostingRefused, match="fred is not on shift"):
        pit.books.void("fill", serial, "a mistake", VOIDERS)
    pit.finish_day(1_001_00, 0)  # the count team sits elsewhere


def test_no_slip_has_chips_that_the_house_never_had(new_house: Pit) -> None:
    pit, register = new_house, Register(new_house.books.database)
    pit.open({25_00: 40})  # no inventory is kept yet
    chips = RegisterEntry("chips", "house", "received", pieces={25_00: 400, 5_00: 100})
    register.add(chips, **TWO)
    register.add(replace(chips, says="destroyed", pieces={25_00: 360}), **TWO)
    rule = r"the chip inventory has {} \(house rule: .*WAC 230-15-730"
    refused: dict[str, Callable[[], object]] = {
        "40": lambda: pit.fill({25_00: 41}),
        "0": lambda: pit.fill({1_00: 1}),
        "100": lambda: pit.close({25_00: 40, 5_00: 101}),
    }
    for held, post in refused.items():
        with pytest.raises(NotNow, match=rule.format(held)):
            post()
    with pytest.raises(NotNow, match=rule.format("0")):
        Pit(pit.books).open({1_00: 10})
    pit.fill({5_00: 100})
    pit.credit({25_00: 40})


def test_an_entry_is_struck_and_never_changed(pit: Pit) -> None:
    register = Register(pit.books.database)
    number = register.add(RegisterEntry("incident", "table 3", "a card fell", "log 7"), **TWO)
    with pytest.raises(PostingRefused, match="say why"):
        register.strike(number, " ", **TWO)
    register.strike(number, "settled before two witnesses", **TWO)
    with pytest.raises(NotNow, match="struck already"):
        register.strike(number, "again", **TWO)
    with pytest.raises(UnknownName):
        register.strike(99, "no such entry", **TWO)
    (line,) = register.lines("incident")
    assert (line.struck, line.signed) == ("settled before two witnesses", ("flo", "abe"))
    assert audit(pit.books.database).faults == []


def test_an_entry_takes_two_persons_facts_and_a_day_to_come(pit: Pit) -> None:
    register = Register(pit.books.database)
    with pytest.raises(NotPermitted):
        register.add(RegisterEntry("key", "cage 1", "cara"), by="dan", second="abe", day=TODAY)
    with pytest.raises(PostingRefused, match="names somebody or something"):
        register.add(RegisterEntry("key", "cage 1", " "), **TWO)
    with pytest.raises(BadDay):
        register.add(RegisterEntry("licence", "dan", "68-1", until=TODAY - timedelta(days=1)), **TWO)
    with pytest.raises(UnknownName, match="kind of entry"):
        known_kind("gossip")
    assert register.lines() == []


def test_nobody_signs_after_the_licence_on_record_is_given_back(pit: Pit) -> None:
    register = Register(pit.books.database)
    number = register.add(RegisterEntry("licence", "dan", "68-1", until=TODAY), **TWO)
    pit.open(1_000_00)
    register.strike(number, "given back", **TWO)
    with pytest.raises(PostingRefused, match=r"dan may not sign on .* the licence was struck: given back"):
        pit.close(1_000_00)
    gran = Ledger.open(pit.books.database, "gran", terms(increment=30), signed(day=TODAY))
    for person in ("ann", "flo"):
        register.strike(
            register.add(RegisterEntry("licence", person, "68-3"), by="fred", **ABE), "gone", by="fred", **ABE
        )
    with pytest.raises(PostingRefused, match="ann may not sign on"):
        gran.post(Deposit(500_00), signed(day=TODAY))
    with pytest.raises(PostingRefused, match="flo may not sign on"):
        register.add(RegisterEntry("incident", "table 3", "a card fell", "log 7"), **TWO)
    for person in ("dan", "flo"):
        entry = RegisterEntry("licence", person, f"68-{person}", until=TODAY + timedelta(days=365))
        register.add(entry, by="fred", **ABE)
    pit.close(1_000_00)


def test_an_excluded_person_is_paid_nothing(pit: Pit) -> None:
    register = Register(pit.books.database)
    pit.open(1_000_00)
    number = register.add(RegisterEntry("excluded person", "Pat Doe", "by own wish"), **TWO)
    payout = Payout(pit.table, 0, "tie", 10_00, 70_00, "pat doe", "9c 9d")
    with pytest.raises(PostingRefused, match=r"pat doe is excluded .*WAC 230-23-020"):
        pit.books.pay(payout, BOTH)
    register.strike(number, "the time is over", **TWO)
    pit.books.pay(payout, BOTH)


CAGE = {"by": "cara", "second": "sam", "day": TODAY}


def test_an_entry_takes_the_facts_of_its_kind_and_no_others(pit: Pit) -> None:
    register = Register(pit.books.database)
    for entry, words in (
        (RegisterEntry("cards", "set 12", "received"), "says its count"),
        (RegisterEntry("cards", "set 12", "eaten", count=6), "received, issued, returned, destroyed, checked"),
        (RegisterEntry("key", "cage 1", "cara", count=3), "count of key cannot be '3'"),
        (RegisterEntry("transaction", "Pat", "cash in", cents=-5), "a whole number of cents"),
        (RegisterEntry("chips", "house", "received", pieces={25_00: 4}, cents=7), r"the pieces make \$100"),
        (RegisterEntry("transfer", "cage", "cage", pieces={1_00: 1}), "another place"),
        (RegisterEntry("shift", "nobody", "dealing"), "no user 'nobody'"),
        (RegisterEntry("rating", "Pat", "ante", table="9", cents=10_00, count=40), "table with a box"),
    ):
        people = CAGE if entry.kind == "transfer" else TWO
        with pytest.raises(FeltError, match=words):
            register.add(entry, **people)
    assert register.lines() == []


def test_cards_and_chips_are_issued_and_destroyed_only_as_received(pit: Pit) -> None:
    register = Register(pit.books.database)
    for says, count in (("received", 12), ("issued", 6), ("returned", 6), ("destroyed", 6)):
        register.add(RegisterEntry("cards", "red bee", says, count=count), **TWO)
    with pytest.raises(NotNow, match=r"7 of red bee cannot be issued: 6 are in the store and 0 are out"):
        register.add(RegisterEntry("cards", "red bee", "issued", count=7), **TWO)
    with pytest.raises(PostingRefused, match="under which reference"):
        register.add(RegisterEntry("cards", "red bee", "checked", count=6), **TWO)
    register.add(RegisterEntry("chips", "house", "received", "invoice 3", pieces={25_00: 400}), **TWO)
    with pytest.raises(NotNow, match=r"1 of house \$5 cannot be issued"):
        register.add(RegisterEntry("chips", "house", "issued", pieces={25_00: 1, 5_00: 1}), **TWO)
    assert [(held.name, held.store) for held in floor_day(pit.books.database, TODAY).stock] == [
        ("house $25", 400),
        ("red bee", 6),
    ]


def test_a_key_is_brought_back_before_it_is_given_out_again(pit: Pit) -> None:
    register = Register(pit.books.database)
    number = register.add(RegisterEntry("key", "contents of boxes", "abe"), **TWO)
    with pytest.raises(NotNow, match="brought back first"):
        register.add(RegisterEntry("key", "contents of boxes", "amy"), **TWO)
    register.strike(number, "brought back 23:10", **TWO)
    register.add(RegisterEntry("key", "contents of boxes", "amy"), **TWO)


def test_a_fill_answers_its_request_once_and_in_full(pit: Pit) -> None:
    register = Register(pit.books.database)
    pit.open({100_00: 50, 25_00: 200})
    asked = RegisterEntry("request", "fill", "runs out of reds", table=pit.table, pieces={25_00: 40})
    with pytest.raises(NotPermitted):
        register.add(asked, **TWO)
    number = register.add(asked, by="flo", second="sam", day=TODAY)
    with pytest.raises(PostingRefused, match=r"asks for a fill of \$1,000 at table"):
        pit.fill({25_00: 39}, request=number)
    with pytest.raises(PostingRefused, match="asks for a fill"):
        pit.credit({25_00: 40}, request=number)
    filled = pit.fill({25_00: 40}, request=number)
    assert filled.slip.cents == 1_000_00
    with pytest.raises(NotNow, match="not an open request"):
        pit.fill({25_00: 40}, request=number)
    assert register.lines("request")[0].struck == "answered by a fill"
    assert audit(pit.books.database).faults == []


def test_an_opener_is_rolled_from_the_closer_with_its_pieces(pit: Pit) -> None:
    with pytest.raises(PostingRefused, match="no closer to be opened from"):
        pit.open(None)
    pit.open(500_00)
    pit.close({100_00: 4, 25_00: 3})
    pit.drop()
    rolled = pit.open(None, shift="2", key="second box")
    assert (rolled.slip.cents, rolled.tasks) == (475_00, ())
    assert pit.open(None, shift="2", key="second box").repeated
    with pit.books.database.snapshot() as connection:
        facts = [p.facts for p in postings(connection, book_number(connection, "house tables"))]
    assert decode_act(facts[-1]).pieces == {100_00: 4, 25_00: 3}  # type: ignore[union-attr]


def test_cage_and_vault_are_booked_and_counted_against_their_imprest(pit: Pit) -> None:
    register = Register(pit.books.database)
    imprest = RegisterEntry("imprest", "cage", "the controls", cents=20_000_00)
    with pytest.raises(PostingRefused, match=r"the controls of an imprest is not recorded; none .*house rule"):
        register.add(imprest, **CAGE)
    approve_here(pit.books.database, "imprest", "the controls", TODAY, 20_000_00)
    with pytest.raises(BadAmount, match=r"\$20,000 is approved under the controls \(house rule"):
        register.add(replace(imprest, cents=99_000_00), **CAGE)
    register.add(imprest, **CAGE)
    register.add(RegisterEntry("transfer", "vault", "bank", pieces={100_00: 300}), **CAGE)
    register.add(RegisterEntry("transfer", "cage", "vault", pieces={100_00: 200}), **CAGE)
    with pytest.raises(FeltError, match=r"the vault holds \$10,000"):
        register.add(RegisterEntry("transfer", "cage", "vault", pieces={100_00: 101}), **CAGE)
    pit.open(1_000_00)  # the first tray comes from the cage
    pit.fill(500_00)
    counted = register.add(RegisterEntry("cage count", "cage", "shift end", pieces={100_00: 185, 1_00: 1}), **CAGE)
    assert register.balances() == {"vault": 10_000_00, "cage": 18_501_00}
    with pit.books.database.snapshot() as connection:
        *_, last = postings(connection, book_number(connection, "house register"))
    assert [(line.debit, line.credit, line.cents) for line in last.entries] == [
        ("tables", "cage", 1_500_00),
        ("cage", "over and short", 1_00),
    ]
    with pytest.raises(NotNow, match="moved money"):
        register.strike(counted, "a mistake", **TWO)
    floor = floor_day(pit.books.database, TODAY)
    assert [(place.name, place.imprest) for place in floor.places] == [("cage", 20_000_00), ("vault", None)]
    assert any("$18,501, " in alert.says and "$1,499" in alert.says for alert in floor.alerts)
    assert audit(pit.books.database).faults == []


def test_cash_above_the_threshold_is_reported_once_a_person_and_day(pit: Pit) -> None:
    register = Register(pit.books.database)
    for player, says, cents in (
        ("Pat Doe", "cash in", 6_000_00),
        ("Pat Doe", "cash out", 6_000_00),
        ("pat doe", "cash in", 4_000_00),  # exactly the threshold
        ("Pat Doe", "cash in", 1_00),
        ("Pat Doe", "cash in", 900_00),
    ):
        register.add(RegisterEntry("transaction", player, says, cents=cents), **TWO)
    (task,) = pit.books.tasks()
    assert "Pat Doe: cash in of $10,001" in task.says
    assert audit(pit.books.database).faults == []
    register.add(RegisterEntry("excluded person", "Pat Doe", "by own wish"), **TWO)
    with pytest.raises(PostingRefused, match="not seated"):
        register.add(RegisterEntry("transaction", "PAT DOE", "cash in", cents=5_00), **TWO)


def test_a_rating_gives_the_exact_theoretical_win_and_refuses_whoever_is_excluded(pit: Pit) -> None:
    register = Register(pit.books.database)
    pit.open(1_000_00, day=TODAY)
    register.add(RegisterEntry("rating", "Pat", "lucky-monkey", table=pit.table, cents=5_00, count=1_000), **TWO)
    register.add(RegisterEntry("shift", "dora", "dealing", table=pit.table), **TWO)
    floor = floor_day(pit.books.database, TODAY)
    (rating,) = floor.ratings
    assert (rating.wagered, rating.theoretical_win) == (5_000_00, 29411.76)  # as tables/theory says of it
    assert ([row.people for row in floor.tables], len(floor.on_shift)) == ([["dora"]], 1)
    with pytest.raises(UnknownName, match="no wager 'raise'"):
        register.add(RegisterEntry("rating", "Pat", "raise", table=pit.table, cents=5_00, count=10), **TWO)
    register.add(RegisterEntry("excluded person", "Pat", "by own wish"), **TWO)
    with pytest.raises(PostingRefused, match="WAC 230-23-020"):
        register.add(RegisterEntry("rating", "pat", "ante", table=pit.table, cents=5_00, count=10), **TWO)


def test_the_day_shows_every_table_against_its_expectation(pit: Pit) -> None:
    books, register = pit.books, Register(pit.books.database)
    pit.open(1_000_00, day=TODAY)
    register.add(RegisterEntry("transaction", "Pat", "cash in", table=pit.table, cents=400_00), **TWO)
    assert [(row.win, row.drop) for row in floor_day(books.database, TODAY).tables] == [(None, 400_00)]
    books.enter_wagers(pit.table, [Stakes("ante", 10_00, 400)], {"gambling": "flo"})
    pit.close(200_00)
    estimated = floor_day(books.database, TODAY)
    assert [(row.win, row.is_final) for row in estimated.tables] == [(-400_00, False)]
    assert estimated.waiting == [f"box of table {pit.table} on {TODAY}: closed"]
    pit.drop()
    pit.count({1_00: 100})
    floor = floor_day(books.database, TODAY)
    (row,) = floor.tables
    assert (row.win, row.is_final, floor.win, floor.waiting) == (-700_00, True, -700_00, [])
    theory = master_games_report(books.database, TODAY).tables[0].theory
    assert theory is not None
    assert row.expected is not None
    assert (
        row.expected.z == theory.deviations == pytest.approx((-700_00 - theory.win.value) / theory.standard_deviation)
    )
    assert row.is_outside == (abs(row.expected.z or 0) > 2)
    assert row.is_outside == any("outside its band" in alert.title for alert in floor.alerts)


def test_a_box_is_pulled_as_it_is_signed_out_and_its_entry_ends_with_that(pit: Pit) -> None:
    register = Register(pit.books.database)
    pit.open(day=TODAY)
    pit.close(10_000_00)
    with pytest.raises(NotNow, match=r"box E1 is not signed out .*WAC 230-15-090"):
        pit.drop(box="E1")
    number = register.add(RegisterEntry("box", "E1", "emergency", table=pit.table), **TWO)
    with pytest.raises(NotNow, match=r"emergency box E1 is on table .*house rule"):
        pit.drop()
    pit.drop(box="E1")
    (line,) = register.lines("box")
    assert (line.number, line.struck) == (number, f"pulled from table {pit.table}")
    pit.open(None, day=TODAY, shift="2")
    pit.close(10_000_00)
    register.add(RegisterEntry("box", pit.table, "on its way"), **TWO)
    with pytest.raises(NotNow, match="on record and not signed out"):
        pit.drop()
    assert audit(pit.books.database).faults == []


def test_off_hours_a_box_is_pulled_at_a_change_of_shifts_alone_and_that_raises_a_task(pit: Pit) -> None:
    register, now = Register(pit.books.database), datetime.now()
    with pytest.raises(FeltError, match=r"02:00-03:30 \(WAC 230-15-590\)"):
        register.add(RegisterEntry("drop schedule", "daily", "after closing"), **TWO)
    hours = f"{now + timedelta(hours=3):%H:%M}-{now + timedelta(hours=4):%H:%M}"
    number = register.add(RegisterEntry("drop schedule", "daily", hours), **TWO)
    pit.open(day=TODAY)
    pit.close(10_000_00)
    with pytest.raises(NotNow, match=r"outside the drop schedule .*WAC 230-15-590"):
        pit.drop()
    register.strike(number, "another schedule", **TWO)
    hours = f"{now - timedelta(hours=1):%H:%M}-{now + timedelta(hours=1):%H:%M}"
    within = register.add(RegisterEntry("drop schedule", "daily", hours), **TWO)
    assert pit.drop().tasks == ()
    register.strike(within, "another schedule", **TWO)
    register.add(RegisterEntry("drop schedule", "daily", f"{now + timedelta(hours=3):%H:%M}-23:59"), **TWO)
    if now.hour < 20:
        pit.open(None, day=TODAY, shift="2")
        pit.close(10_000_00)
        assert [task.kind for task in pit.drop().tasks] == ["revision"]
    assert audit(pit.books.database).faults == []


def test_nobody_holds_both_keys_of_a_box(pit: Pit) -> None:
    register = Register(pit.books.database)
    with pytest.raises(UnknownName, match="user who has the key"):
        register.add(RegisterEntry("key", "contents of boxes", "somebody"), **TWO)
    held = register.add(RegisterEntry("key", "contents of boxes", "abe"), **TWO)
    with pytest.raises(PostingRefused, match=r"abe holds a key of the contents .*WAC 230-15-090"):
        register.add(RegisterEntry("key", "table lock 3", "abe"), **TWO)
    with pytest.raises(PostingRefused, match="nobody opens a box alone"):
        register.add(RegisterEntry("key", "Table Lock 3", "abe"), **TWO)
    register.add(RegisterEntry("key", "table lock 3", "sam"), **TWO)
    register.strike(held, "brought back", **TWO)
    register.add(RegisterEntry("key", "table lock 4", "abe"), **TWO)


def test_a_house_below_a_million_a_year_may_say_that_it_reports_no_cash(pit: Pit) -> None:
    register = Register(pit.books.database)
    cash = RegisterEntry("transaction", "a player", "cash in", cents=10_000_01)

    def tasks() -> int:
        return len(pit.books.tasks())

    register.add(cash, **TWO)
    assert tasks() == 1  # it is reported unless the house says otherwise
    below = RegisterEntry("cash reporting", "does not apply", "gross revenue of last year below $1,000,000")
    number = register.add(below, **TWO)
    register.add(replace(cash, name="another"), **TWO)
    assert tasks() == 1
    register.strike(number, "revenue has grown", **TWO)
    register.add(replace(cash, name="a third"), **TWO)
    assert tasks() == 2
    register.add(below, **TWO)
    register.add(replace(cash, name="a fourth"), **TWO)
    assert tasks() == 2
    pit.open(day=TODAY)
    pit.finish_day(10_000_00, 1_000_001_00)
    register.add(replace(cash, name="a fifth"), **TWO)
    assert tasks() == 3  # what the house said is over once its own books show more
    with pytest.raises(PostingRefused, match=r"these books show \$1,000,001 in a year, .*rules on cash, unverified"):
        register.add(below, **TWO)


def test_nothing_is_entered_for_a_closed_day(pit: Pit) -> None:
    """Cash that is entered for another day would stay below the threshold on both."""
    register, before = Register(pit.books.database), TODAY - timedelta(days=1)
    ClosingBook(pit.books.database).close(parse_span(before.isoformat()), by="abe", second="amy")
    cash = RegisterEntry("transaction", "Pat", "cash in", cents=6_000_00)
    with pytest.raises(NotNow, match="is closed"):
        register.add(cash, by="flo", second="abe", day=before)
    number = register.add(cash, **TWO)
    with pytest.raises(NotNow, match="is closed"):
        register.strike(number, "a mistake", by="flo", second="abe", day=before)


LIKE = [
    (RegisterEntry("key", "contents 1", "flo"), RegisterEntry("key", "Contents  1", "fred")),
    (RegisterEntry("shift", "dan", "dealing"), RegisterEntry("shift", "dan ", "dealing")),
    (RegisterEntry("licence", "dan", "68-101"), RegisterEntry("licence", "dora", "68\u2011l0l")),
]


@pytest.mark.parametrize(("first", "second"), LIKE, ids=lambda entry: entry.kind)
def test_an_entry_under_a_name_that_looks_the_same_is_the_same(
    pit: Pit, first: RegisterEntry, second: RegisterEntry
) -> None:
    register = Register(pit.books.database)
    register.add(first, **TWO)
    with pytest.raises(FeltError, match=r"is entered already|is that of dan"):
        register.add(second, **TWO)


@pytest.mark.parametrize("player", ["Joe  Bloggs", "\uff2aoe Bloggs", "joe bl\u00f6ggs", "Joe BIoggs"])
def test_an_excluded_person_is_known_however_the_name_is_written(pit: Pit, player: str) -> None:
    Register(pit.books.database).add(RegisterEntry("excluded person", "Joe Bloggs", "asked for it"), **TWO)
    pit.open(1_000_00, day=TODAY)
    with pytest.raises(PostingRefused, match="WAC 230-23-020"):
        pit.books.pay(Payout(pit.table, 0, "tie", 5_00, 35_00, player, "Kc"), BOTH)


IMPLAUSIBLE = {
    "the table posts up to": RegisterEntry("rating", "P", "ante", table="R", cents=201_00, count=9),
    "house rule: nobody moves more at once": RegisterEntry("imprest", "cage", "x", cents=10_000_000_01),
    "flo cannot record an own licence": RegisterEntry("licence", "flo", "68-100"),
}


@pytest.mark.parametrize(("words", "entry"), IMPLAUSIBLE.items(), ids=lambda value: getattr(value, "kind", ""))
def test_an_entry_that_cannot_be_is_refused(pit: Pit, words: str, entry: RegisterEntry) -> None:
    pit.table = "R"
    pit.open(1_000_00, day=TODAY)
    who = CAGE if entry.kind == "imprest" else TWO
    with pytest.raises(FeltError, match=words):
        Register(pit.books.database).add(entry, **who)


def test_a_cage_is_counted_first_after_its_first_fills(pit: Pit) -> None:
    """What the tables took is more than was ever booked into the cage, until its chips are counted."""
    register = Register(pit.books.database)
    pit.open(1_000_00)
    register.add(RegisterEntry("cage count", "cage", "shift end", pieces={100_00: 185}), **CAGE)
    assert register.balances()["cage"] == 18_500_00
    assert audit(pit.books.database).faults == []


def test_two_names_with_one_licence_are_one_person(pit: Pit) -> None:
    register = Register(pit.books.database)
    register.add(RegisterEntry("licence", "dan", "68-1", until=date(2030, 1, 1)), **TWO)
    with pytest.raises(PostingRefused, match=r"licence 68-1 is that of dan .*WAC 230-15-430"):
        register.add(RegisterEntry("licence", "dora", " 68-1 "), **TWO)
    register.add(RegisterEntry("licence", "dan", "68-1", until=date(2032, 1, 1)), **TWO)  # renewed
