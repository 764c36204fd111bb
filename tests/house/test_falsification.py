"""The falsification suite: on both databases nothing that a report is made from can be changed unseen."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import Table, text
from sqlalchemy.engine import make_url

from feltworks.errors import BadOption, LockedOut, LoginRefused, StorageTrouble
from feltworks.house.closing import ClosingBook, parse_span
from feltworks.house.journal.seals import parse_seal
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.storage.database import Database
from feltworks.house.storage.migration import open_database, open_to_read
from feltworks.house.storage.schema import metadata
from feltworks.house.tables.books import TableBooks
from feltworks.house.users import Users
from feltworks.house.verification import audit
from tests.house.desk import lost
from tests.house.falsify import behind_their_back, copy_of, eventful_house, faults, forge, verdict
from tests.house.servers import new_database


@pytest.fixture(scope="module")
def in_a_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Books with everything in them that somebody may want to change."""
    url = f"sqlite:///{tmp_path_factory.mktemp('falsified') / 'books.sqlite'}"
    eventful_house(url)
    return url


@pytest.fixture(scope="module")
def on_a_server(postgresql_url: str) -> str:
    url = new_database(postgresql_url, "eventful")
    eventful_house(url)
    return url


@pytest.fixture(params=["in_a_file", "on_a_server"])
def eventful(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue(request.param)
    return url


@pytest.fixture
def books(eventful: str) -> Iterator[str]:
    with copy_of(eventful) as url:
        yield url


def test_books_that_nobody_touched_have_no_fault(books: str) -> None:
    assert verdict(open_database(books)) == ""


FALSIFIED = {
    "drop moved between tables": (
        ("UPDATE slip SET cents = cents + 5000 WHERE kind = 'count' AND serial = 1",
         "UPDATE slip SET cents = cents - 5000 WHERE kind = 'count' AND serial = 2"),
        "sealed a slip that is missing or changed: count, 1",
    ),
    "count moved to the other table's box": (
        ("UPDATE slip SET period = CASE period WHEN 1 THEN 2 ELSE 1 END WHERE kind = 'count'",),
        "sealed a slip that is missing or changed: count, 1",
    ),
    "opener and closer raised together": (
        ("UPDATE slip SET cents = cents + 10000 WHERE kind IN ('opener', 'closer') AND period = 1",),
        "sealed a slip that is missing or changed: opener, 1",
    ),
    "fill and credit edited to compensate": (
        ("UPDATE slip SET cents = cents + 100 WHERE kind = 'fill' AND serial = 2",
         "UPDATE slip SET cents = cents + 100 WHERE kind = 'count' AND serial = 1"),
        "sealed a slip that is missing or changed: fill, 2",
    ),
    "box moved to another day": (
        ("UPDATE period SET day = '2024-02-01' WHERE id = 1",), "box 1 is stored with day 2024-02-01",
    ),
    "box moved to another table": (
        ("UPDATE period SET table_name = 'B' WHERE id = 1",), "box 1 is stored with table B",
    ),
    "box moved to another shift": (
        ("UPDATE period SET shift = '7' WHERE id = 1",), "box 1 is stored with shift 7",
    ),
    "game swapped": (
        ("UPDATE period SET game = 'lucky-break' WHERE id = 1",), "box 1 is stored with game lucky-break",
    ),
    "order swapped": (
        ("UPDATE period SET as_ordered = (SELECT as_ordered FROM period WHERE id = 4) WHERE id = 1",),
        "box 1 is stored with order",
    ),
    "'not as approved' erased": (
        ("UPDATE period SET deviations = '[]' WHERE deviations <> '[]'",), "box 4 is stored with deviations []",
    ),
    "theoretical wagers times ten": (
        ("UPDATE stake SET count = count * 10",), "sealed a entry of wagers that is missing or changed",
    ),
    "wagers deleted": (("DELETE FROM stake",), "entry of wagers that is missing"),
    "notice deleted": (("DELETE FROM task",), "sealed a task that is missing or changed"),
    "notice given more time": (
        ("UPDATE task SET due_at = '2099-01-01T00:00:00.000+00:00'",), "sealed a task that is missing",
    ),
    "notice marked as done": (
        ("INSERT INTO task_done (task, book, number) SELECT id, book, number FROM task",),
        "has a finished task that it did not seal",
    ),
    "terms changed": (
        ("UPDATE progressive SET terms = replace(terms, '50000', '90000')",),
        "gran: its terms are not those that it was opened with",
    ),
    "state of a progressive changed": (("UPDATE progressive SET started = 2",), "its state is not the one"),
    "password hash replaced": (
        ("UPDATE person SET secret = (SELECT secret FROM person WHERE name = 'dan') WHERE name = 'admin'",),
        "the password hash of admin is not the one that was set",
    ),
    "role changed": (
        ("UPDATE person SET role = 'administrator' WHERE name = 'dan'",), "user dan is stored as administrator",
    ),
    "reason added to the closed list": (
        ("INSERT INTO reason (name, debit, credit) VALUES ('gift', 'jackpot', 'house')",),
        "there is a reason gift: jackpot to house that this version does not have",
    ),
    "reason taken from the closed list": (
        ("DELETE FROM reason WHERE name = 'won' AND credit = 'bank'",), "the reason won: jackpot to bank is",
    ),
    "void slip revived": (("DELETE FROM slip_void WHERE serial = 1",), "sealed a void slip that is missing"),
    "another slip made void": (
        ("INSERT INTO slip_void (kind, serial, book, number) "
         "SELECT 'fill', 2, book, number FROM slip WHERE kind = 'fill' AND serial = 2",),
        "has a void slip that it did not seal",
    ),
    "signature of another person": (
        ("UPDATE signature SET person = 'dora' WHERE person = 'dan' AND position = 'dealer'",),
        "has a signature that it did not seal",
    ),
    "signature deleted": (
        ("DELETE FROM signature WHERE position = 'security'",), "signature that is missing",
    ),
    "tokes given to another day": (
        ("UPDATE posting SET day = '2024-02-01' WHERE kind = 'tokes'",), "is not what was sealed",
    ),
    "approval altered": (
        ("UPDATE posting SET facts = replace(facts, 'letter on', 'note on') WHERE kind = 'approval'",),
        "house approvals: posting 1 is not what was sealed",
    ),
    "another time of making": (
        ("UPDATE posting SET made_at = '2024-01-31T09:00:00.000+00:00' WHERE number = 2",),
        "posting 2 is not what was sealed",
    ),
    "balance": (("UPDATE account SET cents = cents + 1 WHERE name = 'win'",), "account win is stored at"),
    "account made one that may be lowered": (
        ("UPDATE account SET kind = 'house' WHERE name = 'jackpot'",),
        "the account jackpot of gran is stored as house; it is prize",
    ),
    "book made one of which less is checked": (
        ("UPDATE book SET kind = 'register' WHERE name = 'house users'",),
        "the book house users is stored as one of register",
    ),
    "password of another taken as one's own": (
        ("UPDATE person SET temporary = 1 WHERE name = 'dan'",), "the password of dan is the user's own by the journal",
    ),
    "closed month opened again": (("DELETE FROM closing",), "sealed a closed period that is missing"),
    "progressive without its row": (("DELETE FROM progressive",), "gran: its terms and state cannot be read"),
    "progressive under another name": (
        ("UPDATE book SET name = 'other' WHERE name = 'gran'",), "gran has no posting 7, whose seal was noted",
    ),
    "licence prolonged": (
        ("UPDATE posting SET facts = replace(facts, '2030-01-01', '2040-01-01')",),
        "house register: posting 1 is not what was sealed",
    ),
    "excluded person renamed": (
        ("UPDATE posting SET facts = replace(facts, 'A Player', 'Nobody')",),
        "house register: posting 2 is not what was sealed",
    ),
    "strike given to another entry": (
        ("UPDATE posting SET facts = replace(facts, '\"entry\"\\:2', '\"entry\"\\:4') WHERE kind = 'strike'",),
        "house register: posting 3 is not what was sealed",
    ),
    "rating times ten": (
        ("UPDATE posting SET facts = replace(facts, '\"count\"\\:60', '\"count\"\\:600') WHERE kind = 'rating'",),
        "house register: posting 4 is not what was sealed",
    ),
    "cash made less": (
        ("UPDATE posting SET facts = replace(facts, '1200000', '900000') WHERE kind = 'transaction'",),
        "house register: posting 5 is not what was sealed",
    ),
    "notice of cash deleted": (
        ("DELETE FROM task WHERE says LIKE '%on cash%'",), "house register: posting 5 sealed a task that is missing",
    ),
    "cage and vault made even": (
        ("UPDATE account SET cents = cents + 10000 WHERE name = 'vault'",
         "UPDATE account SET cents = cents - 10000 WHERE name = 'over and short'"),
        "house register: account vault is stored at",
    ),
    "shortage of the vault erased": (
        ("DELETE FROM entry WHERE credit = 'vault' AND debit = 'over and short'",),
        "house register: posting 8 is not what was sealed",
    ),
    "task about another progressive": (
        ("UPDATE task SET subject = 'other' WHERE subject = 'gran'",), "gran: posting 7 sealed a task that is missing",
    ),
    "task of a progressive renumbered": (
        ("UPDATE task SET id = 99 WHERE subject = 'gran'",), "tasks are numbered without a gap up to",
    ),
    "posting made at no time": (
        ("UPDATE posting SET made_at = 'now' WHERE number = 2",), "posting 2 was made at no time that can be read",
    ),
    "posting said to have other lines": (
        ("UPDATE posting SET lines = lines + 1 WHERE number = 3",), "posting 3 announces",
    ),
    "lines numbered otherwise": (
        ("UPDATE entry SET line = line + 10 WHERE number = 1",), "posting 1 announces",
    ),
    "head without its mark": (
        ("UPDATE book SET mark = NULL WHERE name = 'gran'",), "gran: the book does not keep the mark of its last",
    ),
    "user hired past the journal": (
        ("INSERT INTO person (name, role, secret) VALUES ('eve', 'accounting', 'x')",),
        "user eve is stored as accounting; the journal says nobody",
    ),
    "account without postings deleted": (
        ("DELETE FROM account WHERE name = 'overflow'",), "the account overflow of gran is stored as nothing",
    ),
    "account of one's own": (
        ("INSERT INTO account (book, name, kind) SELECT id, 'pocket', 'house' FROM book WHERE name = 'gran'",),
        "the account pocket of gran is stored as house",
    ),
    "version of the tables": (
        ("INSERT INTO alembic_version (version_num) VALUES ('0001')",), "the tables are of versions 0001, 0006",
    ),
    "key of the house replaced": (
        ("UPDATE house SET public_key = 'ff'",), "is not signed with the key of this house",
    ),
    "closed period that no closing sealed": (
        ("INSERT INTO closing (name, kind, first, last, book, number) "
         "SELECT '2007-01', 'month', '2007-01-01', '2007-01-31', id, 1 FROM book WHERE name = 'house tables'",),
        "1 rows of closing belong to a book that has none",
    ),
    "book of the tables made a progressive": (
        ("INSERT INTO progressive (book, terms, state, day, closed, latest, tested, started, maximum) "
         "SELECT (SELECT id FROM book WHERE name = 'house tables'), terms, state, day, closed, latest, tested, "
         "started, maximum FROM progressive",),
        "1 rows of progressive belong to a book that has none",
    ),
    "user locked out for years": (
        ("UPDATE person SET locked_until = '2099-01-01T00:00:00+00:00' WHERE name = 'flo'",),
        "house users: the lock-out of flo is stored until 2099-01-01T00:00:00+00:00; the logins say none",
    ),
    "mark taken away": (
        ("UPDATE posting SET mark = NULL WHERE number = 2",), "posting 2 does not bear the mark",
    ),
}  # fmt: skip


# These change the same rows as others of the list, so on the server, where a copy takes long, they go apart.
APART = (
    "count moved to the other table's box",
    "opener and closer raised together",
    "fill and credit edited to compensate",
    "wagers deleted",
    "notice given more time",
    "another slip made void",
    "signature deleted",
    "shortage of the vault erased",
    "task about another progressive",
)
AGAIN = (
    "lines numbered otherwise",
    "notice deleted",
    "another time of making",
    "box moved to another table",
)
THIRD = (
    "task of a progressive renumbered",
    "head without its mark",
    "strike given to another entry",
    "progressive without its row",
    "book made one of which less is checked",
)
FOURTH = ("progressive under another name", "notice of cash deleted")


@pytest.mark.parametrize(("statements", "sentence"), FALSIFIED.values(), ids=FALSIFIED)
def test_a_falsification_is_found(in_a_file: str, statements: tuple[str, ...], sentence: str) -> None:
    with copy_of(in_a_file) as url:
        assert sentence in faults(url, *statements)


@pytest.mark.parametrize("group", ["most", "apart", "again", "third", "fourth"])
def test_falsifications_are_found_on_a_server(on_a_server: str, group: str) -> None:
    groups = {"apart": APART, "again": AGAIN, "third": THIRD, "fourth": FOURTH}
    groups["most"] = tuple(FALSIFIED.keys() - {name for names in groups.values() for name in names})
    cases = {name: FALSIFIED[name] for name in sorted(groups[group])}
    with copy_of(on_a_server) as url:
        verdict_ = faults(url, *(statement for statements, _ in cases.values() for statement in statements))
    assert [name for name, (_, sentence) in cases.items() if sentence not in verdict_] == []


@pytest.fixture(scope="module")
def with_a_finished_task(in_a_file: str) -> Iterator[str]:
    """The same books with a row in every table."""
    with copy_of(in_a_file) as url:
        database = open_database(url)
        TableBooks(database).finish(1, "the letter of that day", {"notifier": "fred"})
        database.close()
        yield url


@pytest.mark.parametrize("table", metadata.sorted_tables, ids=lambda table: table.name)
def test_a_change_of_any_column_of_any_table_is_found(with_a_finished_task: str, table: Table) -> None:
    """The last row of each table, column by column, and without it; no trigger and no constraint stands in the way."""
    keys = ", ".join(column.name for column in table.primary_key)
    last = f"({keys}) = (SELECT {keys} FROM {table.name} ORDER BY {keys.replace(',', ' DESC,')} DESC LIMIT 1)"
    changes = {"TEXT": "coalesce({0}, '') || 'x'", "BLOB": "X'00'"}
    statements = {
        column.name: f"UPDATE {table.name} SET {column.name} = "
        f"{changes.get(str(column.type), 'coalesce({0}, 0) + 1000').format(column.name)} WHERE {last}"
        for column in table.columns
    }
    statements["the row"] = f"DELETE FROM {table.name} WHERE {last}"
    assert [name for name, statement in statements.items() if not _is_found(with_a_finished_task, statement)] == []


def _is_found(url: str, statement: str) -> bool:
    with copy_of(url) as copied:
        with closing(sqlite3.connect(str(make_url(copied).database), isolation_level=None)) as connection:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            connection.execute("BEGIN")
            triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
            for name, _ in triggers:
                connection.execute(f"DROP TRIGGER {name}")
            assert connection.execute(statement).rowcount == 1
            for _, sql in triggers:
                connection.execute(sql)
            connection.execute("COMMIT")
        try:
            return bool(verdict(open_to_read(copied)))
        except StorageTrouble as trouble:
            return "lost the name of their key" in str(trouble)


OUTSIDE = {"before the first": 0, "below nothing": -3, "far behind the last": 1_000_000}


@pytest.mark.parametrize("number", OUTSIDE.values(), ids=OUTSIDE)
@pytest.mark.parametrize("book", ["house approvals", "house register", "house users"])
def test_a_posting_outside_the_numbers_of_its_book_is_found(in_a_file: str, book: str, number: int) -> None:
    """Approvals and the register are read by kind, so such a posting would count as one."""
    with copy_of(in_a_file) as url:
        assert f"{book}: 1 postings are numbered outside" in _verdict_with_posting(url, book, number)


def test_a_posting_outside_the_numbers_of_its_book_is_found_on_a_server(on_a_server: str) -> None:
    with copy_of(on_a_server) as url:
        assert "house approvals: 1 postings are numbered outside" in _verdict_with_posting(url, "house approvals", -1)


def _verdict_with_posting(url: str, book: str, number: int) -> str:
    """What verification says after a copy of a book's first posting was added under another number."""
    database = open_database(url)
    with behind_their_back(database) as connection:
        first = text("SELECT posting.* FROM posting JOIN book ON id = book WHERE name = :name AND posting.number = 1")
        row = dict(connection.execute(first, {"name": book}).mappings().one())
        row |= {"number": number, "key": "forged"}
        values = ", ".join(f":{name}" for name in row)
        connection.execute(text(f"INSERT INTO posting ({', '.join(row)}) VALUES ({values})"), row)
    return verdict(database)


UNREADABLE = {  # SQLite stores any bytes in any column
    "UPDATE person SET name = CAST(name AS BLOB) WHERE name = 'dora'": "user b'dora' is stored as",
    "UPDATE period SET shift = CAST(x'ff' AS TEXT) WHERE id = 1": "house tables: it cannot be read",
    "UPDATE task SET says = CAST(x'ff' AS TEXT)": "house tables: it cannot be read",
}


@pytest.mark.parametrize(("statement", "sentence"), UNREADABLE.items())
def test_rows_that_cannot_be_read_are_faults_and_no_error(in_a_file: str, statement: str, sentence: str) -> None:
    with copy_of(in_a_file) as url:
        assert sentence in faults(url, statement)


def test_rows_of_books_that_do_not_exist_are_found(tmp_path: Path) -> None:
    """A house that keeps no tables has no book that would be rebuilt from the first posting on."""
    database = open_database(f"sqlite:///{tmp_path / 'books.sqlite'}")
    with behind_their_back(database) as connection:
        connection.execute(text("INSERT INTO period VALUES (1, 'A', '2024-01-31', '', 'fu-bacc', '{}', '[]')"))
        connection.execute(text("INSERT INTO person (name, role, secret) VALUES ('eve', 'administrator', 'x')"))
    said = verdict(database)
    assert "1 rows of period belong to a book that does not exist" in said
    assert "1 rows of person belong to a book that does not exist" in said


def test_failed_logins_counted_anew_are_found(books: str) -> None:
    """Whoever takes back the failures of a user may guess for ever."""
    database = open_database(books)
    users = Users(database)
    for _ in range(2):
        with pytest.raises(LoginRefused):
            users.log_in("flo", "not the password")
    assert audit(database).faults == []
    with behind_their_back(database) as connection:
        connection.execute(text("UPDATE person SET failures = 0 WHERE name = 'flo'"))
    assert "flo is stored with 0 failed logins; the logins say 2" in audit(database).faults[0].fault
    with pytest.raises(LoginRefused):
        users.log_in("flo", "not the password")
    assert "of house logins is failure 3 of flo in a row and counts 1" in verdict(database)


def test_failed_logins_that_nobody_made_are_found(books: str) -> None:
    """Whoever adds to the failures of a user locks that user out at the next slip of a finger."""
    database = open_database(books)
    users = Users(database)
    with pytest.raises(LoginRefused):
        users.log_in("flo", "not the password")
    with behind_their_back(database) as connection:
        connection.execute(text("UPDATE person SET failures = 4 WHERE name = 'flo'"))
    assert "flo is stored with 4 failed logins; the logins say 1" in audit(database).faults[0].fault
    with pytest.raises(LoginRefused):
        users.log_in("flo", "not the password")
    assert "is failure 2 of flo in a row and counts 0 with a lock-out" in verdict(database)


def test_a_lock_out_ends_as_the_journals_say(books: str) -> None:
    database = open_database(books)
    users = Users(database)
    for _ in range(5):
        with pytest.raises(LoginRefused):
            users.log_in("flo", "not the password")
    with pytest.raises(LockedOut):
        users.log_in("flo", "not the password")
    assert audit(database).faults == []
    users.unlock("flo", by="admin")
    with pytest.raises(LoginRefused):
        users.log_in("flo", "not the password")
    assert audit(database).faults == []
    with behind_their_back(database) as connection:
        connection.execute(text("UPDATE person SET locked_until = '2030-01-01T00:00:00+00:00' WHERE name = 'flo'"))
    assert "the lock-out of flo is stored until 2030-01-01T00:00:00+00:00; the logins say none" in verdict(database)


def test_dropped_triggers_are_found(books: str) -> None:
    database = open_database(books)
    with database.transaction() as connection:
        if database.is_sqlite:
            names = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars()
            for name in names.all():
                connection.execute(text(f"DROP TRIGGER {name}"))
        else:
            connection.execute(text("ALTER TABLE slip DISABLE TRIGGER ALL"))
            connection.execute(text("DROP TRIGGER posting_stays ON posting"))
    said = verdict(database)
    assert "the trigger" in said
    assert "posting_stays is missing" in said


def test_a_head_changed_from_inside_a_trigger_of_ones_own_is_found(on_a_server: str) -> None:
    """The guard of a book lets every trigger write to it; afterwards the one that did so is taken away again."""
    with copy_of(on_a_server) as url:
        database = open_database(url)
        with database.transaction() as connection:
            connection.exec_driver_sql("CREATE TABLE pocket (book text)")
            connection.exec_driver_sql(
                "CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN UPDATE book SET number = 2, "
                "(hash, mark) = (SELECT hash, mark FROM posting WHERE book = book.id AND number = 2 LIMIT 1) "
                "WHERE name = NEW.book; RETURN NULL; END$$"
            )
            connection.exec_driver_sql("CREATE TRIGGER cut AFTER INSERT ON pocket FOR EACH ROW EXECUTE FUNCTION cut()")
            connection.exec_driver_sql("INSERT INTO pocket VALUES ('gran')")
        assert "there is a trigger pocket.cut that this version does not have" in str(audit(database).faults)
        with database.transaction() as connection:
            connection.exec_driver_sql("DROP TABLE pocket; DROP FUNCTION cut()")
        said = verdict(database)
    assert "gran: the book says that posting 2 is its last, but it ends with 7" in said
    assert "this version does not have" not in said


def test_a_trigger_that_does_nothing_is_found(books: str) -> None:
    database = open_database(books)
    with database.transaction() as connection:
        if database.is_sqlite:
            connection.execute(text("DROP TRIGGER slip_stays"))
            connection.exec_driver_sql("CREATE TRIGGER slip_stays BEFORE UPDATE ON slip BEGIN SELECT 1; END")
        else:
            body = "BEGIN RETURN NULL; END"
            connection.exec_driver_sql(
                f"CREATE OR REPLACE FUNCTION felt_refuse() RETURNS trigger LANGUAGE plpgsql AS $${body}$$"
            )
    assert "is not that of this version" in verdict(database)


@pytest.mark.parametrize("made", ["TRIGGER {} AFTER INSERT ON task BEGIN SELECT 1; END", "VIEW {} AS SELECT 1"])
def test_nothing_hides_behind_a_name_like_those_of_the_database(in_a_file: str, made: str) -> None:
    with copy_of(in_a_file) as url:
        database = open_database(url)
        with database.transaction() as connection:
            connection.exec_driver_sql("CREATE " + made.format("sqlitexstat_1"))
        assert "sqlitexstat_1 that this version does not have" in verdict(database)


LOST = {  # rows that name no book: only a server takes them, while its own triggers are off
    "task_done": "INSERT INTO task_done (task, book, number) VALUES (1, 999, 1)",
    "task": "INSERT INTO task (id, kind, book, number, subject, raised_at, says) "
    "SELECT max(id) + 1, 'notice', 999, 1, 'A', 'now', 'a lie' FROM task",
    "signature": "INSERT INTO signature VALUES (999, 1, 'dealer', 'dora', 'dealer')",
    "entry": "INSERT INTO entry VALUES (999, 1, 1, 'cage', 'win', 5, NULL)",
}


def test_rows_that_name_no_book_are_found(on_a_server: str) -> None:
    with copy_of(on_a_server) as url:
        said = faults(url, *LOST.values())
    assert [table for table in LOST if f"rows of {table} refer to a row of" not in said] == []


QUIET = {  # what changes no definition of a column, and yet what the tables say or whether they last
    "UPDATE pg_proc SET prosecdef = true WHERE proname = 'felt_refuse'": "felt_refuse() is not that of this version",
    "ALTER TABLE stake SET UNLOGGED": "the table stake is not that of this version",
    "ALTER TABLE task ENABLE ROW LEVEL SECURITY": "the table task is not that of this version",
    "CREATE SCHEMA hidden; CREATE TABLE hidden.done () INHERITS (task_done)": "the table task_done is not that of",
    "UPDATE pg_index SET indisready = false WHERE indexrelid = 'posted_once'::regclass": "the index posted_once is not",
    'ALTER TABLE slip ALTER COLUMN kind TYPE text COLLATE "C"': "the column slip.kind is not that of",
    "CREATE AGGREGATE more (text) (SFUNC = textcat, STYPE = text)": "there is a function more(text) that this version",
    "CREATE OPERATOR ~~~ (FUNCTION = texteq, LEFTARG = text, RIGHTARG = text)": "there is a operator ~~~(text,text)",
    "CREATE FUNCTION hush() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'; "
    "CREATE EVENT TRIGGER hush ON sql_drop EXECUTE FUNCTION hush()": "the server has an event trigger hush",
    "SET search_path = public, pg_catalog": "the server looks for functions in public, pg_catalog in this order",
    "CREATE ROLE other; ALTER ROLE other SET session_replication_role = replica": "so that no trigger fires",
}


def test_settings_of_a_server_that_change_what_its_tables_say_are_found(on_a_server: str) -> None:
    with copy_of(on_a_server) as url:
        database = open_database(url)
        with database.transaction() as connection:
            for statement in QUIET:
                connection.exec_driver_sql(statement)
        said = verdict(database)
        with database.transaction() as connection:
            connection.exec_driver_sql("DROP ROLE other")
        database.close()
    assert [statement for statement, sentence in QUIET.items() if sentence not in said] == []


def test_a_rule_that_swallows_rows_is_found(on_a_server: str) -> None:
    with copy_of(on_a_server) as url:
        database = open_database(url)
        with database.transaction() as connection:
            connection.exec_driver_sql("CREATE RULE quiet AS ON INSERT TO task DO INSTEAD NOTHING")
        assert "there is a rule task.quiet that this version does not have" in verdict(database)


@pytest.mark.parametrize("marked", [False, True], ids=["without a mark", "with a copied mark"])
def test_a_posting_forged_in_anothers_name_is_found_and_nothing_is_added_to_it(books: str, marked: bool) -> None:
    database = open_database(books)
    with database.transaction() as connection:  # the triggers let it pass: it follows the last posting
        of = "(SELECT id FROM book WHERE name = 'house users')"
        mark = connection.execute(text(f"SELECT mark FROM posting WHERE book = {of} AND number = 3")).scalar()
        forge(connection, "house users", 3, bytes(mark) if marked else None)
    with pytest.raises(StorageTrouble, match="does not bear the mark of this house"):
        Users(database).unlock("dan", by="admin")
    assert "house users: posting 32 does not bear the mark" in verdict(database)


def test_books_that_name_another_key_are_not_whole(books: str) -> None:
    """Whoever writes the books anew from their first posting on has to name a key of their own."""
    database = open_database(books)
    with database.snapshot() as connection:
        public = connection.execute(text("SELECT public_key FROM house")).scalar()
    with behind_their_back(database) as connection:
        connection.execute(text("UPDATE house SET books = 'another'"))
    database.close()
    database = open_database(books)
    assert "the key that these books name is not on this computer" in verdict(database)
    assert audit(database, public=public).faults == []  # as an auditor verifies who has no key
    assert "do not name the public key" in audit(database, public="ff").faults[0].fault
    with pytest.raises(StorageTrouble, match="the key of these books is not on this computer"):
        Users(database).unlock("dan", by="admin")
    database.close()


def test_books_whose_key_was_taken_out_get_no_new_one(books: str) -> None:
    database = open_database(books)
    with behind_their_back(database) as connection:
        connection.execute(text("UPDATE house SET books = 'another', public_key = NULL"))
        for table in ("posting", "book"):
            connection.execute(text(f"UPDATE {table} SET mark = NULL"))
    database.close()
    assert "the key that these books name is not on this computer" in verdict(open_database(books))


def test_books_cut_off_at_the_end_are_found_by_their_last_seals(books: str) -> None:
    """Whoever posts notes the last seal beside the key; posting on after a cut does not lose it."""
    database = open_database(books)
    Users(database).unlock("dan", by="admin")
    noted = next(book for book in audit(database).books if book.book == "house users")
    expected = parse_seal(f"house users:{noted.postings}:{noted.hash}")
    assert audit(database, expect=[expected]).faults == []
    cut_off(database, "house users", noted.postings)
    missing = f"house users has no posting {noted.postings}, whose seal was noted"
    assert [fault.fault for fault in audit(database).faults] == [missing]
    for _ in range(2):
        Users(database).unlock("dora", by="admin")
    (fault,) = audit(database).faults
    assert fault.fault == f"posting {noted.postings} of house users does not bear the seal that was noted"
    other = parse_seal(f"house users:3:{noted.hash}")
    assert "does not bear the seal" in audit(database, expect=[other]).faults[0].fault
    database.close()


def test_a_cut_copy_in_another_place_is_found_by_a_seal_noted_elsewhere(in_a_file: str) -> None:
    with copy_of(in_a_file) as url:
        database = open_database(url)
        Users(database).unlock("dan", by="admin")
        noted = next(book for book in audit(database).books if book.book == "house users")
        database.close()
        with copy_of(url) as elsewhere:
            database = open_database(elsewhere)
            cut_off(database, "house users", noted.postings)
            assert audit(database).faults == []
            (fault,) = audit(database, expect=[parse_seal(f"house users:{noted.postings}:{noted.hash}")]).faults
            assert fault.fault == "house users has no posting 32, whose seal was noted"
            database.close()


def test_wagers_cut_off_are_found_although_their_writer_goes_on(books: str) -> None:
    """The writer knows an earlier end of the book than others do, and the book is cut to just that."""
    database = open_database(books)
    mine, theirs = Ledger(database, "gran"), Ledger(database, "gran")
    day = date(2008, 8, 2)
    for ledger in (mine, theirs, theirs):
        ledger.post(*lost(day=day))
    last = mine.balances().postings
    for number in (last, last - 1):
        cut_off(database, "gran", number)
    with behind_their_back(database) as connection:
        of = "book = (SELECT id FROM book WHERE name = 'gran')"
        for name, cents in (("box", -200), ("uncounted", 200)):
            connection.execute(text(f"UPDATE account SET cents = cents + {cents} WHERE {of} AND name = '{name}'"))
    mine.post(*lost(day=day))
    assert f"gran has no posting {last}, whose seal was noted" in verdict(database)


def cut_off(database: Database, book: str, number: int) -> None:
    """Take the last posting of a book away as if it had never been made."""
    of = f"(SELECT id FROM book WHERE name = '{book}')"
    with behind_their_back(database) as connection:
        for table in ("entry", "posting"):
            connection.execute(text(f"DELETE FROM {table} WHERE book = {of} AND number = {number}"))
        connection.execute(
            text(
                f"UPDATE book SET number = number - 1, (hash, mark) = (SELECT hash, mark FROM posting "
                f"WHERE book = {of} AND number = {number - 1}) WHERE id = {of}"
            )
        )


def test_closed_periods_cut_off_are_found_by_the_seals_beside_the_key(books: str) -> None:
    """Without its last closing a book could be cut off unseen, so that one is noted where the key is."""
    of = "(SELECT id FROM book WHERE name = 'house closings')"
    zero = "X'" + "00" * 32 + "'" if books.startswith("sqlite") else "decode(repeat('00', 32), 'hex')"
    statements = (
        "DELETE FROM closing",
        f"DELETE FROM posting WHERE book = {of}",
        f"UPDATE book SET number = 0, hash = {zero}, mark = NULL WHERE name = 'house closings'",
    )
    assert "house closings has no posting 1, whose seal was noted" in faults(books, *statements)


@pytest.mark.usefixtures("own_keys")
def test_a_backup_from_before_the_last_closing_is_found(books: str) -> None:
    with copy_of(books) as older:
        database = open_database(books)
        ClosingBook(database).close(parse_span("2008-06"), by="abe", second="amy")
        assert verdict(database) == ""
        assert "house closings has no posting 2, whose seal was noted" in verdict(open_database(older))


def test_a_progressive_that_nobody_opened_is_found(books: str) -> None:
    zero = "X'" + "00" * 32 + "'" if books.startswith("sqlite") else "decode(repeat('00', 32), 'hex')"
    of = "(SELECT id FROM book WHERE name = 'gran2')"
    columns = "state, day, closed, latest, tested, started, maximum"
    statements = (
        f"INSERT INTO book (name, kind, hash) VALUES ('gran2', 'progressive', {zero})",
        f"INSERT INTO account (book, name, kind) SELECT {of}, account.name, account.kind FROM account "
        "JOIN book ON book.id = account.book WHERE book.name = 'gran'",
        f"INSERT INTO progressive (book, terms, {columns}) SELECT {of}, terms, {columns} FROM progressive",
    )
    assert "gran2: it has no opening" in faults(books, *statements)


@pytest.mark.parametrize("text_", ["", "gran", "gran:1", "gran:x:00ff00ff00ff00ff", "gran:1:00ff", ":1:zz"])
def test_an_expected_seal_is_written_book_number_seal(text_: str) -> None:
    with pytest.raises(BadOption, match="BOOK:N:SEAL"):
        parse_seal(text_)
