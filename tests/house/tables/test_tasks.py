"""What somebody has to do because of a table: report a variance within a day, verify a large payout."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from feltworks.errors import BadAmount, BadOption, NotNow, NotPermitted, PostingRefused, UnknownName
from feltworks.house.tables.acts import Payout, Stakes
from tests.house.floor import BOTH, DAY, THREE, Pit

NOTIFIER = {"notifier": "abe"}


def opened_again(pit: Pit, closer: int, opener: int, days: int = 1) -> object:
    """Close the table with so much in its tray, and open it on another day with so much."""
    pit.finish_day(closer, 0)
    return pit.open(opener, day=DAY + timedelta(days=days), signed=THREE)


@pytest.mark.parametrize(("opener", "raises"), [(800_00, True), (1_200_00, True), (800_01, False)])
def test_a_variance_of_200_dollars_is_reported_within_24_hours(pit: Pit, opener: int, raises: bool) -> None:
    pit.open(1_000_00)
    tasks = opened_again(pit, 1_000_00, opener).tasks  # type: ignore[attr-defined]
    assert [task.kind for task in tasks] == ["notice"] * raises
    for task in tasks:
        assert task.due_at - task.raised_at == timedelta(hours=24)
        assert "WAC 230-15-495" in task.says
        assert not task.is_overdue(task.due_at)
        assert task.is_overdue(task.due_at + timedelta(seconds=1))


def test_three_openers_short_in_a_row_are_a_pattern(pit: Pit) -> None:
    pit.open(1_000_00)
    raised = [
        opened_again(pit, 1_000_00, 999_00, 1),
        opened_again(pit, 999_00, 990_00, 2),
        opened_again(pit, 990_00, 985_00, 3),
    ]
    assert [len(each.tasks) for each in raised] == [0, 0, 1]  # type: ignore[attr-defined]
    assert "pattern" in raised[2].tasks[0].says  # type: ignore[attr-defined]


def test_a_notice_is_given_by_who_may_give_it_and_once(pit: Pit) -> None:
    pit.open(1_000_00)
    (task,) = opened_again(pit, 1_000_00, 100_00).tasks  # type: ignore[attr-defined]
    assert task.id in {each.id for each in pit.books.tasks()}
    with pytest.raises(NotPermitted, match="dan"):
        pit.books.finish(task.id, "call of today", {"notifier": "dan"})
    with pytest.raises(PostingRefused, match="reference"):
        pit.books.finish(task.id, " ", NOTIFIER)
    pit.books.finish(task.id, "call of today", NOTIFIER)
    assert task.id not in {each.id for each in pit.books.tasks()}
    with pytest.raises(NotNow, match="done already"):
        pit.books.finish(task.id, "call of today", NOTIFIER)
    with pytest.raises(UnknownName, match="task"):
        pit.books.finish(10**6, "call of today", NOTIFIER)


def test_nobody_approves_their_own_variance(pit: Pit) -> None:
    pit.open(1_000_00)
    pit.finish_day(1_000_00, 100_00)
    (task,) = pit.open(500_00, day=DAY + timedelta(days=1), signed=THREE).tasks
    with pytest.raises(PostingRefused, match=r"flo signed what raised task .*WAC 230-15-430"):
        pit.books.finish(task.id, "call of today", {"notifier": "flo"})
    pit.books.finish(task.id, "call of today", {"notifier": "fred"})


@pytest.mark.parametrize(("wagered", "raises"), [(100_00, False), (100_01, True)])
def test_a_payout_above_3000_dollars_is_verified_by_surveillance(pit: Pit, wagered: int, raises: bool) -> None:
    pit.open()
    paid = pit.books.pay(Payout(pit.table, 0, "lucky-monkey", wagered, 30 * wagered, "Pat", "Kc Kd"), BOTH)
    assert [task.kind for task in paid.tasks] == ["verification"] * raises
    for task in paid.tasks:
        assert all(word in task.says for word in ("Kc Kd", "$100.01", "Pat", "$3,000.30"))
        with pytest.raises(NotPermitted, match="abe"):
            pit.books.finish(task.id, "camera 3", {"surveillance": "abe"})
        pit.books.finish(task.id, "camera 3", {"surveillance": "vic"})


@pytest.mark.parametrize(
    ("payout", "trouble"),
    [
        (Payout("", 0, "tie", 100, 0, "Pat", "9c"), BadAmount),
        (Payout("", 0, "tie", 0, 100, "Pat", "9c"), BadAmount),
        (Payout("", 0, "tie", 100, 100, "", "9c"), PostingRefused),
        (Payout("", 0, "war", 100, 100, "Pat", "9c"), UnknownName),
        (Payout("", 0, "play", 100, 100, "Pat", "9c"), UnknownName),
        (Payout("", 0, "tie", 100_00, 10_000_00, "Pat", "9c"), BadAmount),
        (Payout("", 0, "tie", 400_01, 100, "Pat", "9c"), BadAmount),
        (Payout("", 0, "tie", 100_00, 699_00, "Pat", "9c"), BadAmount),
        (Payout("", 0, "lucky-monkey", 100_00, 3_000_00, "Pat", "monkeys against 8"), BadAmount),
        (Payout("", 0, "lucky-monkey", 100_00, 2_000_00, "Pat", "no monkeys"), BadOption),
        (Payout("", 0, "lucky-monkey", 100_00, 2_000_00, "Pat", "two kings"), BadOption),
        (Payout("", 0, "lucky-monkey", 100_00, 2_000_00, "Pat", "Kc Kc"), BadOption),
        (Payout("", 0, "lucky-monkey", 100_00, 2_000_00, "Pat", "Jo Kc"), BadOption),
    ],
)
def test_a_payout_that_cannot_be_is_refused(pit: Pit, payout: Payout, trouble: type[Exception]) -> None:
    pit.open()
    with pytest.raises(trouble):
        pit.books.pay(replace(payout, table=pit.table), BOTH)


@pytest.mark.parametrize(
    ("stakes", "trouble"),
    [
        ([], PostingRefused),
        ([Stakes("war", 100, 1)], UnknownName),
        ([Stakes("ante", 0, 1)], BadAmount),
        ([Stakes("ante", 100, 0)], BadAmount),
        ([Stakes("ante", 100, 10**10)], BadAmount),
        ([Stakes("ante", 200_01, 1)], BadAmount),
    ],
)
def test_wagers_that_cannot_have_been_made_are_refused(
    pit: Pit, stakes: list[Stakes], trouble: type[Exception]
) -> None:
    pit.open()
    with pytest.raises(trouble):
        pit.books.enter_wagers(pit.table, stakes, {"gambling": "dan"})


def test_a_hand_is_paid_once_a_round(pit: Pit) -> None:
    pit.open()
    paid = Payout(pit.table, 0, "lucky-monkey", 10_00, 300_00, "Pat", "Kc Qd", "17")
    pit.books.pay(paid, BOTH)
    for again in (paid, replace(paid, player="PAT ", hand="Kc  Qd", round="l7")):
        with pytest.raises(PostingRefused, match=r"is paid already \(posting \d+\).*house rule, for WAC 230-15-320"):
            pit.books.pay(again, BOTH)
    for other in (replace(paid, round="18"), replace(paid, hand="Kc Kd"), replace(paid, player="Max")):
        pit.books.pay(other, BOTH)


def test_a_payout_names_its_outcome_and_pays_it(pit: Pit) -> None:
    pit.open()
    pit.books.pay(Payout(pit.table, 0, "lucky-monkey", 10_00, 200_00, "Pat", "monkeys against 8"), BOTH)
    with pytest.raises(BadAmount, match=r"\$10 wins \$200 \(monkeys against 8\)"):
        pit.books.pay(Payout(pit.table, 0, "lucky-monkey", 10_00, 300_00, "Pat", "monkeys against 8"), BOTH)
