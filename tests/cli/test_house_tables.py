"""`felt house check-table`, `profile`, `approvals`, `users` and `table`: answers and refusals."""

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from feltworks.house import users
from tests.conftest import Output
from tests.docs.pages import blocks
from tests.house.conftest import staffed_books as staffed_books
from tests.house.dealt import Dealt
from tests.house.floor import PASSWORD, QUICK, STAFF

Felt = Callable[..., Output]
DAY = ("--day", "2024-01-31")
BOTH = ("--sign", "floor-supervisor=flo", "--sign", "dealer=dan")
ALL_FOUR = (*BOTH, "--sign", "cage=cara", "--sign", "security=sam")
FIRST = ("--sign", "first-counter=abe")
OTHERS = ("--sign", "second-counter=amy", "--sign", "third-counter=sue")


@pytest.fixture
def house(felt: Felt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Felt:
    """Speak to the books of a new house; everybody who is asked gives the same password."""
    monkeypatch.setenv("FELT_DATABASE", str(tmp_path / "books.sqlite"))
    monkeypatch.setattr(users, "default_hasher", lambda: QUICK)

    def speak(*words: str, typed: str = f"{PASSWORD}\n" * 9) -> Output:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return felt("house", *words)

    return speak


@pytest.fixture
def staffed(house: Felt, staffed_books: Path, own_keys: Path) -> Felt:
    shutil.copy(staffed_books, own_keys.parent)
    return house


def answer(said: Output) -> dict[str, Any]:
    assert said.err == ""
    found: dict[str, Any] = json.loads(said.out)
    return found


def test_a_table_is_checked_before_it_opens(house: Felt) -> None:
    found = house("check-table", "fu-bacc", "--date", "2024-01-31", "--limit", "ante=5-200", "--json")
    assert found.status == 0
    ante = answer(found)["wagers"][0]
    assert (ante["wager"], ante["most_lawful"], ante["follows"]) == ("ante", 200_00, {"play": 400_00})


def test_an_order_that_may_not_open_names_the_rule_and_exits_with_1(house: Felt) -> None:
    words = ("check-table", "fu-bacc", "--date", "2024-01-31", "--limit", "ante=5-250", "--seats", "10")
    said = house(*words)
    assert said.status == 1
    assert "WAC 230-15-140" in said.out
    assert "WAC 230-15-055" in said.out
    refused = house(*words, "--json")
    assert refused.status == 1
    assert [each["rule"][:14] for each in answer(refused)["refusals"]] == ["WAC 230-15-140", "WAC 230-15-055"]


def test_the_order_of_the_reference_page_is_read_and_the_command_line_goes_before_it(
    house: Felt, tmp_path: Path
) -> None:
    (written,) = [text for text in blocks("docs/reference/cli.md", "toml") if "aggregate" in text]
    (tmp_path / "table.toml").write_text(written, encoding="utf-8")
    found = answer(house("check-table", str(tmp_path / "table.toml"), "--json"))
    assert (found["date"], found["seats"], found["pay_tables"]["lucky-lucky"]) == ("2024-01-31", 5, "2")
    assert found["opens"]
    assert found["wagers"][0]["most"] == 100_00
    lower = answer(house("check-table", str(tmp_path / "table.toml"), "--seats", "3", "--json"))
    assert (lower["seats"], lower["most_of_a_deal"] * 5) == (3, found["most_of_a_deal"] * 3)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('game = "whist"', "no game 'whist'"),
        ('game = "fu-bacc"\nseat = 5', "seat"),
        (
            'game = "fu-bacc"\nlimits.ante = { maximum = "lots" }',
            "limits.ante.maximum: 'lots'",
        ),
        ("game = ", "syntax"),
    ],
)
def test_a_damaged_order_is_named_with_its_key(house: Felt, tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "table.toml").write_text(text, encoding="utf-8")
    said = house("check-table", str(tmp_path / "table.toml"))
    assert (said.status, said.out) == (2, "")
    assert sentence in said.err


def test_the_law_of_a_day_says_how_sure_it_is(house: Felt) -> None:
    values = answer(house("profile", "--date", "2024-01-31", "--json"))["values"]
    assert values["wager-limit"]["value"] == "$400"
    assert not values["wager-limit"]["verified"]
    assert values["aggregate-odds"]["verified"]
    assert "unverified" in house("profile", "--date", "2024-01-31").out


def test_cash_on_hand_follows_the_rule_of_the_day(house: Felt) -> None:
    words = {
        "2024-01-31": "$1,000 for each table and the largest single prize, jackpots apart (WAC 230-15-050)",
        "2025-02-13": "$2,000 for each table and one percent of last year's card room receipts",
        "2021-12-31": "",
    }
    for day, said in words.items():
        cash = answer(house("check-table", "fu-bacc", "--date", day, "--json"))["cash_on_hand"]
        assert cash.startswith(said)
        assert bool(cash) == bool(said)


def test_a_tribal_operation_has_settings_of_its_own_and_none_is_called_law(house: Felt) -> None:
    on = ("--date", "2024-01-31", "--tribal")
    values = answer(house("profile", *on, "--json"))["values"]
    assert values["wager-limit"]["value"] == "$500"
    assert not any(each["verified"] for each in values.values())
    assert house("check-table", "fu-bacc", *on, "--limit", "ante=5-250").status == 0
    said = house("check-table", "fu-bacc", *on, "--limit", "ante=5-251")
    assert (said.status, "WAC" in said.out) == (1, False)


def test_approvals_fail_until_everything_is_met(staffed: Felt) -> None:
    assert answer(staffed("approvals", "fu-bacc", *DAY, "--json"))["may_be_offered"]
    tribal = staffed("approvals", "fu-bacc", "--tribal", *DAY, "--json")
    assert tribal.status == 1
    assert [step["step"] for step in answer(tribal)["steps"] if step["open"]] == [
        "tribal-operation-1",
        "tribal-operation-2",
        "tribal-operation-3",
        "tribal-maker-1",
        "owner-1",
    ]
    recording = ("--by", "abe", "--second", "admin", "--because", "changed", *DAY)
    assert staffed("approvals", "fu-bacc", "--withdraw", "maker-1", *recording).status == 0
    said = staffed("approvals", "fu-bacc", *DAY)
    assert (said.status, "may not be offered yet" in said.out) == (1, True)


def test_a_house_begins_with_an_administrator_and_its_approvals(house: Felt) -> None:
    people = {"ada": "administrator", "abe": "accounting", "flo": "floor-supervisor"}
    for number, (who, role) in enumerate(people.items()):
        second = ("--second", "abe") if number > 1 else ()
        first = f"{PASSWORD} at first\n" if number else f"{PASSWORD}\n"
        typed = f"{PASSWORD}\n" * number + first
        said = house("users", "add", who, "--role", role, *(("--by", "ada", *second) if number else ()), typed=typed)
        assert (said.status, said.err) == (0, "")
        if number:
            assert "sets a new one first" in house("users", "unlock", "ada", "--by", who, typed=first).err
            assert "another one than before" in house("users", "password", who, "--by", who, typed=2 * first).err
            assert house("users", "password", who, "--by", who, typed=f"{first}{PASSWORD}\n").status == 0
    recording = ("--by", "abe", "--second", "ada", "--reference", "letter 12", *DAY)
    for step in ("operator-1", "maker-1"):
        house("approvals", "fu-bacc", "--meet", step, "--met-by", "commission", *recording)
    assert house("approvals", "fu-bacc", *DAY).status == 1
    assert "As approved" in house("approvals", "fu-bacc", "--record-definition", *recording).out
    found = answer(house("approvals", "fu-bacc", *DAY, "--json"))
    assert found["fingerprint"] == found["approved_fingerprint"]
    first = found["steps"][0]
    assert (first["met"]["reference"], first["signed"]) == ("letter 12", ["abe", "ada"])


def test_users_are_listed_without_a_secret(staffed: Felt) -> None:
    listed = staffed("users", "list", "--json")
    assert {each["name"]: each["role"] for each in answer(listed)["users"]} == STAFF
    assert "argon2" not in listed.out + staffed("users", "list").out


def test_a_role_and_a_password_are_changed(staffed: Felt) -> None:
    (changed,) = answer(
        staffed("users", "role", "dan", "--role", "cage", "--by", "admin", "--second", "boss", "--json")
    )["users"]
    assert changed["role"] == "cage"
    new = "quite another one"
    assert staffed("users", "password", "dan", "--by", "dan", typed=f"{PASSWORD}\n{new}\n").status == 0
    again = staffed("users", "password", "dan", "--by", "dan", typed=f"{PASSWORD}\n{new}\n")
    assert (again.status, "do not fit" in again.err) == (2, True)
    assert staffed("users", "dismiss", "dan", "--by", "admin").status == 0
    assert "dismissed" in staffed("users", "list").out


def test_five_failures_lock_out_until_an_administrator_unlocks(staffed: Felt) -> None:
    for _ in range(5):
        staffed("users", "password", "dan", "--by", "dan", typed="wrong\nnew password\n")
    locked = staffed("users", "password", "dan", "--by", "dan")
    assert (locked.status, "locked out until" in locked.err) == (2, True)
    assert "locked out" in staffed("users", "list").out
    assert staffed("users", "unlock", "dan", "--by", "admin").status == 0
    assert staffed("users", "password", "dan", "--by", "dan", typed=f"{PASSWORD}\nbattery staple\n").status == 0


def open_seven(house: Felt) -> None:
    words = ("table", "open", "7", "--order", "fu-bacc", "--amount", "10000", *BOTH, *DAY)
    said = house(*words)
    assert (said.status, said.err) == (0, "")
    assert "opener 1" in said.out


def test_a_table_opens_on_the_day_of_its_order_unless_another_is_given(staffed: Felt, tmp_path: Path) -> None:
    order = tmp_path / "order.toml"
    order.write_text('game = "fu-bacc"\ndate = 2024-01-31\n', encoding="utf-8")
    words = ("--order", str(order), "--amount", "10000", *BOTH, "--json")
    assert answer(staffed("table", "open", "7", *words))["box"]["day"] == "2024-01-31"
    assert answer(staffed("table", "open", "8", *words, "--day", "2024-02-01"))["box"]["day"] == "2024-02-01"


def test_a_day_at_a_table(staffed: Felt) -> None:
    open_seven(staffed)
    staffed("table", "fill", "7", "--amount", "9999", *ALL_FOUR)
    void = ("--slip", "fill-1", "--because", "wrong amount", "--sign", "floor-supervisor=flo")
    assert "fill 1" in staffed("table", "void", *void, "--sign", "witness=cara").out
    filled = answer(staffed("table", "fill", "7", "--amount", "2000", *ALL_FOUR, "--json"))
    assert (filled["slip"]["serial"], len(filled["signatures"])) == (2, 4)
    staffed("table", "credit", "7", "--amount", "500", *ALL_FOUR)
    staffed("table", "wagers", "7", "--wager", "ante=400x10,8x25", "--sign", "gambling=dan")
    staffed("table", "close", "7", "--amount", "8500", *BOTH)
    staffed("table", "drop", "7", "--sign", "security=sam", "--sign", "gambling=dan")
    assert "not final" in staffed("table", "report", *DAY).out
    assert staffed("table", "tally", "7", "--count", "33x100,5x20", *FIRST).status == 0
    counted = answer(staffed("table", "count", "7", "--count", "5x20,33x100", *OTHERS, "--json"))
    assert (counted["box"]["state"], counted["slip"]["cents"]) == ("counted", 3_400_00)
    report = answer(staffed("table", "report", *DAY, "--json"))
    (row,) = report["tables"]
    assert (row["win"], row["final"], report["total"]["win"]) == (400_00, True, 400_00)
    assert row["theory"]["wagered"] == 4_200_00
    assert "2024-01-31,7,fu-bacc,,counted,1000000,200000,50000,850000,340000,40000" in (
        staffed("table", "report", *DAY, "--csv").out
    )
    assert "$400" in staffed("table", "report", *DAY).out
    assert answer(staffed("verify", "--json"))["holds"]


def test_a_day_is_counted_blind_closed_summarized_and_revised(staffed: Felt, tmp_path: Path) -> None:
    open_seven(staffed)
    staffed("table", "wagers", "7", "--wager", "ante=400x10", "--sign", "gambling=dan")
    staffed("table", "close", "7", "--amount", "9500", *BOTH)
    staffed("table", "drop", "7", "--sign", "security=sam", "--sign", "gambling=dan")
    two = ("--by", "abe", "--second", "amy")
    assert "is pulled" in staffed("close", "2024-01", *two).err
    second = ("table", "count", "7", *OTHERS)
    assert "no first count yet" in staffed(*second, "--count", "10x100").err
    assert staffed("table", "tally", "7", "--count", "10x100", *FIRST).status == 0
    assert "the two counts differ" in staffed(*second, "--count", "9x100").err
    assert "count 1" in staffed(*second, "--count", "10x100").out
    assert "house tables:" in staffed("close", "2024-01", *two).out
    assert answer(staffed("closed", "--json"))["closed"][0]["name"] == "2024-01"
    assert "Tax at 1/10: $50." in staffed("summary", "2024-01", "--tax-rate", "1/10").out
    assert staffed("summary", "2024-01", "--csv").out.splitlines()[-1].startswith("2024-01,total,1,")
    assert "as expected" in staffed("hold", "2024-01").out
    voided = ("table", "void", "--slip", "count-1", "--because", "miscounted")
    assert "locked" in staffed(*voided, "--sign", "floor-supervisor=fred", "--sign", "witness=carl").err
    revisers = ("--sign", "accounting=ann", "--sign", "independent=vic")
    revised = ("table", "revise", "--slip", "count-1", "--because", "miscounted", *revisers)
    assert "Task 1" in staffed(*revised).out
    again = ("table", "recount", "7", "--count", "11x100", *revisers, *OTHERS)
    assert "no first count yet" in staffed(*again).err
    assert staffed("table", "tally", "7", "--count", "11x100", *FIRST).status == 0
    assert staffed(*again).status == 0
    assert "revised" in staffed("table", "report", *DAY).out
    assert "$60" in staffed("summary", "2024-01", "--tax-rate", "1/10").out
    assert staffed("backup", str(tmp_path / "backup")).status == 0
    restored = staffed("restore", str(tmp_path / "backup"), "--database", str(tmp_path / "restored.sqlite"))
    assert (restored.status, "0 faults" in restored.out) == (0, True)
    assert answer(staffed("key", "--json"))["public_key"]


def test_the_register_and_approvals_for_the_house(staffed: Felt) -> None:
    two = ("--by", "abe", "--second", "admin")
    entry = ("register", "add", "excluded-person", "Pat Doe", "--says", "by own wish", *two)
    assert staffed(*entry).status == 0
    assert staffed("register", "strike", "1", "--because", "the time is over", *two).status == 0
    assert "struck: the time is over" in staffed("register", "list", "--kind", "excluded-person").out
    assert "no kind of entry" in staffed("register", "list", "--kind", "gossip").err
    assert "two is approved from" in staffed("approve", "count-team", "--reference", "letter 9", *two, *DAY).out
    assert "no approval for the house 'tips'" in staffed("approve", "tips", "--reference", "letter 9", *two).err


def test_tasks_are_told_listed_and_done(staffed: Felt) -> None:
    open_seven(staffed)
    words = ("--amount", "4500", "--wager", "lucky-monkey=150", "--player", "Pat", "--hand", "9c 9d")
    assert "Task 1" in staffed("table", "payout", "7", *words, *BOTH).out
    assert "9c 9d" in " ".join(staffed("table", "tasks").out.split())
    (task,) = answer(staffed("table", "tasks", "--json"))["tasks"]
    assert (task["kind"], task["overdue"]) == ("verification", False)
    done = staffed("table", "done", "--task", "1", "--reference", "camera 3", "--sign", "surveillance=vic")
    assert (done.status, done.err) == (0, "")
    assert answer(staffed("table", "tasks", "--json"))["tasks"] == []


def test_the_wagers_of_a_dealt_table_come_out_of_its_log(staffed: Felt, tmp_path: Path) -> None:
    log = tmp_path / "seven.log"
    dealt = Dealt()
    dealt.play(ante=1_000, tie=500)
    log.write_bytes(b"".join(line + b"\n" for line in dealt.lines))
    open_seven(staffed)
    words = ("table", "wagers", "7", "--log", str(log), "--sign", "gambling=dan", *DAY)
    assert staffed(*words).status == 0
    assert "entered already" in staffed(*words).err
    assert "the log has them all" in staffed(*words, "--wager", "ante=1x10").err
    assert "cannot be read" in staffed("table", "wagers", "7", "--log", "none", "--sign", "gambling=dan").err
    (row,) = answer(staffed("table", "report", *DAY, "--json"))["tables"]
    assert row["theory"]["wagered"] == 1_500


def test_tokes_are_taken_and_shared(staffed: Felt) -> None:
    witnessed = ("--sign", "dealer=dan", "--sign", "witness=cara", *DAY)
    assert "no table with books '7'" in staffed("table", "tokes", "7", "--amount", "90", *witnessed).err
    open_seven(staffed)
    assert staffed("table", "tokes", "7", "--amount", "90", *witnessed).status == 0
    assert answer(staffed("table", "report", *DAY, "--json"))["tokes"] == 90_00
    method = ("--reference", "hours worked")
    assert staffed("approve", "toke-method", *method, "--by", "abe", "--second", "admin", *DAY).status == 0
    share = ("table", "share-tokes", *method, *witnessed)
    assert "holds $90" in staffed(*share, "--share", "dora=91").err
    assert "may not share" in staffed(*share, "--share", "flo=9").err
    assert staffed(*share, "--share", "dan=50", "--share", "carl=40").status == 0


def test_bookkeepers_get_a_file_of_the_tables_too(staffed: Felt, tmp_path: Path) -> None:
    from beancount import loader

    open_seven(staffed)
    staffed("table", "fill", "7", "--amount", "2000", *ALL_FOUR)
    (tmp_path / "tables.beancount").write_text(staffed("export", "house tables").out, encoding="utf-8")
    entries, errors, _ = loader.load_file(str(tmp_path / "tables.beancount"))
    assert (errors, len(entries) > 2) == ([], True)


def seals(house: Felt) -> dict[str, str]:
    """The last seal of every book but that of the logins, which also records those that led to nothing."""
    books = answer(house("verify", "--json"))["books"]
    return {book["book"]: book["hash"] for book in books if book["book"] != "house logins"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["table", "dance", "7"], "felt house table has no command 'dance'; it may be open"),
        (["table", "fill", "7", *ALL_FOUR], "--amount"),
        (["table", "fill", "8", "--amount", "5", *ALL_FOUR], "no table with books '8'"),
        (["table", "fill", "7", "--amount", "lots", *ALL_FOUR], "an amount such as"),
        (["table", "fill", "7", "--amount", "5", *BOTH], "signature of cage and of security"),
        (["table", "fill", "7", "--amount", "5", *BOTH, "--sign", "cage"], "name=value"),
        (["table", "drop", "7", "--sign", "security=sam", "--sign", "gambling=dan"], "is open"),
        (["table", "count", "7", "--count", "12", *OTHERS], "12x100,5x20"),
        (["table", "void", "--slip", "fill", "--because", "x", *BOTH], "such as fill-12"),
        (
            ["table", "open", "8", "--order", "lucky-lucky", "--amount", "5", *BOTH, *DAY],
            "may not be offered",
        ),
        (["table", "payout", "7", "--amount", "5", *BOTH], "the one wager that won"),
        (["users", "add", "eve", "--role", "king", "--by", "admin"], "no role 'king'"),
        (["users", "add", "eve", "--role", "dealer"], "an administrator of these books"),
        (["users", "role", "dan", "--role", "cage"], "an administrator of these books"),
        (["users", "sack", "dan"], "no command 'sack'; it may be add"),
        (["users", "dismiss"], "the name of the user"),
        (["approvals", "whist"], "no game 'whist'"),
        (
            ["approvals", "fu-bacc", "--meet", "maker-1", "--met-by", "x", "--reference", "y"],
            "two different users",
        ),
        (["profile", "--date", "someday"], "write a day like"),
        (["check-table", "fu-bacc", "--limit", "ante=5"], "such as ante=5-100"),
        (["check-table", "nowhere.toml"], "cannot use nowhere.toml"),
    ],
)
def test_what_does_not_fit_is_told_in_one_sentence_and_writes_nothing(
    staffed: Felt, words: list[str], sentence: str
) -> None:
    open_seven(staffed)
    before = seals(staffed)
    said = staffed(*words)
    assert (said.status, said.out) == (2, "")
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert seals(staffed) == before


def test_a_missing_or_wrong_password_signs_nothing(staffed: Felt) -> None:
    open_seven(staffed)
    fill = ("table", "fill", "7", "--amount", "5", *ALL_FOUR)
    assert "a password is missing" in staffed(*fill, typed=f"{PASSWORD}\n").err
    wrong = staffed(*fill, typed="some secret text\n" * 4)
    assert "do not fit" in wrong.err
    assert "some secret text" not in wrong.err + wrong.out


def test_the_register_and_the_day_at_a_glance(staffed: Felt, tmp_path: Path) -> None:
    two = ("--by", "flo", "--second", "abe")
    assert "issued" in staffed("register", "kinds").out
    assert staffed("register", "add", "cards", "red bee", "--says", "received", "--count", "12", *two).status == 0
    refused = staffed("register", "add", "cards", "red bee", "--says", "issued", "--count", "13", *two)
    assert (refused.status, "12 are in the store" in refused.err) == (2, True)
    assert staffed("register", "add", "shift", "dan", "--says", "dealing", "--table", "3", *two).status == 0
    assert "On shift: dan, dealing 3" in staffed("today").out
    assert answer(staffed("today", "--json"))["stock"] == [{"name": "red bee", "store": 12, "out": 0}]
    missing = staffed("table", "slip", "fill-1", "--output", str(tmp_path / "fill.html"))
    assert (missing.status, "no fill slip 1" in missing.err) == (2, True)
