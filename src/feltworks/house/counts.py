"""Counts of a table's or a progressive's box: two people enter them separately and blind (WAC 230-15-615).

The first count is stored as a digest made with the key of the house: the journal shows that it was entered and by
whom, but nobody can read the amounts. The second person learns only whether the two counts are equal.
"""

from collections.abc import Iterable, Mapping, Sequence
from hmac import compare_digest
from typing import Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, select

from feltworks.errors import NotNow, PostingRefused
from feltworks.house.approvals import find_approval
from feltworks.house.duties import check_signatures
from feltworks.house.journal.book import Page
from feltworks.house.journal.posting import Voucher
from feltworks.house.journal.seals import HouseKey
from feltworks.house.progressive.acts import BoxTally, DayEnd
from feltworks.house.progressive.acts import decode_act as decode_progressive_act
from feltworks.house.progressive.fund import BOX, Fund
from feltworks.house.storage.schema import posting
from feltworks.house.tables.acts import Denominations, Tally, check_pieces, decode_act, decode_sealed, total
from feltworks.house.tables.desk import Desk, Signatures, TablePosting
from feltworks.house.tables.periods import Period
from feltworks.money import dollars


def enter_tally(connection: Connection, table: str, count: Denominations, signed: Signatures, key: str) -> TablePosting:
    """Enter the first person's count of the oldest pulled box; a later entry replaces it."""
    desk = Desk(connection, table)
    period = desk.period_in("tally", "pulled")
    act = Tally(table, period.id, digest(connection, f"box {period.id}", count))
    if again := desk.earlier(key, replace(act, period=0)):
        return again
    signers = desk.signatures("tally", signed)
    check_counters(desk, period, [signer.person for signer in signers])
    why = f"first count of the box of table {table}"
    revises = _voided_count(period) > 0
    return desk.result(desk.write(act, period, signers, key=key, explanation=why, revises=revises), act, signers)


# WAC 230-15-610: a person who signed the records of a box may not count it
_RECORDS: Final = ("opener", "closer", "fill", "credit", "error", "void")


def check_counters(desk: Desk, period: Period, people: Iterable[str]) -> None:
    """Refuse those who signed a slip of the box, or voided one."""
    signed = signers_of(desk, period, _RECORDS)
    if busy := [person for person in people if person in signed]:
        raise PostingRefused(f"{' and '.join(busy)} signed slips of this box and cannot count it (WAC 230-15-610)")


def signers_of(desk: Desk, period: Period, kinds: Sequence[str] = ()) -> set[str]:
    """The people who signed a posting of a box, or one of these kinds, other than as the independent person."""
    p = posting.c
    of_day = select(p.facts).where(p.book == desk.page.book, p.day == period.day.isoformat())
    rows = desk.connection.execute(of_day.where(p.kind.in_(kinds)) if kinds else of_day).scalars()
    of_box = (decode_sealed(facts) for facts in rows if decode_act(facts).period == period.id)
    signatures = (signer for sealed in of_box for signer in sealed.signed)
    return {signer.person for signer in signatures if signer.position != "independent"}


def first_counter(desk: Desk, period: Period, count: Denominations, signed: Signatures) -> dict[str, str]:
    """The first counter, if the second count equals the first; a refusal reveals neither count."""
    first = _last_tally(desk.connection, desk.page.book, period)
    if first is None:
        raise NotNow(
            f"the box of table {period.table} has no first count yet; one person enters it alone with "
            "`felt house table tally`, and another enters the second count (WAC 230-15-615)"
        )
    act, person = first
    if signed.get("first counter", person) != person:
        raise PostingRefused(f"{person} entered the first count and is the first counter of this box (WAC 230-15-615)")
    _check_equal(desk.connection, act.digest, f"box {period.id}", count)
    return {"first counter": person}


def _check_equal(connection: Connection, first: str, box: str, count: Denominations) -> None:
    """Refuse a count that is not equal to the first one, of which only the digest is stored."""
    if not compare_digest(first, digest(connection, box, count)):
        raise PostingRefused("the two counts differ; both persons count the box again, each alone (WAC 230-15-615)")


def _last_tally(connection: Connection, book: int, period: Period) -> tuple[Tally, str] | None:
    """The newest first count of a box; a revision of the count needs a new first count."""
    p = posting.c
    tallies = (
        select(p.facts)
        .where(p.book == book, p.day == period.day.isoformat(), p.kind == "tally", p.number > _voided_count(period))
        .order_by(p.number.desc())
    )
    for facts in connection.execute(tallies).scalars():
        act = decode_act(facts)
        if isinstance(act, Tally) and act.period == period.id:
            return act, decode_sealed(facts).signed[0].person
    return None


def _voided_count(period: Period) -> int:
    """The posting of the box's last count, which a revision voided; 0 if it was never counted."""
    return max((slip.number for slip in period.slips if slip.kind == "count"), default=0)


def digest(connection: Connection, box: str, count: Denominations) -> str:
    """The digest of a count: equal counts have equal digests, and without the key it reveals nothing."""
    key: HouseKey = connection.get_execution_options()["house_key"]
    pieces = sorted((cents, number) for cents, number in count.items() if number)
    return key.mark(f"tally of {box}", total(count), msgspec.json.encode(pieces)).hex()


def _box(name: str, voucher: Voucher) -> str:
    return f"the box of {name} on {voucher.day}"


def make_tally(connection: Connection, name: str, count: Denominations, voucher: Voucher) -> BoxTally:
    """The first person's own count, as the digest that the journal stores."""
    check_pieces(count)
    return BoxTally(digest(connection, _box(name, voucher), count))


def match_tally(page: Page, act: DayEnd, voucher: Voucher) -> DayEnd:
    """The end of a day with both counts; refuses it unless another person entered the same count before."""
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
    first = decode_progressive_act(row.facts)
    assert isinstance(first, BoxTally)
    if row.made_by == voucher.by:
        raise PostingRefused(f"{voucher.by} entered the first count; another person enters the second (WAC 230-15-615)")
    check_pieces(act.first)
    _check_equal(page.connection, first.digest, _box(page.name, voucher), act.first)
    return replace(act, second=act.first, third="" if row.made_by == voucher.witness else row.made_by)


def check_counted(fund: Fund, act: DayEnd) -> None:
    """WAC 230-15-615: a box with money in it is counted twice, piece by piece; a single sum is refused."""
    if not act.is_counted_twice and (act.counted or fund.balance(BOX)):
        raise PostingRefused(
            f"the box of a progressive is counted like any other, twice and piece by piece; by the wagers it "
            f"holds {dollars(fund.balance(BOX))} (house rule, as WAC 230-15-615 asks of drop boxes)"
        )


def check_team(connection: Connection, book: int, people: Mapping[str, str], act: DayEnd, voucher: Voucher) -> None:
    """WAC 230-15-610: three people count the box, or two with an approval; none of them posted its wagers."""
    team = [person for person in (voucher.by, voucher.witness, act.third) if person]
    if len(team) < 3 and not find_approval(connection, "count team", "", voucher.day):
        raise PostingRefused(
            "three persons count a box: who entered the first count, who enters the second, and a third; or record "
            "the approval of a team of two with `felt house approve count-team` (WAC 230-15-610)"
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
