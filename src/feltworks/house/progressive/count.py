"""The count of a progressive's box: like any other, by two people each alone, with a third (WAC 230-15-610, -615)."""

from collections.abc import Mapping
from hmac import compare_digest

from msgspec.structs import replace
from sqlalchemy import Connection, select

from feltworks.errors import NotNow, PostingRefused
from feltworks.house.approvals import approved_team
from feltworks.house.duties import check_signatures
from feltworks.house.journal.book import Page
from feltworks.house.journal.posting import Voucher
from feltworks.house.progressive.accounts import BOX
from feltworks.house.progressive.acts import BoxTally, DayEnd, decode_act
from feltworks.house.progressive.fund import Fund
from feltworks.house.storage.schema import posting
from feltworks.house.tables.acts import Denominations, check_pieces
from feltworks.house.tables.tallies import digest
from feltworks.money import dollars


def _box(name: str, voucher: Voucher) -> str:
    return f"the box of {name} on {voucher.day}"


def make_tally(connection: Connection, name: str, count: Denominations, voucher: Voucher) -> BoxTally:
    """The first person's own count, as the journal keeps it."""
    check_pieces(count)
    return BoxTally(digest(connection, _box(name, voucher), count))


def match_tally(page: Page, act: DayEnd, voucher: Voucher) -> DayEnd:
    """The end of a day with both counts: another person's own count was entered before and is the same."""
    if not act.is_counted_twice:
        return act
    p = posting.c
    of_day = (p.book == page.book, p.day == voucher.day.isoformat(), p.kind == "tally")
    newest = select(p.facts, p.made_by).where(*of_day).order_by(p.number.desc()).limit(1)
    if (row := page.connection.execute(newest).one_or_none()) is None:
        raise NotNow(
            f"{_box(page.name, voucher)} has no first count yet; one person enters it alone with `felt house tally`, "
            "and another enters the second count (WAC 230-15-615)"
        )
    first = decode_act(row.facts)
    assert isinstance(first, BoxTally)
    if row.made_by == voucher.by:
        raise PostingRefused(f"{voucher.by} entered the first count; another person enters the second (WAC 230-15-615)")
    check_pieces(act.first)
    if not compare_digest(first.digest, digest(page.connection, _box(page.name, voucher), act.first)):
        raise PostingRefused("the two counts differ; both persons count the box again, each alone (WAC 230-15-615)")
    return replace(act, second=act.first, third="" if row.made_by == voucher.witness else row.made_by)


def check_counted(fund: Fund, act: DayEnd) -> None:
    """WAC 230-15-615: a box with money in it is counted twice, piece by piece; one sum proves nothing."""
    if not act.is_counted_twice and (act.counted or fund.balance(BOX)):
        raise PostingRefused(
            f"the box of a progressive is counted like any other, twice and piece by piece; by the wagers it "
            f"holds {dollars(fund.balance(BOX))} (WAC 230-15-615)"
        )


def check_team(connection: Connection, book: int, people: Mapping[str, str], act: DayEnd, voucher: Voucher) -> None:
    """WAC 230-15-610: three count the box, or two where that is approved; nobody who posted its wagers."""
    team = [person for person in (voucher.by, voucher.witness, act.third) if person]
    if len(team) < 3 and not approved_team(connection, "", voucher.day):
        raise PostingRefused(
            "three persons count a box: who entered the first count, who enters the second, and a third; or record "
            "the approval of a team of two with `felt house count-team` (WAC 230-15-610)"
        )
    check_signatures(
        "count",
        dict(zip(("first counter", "second counter", "third counter"), team, strict=False)),
        people,
        optional=3 - len(team),
    )
    p = posting.c
    of_day = (p.book == book, p.day == voucher.day.isoformat(), p.kind.in_(("contribute", "round")))
    posters = {person for row in connection.execute(select(p.made_by, p.witness).where(*of_day)) for person in row}
    if busy := [person for person in team if person in posters]:
        raise PostingRefused(f"{' and '.join(busy)} posted wagers of this box and cannot count it (WAC 230-15-610)")
