"""Play at the tables and the end of the day: losing wagers, awards, wins, the box counted (SP.13–SP.16)."""

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Final

from feltworks.cards import Card, cards
from feltworks.errors import BadAmount, BadDay, BadOption, ImpossibleRound, NotNow
from feltworks.house.progressive.acts import BoxTally, Contribution, DayEnd, ProgressiveRound
from feltworks.house.progressive.fund import (
    BANK,
    BORNE,
    BOX,
    FEE,
    HOUSE,
    IN_PLAY,
    JACKPOT,
    TRAY,
    UNCOUNTED,
    Fund,
    add_to_prizes,
    check_amount,
    check_displayed,
    fill_prizes,
)
from feltworks.house.progressive.terms import ProgressiveWager
from feltworks.house.tables.acts import check_equal_counts
from feltworks.money import MOST_CENTS, Cents, dollars
from feltworks.rules.advance import advance
from feltworks.rules.jackpot import part_of
from feltworks.rules.round import FACE_DOWN, Face, Round, Seat
from feltworks.rules.steps import Draw
from feltworks.rules.wager import Line

_MOST_WAGERS = 1_000_000  # of one posting in older books; a new one has at most those of a round
WON: Final = "won"


def contribute(fund: Fund, wager: ProgressiveWager, act: Contribution, day: date) -> None:
    """SP.15: losing wagers go into the second drop box."""
    if type(act.wagers) is not int or not 0 < act.wagers <= _MOST_WAGERS:
        raise BadAmount("number of wagers", str(act.wagers), f"1 to {_MOST_WAGERS:,}")
    _check_place(act)
    fund.play_day(day)
    _check_open(fund, day)
    _drop(fund, act.wagers, wager.stake)


def play_round(fund: Fund, wager: ProgressiveWager, act: ProgressiveRound, day: date) -> tuple[Line, ...]:
    """Settle every hand with the wager by the rules of the game, and book its win or loss."""
    _check_place(act)
    fund.play_day(day)
    lines = settle_hands(wager, [cards(hand) for hand in act.hands], _displayed_jackpot(fund, act.posted, day))
    awarded = [line for line in lines if line.award is not None]
    if not awarded:
        _check_open(fund, day)
    _drop(fund, len(lines) - len(awarded), wager.stake)
    _pay(fund, wager, awarded, act.paid_from)
    return lines


def _displayed_jackpot(fund: Fund, posted: Cents | None, day: date) -> Cents:
    """SP.13: the jackpot when the round began, from which shares are paid; the meter must have displayed it."""
    if posted is None:
        return fund.balance(JACKPOT)
    check_displayed(fund.meter, check_amount(posted, "posted jackpot"), day)
    # SP.14: on a linked system earlier wins come off first, so at most the current jackpot
    return min(posted, fund.balance(JACKPOT))


def _check_place(act: Contribution | ProgressiveRound) -> None:
    """Refuse a table or a round without a name."""
    for what, name in (("table", act.table), ("round", act.round)):
        if not name.strip() or len(name) > 40 or not name.isprintable():
            raise BadOption(what, name, f"the {what}'s number or name, up to 40 printable characters")


def check_spots(act: Contribution | ProgressiveRound, spots: int) -> None:
    """SP.15: refuse more wagers of one round than its table has spots."""
    wagers = act.wagers if isinstance(act, Contribution) else len(act.hands)
    if type(wagers) is int and wagers > spots:
        raise BadAmount(
            "number of wagers",
            str(wagers),
            f"1 to {spots}, one for each spot; post every round by itself (SP.15; house rule: one wager a spot)",
        )


def _check_open(fund: Fund, day: date) -> None:
    """Refuse losing wagers of a stopped game; a round with a winner is always paid."""
    if why := stop_reason(fund, day):
        raise NotNow(f"{why} (WAC 230-15-455)")


def stop_reason(fund: Fund, day: date) -> str:
    """The reason why no wagers are taken on a day; empty if they are taken (WAC 230-15-455)."""
    if fund.standing.state != IN_PLAY:
        lacks = f"the bank account lacks {dollars(fund.missing)}" if fund.missing else "it is to be tested"
        return f"the game is stopped: {lacks}; deposit it and pass the deposit test first"
    due = fund.standing.tested + timedelta(days=fund.terms.deposit_days)
    return f"the deposit test was due on {due}; pass it before play goes on" if day > due else ""


def _drop(fund: Fund, wagers: int, stake: Cents) -> None:
    """SP.16: add the increment to the jackpot; the rest stays in the box until the end of the day."""
    if wagers:
        # WAC 230-15-671: the meter moves with every wager; the rest recovers seed at the day's end
        add = add_to_prizes if fund.terms.edition == 1 else fill_prizes
        add(fund, BOX, wagers * fund.terms.increment)
        fund.move(BOX, UNCOUNTED, wagers * (stake - fund.terms.increment))


def _pay(fund: Fund, wager: ProgressiveWager, awarded: Sequence[Line], paid_from: str) -> None:
    shares = Fraction(0)
    for line in awarded:
        assert line.award is not None
        if line.award.source == wager.meter:
            _check_bank(fund, paid_from, line.award.cents)
            fund.move(JACKPOT, paid_from, line.award.cents, WON)
            shares += line.award.share or 0
        else:
            # SP.13: fixed awards come from the tray, always in full
            fund.move(TRAY, HOUSE, line.award.cents)
    # SP.18: Cincos or four royals empty the jackpot; a backup or a new seed follows
    if shares == 1:
        fund.renew()
    elif shares and fund.terms.keeps_smallest_seed:
        fund.make_up()


def _check_bank(fund: Fund, paid_from: str, cents: Cents) -> None:
    if paid_from == BANK and cents > fund.balance(BANK):
        held = dollars(fund.balance(BANK))
        raise BadAmount(
            "payment",
            cents,
            f"the bank account holds {held}; pay it from the house (house rule)",
        )


def settle_hands(wager: ProgressiveWager, hands: Sequence[tuple[Card, ...]], posted: Cents) -> tuple[Line, ...]:
    """Settle a round in which exactly these hands have the wager."""
    game, left = wager.game, wager.game.terms.shoe
    if not 0 < len(hands) <= wager.spots:
        raise ImpossibleRound(
            f"{len(hands)} hands have the wager; a round has 1 to {wager.spots} of them (house rule: one hand a spot)"
        )
    for hand in hands:
        left = left.without(hand)
    seats = tuple(Seat({wager.name: wager.stake}) for _ in hands)
    dealt = Round(seats, meters={wager.meter: posted})
    while (step := game.awaits(dealt)) is not None:
        assert isinstance(step, Draw)
        dealt = advance(dealt, step, _faces(step, hands, len(dealt.at(step.to))))
    for number, hand in enumerate(hands):
        if len(hand) != (takes := len(dealt.seats[number].cards)):
            raise ImpossibleRound(f"hand {number + 1} has {len(hand)} cards; it takes {takes} (SP.13)")
    return game.settle(dealt)


def _faces(step: Draw, hands: Sequence[tuple[Card, ...]], begin: int) -> tuple[Face, ...]:
    """The next cards of a seat's hand; the dealer's cards stay face down."""
    if step.to < 0:
        return (FACE_DOWN,) * step.count
    faces = hands[step.to][begin : begin + step.count]
    if len(faces) < step.count:
        raise ImpossibleRound(f"hand {step.to + 1} has {len(hands[step.to])} cards; it takes more (SP.13)")
    return faces


def enter_count(fund: Fund, _: BoxTally | DayEnd, day: date) -> None:
    """Move to a day whose box is not counted yet."""
    fund.enter_day(day)
    if day <= fund.standing.closed:
        raise BadDay(day, f"the box of {fund.standing.closed} has been counted already (SP.16)")


def end_day(fund: Fund, act: DayEnd, day: date) -> None:
    """Count the box, pay back the tray, take the fee, and add the rest to the prizes."""
    enter_count(fund, act, day)
    _count(fund, _box_content(fund, act))
    _recover_tray(fund)
    # SP.16: the rest, less an allowed fee, is added to the jackpot; fractions of a cent stay with it
    fund.move(UNCOUNTED, FEE, int(part_of(fund.balance(UNCOUNTED), fund.terms.fee)))
    add_to_prizes(fund, UNCOUNTED, fund.balance(UNCOUNTED))
    fund.update(day=None, closed=day)


def _box_content(fund: Fund, act: DayEnd) -> Cents:
    """The content of the box, from two equal counts or as one sum."""
    if act.is_counted_twice:
        total = check_equal_counts(act.first, act.second)
        if act.counted not in (None, total):
            raise BadAmount("count of the box", act.counted, f"the two counts make {dollars(total)} (WAC 230-15-615)")
        return total
    return fund.balance(BOX) if act.counted is None else act.counted


def _count(fund: Fund, counted: Cents) -> None:
    """Book the counted amount, with the over or short against the wagers; the money then goes to the cage."""
    if type(counted) is not int or not 0 <= counted <= MOST_CENTS:
        raise BadAmount("count of the box", counted, "it takes a whole number of cents")
    over = counted - fund.balance(BOX)
    if over > 0:
        fund.move(BOX, UNCOUNTED, over)
    else:
        # A short box does not lower a jackpot that has already grown.
        short = min(-over, fund.balance(UNCOUNTED))
        fund.move(UNCOUNTED, BOX, short)
        fund.move(BORNE, BOX, -over - short)
    fund.move(HOUSE, BOX, counted)


def _recover_tray(fund: Fund) -> None:
    """SP.16: the house may recover what the tray paid that day, up to the content of the box."""
    if fund.terms.recovers_tray:
        fund.move(UNCOUNTED, TRAY, min(fund.balance(TRAY), fund.balance(UNCOUNTED)))
    if not (fund.terms.recovers_tray and fund.terms.carries_shortfall):
        fund.move(BORNE, TRAY, fund.balance(TRAY))
