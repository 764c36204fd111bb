"""Signed records beside the slips: wagers entered by hand or from a log, large payouts, tasks done."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, insert, select

from feltworks.cards import Card, cards
from feltworks.errors import BadAmount, BadOption, FeltError, LogError, PostingRefused, UnknownName
from feltworks.house.configuration import (
    AGGREGATE,
    POSTED,
    TableCheck,
    WagerCheck,
    check_table,
    highest_payout,
    prizes_of,
)
from feltworks.house.duties import APART, Signature, plain_letters
from feltworks.house.law import profile_on
from feltworks.house.register import check_not_excluded
from feltworks.house.storage.schema import posting, signature, stake
from feltworks.house.storage.schema import task as task_table
from feltworks.house.tables import periods
from feltworks.house.tables.acts import ROUNDS_A_DAY, Payout, Stakes, TaskDone, Wagers, check_cents, decode_act
from feltworks.house.tables.desk import Desk, Signatures, TablePosting
from feltworks.house.tables.hold import game_of
from feltworks.house.tables.periods import Period, State
from feltworks.house.tables.slips import check_lock
from feltworks.house.tables.tasks import Task, TaskOrder, known_task, mark_done, open_task
from feltworks.money import Cents, dollars
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.table.events import RoundClosed, RoundOpened
from feltworks.table.log import BEGINNING, Entry, entries, seal_of

_LONGEST: Final = 400  # characters of a player or a hand
_WAGERED: Final[tuple[State, ...]] = ("open", "closed", "pulled")  # not of a counted box, which is final


def enter_wagers(
    connection: Connection, table: str, stakes: Sequence[Stakes], signed: Signatures, key: str
) -> TablePosting:
    """Enter wagers made at a table; its theoretical win is computed from them."""
    desk, act = Desk(connection, table), Wagers(table, 0, tuple(stakes))
    if again := desk.earlier(key, act):
        return again
    period = desk.period_in("wagers", *_WAGERED)
    return _enter(desk, period, act, signed, key, f"wagers made at table {table}")


def enter_log(connection: Connection, table: str, lines: Iterable[bytes], signed: Signatures) -> TablePosting:
    """Enter the wagers of a table's log that are not entered yet."""
    desk = Desk(connection, table)
    period = desk.period_in("wagers", *_WAGERED)
    wagers = read_log_wagers(connection, desk.page.book, check_table(period.order), lines)
    why = f"wagers of {wagers.rounds} rounds in the log of table {table}"
    return _enter(desk, period, Wagers(table, 0, wagers.stakes), signed, wagers.key, why)


def _enter(desk: Desk, period: Period, act: Wagers, signed: Signatures, key: str, why: str) -> TablePosting:
    check_lock(period)
    _check_stakes(desk.connection, period, act.stakes)
    act, signers = replace(act, period=period.id), desk.signatures("wagers", signed)
    posting = desk.write(act, period, signers, key=key, explanation=why)
    of = {"book": desk.page.book, "number": posting.number, "period": period.id}
    rows = [{**of, "line": n, **msgspec.structs.asdict(stakes)} for n, stakes in enumerate(act.stakes, 1)]
    desk.connection.execute(insert(stake), rows)
    return desk.result(posting, act, signers)


def pay(connection: Connection, payout: Payout, signed: Signatures, key: str) -> TablePosting:
    """WAC 230-15-320: record a payout; above a limit surveillance verifies it."""
    desk = Desk(connection, payout.table)
    if again := desk.earlier(key, payout):
        return again
    period = desk.period_in("payout", "open")
    _check_possible(period, payout)
    _check_unpaid(desk, period, payout)
    check_not_excluded(connection, payout.player, period.day)
    act, signers = replace(payout, period=period.id), desk.signatures("payout", signed)
    says = f"{dollars(payout.cents)} on {payout.wager} to {payout.player}"
    raises = []
    profile = profile_on(period.day, period.order.house)
    if payout.cents > profile["verify-above"].cents:
        asks = f"verify hand ({payout.hand}), wager ({dollars(payout.wagered)}), payout and player"
        asks = f"{says} at table {payout.table}: {asks} ({profile.cites('WAC 230-15-320')})"
        raises = [TaskOrder("verification", asks)]
    posting = desk.write(act, period, signers, key=key, explanation=f"payout of {says}", raises=raises)
    return desk.result(posting, act, signers)


def _check_unpaid(desk: Desk, period: Period, payout: Payout) -> None:
    """Refuse to pay the same wager, hand and round to the same player twice out of this box."""
    p = posting.c
    of_day = (p.book == desk.page.book) & (p.day == period.day.isoformat()) & (p.kind == "payout")
    for number, facts in desk.connection.execute(select(p.number, p.facts).where(of_day)):
        before = decode_act(facts)
        if isinstance(before, Payout) and before.period == period.id and _may_be_same(before, payout):
            raise PostingRefused(
                f"{payout.wager} of {payout.player} with {payout.hand} is paid already (posting {number}); name the "
                "round of another one (house rule, for WAC 230-15-320: a winning hand is paid once)"
            )


def _may_be_same(one: Payout, other: Payout) -> bool:
    """Whether two payouts may be of one hand, which has its cards in any order, or an outcome that pays as much."""
    if any(plain_letters(getattr(one, of)) != plain_letters(getattr(other, of)) for of in ("wager", "player", "round")):
        return False
    hands = _cards_of(one.hand), _cards_of(other.hand)
    if None not in hands:
        return hands[0] == hands[1]
    if hands == (None, None):
        return plain_letters(one.hand) == plain_letters(other.hand)
    return (one.wagered, one.cents) == (other.wagered, other.cents)


def _cards_of(hand: str) -> Counter[Card] | None:
    try:
        return Counter(cards(hand))
    except (FeltError, ValueError):
        return None  # an outcome of the pay table


def finish_task(connection: Connection, number: int, reference: str, signed: Signatures, key: str) -> TablePosting:
    """Record that a notice was given or a payout verified, with its reference."""
    if not reference.strip():
        raise PostingRefused("say under which reference the task was done (house rule: what is done has a reference)")
    first = known_task(connection, number)
    desk = Desk(connection, first.table, is_table=first.period is not None)
    act = TaskDone(first.table, first.period or 0, number, reference.strip())
    if again := desk.earlier(key, act):
        return again
    task = open_task(connection, number)  # it may have been done while we waited for the lock
    period = periods.one(connection, task.period) if task.period else None
    signers = desk.signatures(task.kind, signed)
    _check_not_own(desk, task, signers)
    why = f"task {number} done: {act.reference}"
    # A task of a closed day may be done later, since that changes nothing of the day.
    posting = desk.write(act, period, signers, key=key, explanation=why, revises=True)
    mark_done(connection, desk.page.book, posting, number)
    return desk.result(posting, act, signers)


def _check_not_own(desk: Desk, task: Task, signers: Iterable[Signature]) -> None:
    """Refuse to let somebody finish a task who signed the posting that raised it."""
    t, p, s = task_table.c, posting.c, signature.c
    of = desk.connection.execute(select(t.book, t.number).where(t.id == task.id)).one()
    own = set(desk.connection.execute(select(s.person).where(s.book == of.book, s.number == of.number)).scalars())
    own |= set(
        desk.connection.execute(select(p.made_by, p.witness).where(p.book == of.book, p.number == of.number)).one()
    )
    if both := [signer.person for signer in signers if signer.person in own]:
        raise PostingRefused(
            f"{' and '.join(both)} signed what raised task {task.id}; somebody else finishes it, since "
            f"nobody approves their own variance or payout ({APART})"
        )


def check_payout(payout: Payout) -> None:
    """Refuse a payout without its amounts, its player or its hand."""
    check_cents("payout", payout.cents, 1)
    check_cents("wager", payout.wagered, 1)
    if not payout.player.strip() or not payout.hand.strip():
        raise PostingRefused("a payout names the player and the hand (WAC 230-15-320)")
    for what, words in (("player", payout.player), ("hand", payout.hand), ("round", payout.round)):
        if len(words) > _LONGEST:
            raise BadOption(what, f"{words[:20]}…", f"up to {_LONGEST} characters")


def _check_stakes(connection: Connection, period: Period, stakes: Sequence[Stakes]) -> None:
    if not stakes:
        raise PostingRefused("name at least one wager that was made (house rule: no empty posting)")
    check, entered = check_table(period.order), Counter[str]()
    for before in periods.stakes(connection, period.id):
        entered[before.wager] += before.count
    for wagers in stakes:
        wager = _check_wager(check, period.table, wagers.wager)
        check_cents(f"{wagers.wager} wager", wagers.cents, 1)
        _check_limits(check, wager, wagers.cents)
        most = check.seats * ROUNDS_A_DAY
        if type(wagers.count) is int:
            entered[wagers.wager] += wagers.count
        if type(wagers.count) is not int or wagers.count <= 0 or entered[wagers.wager] > most:
            raise BadAmount(
                f"number of {wagers.wager} wagers",
                str(wagers.count),
                f"1 to {most:,} with those entered before: a spot has one in each of {ROUNDS_A_DAY:,} rounds a day "
                "(house rule)",
            )


def _check_wager(check: TableCheck, table: str, wager: str) -> WagerCheck:
    """Refuse a wager that the table does not offer; a wager that follows another is counted with it."""
    offered = {entry.wager: entry for entry in check.wagers}
    if wager not in offered:
        raise UnknownName("wager", wager, offered, of=f"table {table}")
    return offered[wager]


def _check_limits(check: TableCheck, wager: WagerCheck, cents: Cents) -> None:
    """Refuse a wager outside the posted limits of the table."""
    if not wager.least <= cents <= wager.most:
        allowed = f"the table posts {dollars(wager.least)} to {dollars(wager.most)}"
        raise BadAmount(f"{wager.wager} wager", cents, f"{allowed} ({check.profile.cites(POSTED)}, WA.1)")


def _check_possible(period: Period, payout: Payout) -> None:
    """Refuse a payout that no pay table of this table allows for such a wager."""
    check = check_table(period.order)
    wager = _check_wager(check, period.table, payout.wager)
    _check_limits(check, wager, payout.wagered)
    game = game_of(check)
    if meters_of(game.pays[payout.wager].values()):
        raise PostingRefused(
            f"{payout.wager} is paid from a progressive; record the round there, with its hands (SP.13)"
        )
    most = highest_payout(game, payout.wager, payout.wagered)
    rule = game.terms.rulebook.wager[payout.wager].clause or "its pay table"
    if payout.cents > most:
        raise _bad_payout(payout, f"{dollars(payout.wagered)} can win {dollars(most)} at most", rule)
    limit = period.order.aggregate.get(payout.wager, most)
    if payout.cents > limit:
        raise _bad_payout(payout, f"the table pays {dollars(limit)} a deal at most", check.profile.cites(AGGREGATE))
    pays = _pays_of_hand(game, payout)
    is_fixed = game.most_at_stake(payout.wager, payout.wagered) == payout.wagered  # no choice adds to the wager
    if is_fixed and payout.wager not in period.order.aggregate and payout.cents not in pays.values():
        amounts = ", ".join(f"{dollars(cents)} ({outcome})" for outcome, cents in pays.items())
        raise _bad_payout(payout, f"{dollars(payout.wagered)} wins {amounts}", rule)


def _bad_payout(payout: Payout, allowed: str, rule: str) -> BadAmount:
    return BadAmount(f"{payout.wager} payout", payout.cents, f"{allowed} ({rule})")


def _pays_of_hand(game: Game, payout: Payout) -> dict[str, Cents]:
    """The win of the outcome that the hand names; the wins of every outcome if it is given as cards.

    A hand's cards alone do not decide the outcome, which depends on other cards as well.
    """
    wins = {prize.outcome: prize.cents for prize in prizes_of(game, payout.wager, payout.wagered)}
    hand = payout.hand.strip()
    if hand in wins:
        return {hand: wins[hand]}
    try:
        game.terms.shoe.without(cards(hand))
    except (FeltError, ValueError) as trouble:
        raise BadOption(
            "hand",
            hand,
            f"its cards, such as Kh 5d 2c, or its outcome in the pay table, one of {', '.join(wins)} "
            f"(WAC 230-15-320; {trouble})",
        ) from None
    return wins


class LogWagers(Struct, frozen=True):
    """The wagers of a log not entered yet, and the key that records the last line read."""

    stakes: tuple[Stakes, ...]
    rounds: int
    key: str


def read_log_wagers(connection: Connection, book: int, check: TableCheck, lines: Iterable[bytes]) -> LogWagers:
    """The wagers of all rounds that ended since this log was last entered."""
    given = list(lines)
    log = entries(given)
    if log[0].seal != BEGINNING:
        raise LogError("the log does not start with its first line; give the whole log of the table")
    name = f"log {seal_of(given[0])} to "
    fresh = _finished_rounds(log, _last_entered_line(connection, book, name))
    if not fresh:
        raise PostingRefused(
            "every round of this log that has ended is entered already (house rule: a round is entered once)"
        )
    for opened, _ in fresh:
        _check_same_table(opened, check)
        if opened.commitment.seeded:
            raise PostingRefused(
                f"round {opened.round} was dealt from a seed that was given, which is a test: whoever knows "
                "the seed knows the cards; only rounds dealt as approved are entered (WAC 230-06-050)"
            )
    return LogWagers(_stakes(opened for opened, _ in fresh), len(fresh), f"{name}{fresh[-1][1]}")


def _last_entered_line(connection: Connection, book: int, name: str) -> int:
    """The last line of this log that was entered, from the keys of its postings."""
    p = posting.c
    keys = connection.execute(select(p.key).where(p.book == book, p.key.startswith(name))).scalars()
    return max((int(key.removeprefix(name)) for key in keys), default=0)


def _finished_rounds(log: Sequence[Entry], upto: int) -> list[tuple[RoundOpened, int]]:
    """Rounds finished after a line, each with the number of its last line; leaves out void rounds."""
    rounds: list[tuple[RoundOpened, int]] = []
    opened: RoundOpened | None = None
    for entry in log:
        if isinstance(entry.event, RoundOpened):
            opened = entry.event
        elif isinstance(entry.event, RoundClosed) and opened is not None and entry.n > upto:
            rounds.append((opened, entry.n))
    return rounds


def _check_same_table(opened: RoundOpened, check: TableCheck) -> None:
    """Refuse a log with another game or other options: its edges would be wrong."""
    if opened.game != check.order.game:
        raise PostingRefused(f"the log is of {opened.game}; this table was opened with {check.order.game} (WA.3)")
    logs: tuple[Mapping[str, object], ...] = (opened.options, opened.pay_tables)
    for logged, ordered in zip(logs, (check.options, check.pay_tables), strict=True):
        for name in sorted((ordered.keys() | logged.keys()) - {"spots"}):  # the number of seats does not change an edge
            if _plain(logged.get(name)) != _plain(ordered.get(name)):
                option = f"{name} {_plain(logged.get(name))} in round {opened.round}"
                raise PostingRefused(
                    f"the log has {option}; this table was opened with {_plain(ordered.get(name))} (WA.3)"
                )


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _stakes(rounds: Iterable[RoundOpened]) -> tuple[Stakes, ...]:
    """Count opening wagers by size; tokes are included, as the tray takes and pays them too (LB.10)."""
    counted: Counter[tuple[str, Cents]] = Counter()
    for opened in rounds:
        for seat in opened.seats:
            counted.update([*seat.wagers.items(), *seat.tokes.items()])
    return tuple(Stakes(wager, cents, count) for (wager, cents), count in sorted(counted.items()))
