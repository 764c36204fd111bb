"""The house's pages over the wire: what each role may do, and what attacks on logins and signatures get."""

import datetime
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher
from beancount import loader
from websockets.exceptions import ConnectionClosed

from feltworks.house import users
from feltworks.house.storage.migration import open_database
from feltworks.house.users import MOST_FAILURES, Users
from feltworks.web.house.office import IDLE, LONGEST, Logins
from feltworks.web.tables.rooms import NoSuchTable
from tests.house.dealt import Dealt
from tests.web.day import lose_newer_books
from tests.web.staff import Colleague, hire, password_of, signed

Staff = Callable[[str], Colleague]


@pytest.fixture(autouse=True, scope="module")
def quick_hashing() -> Iterator[None]:
    """Hashing is dear on purpose; here it would be most of the work."""
    quick = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(users, "default_hasher", lambda: quick)
        yield


@pytest.fixture(scope="module")
def books(quick_hashing: None, tmp_path_factory: pytest.TempPathFactory) -> bytes:  # noqa: ARG001
    """Books with everybody in them, written once for all tests."""
    folder = tmp_path_factory.mktemp("staff")
    hire(folder)
    return (folder / "house.sqlite").read_bytes()


@pytest.fixture
def house(tmp_path: Path, books: bytes, own_keys: Path) -> Path:  # noqa: ARG001 (after the books have theirs)
    """A folder in which everybody has been hired before the server starts."""
    (tmp_path / "house.sqlite").write_bytes(books)
    return tmp_path


@pytest.fixture
def colleague(house: Path, address: str) -> Iterator[Staff]:  # noqa: ARG001 (the folder first)
    met: list[Colleague] = []

    def arrives(name: str) -> Colleague:
        met.append(Colleague(address, "Guest"))
        if name:
            answer = met[-1].logs_in(name)
            assert answer.status_code == 200, answer.text
        return met[-1]

    yield arrives
    for each in met:
        each.close()


READINGS = ["me", "approvals", "tables", "report", "tasks", "jackpots", "books", "verify", "names"]


def test_nobody_reads_the_books_without_a_login(colleague: Staff) -> None:
    eve = colleague("")
    for path in (*READINGS, "people", "journal?named=house users"):
        answer = eve.http.get(f"/api/house/{path}")
        assert (answer.status_code, answer.json()["kind"]) == (401, "NotLoggedIn"), path


def test_whoever_logs_in_is_told_their_role_and_what_it_may_do(colleague: Staff) -> None:
    ines = colleague("ines")
    told = ines.asks("me")
    assert (told["name"], told["role"]) == ("ines", "accounting")
    assert "approval" in told["may"]
    assert "fill" not in told["may"]
    assert "adjust" in told["jackpot"]
    assert ines.http.get("/api/me").json()["guest"] is False


def test_a_wrong_password_and_an_unknown_name_are_told_alike_and_lock_out(colleague: Staff) -> None:
    eve = colleague("")
    wrong, unknown = eve.logs_in("dee", "guessed wrongly"), eve.logs_in("nobody", "guessed wrongly")
    assert (wrong.status_code, unknown.status_code) == (401, 401)
    assert wrong.json()["error"] == unknown.json()["error"]
    for _ in range(MOST_FAILURES - 1):
        eve.logs_in("dee", "guessed wrongly")
    locked = eve.logs_in("dee")  # even the right one
    assert locked.status_code == 401
    assert locked.json() == unknown.json()  # it is not told that there is a dee
    root = colleague("root")
    root.does("people/change", name="dee", act="unlock")
    assert eve.logs_in("dee").status_code == 200


def cookie(visitor: Colleague) -> str:
    return visitor.http.cookies["session"]


def test_a_session_from_before_the_login_is_worth_nothing_after_it(colleague: Staff) -> None:
    """Session fixation: who planted a session in somebody's browser gains nothing when they log in."""
    victim, thief = colleague(""), colleague("")
    planted = cookie(victim)
    thief.http.cookies.set("session", planted)
    victim.logs_in("root")
    assert cookie(victim) != planted
    assert thief.http.get("/api/house/me").status_code == 401
    assert thief.http.get("/api/house/people").status_code == 401


def test_a_copied_session_ends_with_the_logout(colleague: Staff) -> None:
    ines = colleague("ines")
    copied = cookie(ines)
    ines.does("logout")
    assert ines.http.get("/api/house/me").status_code == 401
    thief = colleague("")
    thief.http.cookies.delete("session")
    thief.http.cookies.set("session", copied)
    assert thief.http.get("/api/house/me").status_code == 401


def test_a_forged_session_is_no_session(colleague: Staff) -> None:
    eve = colleague("")
    for forged in ("", "root", cookie(eve)[:-4] + "AAAA"):
        eve.http.cookies.delete("session")
        eve.http.cookies.set("session", forged)
        answer = eve.http.get("/api/house/me")
        assert answer.status_code == 401


def test_a_login_ends_after_a_while_without_use_and_after_a_shift_in_any_case() -> None:
    now = 0.0
    logins = Logins(lambda: now)
    idle, busy = logins.begin("ann"), logins.begin("bo")
    while now < LONGEST:
        now += IDLE
        assert (logins.user_of(busy) == "bo") == (now <= LONGEST)
    assert logins.user_of(idle) is None
    now += 1
    assert logins.user_of(busy) is None


UNSAFE: dict[str, dict[str, Any]] = {
    "login": {"name": "ines", "password": password_of("ines")},
    "logout": {},
    "people/change": {"name": "dee", "act": "dismiss"},
    "tables/fill": {"table": "1", "cents": 100, "signed": {}},
}


def test_nothing_is_done_without_the_token_of_the_page(colleague: Staff) -> None:
    root = colleague("root")
    for path, said in UNSAFE.items():
        forged = root.http.post(f"/api/house/{path}", json=said)
        wrong = root.http.post(f"/api/house/{path}", json=said, headers={"x-csrftoken": "0" * 128})
        assert (forged.status_code, wrong.status_code) == (403, 403), path
    assert root.asks("me")["name"] == "root"
    assert all(each["active"] for each in root.asks("people"))


WRITING: dict[str, dict[str, Any]] = {
    "tables/fill": {"table": "1", "cents": 100, "signed": {}},
    "tables/count": {"table": "1", "count": {}, "signed": {}},
    "people": {"name": "mal", "role": "administrator", "password": "let me in please"},
    "people/change": {"name": "reg", "act": "role", "role": "administrator"},
    "approvals": {
        "game": "fu-bacc",
        "act": "definition",
        "reference": "x",
        "second": {"person": "ines", "password": password_of("ines")},
    },
    "jackpots/post": {"name": "gran", "act": {"act": "deposit", "cents": 100}},
}


def test_a_regulator_reads_everything_and_changes_nothing(colleague: Staff) -> None:
    reg = colleague("reg")
    for reading in READINGS:
        reg.asks(reading)
    for path, said in WRITING.items():
        assert reg.is_refused(path, 403, **said)["kind"] == "NotPermitted", path
    assert reg.http.get("/api/house/people").status_code == 403
    assert reg.asks("me")["role"] == "regulator"


def test_nobody_but_an_administrator_makes_anybody_anything(colleague: Staff) -> None:
    """Role escalation, of oneself or of a friend, whatever else the request says."""
    for name in ("dee", "flo", "cal", "sam", "sue", "ines", "reg"):
        mal = colleague(name)
        for act in (
            {"act": "role", "role": "administrator"},
            {"act": "password", "password": "let me in please"},
        ):
            assert mal.is_refused("people/change", 403, name=name, **act)["kind"] == "NotPermitted"
        mal.is_refused("people", 403, **WRITING["people"])
        padded = mal.post("/api/house/login", name=name, password=password_of(name), role="administrator")
        assert padded.status_code == 400
        assert mal.asks("me")["role"] != "administrator"


def test_a_role_taken_away_and_a_dismissal_count_at_the_next_request(colleague: Staff) -> None:
    root, ines = colleague("root"), colleague("ines")
    root.does("people/change", name="ines", act="role", role="dealer", witness=witness("art"))
    assert ines.asks("me")["role"] == "dealer"
    ines.is_refused("approvals", 403, **WRITING["approvals"])
    root.does("people/change", name="ines", act="dismiss")
    assert ines.http.get("/api/house/me").status_code == 401
    assert ines.logs_in("ines").status_code == 401


def test_a_new_password_logs_its_user_out_elsewhere(colleague: Staff) -> None:
    here, there = colleague("dee"), colleague("dee")
    answer = here.put("/api/house/me/password", old=password_of("dee"), new="another long one")
    assert answer.status_code == 200
    assert here.http.get("/api/house/me").status_code == 200
    assert there.http.get("/api/house/me").status_code == 401
    wrong = here.put("/api/house/me/password", old="not the old one", new="yet another one")
    assert wrong.status_code == 401


def test_the_configuration_check_names_the_rule_and_the_wager(colleague: Staff) -> None:
    found = colleague("flo").does("check", game="fu-bacc", limits={"ante": {"maximum": 300_00}})
    assert not found["opens"]
    (refusal,) = found["refusals"]
    assert (refusal["wager"], refusal["rule"]) == ("ante", "WAC 230-15-140 (WA.1)")
    ante = next(each for each in found["wagers"] if each["wager"] == "ante")
    assert (ante["most_lawful"], ante["clause"]) == (200_00, "FB.5")
    lawful = colleague("flo").does("check", game="fu-bacc", limits={"ante": {"maximum": 200_00}})
    assert lawful["opens"]


def test_a_refused_option_names_its_field(colleague: Staff) -> None:
    flo = colleague("flo")
    told = flo.is_refused("check", 400, game="fu-bacc", options={"fu-bacc.rescue-tie": "sometimes"})
    assert told["field"] == "fu-bacc.rescue-tie"
    assert flo.is_refused("check", 400, game="whist")["kind"] == "UnknownName"


def approve(colleague: Staff, game: str) -> None:
    ines = colleague("ines")
    second = {"person": "root", "password": password_of("root")}
    (found,) = ines.asks("approvals", game=game)
    for step in found["steps"]:
        said = {"game": game, "act": "met", "step": step["step"], "second": second}
        ines.does("approvals", met_by="the house", reference="file 7", **said)
    found = ines.does("approvals", game=game, act="definition", reference="letter", second=second)
    assert found["may_be_offered"]


def test_an_approval_takes_two_who_each_prove_who_they_are(colleague: Staff) -> None:
    ines = colleague("ines")
    said = {"game": "fu-bacc", "act": "definition", "reference": "letter"}
    for second in (
        None,
        {"person": "root"},
        {"person": "root", "password": "guessed wrongly"},
        {"person": "ines"},
    ):
        assert ines.is_refused("approvals", 403, second=second, **said)["kind"] == "NotSigned"
    dealer = {"person": "dee", "password": password_of("dee")}
    assert ines.is_refused("approvals", 403, second=dealer, **said)["kind"] == "NotPermitted"
    (found,) = ines.asks("approvals", game="fu-bacc")
    assert found["approved_fingerprint"] is None
    approve(colleague, "fu-bacc")


FILLED = {"floor_supervisor": "flo", "cage": "cal", "security": "sam", "dealer": "dee"}


def test_a_table_is_opened_filled_closed_pulled_counted_and_reported(colleague: Staff) -> None:
    approve(colleague, "fu-bacc")
    flo, sam, art = colleague("flo"), colleague("sam"), colleague("art")
    pit = signed("flo", floor_supervisor="flo", dealer="dee")
    opened_ = flo.does("tables/open", table="3", order={"game": "fu-bacc"}, cents=10_000_00, signed=pit, key="open 3")
    assert opened_["slip"]["kind"] == "opener"
    filled = flo.does("tables/fill", table="3", cents=1_500_00, signed=signed("flo", **FILLED))
    assert (filled["slip"]["serial"], len(filled["signatures"])) == (1, 4)
    flo.does("tables/credit", table="3", cents=500_00, signed=signed("flo", **FILLED))
    flo.does("tables/close", table="3", cents=9_000_00, signed=pit)
    assert flo.asks("tables")[0]["state"] == "closed"
    sam.does("tables/drop", table="3", signed=signed("sam", security="sam", gambling="ben"))
    box = {"10000": 30, "2000": 5}
    both = {"table": "3", "first": box, "second": box}
    team = signed("art", first_counter="art", second_counter="ben", third_counter="cam")
    art.is_refused("tables/count", 400, signed=team, **both)  # nobody enters two counts at once
    assert "no first count yet" in art.is_refused("tables/count", 400, table="3", count=box, signed=team)["error"]
    art.does("tables/tally", table="3", count=box, signed=signed("art", first_counter="art"))
    ben, others = colleague("ben"), signed("ben", second_counter="ben", third_counter="cam")
    wrong = ben.is_refused("tables/count", 400, table="3", count={"10000": 30}, signed=others)
    assert "the two counts differ" in wrong["error"]
    ben.does("tables/count", table="3", count=box, signed=others)
    for form, kind in (("html", "text/html"), ("pdf", "application/pdf")):
        printed = art.http.get("/api/house/tables/slip", params={"kind": "fill", "serial": 1, "format": form})
        assert printed.headers["content-type"].startswith(kind)
    assert printed.content.startswith(b"%PDF")
    report = art.asks("report")
    (row,) = report["tables"]
    assert (row["drop"], row["win"], report["final"]) == (3_100_00, 1_100_00, True)
    sheet = art.http.get("/api/house/report", params={"format": "csv"})
    assert sheet.headers["content-type"].startswith("text/csv")
    assert all(book["holds"] for book in art.asks("verify"))


def test_no_slip_is_signed_for_somebody_who_is_not_there(colleague: Staff) -> None:
    approve(colleague, "fu-bacc")
    flo = colleague("flo")
    pit = signed("flo", floor_supervisor="flo", dealer="dee")
    flo.does("tables/open", table="1", order={"game": "fu-bacc"}, cents=1_000_00, signed=pit)

    def refused(status: int, **change: Any) -> dict[str, Any]:
        said = {**signed("flo", **FILLED), **change}
        return flo.is_refused("tables/fill", status, table="1", cents=100_00, signed=said)

    assert refused(403, dealer={"person": "dee"})["kind"] == "NotSigned"
    assert refused(403, dealer={"person": "dee", "password": "guessed wrongly"})["kind"] == "NotSigned"
    wrong_role = {"person": "cam", "password": password_of("cam")}
    assert refused(403, dealer=wrong_role)["kind"] == "NotPermitted"
    twice = {"person": "cal", "password": password_of("cal")}
    assert refused(400, dealer=twice)["kind"] == "PostingRefused"
    without_me = {"person": "flo", "password": password_of("flo")}
    cal = colleague("cal")
    others = signed("cal", floor_supervisor="flo", security="sam", dealer="dee") | {"cage": twice}
    cal.does("tables/fill", table="1", cents=100_00, signed=others)  # all present: the cage logged in
    ben = colleague("ben")
    told = ben.is_refused("tables/fill", 403, table="1", cents=1, signed={"dealer": without_me})
    assert told["kind"] == "NotSigned"  # ben is logged in and not among them
    assert flo.asks("tables")[0]["sums"]["fills"] == 100_00


def witness(name: str) -> dict[str, str]:
    return {"person": name, "password": password_of(name)}


def open_gran(ines: Colleague, **more: Any) -> Any:
    asked = {"name": "gran", "approval": "controls of 2008", "increment": 50, **more}
    return ines.does("jackpots", witness=witness("cal"), **asked)


def test_a_jackpot_is_opened_fed_won_and_its_journal_tells_it(colleague: Staff) -> None:
    ines, flo = colleague("ines"), colleague("flo")
    open_gran(ines, seed=1_000_00, increment=75)
    lost = {"act": "contribute", "table": "5", "round": "1", "wagers": 4}
    assert flo.does("jackpots/post", name="gran", act=lost)["jackpot"]["jackpot"] == 1_003_00  # at once
    again = flo.does("jackpots/post", name="gran", act=lost)  # without a key, and the round is the same
    assert (again["repeated"], again["jackpot"]["jackpot"]) == (True, 1_003_00)
    royal = {"act": "round", "table": "5", "round": "2", "hands": ["7c Jc Qc Kc Ac"]}
    told = flo.is_refused("jackpots/post", 403, name="gran", act=royal)
    assert told["kind"] == "NotSigned"
    won = flo.does("jackpots/post", name="gran", act=royal, witness=witness("sue"))
    assert won["jackpot"]["jackpot"] == 752_25
    again = flo.does("jackpots/post", name="gran", act=royal, witness=witness("sue"))
    assert (again["repeated"], again["jackpot"]["jackpot"]) == (True, 752_25)
    page = ines.asks("journal", named="gran", most=2)
    assert [each["number"] for each in page["postings"]] == [3, 2]
    newest = page["postings"][0]
    assert (newest["made_by"], newest["witness"], newest["displayed"]) == ("flo", "sue", 752_25)
    assert [each["displayed"] for each in ines.asks("journal", named="gran", before=3)["postings"]] == [
        1_003_00,
        1_000_00,
    ]
    meter = ines.asks("jackpots/meter", named="gran")
    assert [each["cents"] for each in meter["wins"]] == [250_75]
    assert [point["cents"] for point in meter["points"]] == [1_003_00, 1_003_00, 752_25]


LOWERS = {"act": "adjust", "account": "jackpot", "cents": -1, "reason": "malfunction"}


def test_a_prize_is_touched_only_by_those_who_may_and_before_a_second_person(colleague: Staff) -> None:
    open_gran(colleague("ines"))
    for name, act, second, kind in [
        ("dee", {"act": "deposit", "cents": 100}, None, "NotPermitted"),
        ("root", LOWERS, "cal", "NotPermitted"),
        ("ines", LOWERS, None, "NotSigned"),
        ("ines", LOWERS, "ines", "NotSigned"),
        ("ines", LOWERS, "dee", "NotPermitted"),
        ("cal", {"act": "withdraw", "cents": 100}, "ines", "NotPermitted"),
    ]:
        seconded = witness(second) if second else None
        told = colleague(name).is_refused("jackpots/post", 403, name="gran", act=act, witness=seconded)
        assert told["kind"] == kind
    assert colleague("reg").asks("jackpots")[0]["postings"] == 1
    counted, cal = {"act": "day end", "count": {"100": 1}}, witness("cal")
    told = colleague("ines").is_refused("jackpots/post", 400, name="gran", act=counted, witness=cal)
    assert "no first count yet" in told["error"]
    colleague("art").does("jackpots/post", name="gran", act={**counted, "act": "tally"})
    colleague("ines").does("jackpots/post", name="gran", act=counted, witness=cal)


def test_a_short_opener_raises_a_task_that_the_floor_finishes(colleague: Staff) -> None:
    approve(colleague, "fu-bacc")
    flo, sam = colleague("flo"), colleague("sam")
    pit = signed("flo", floor_supervisor="flo", dealer="dee")
    order = {"game": "fu-bacc"}
    flo.does("tables/open", table="1", order=order, cents=1_000_00, signed=pit)
    flo.does("tables/close", table="1", cents=1_000_00, signed=pit)
    sam.does("tables/drop", table="1", signed=signed("sam", security="sam", gambling="dee"))
    short = {"table": "1", "order": order, "cents": 700_00, "shift": "2"}
    assert "security" in flo.is_refused("tables/open", 400, signed=pit, **short)["error"]
    errors = signed("flo", floor_supervisor="flo", dealer="dee", security="sam")
    flo.does("tables/open", signed=errors, **short)
    (task,) = flo.asks("tasks")
    assert task["kind"] == "notice"
    due = datetime.datetime.fromisoformat(task["due_at"]) - datetime.datetime.fromisoformat(task["raised_at"])
    assert due == datetime.timedelta(hours=24)
    done = {"task": task["id"], "reference": "letter 12"}
    sam.is_refused("tasks/done", 403, signed=signed("sam", notifier="sam"), **done)
    own = flo.is_refused("tasks/done", 400, signed=signed("flo", notifier="flo"), **done)
    assert "signed what raised task" in own["error"]
    colleague("ines").does("tasks/done", signed=signed("ines", notifier="ines"), **done)
    assert flo.asks("tasks") == []
    assert flo.asks("tasks", every=True)[0]["done"]


def test_a_progressive_whose_bank_lacks_money_is_a_task(colleague: Staff) -> None:
    ines = colleague("ines")
    open_gran(ines)
    (task,) = ines.asks("tasks")
    assert (task["kind"], task["jackpot"], task["overdue"]) == ("deposit", "gran", False)
    ines.does("jackpots/post", name="gran", act={"act": "deposit", "cents": 500_00})
    ines.does("jackpots/post", name="gran", act={"act": "deposit test"})
    assert ines.asks("tasks") == []


def test_no_answer_ever_holds_a_password_or_what_is_made_of_one(colleague: Staff, house: Path) -> None:
    root = colleague("root")
    answers = [root.http.get(f"/api/house/{path}") for path in (*READINGS, "people")]
    answers.append(root.http.get("/api/house/journal", params={"named": "house users"}))
    answers.append(root.logs_in("dee", "guessed wrongly"))
    assert not any("argon2" in each.text or "guessed wrongly" in each.text for each in answers)
    database = open_database(f"sqlite:///{house / 'house.sqlite'}")
    assert Users(database).person("root").role == "administrator"
    database.close()


NONSENSE: list[tuple[str, dict[str, Any]]] = [
    ("login", {"name": "x" * 500, "password": "y"}),
    ("login", {"name": "a\u0000b", "password": "y"}),
    ("tables/fill", {"table": "1", "cents": -5, "signed": {}}),
    ("tables/fill", {"table": "1", "cents": 10**30, "signed": {}}),
    ("jackpots/post", {"name": "gran", "act": {"act": "fly"}}),
    ("check", {"game": "fu-bacc", "date": "yesterday"}),
    ("people", {"name": "new", "role": "king", "password": "long enough now"}),
]


def test_nonsense_is_bad_input_and_never_a_fault(colleague: Staff) -> None:
    root = colleague("root")
    for path, said in NONSENSE:
        answer: httpx.Response = root.post(f"/api/house/{path}", **said)
        assert answer.status_code == 400, path
        assert answer.json()["error"]


def test_a_floor_supervisor_closes_a_table_and_its_round_is_void(house: Path, colleague: Staff) -> None:
    flo, ann = colleague("flo"), colleague("dee")
    table = ann.opens("fu-bacc", private=True)
    with ann.at(table) as tab:
        tab.do("sit", spot=3, stack=500_00)
        tab.do("wager", spot=3, wagers={"ante": 1000})
        tab.do("ready")
        (listed,) = [each for each in flo.asks("floor") if each["id"] == table]
        assert (len(listed["players"]), listed["away"], listed["running"]) == (1, [], True)
        asked = {"table": table, "because": "a card was seen"}
        assert "floor supervisor" in ann.is_refused("floor/close", 403, **asked)["error"]
        flo.is_refused("floor/close", 400, table=table, because="")
        assert flo.does("floor/close", **asked) == {"id": table, "voided": 1}
        with pytest.raises(ConnectionClosed) as closed:
            tab.until("nothing that is ever said")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == NoSuchTable.farewell[0]
    assert "the lobby lists" in flo.is_refused("floor/close", 404, **asked)["error"]
    assert table not in {each["id"] for each in flo.asks("floor")}
    log = (house / "closed" / table / "log").read_text().splitlines()[-1]
    assert "a card was seen (flo, floor supervisor)" in log


def test_a_day_is_counted_closed_revised_and_summarized(colleague: Staff) -> None:
    approve(colleague, "fu-bacc")
    flo, sam, ines = colleague("flo"), colleague("sam"), colleague("ines")
    pit, order = signed("flo", floor_supervisor="flo", dealer="dee"), {"game": "fu-bacc"}
    flo.does("tables/open", table="1", order=order, cents=1_000_00, signed=pit)
    flo.does("tables/close", table="1", cents=900_00, signed=pit)
    sam.does("tables/drop", table="1", signed=signed("sam", security="sam", gambling="dee"))
    day = datetime.date.today().isoformat()
    refused = ines.is_refused("closings", 400, period=day, witness=witness("art"))
    assert "is pulled" in refused["error"]
    box: dict[str, Any] = {"table": "1", "count": {"100": 30_000}}
    ines.does("tables/tally", signed=signed("ines", first_counter="ines"), **box)
    others = signed("art", second_counter="art", third_counter="cam")
    counted = colleague("art").does("tables/count", signed=others, **box)
    ines.does("closings", period=day, witness=witness("art"))
    assert [each["name"] for each in ines.asks("closings")] == [day]
    summary = ines.asks("summary", period=day[:7], tax_rate="1/10")
    assert (summary["total"]["win"], summary["tax"]["cents"]) == (30_000_00 - 100_00, 2_990_00)
    revisers = {"accounting": "ines", "independent": "sue"}
    slip = {"kind": "count", "serial": counted["slip"]["serial"], "because": "miscounted"}
    flo.is_refused("tables/void", 400, signed=signed("flo", floor_supervisor="flo", witness="cal"), **slip)
    ines.does("tables/revise", signed=signed("ines", **revisers), **slip)
    colleague("ben").does("tables/tally", signed=signed("ben", first_counter="ben"), **box)
    again = signed("ines", **revisers, second_counter="art", third_counter="cam")
    ines.does("tables/recount", signed=again, **box)


def test_who_may_read_a_journal_follows_the_role(colleague: Staff) -> None:
    dee, root = colleague("dee"), colleague("root")
    assert "house logins" in root.asks("books")
    assert not {"house users", "house logins"} & set(dee.asks("books"))
    answer = dee.http.get("/api/house/journal", params={"named": "house users"})
    assert (answer.status_code, answer.json()["kind"]) == (403, "NotPermitted")


def test_a_new_user_takes_two_persons_and_changes_the_password_first(colleague: Staff) -> None:
    root = colleague("root")
    new = {"name": "nan", "role": "dealer", "password": "given by root"}
    assert "second person" in root.is_refused("people", 400, **new)["error"]
    root.does("people", **new, witness=witness("ines"))
    nan = colleague("dee")
    refused = nan.logs_in("nan", "given by root")
    assert (refused.status_code, "give a new one" in refused.json()["error"]) == (401, True)
    own = nan.post("/api/house/login", name="nan", password="given by root", new="chosen by nan")
    assert own.status_code == 200
    assert nan.logs_in("nan", "chosen by nan").status_code == 200


def test_an_excluded_person_is_not_seated(colleague: Staff) -> None:
    flo = colleague("flo")
    listed = {"kind": "excluded person", "name": "Pat Doe", "says": "by own wish"}
    flo.does("register", witness=witness("sue"), **listed)
    guest = colleague("")
    table = guest.opens("fu-bacc")
    guest.put("/api/me", name="pat doe")
    with guest.at(table) as tab:
        refused = tab.ask("sit", spot=1, stack=100_00)
    assert (refused["type"], "WAC 230-23-020" in str(refused)) == ("refused", True)
    guest.put("/api/me", name="Pat")
    with guest.at(table) as tab:
        assert tab.ask("sit", spot=1, stack=100_00)["type"] == "done"


def test_nothing_is_signed_with_a_password_that_somebody_else_set(colleague: Staff) -> None:
    """An administrator who resets a password could otherwise sign in that user's name."""
    root = colleague("root")
    root.does("people/change", name="sue", act="password", password="given by root", witness=witness("ines"))
    lent = {"person": "sue", "password": "given by root"}
    listed = {"kind": "excluded person", "name": "Pat Doe", "says": "by own wish"}
    assert "sets a new one first" in colleague("flo").is_refused("register", 403, witness=lent, **listed)["error"]
    root.does("people/change", name="ines", act="password", password="given by root", witness=witness("art"))
    lent = {"person": "ines", "password": "given by root"}
    new = {"name": "nan", "role": "dealer", "password": "also by root"}
    assert "sets a new one first" in root.is_refused("people", 403, witness=lent, **new)["error"]


def test_what_the_command_line_does_to_books_is_done_here_too(colleague: Staff, tmp_path: Path) -> None:
    ines, root, flo, dee = map(colleague, ("ines", "root", "flo", "dee"))
    of_root, of_ines, of_cal = ({"person": name, "password": password_of(name)} for name in ("root", "ines", "cal"))
    opened = {"approval": "controls of 2008", "increment": 75, "witness": of_cal}
    assert "fee_approval" in ines.is_refused("jackpots", 400, name="gran", fee="1/10", **opened)["error"]
    ines.does("jackpots", name="gran", fee="1/10", fee_approval="letter 9", **opened)
    (posting,) = ines.asks("journal", named="gran")["postings"]

    def faults(*seals: str) -> list[str]:
        return [trouble for book in ines.asks("verify", expect=list(seals)) for trouble in book["troubles"]]

    assert faults(f"gran:1:{posting['seal']}", "gran:0:" + "0" * 64) == []
    assert faults("gran:1:" + "ab" * 32) == ["posting 1 of gran does not bear the seal that was noted"]
    assert ines.http.get("/api/house/verify", params={"expect": "gran"}).status_code == 400
    exported = ines.http.get("/api/house/export", params={"named": "gran"})
    assert exported.headers["content-disposition"] == 'attachment; filename="gran.beancount"'
    assert loader.load_string(exported.text)[1] == []
    assert flo.http.get("/api/house/export", params={"named": "house users"}).status_code == 403
    team = {"matter": "count team", "reference": "letter 610", "second": of_root}
    assert ines.is_refused("approvals/house", 400, since="2025-01-02", until="2025-01-01", **team)
    assert dee.is_refused("approvals/house", 403, **team)["kind"] == "NotPermitted"
    assert ines.does("approvals/house", **team)["reference"] == "letter 610"
    why = {"because": "the disk died", "second": of_ines}
    assert "nothing is lost twice" in root.is_refused("restoration", 400, **why)["error"]
    lose_newer_books(tmp_path)
    assert faults() == ["house tokes has no posting 9, whose seal was noted"]
    assert dee.is_refused("restoration", 403, **why)["kind"] == "NotPermitted"
    assert root.does("restoration", **why)["lost"] == ["house tokes:9:" + "ab" * 32]
    assert faults() == []


def test_a_log_is_entered_once_and_a_hand_paid_once(colleague: Staff) -> None:
    approve(colleague, "fu-bacc")
    flo, dealt = colleague("flo"), Dealt()
    pit, floor = signed("flo", floor_supervisor="flo", dealer="dee"), signed("flo", gambling="flo")
    flo.does("tables/open", table="3", order={"game": "fu-bacc"}, cents=1_000_00, signed=pit)
    for _ in range(60):  # longer than any other request may be
        dealt.play(ante=1000)
    log = b"".join(line + b"\n" for line in dealt.lines).decode()
    assert len(log) > 64 * 1024
    flo.does("tables/log", table="3", log=log, signed=floor)
    assert "entered already" in flo.is_refused("tables/log", 400, table="3", log=log, signed=floor)["error"]
    assert flo.is_refused("tables/log", 400, table="3", log="no log\n", signed=floor)
    paid = {"wager": "lucky-monkey", "wagered": 100_00, "cents": 3_000_00, "player": "Iris", "hand": "Kc Qd"}
    flo.does("tables/payout", table="3", signed=pit, **paid)
    assert "is paid already" in flo.is_refused("tables/payout", 400, table="3", signed=pit, **paid)["error"]
    flo.does("tables/payout", table="3", signed=pit, round="18", **paid)
