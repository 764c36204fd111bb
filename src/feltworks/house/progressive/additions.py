"""Where an addition goes: back to the house for its seed, to the jackpot, to its backups (SP.17, SP.18)."""

from collections.abc import Iterable, Iterator

from feltworks.house.progressive.chart import BACKUP, JACKPOT, OVERFLOW, SECOND_BACKUP, SEED
from feltworks.house.progressive.fund import Fund
from feltworks.house.progressive.terms import part_of
from feltworks.money import Cents
from feltworks.rules.rulebook.model import BackupsEntry


def add(fund: Fund, source: str, cents: Cents) -> None:
    """Divide an addition that lies on `source`; parts are cut to the cent in the players' favour."""
    # SP.17: all of the seed first, or a part of each addition until it is recovered
    recovered = min(fund.holds(SEED), part_of(cents, fund.terms.recovery))
    fund.move(source, SEED, recovered)
    pour(fund, source, cents - recovered)


def pour(fund: Fund, source: str, cents: Cents) -> None:
    """SP.18: fill the jackpot and its backups in their order; what exceeds a maximum is not displayed."""
    if not cents:
        return  # what adds nothing starts no backup either
    terms, rules = fund.terms, fund.rules.backups
    if rules and terms.backups and not fund.standing.started:
        # SP.18: a backup may start when the primary has reached that level
        cents = _filled(fund, source, cents, [(JACKPOT, _room(fund, rules.level))])
        if fund.holds(JACKPOT) >= rules.level:
            fund.becomes(started=1)
    if rules and fund.standing.started:
        to_jackpot = _below_maximum(fund, cents - part_of(cents, terms.to_backup))
        cents = _filled(fund, source, cents, [(JACKPOT, to_jackpot)])
        cents = _filled(fund, source, cents, _backups(fund, rules))
    cents = _filled(fund, source, cents, [(JACKPOT, _room(fund, None))])
    fund.move(source, OVERFLOW, cents)


def _filled(fund: Fund, source: str, cents: Cents, fills: Iterable[tuple[str, Cents | None]]) -> Cents:
    """Fill accounts one after another, each as far as it has room; the amount that is left."""
    for account, room in fills:
        poured = cents if room is None else min(cents, room)
        fund.move(source, account, poured)
        cents -= poured
    return cents


def _backups(fund: Fund, rules: BackupsEntry) -> Iterator[tuple[str, Cents | None]]:
    """SP.18: the first backup to its cap, then the second; no cap once the primary stands high enough."""
    cap, uncapped = rules.level, rules.uncapped_level
    yield BACKUP, max(cap - fund.holds(BACKUP), 0)
    if fund.terms.backups > 1 and fund.standing.started == 1 and fund.holds(BACKUP) >= cap:
        fund.becomes(started=2)
    if fund.standing.started > 1:
        yield SECOND_BACKUP, max(cap - fund.holds(SECOND_BACKUP), 0)
    yield JACKPOT, _room(fund, uncapped)
    if fund.holds(JACKPOT) >= uncapped:
        yield BACKUP, None


def _room(fund: Fund, level: Cents | None) -> Cents | None:
    """What the jackpot still takes up to a level."""
    room = None if level is None else max(level - fund.holds(JACKPOT), 0)
    return _below_maximum(fund, room)


def _below_maximum(fund: Fund, room: Cents | None) -> Cents | None:
    # WAC 230-15-685: a jackpot with a maximum is not displayed above it
    if fund.standing.maximum is None:
        return room
    left = max(fund.standing.maximum - fund.holds(JACKPOT), 0)
    return left if room is None else min(room, left)
