"""Spanish Poker, clause by clause: what is dealt, decided, seen and paid."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import msgspec
import pytest

from feltworks import catalog
from feltworks.cards import JOKER, Card, Rank, cards
from feltworks.errors import (
    BadCard,
    BadOption,
    FeltError,
    ImpossibleRound,
    NotOffered,
    ShoeExhausted,
    UnknownName,
    WagerRefused,
)
from feltworks.games.spanish_poker import SpanishPoker
from feltworks.hands.poker import SPANISH
from feltworks.money import Odds
from feltworks.rules.advance import advance
from feltworks.rules.round import DEALER, FACE_DOWN, Choice, Round, Seat
from feltworks.rules.rulebook.model import Published
from feltworks.rules.steps import Decide, Discard, Draw, Gesture, Offer, Say, Step, Tuck, Turn
from feltworks.rules.wager import Line
from feltworks.written.record import FinishedRound
from feltworks.written.replay import replay

Written = dict[str, Any]

QUALIFIED = "6c 6d 2h 3h 4s"  # the weakest house that qualifies
UNQUALIFIED = "5c 5d Ah Kh Qs"  # the strongest that does not
WEAK = "2h 3h 4s 6s Js"
ROYALS = ["7c Jc Qc Kc Ac", "7d Jd Qd Kd Ad", "7h Jh Qh Kh Ah", "7s Js Qs Ks As"]
CINCOS = "2c 2d 2h 2s Jo"

# A hand of each kind, none sharing a card with those houses
HANDS = {
    "cincos": "Ac Ad Ah As Jo",
    "royal flush": "7c Jc Qc Kc Ac",
    "straight flush": "6h 7h Jh Qh Kh",
    "four of a kind": "Kc Kd Kh Ks 7c",
    "flush": "Kd 7d 5d 3d 2d",
    "full house": "Kc Kd Kh 7s 7c",
    "straight": "5h 6h 7c Jd Qd",
    "three of a kind": "Kc Kd Kh 7s 5c",
    "two pair": "Kc Kd 7h 7s 5c",
    "pair": "Kc Kd 7h 5s 3c",
}


def table(
    *,
    options: Mapping[str, object] | None = None,
    pay_tables: Mapping[str, str] | None = None,
    limit: int | None = None,
) -> SpanishPoker:
    """A table of this game."""
    found = catalog.game("spanish-poker", options=options, pay_tables=pay_tables, limit=limit)
    assert isinstance(found, SpanishPoker)
    return found


def spot(hand: str, choice: str | None = None, /, **wagers: int) -> Written:
    """A written seat; dos_pares=100 puts a dollar on Dos Pares."""
    named = {name.replace("_", "-"): cents for name, cents in wagers.items()}
    return {"cards": hand.split(), "choice": choice, "wagers": named}


def raised(hand: str, **wagers: int) -> Written:
    return spot(hand, "raise", **{"ante": 1000, **wagers})


def folded(hand: str, **wagers: int) -> Written:
    return spot(hand, "fold", **{"ante": 1000, **wagers})


def written(*spots: Written, dealer: str = QUALIFIED, jackpot: int | None = None) -> FinishedRound:
    round_ = {"game": "spanish-poker", "seats": list(spots), "dealer": {"cards": dealer.split()}}
    return msgspec.convert({**round_, **({} if jackpot is None else {"jackpot": jackpot})}, FinishedRound)


def offering(spots: Sequence[Written]) -> list[str]:
    """The Ante and the bonus wagers these spots have made."""
    return ["ante", *sorted({name for s in spots for name in s["wagers"]} - {"ante"})]


def settled(*spots: Written, at: SpanishPoker | None = None, **the_round: Any) -> list[Line]:
    game = at or table(options={"offers": offering(spots)})
    return list(game.settle(replay(game, written(*spots, **the_round))))


def nets(*spots: Written, **the_round: Any) -> list[dict[str, int]]:
    """What every spot is up on every wager."""
    up: list[dict[str, int]] = [{} for _ in spots]
    for line in settled(*spots, **the_round):
        up[line.seat][line.wager] = line.net
    return up


def dealt(game: SpanishPoker, *spots: Written, jackpot: int = 100_000) -> Round:
    """The round with all cards dealt and nobody having acted."""
    r = game.open_round([s["wagers"] for s in spots], {"jackpot": jackpot})
    while isinstance(step := game.awaits(r), Draw):
        r = advance(r, step, drawn(r, step, spots))
    return r


def drawn(r: Round, step: Draw, spots: Sequence[Written]) -> tuple[Any, ...]:
    if step.down:
        return (FACE_DOWN,) * step.count
    begin = len(r.at(step.to))
    return cards(spots[step.to]["cards"][begin : begin + step.count])


def choose(game: SpanishPoker, r: Round, seat: int, name: str) -> Round:
    step = next(step for step in game.open_decisions(r) if step.seat == seat)
    return advance(r, step, Choice(name))


def turned(r: Round, dealer: str = QUALIFIED) -> Round:
    return advance(r, Turn(DEALER, 0, 5), cards(dealer))


def walked(
    game: SpanishPoker, *spots: Written, dealer: str = QUALIFIED, jackpot: int = 100_000
) -> tuple[list[Step], list[Gesture]]:
    """Every step of a round in order, and what the dealer's hands do besides."""
    r = game.open_round([s["wagers"] for s in spots], {"jackpot": jackpot})
    steps: list[Step] = []
    done: list[Gesture] = []
    while step := game.awaits(r):
        if isinstance(step, Decide):
            after = advance(r, step, Choice(spots[step.seat]["choice"]))
        else:
            after = advance(r, step, drawn(r, step, spots) if isinstance(step, Draw) else cards(dealer))
        steps.append(step)
        done += game.gestures(r, after, step)
        r = after
    return steps, done


def shown(r: Round, seat: int) -> bool:
    """Whether that seat's cards lie open in this view."""
    return all(isinstance(face, Card) for face in r.seats[seat].cards)


@pytest.mark.clause("SP.1")
def test_the_deck_has_41_cards_with_one_joker() -> None:
    shoe = table().terms.shoe
    assert shoe.total == 41
    assert shoe[JOKER] == 1
    assert {face.rank for face in shoe}.isdisjoint([Rank.EIGHT, Rank.NINE, Rank.TEN])
    assert table().terms.rulebook.cards.shuffle == "every round"


@pytest.mark.clause("SP.1")
def test_a_table_has_five_or_six_spots() -> None:
    six = [raised(hand) for hand in (*ROYALS, "2c 2d 2h 2s Jo", "3c 3d 5h 5s 6h")]
    dealer = "3h 3s 5c 5d 6s"
    assert len(nets(*six, dealer=dealer)) == 6
    with pytest.raises(ImpossibleRound, match="spots 1 to 5"):
        nets(*six, at=table(options={"spots": 5}), dealer=dealer)
    for other in (4, 7):
        with pytest.raises(BadOption):
            table(options={"spots": other})


@pytest.mark.clause("SP.1")
@pytest.mark.parametrize(
    ("hand", "error"),
    [
        ("6c Kd 7h 7s 5c", ShoeExhausted),  # the house has the six of clubs
        ("Jo Jo 7h 7s 5c", ShoeExhausted),
        ("8c Kd 7h 7s 5c", ShoeExhausted),
        ("1c Kd 7h 7s 5c", BadCard),
        ("Kd 7h 7s 5c", ImpossibleRound),
        ("Kc Kd 7h 7s 5c 5h", ImpossibleRound),
    ],
)
def test_cards_that_cannot_have_been_dealt_are_refused(hand: str, error: type[FeltError]) -> None:
    with pytest.raises(error):
        settled(raised(hand))


@pytest.mark.clause("SP.6", "SP.7")
def test_an_ante_may_be_folded_or_raised_by_exactly_twice_itself() -> None:
    game = table()
    r = dealt(game, spot(HANDS["pair"], ante=1500))
    assert game.open_decisions(r) == (Decide(0, (Offer("fold"), Offer.exactly("raise", "raise", 3000))),)
    assert choose(game, r, 0, "raise").seats[0].wagers == {"ante": 1500, "raise": 3000}
    for cents in (1500, 2999, 6000, 0):
        with pytest.raises(NotOffered, match=r"raise \(\$30 on raise\)"):
            advance(r, game.open_decisions(r)[0], Choice("raise", cents))
    with pytest.raises(NotOffered, match="allowed: fold or raise"):
        choose(game, r, 0, "check")


@pytest.mark.clause("SP.6")
def test_a_folded_ante_loses_whatever_the_house_holds() -> None:
    for dealer in (QUALIFIED, UNQUALIFIED):
        (line,) = settled(folded("Kc Kd 7h 7s 4c"), dealer=dealer)
        assert (line.wager, line.outcome, line.net, line.clause) == ("ante", "fold", -1000, "SP.6")


@pytest.mark.clause("SP.7")
def test_the_ante_is_at_most_half_the_legal_limit() -> None:
    game = table(limit=200_00)
    assert nets(raised(HANDS["pair"], ante=100_00), at=game) == [{"ante": 100_00, "raise": 200_00}]
    with pytest.raises(WagerRefused, match=r"at most \$100 under the limit of \$200"):
        nets(raised(HANDS["pair"], ante=100_01), at=game)
    assert nets(spot(HANDS["pair"], dos_pares=200_00), at=game) == [{"dos-pares": -200_00}]


@pytest.mark.clause("SP.8")
@pytest.mark.parametrize("hand", [*HANDS.values(), "7c 5s 4d 3s 2c"])
def test_an_unqualified_house_pays_every_ante_even_and_returns_every_raise(hand: str) -> None:
    assert nets(raised(hand), dealer=WEAK) == [{"ante": 1000, "raise": 0}]


@pytest.mark.clause("SP.8")
@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [
        (QUALIFIED, True),
        (UNQUALIFIED, False),
        ("Ac Kd Qh Js 5c", False),
        ("2c 2d 3h 3s 4c", True),
        ("Jo 6c 3h 2s 5d", True),
    ],
)
def test_the_house_qualifies_with_a_pair_of_sixes_or_better(dealer: str, qualifies: bool) -> None:
    (up,) = nets(raised("Ks 7c 6h 4d 5s"), dealer=dealer)
    assert up == ({"ante": -1000, "raise": -2000} if qualifies else {"ante": 1000, "raise": 0})


@pytest.mark.clause("SP.9")
def test_against_a_qualified_house_the_better_hand_wins() -> None:
    better, worse = settled(raised("6h 6s 5h 3c 2c")), settled(raised("5c 5d Ac Kd Qh"))
    assert [(line.wager, line.outcome, line.net) for line in better] == [
        ("ante", "pair", 1000),
        ("raise", "player better", 2000),
    ]
    assert [(line.wager, line.outcome, line.net) for line in worse] == [
        ("ante", "dealer better", -1000),
        ("raise", "dealer better", -2000),
    ]
    assert {line.clause for line in better + worse} == {"SP.9"}


@pytest.mark.clause("SP.9", "SP.26")
@pytest.mark.parametrize(("tie", "up"), [("push", {"ante": 0, "raise": 0}), ("lose", {"ante": -1000, "raise": -2000})])
def test_equal_hands_push_or_lose_as_the_house_reads_it(tie: str, up: dict[str, int]) -> None:
    game = table(options={"spanish-poker.tie": tie})
    assert nets(raised("6h 6s 4c 3c 2c"), at=game) == [up]
    assert nets(raised("6h Jo Kc 7c 2c"), dealer="Kd Kh 7d 6d 2d", at=game) == [up]  # the joker is a king


@pytest.mark.clause("SP.9", "SP.26")
def test_a_reason_names_the_kickers_where_they_decide() -> None:
    lines = settled(raised("6h 6s 5h 3c 2c"))
    assert (
        lines[1].reason
        == "The player's pair of sixes (6 5 3 2) beat the dealer's pair of sixes (6 4 3 2): pays 1 to 1."
    )
    assert "three kings beat the dealer's pair of sixes" in settled(raised(HANDS["three of a kind"]))[0].because


@pytest.mark.clause("SP.2", "SP.10")
@pytest.mark.parametrize(
    ("pay_table", "pays"),
    [("1", [200, 100, 40, 25, 10, 7, 6, 3, 2, 1]), ("2", [200, 100, 40, 25, 10, 8, 7, 3, 2, 1])],
)
def test_the_ante_pays_by_its_table_and_the_raise_even_money(pay_table: str, pays: list[int]) -> None:
    game = table(pay_tables={"ante": pay_table})
    for hand, odds in zip(HANDS.values(), pays, strict=True):
        assert nets(raised(hand), dealer="6c 6d 2h 3h 4s", at=game) == [{"ante": 1000 * odds, "raise": 2000}], hand


@pytest.mark.clause("SP.2")
def test_the_house_wins_with_a_flush_against_a_full_house() -> None:
    assert nets(raised(HANDS["full house"]), dealer="2h 3h 4h 6h Ah") == [{"ante": -1000, "raise": -2000}]


@pytest.mark.clause("SP.11")
@pytest.mark.parametrize(
    ("pay_table", "pays"),
    [("1", [200, 100, 50, 25, 10, 9, 7, 5, 2, -1]), ("2", [200, 100, 50, 25, 10, 8, 7, 5, 2, -1])],
)
@pytest.mark.parametrize("dealer", ["6c 6d 2h 3h 4s", WEAK])
def test_dos_pares_pays_two_pair_or_better_whatever_the_house_holds(
    pay_table: str, pays: list[int], dealer: str
) -> None:
    game = table(pay_tables={"dos-pares": pay_table})
    for hand, odds in zip(HANDS.values(), pays, strict=True):
        for seat in (raised, folded, spot):
            assert nets(seat(hand, dos_pares=300), dealer=dealer, at=game)[0]["dos-pares"] == 300 * odds, hand


@pytest.mark.clause("SP.12")
def test_joker_in_hand_pays_seven_to_one() -> None:
    for hand, up in ((HANDS["cincos"], 700), ("Jo Kc 7h 5s 3c", 700), (HANDS["royal flush"], -100)):
        for seat in (raised, folded, spot):
            assert nets(seat(hand, joker_in_hand=100))[0]["joker-in-hand"] == up
    assert nets(spot(HANDS["pair"], joker_in_hand=100), dealer="Jo 2h 3h 4s 6s") == [{"joker-in-hand": -100}]


@pytest.mark.clause("SP.13")
@pytest.mark.parametrize("stake", ["returned", "kept"])
@pytest.mark.parametrize(
    ("kind", "award", "source"),
    [
        ("cincos", 123_457, "jackpot"),
        ("royal flush", 30_864, "jackpot"),
        ("straight flush", 150_00, "tray"),
        ("four of a kind", 100_00, "tray"),
        ("flush", 75_00, "tray"),
    ],
)
def test_the_progressive_pays_one_award_and_its_dollar_back_or_not(
    stake: str, kind: str, award: int, source: str
) -> None:
    game = table(options={"gran-progressive.stake": stake, "offers": ["ante", "gran-progressive"]})
    for seat in (spot, folded, raised):
        line = next(
            line for line in settled(seat(HANDS[kind], gran_progressive=100), at=game, jackpot=123_457) if line.award
        )
        assert line.award is not None
        assert (line.award.cents, line.award.source) == (award, source)
        assert line.net == award - (100 if stake == "kept" else 0)


@pytest.mark.clause("SP.13")
@pytest.mark.parametrize("kind", ["full house", "straight", "three of a kind", "two pair", "pair"])
def test_less_than_a_flush_loses_the_progressive_wager(kind: str) -> None:
    assert nets(spot(HANDS[kind], gran_progressive=100), jackpot=100_000) == [{"gran-progressive": -100}]


@pytest.mark.clause("SP.13", "SP.21")
def test_the_progressive_wager_is_always_exactly_one_dollar() -> None:
    for cents in (99, 101, 200):
        for seat in (spot, raised):
            with pytest.raises(WagerRefused, match=r"always exactly \$1"):
                settled(seat(HANDS["pair"], gran_progressive=cents), jackpot=100_000)


@pytest.mark.clause("SP.13")
def test_the_jackpot_has_to_be_posted_where_it_is_wagered_on() -> None:
    for jackpot in (None, -1):
        with pytest.raises(ImpossibleRound, match=r"the jackpot (has to be posted|is a whole number)"):
            settled(spot(HANDS["pair"], gran_progressive=100), jackpot=jackpot)
    assert nets(raised(HANDS["pair"])) == [{"ante": 1000, "raise": 2000}]


def awards(*hands: str, jackpot: int, playing: int | None = None, at: SpanishPoker | None = None) -> list[int]:
    """What each hand wins from the jackpot; from `playing` on the hands are without the wager."""
    spots = [
        spot(hand, gran_progressive=100) if playing is None or number < playing else raised(hand)
        for number, hand in enumerate(hands)
    ]
    game = at or table(options={"offers": ["ante", "gran-progressive"]})
    won = [0] * len(hands)
    for line in settled(*spots, at=game, jackpot=jackpot, dealer="6c 6d 3h 4h 5s"):
        if line.award:
            won[line.seat] = line.award.cents
    return won


@pytest.mark.clause("SP.14")
@pytest.mark.parametrize("royals", [1, 2, 3, 4])
def test_royals_without_cincos_win_a_quarter_each(royals: int) -> None:
    assert awards(*ROYALS[:royals], jackpot=100_003) == [25_000] * royals


@pytest.mark.clause("SP.14")
@pytest.mark.parametrize(
    ("royals", "share", "rest"),
    [(0, 0, 100_003), (1, 25_000, 75_003), (2, 12_500, 75_003), (3, 8_333, 75_004), (4, 6_250, 75_003)],
)
def test_beside_cincos_royals_share_a_quarter_and_cincos_takes_the_rest(royals: int, share: int, rest: int) -> None:
    held = [*ROYALS[:royals], CINCOS]
    for order in (held, held[::-1]):
        expected = [rest if hand == CINCOS else share for hand in order]
        assert awards(*order, jackpot=100_003) == expected


@pytest.mark.clause("SP.14")
@pytest.mark.parametrize("jackpot", [0, 1, 7, 50_000, 99_999, 1_234_567])
@pytest.mark.parametrize("royals", [1, 2, 3, 4])
def test_with_cincos_not_a_cent_of_the_jackpot_is_left(royals: int, jackpot: int) -> None:
    won = awards(*ROYALS[:royals], CINCOS, jackpot=jackpot)
    assert sum(won) == jackpot
    assert won[:royals] == [jackpot // (4 * royals)] * royals


@pytest.mark.clause("SP.14")
def test_only_spots_with_the_wager_share_the_jackpot() -> None:
    assert awards(CINCOS, *ROYALS[:2], jackpot=100_000, playing=1) == [100_000, 0, 0]
    assert awards(*ROYALS[:2], CINCOS, jackpot=100_000, playing=2) == [25_000, 25_000, 0]


@pytest.mark.clause("SP.14", "SP.22")
def test_folded_and_raised_hands_share_alike_and_tray_awards_are_paid_in_full() -> None:
    spots = [
        folded(CINCOS, gran_progressive=100),
        raised(ROYALS[0], gran_progressive=100),
        spot(ROYALS[1], gran_progressive=100),
        raised("3s 4s 5s 6s 7s", gran_progressive=100),
    ]
    up = nets(*spots, jackpot=100_001, dealer="6c 6d 3h 4h 5h")
    assert [seat["gran-progressive"] for seat in up] == [75_001, 12_500, 12_500, 150_00]
    lines = [line for line in settled(*spots, jackpot=100_001, dealer="6c 6d 3h 4h 5h") if line.award]
    assert [line.clause for line in lines] == ["SP.14", "SP.14", "SP.14", "SP.13"]


@pytest.mark.clause("SP.14")
def test_the_progressive_is_settled_for_all_seats_at_one_moment() -> None:
    game = table(options={"offers": ["ante", "gran-progressive"]})
    spots = [folded(CINCOS, gran_progressive=100), raised(ROYALS[0], gran_progressive=100)]
    r = choose(game, choose(game, dealt(game, *spots), 0, "fold"), 1, "raise")
    assert [line.wager for line in game.settle(r)] == ["ante"]
    assert [line.net for line in game.settle(turned(r)) if line.award] == [75_000, 25_000]


@pytest.mark.clause("SP.20")
def test_a_table_offers_the_ante_and_at_most_two_bonus_wagers() -> None:
    for bonus in combinations(["dos-pares", "joker-in-hand", "gran-progressive"], 2):
        assert table(options={"offers": ["ante", *bonus]}).terms.offers == {"ante", *bonus}
    assert table(options={"offers": ["ante"]}).terms.offers == {"ante"}
    assert table().terms.offers == {"ante", "dos-pares", "joker-in-hand"}
    with pytest.raises(BadOption, match="at most 3 wagers"):
        table(options={"offers": ["ante", "dos-pares", "joker-in-hand", "gran-progressive"]})
    with pytest.raises(BadOption, match="a list with ante in it"):
        table(options={"offers": ["dos-pares"]})


@pytest.mark.clause("SP.20")
def test_a_wager_the_table_does_not_offer_is_refused() -> None:
    with pytest.raises(WagerRefused, match="this table offers ante, dos-pares, joker-in-hand"):
        settled(raised(HANDS["pair"], gran_progressive=100), at=table(), jackpot=100_000)
    with pytest.raises(WagerRefused, match="follows from the ante wager"):
        settled(spot(HANDS["pair"], "raise", ante=100, **{"raise": 200}), at=table())
    with pytest.raises(UnknownName):
        settled(raised(HANDS["pair"], tie=100), at=table())


@pytest.mark.clause("SP.21")
@pytest.mark.parametrize("wager", ["dos_pares", "joker_in_hand", "gran_progressive"])
def test_the_house_decides_which_bonus_wagers_may_stand_alone(wager: str) -> None:
    name = wager.replace("_", "-")
    others = [other for other in ("dos-pares", "joker-in-hand", "gran-progressive") if other != name]
    alone, beside = spot(HANDS["pair"], **{wager: 100}), raised(HANDS["pair"], **{wager: 100})
    assert nets(alone, jackpot=100_000) == [{name: -100}]
    strict = table(options={"offers": ["ante", name], "spanish-poker.alone": others})
    with pytest.raises(WagerRefused, match=r"needs the ante wager"):
        nets(alone, at=strict, jackpot=100_000)
    assert nets(beside, at=strict, jackpot=100_000)[0][name] == -100


@pytest.mark.clause("SP.21")
@pytest.mark.parametrize("wager", ["dos_pares", "joker_in_hand"])
def test_the_house_may_ask_more_where_a_bonus_wager_stands_alone(wager: str) -> None:
    name = wager.replace("_", "-")
    game = table(options={"spanish-poker.alone-minimum": 500})
    assert nets(spot(HANDS["pair"], **{wager: 500}), at=game) == [{name: -500}]
    assert nets(raised(HANDS["pair"], **{wager: 100}), at=game)[0][name] == -100
    with pytest.raises(WagerRefused, match=r"at least \$5 without an ante"):
        nets(spot(HANDS["pair"], **{wager: 499}), at=game)


@pytest.mark.clause("SP.21")
def test_the_progressive_stays_a_dollar_where_others_have_a_higher_minimum_alone() -> None:
    game = table(options={"spanish-poker.alone-minimum": 500, "offers": ["ante", "gran-progressive"]})
    assert nets(spot(HANDS["pair"], gran_progressive=100), at=game, jackpot=0) == [{"gran-progressive": -100}]


@pytest.mark.clause("SP.21")
@pytest.mark.parametrize("wager", ["dos_pares", "joker_in_hand"])
def test_bonus_wagers_exceed_the_ante_only_where_the_house_allows_it(wager: str) -> None:
    name = wager.replace("_", "-")
    capped = table(options={"spanish-poker.bonus-above-ante": False})
    assert nets(raised(HANDS["pair"], **{wager: 1001}), at=table())[0][name] == -1001
    assert nets(raised(HANDS["pair"], **{wager: 1000}), at=capped)[0][name] == -1000
    assert nets(spot(HANDS["pair"], **{wager: 1001}), at=capped)[0][name] == -1001
    with pytest.raises(WagerRefused, match=r"at most the ante wager, \$10"):
        nets(raised(HANDS["pair"], **{wager: 1001}), at=capped)


@pytest.mark.clause("SP.21")
def test_a_seat_without_an_ante_decides_nothing() -> None:
    game = table()
    r = dealt(game, spot(HANDS["pair"], dos_pares=100), spot(HANDS["flush"], "fold", ante=1000))
    assert [step.seat for step in game.open_decisions(r)] == [1]
    for choice in ("raise", "fold"):
        with pytest.raises(ImpossibleRound, match=f"seat 1 chose {choice}"):
            settled(spot(HANDS["pair"], choice, dos_pares=100), at=game)


@pytest.mark.clause("SP.22")
def test_a_folded_hand_is_paid_its_winning_bonus_wagers_and_loses_the_others() -> None:
    assert nets(folded("Kc Kd 7h 7s 4c", dos_pares=200, joker_in_hand=100)) == [
        {"ante": -1000, "dos-pares": 400, "joker-in-hand": -100}
    ]
    assert nets(folded("Jo Ac 7h 5s 3c", dos_pares=200, joker_in_hand=100)) == [
        {"ante": -1000, "dos-pares": -200, "joker-in-hand": 700}
    ]
    lines = settled(folded("Kc Kd 7h 7s 4c", dos_pares=200))
    assert lines[1].clauses == ("SP.11", "SP.22")


@pytest.mark.clause("SP.22", "SP.23")
def test_a_folded_hand_is_tucked_under_its_winning_wager_when_all_have_acted() -> None:
    game = table()
    spots = [
        folded("Kc Kd 7h 7s 4c", dos_pares=200, joker_in_hand=100),
        folded("Ac Qd 7c 5s 3c", dos_pares=200),
        raised("Kh Ks 7d 5c 3d"),
    ]
    _, gestures = walked(game, *spots)
    assert gestures == [
        Tuck(0, "dos-pares", "SP.22"),
        Discard(1, "SP.23"),
        Say("Dealer qualifies with a pair of sixes", "SP.8"),
        Discard(2, "SP.23"),
        Discard(0, "SP.23"),
    ]


@pytest.mark.clause("SP.23")
def test_the_house_announces_that_it_does_not_qualify() -> None:
    _, gestures = walked(table(), raised("Kh Ks 7d 5h 3d"), dealer=UNQUALIFIED)
    assert gestures == [Say("Dealer does not qualify with a pair of fives", "SP.8"), Discard(0, "SP.23")]


@pytest.mark.clause("SP.23")
def test_five_cards_at_a_time_go_round_once_with_the_house_last_and_down() -> None:
    steps, _ = walked(table(), spot(HANDS["pair"], dos_pares=100), spot("Ac Qd 7c 5h 4d", dos_pares=100))
    assert steps == [Draw(0, 5), Draw(1, 5), Draw(DEALER, 5, down=True)]


@pytest.mark.clause("SP.23")
def test_one_card_at_a_time_goes_round_five_times_with_the_house_last_and_down() -> None:
    game = table(options={"spanish-poker.deal": "one"})
    spots = [raised(HANDS["pair"]), spot("Ac Qd 7c 5h 4d", dos_pares=100)]
    steps, _ = walked(game, *spots)
    assert steps[:15] == [Draw(0), Draw(1), Draw(DEALER, down=True)] * 5
    assert steps[15:] == [Decide(0, (Offer("fold"), Offer("raise", "raise", 2000, 2000))), Turn(DEALER, 0, 5)]
    assert nets(*spots, at=game) == nets(*spots, at=table())


@pytest.mark.clause("SP.23")
def test_decisions_stand_open_together_and_may_come_in_any_order() -> None:
    game = table()
    spots = [raised(HANDS["pair"]), folded("Ac Qd 7c 5h 4d"), raised("Kh Ks 7d 5c 3d", dos_pares=100)]
    start = dealt(game, *spots)
    assert [step.seat for step in game.open_decisions(start)] == [0, 1, 2]
    ends = set()
    for order in permutations(range(3)):
        r = start
        for left, seat in enumerate(order):
            assert [step.seat for step in game.open_decisions(r)] == sorted(order[left:])
            r = choose(game, r, seat, spots[seat]["choice"])
        ends.add(game.settle(turned(r)))
    assert len(ends) == 1


@pytest.mark.clause("SP.23")
def test_nothing_is_settled_before_every_seat_has_acted() -> None:
    game = table()
    spots = [
        folded(HANDS["two pair"], dos_pares=100),
        spot("Jo Ah 7c 5h 4d", joker_in_hand=100),
        raised("Ac Ad 6h 4c 3d"),
    ]
    r = choose(game, dealt(game, *spots), 0, "fold")
    assert game.settle(r) == ()
    r = choose(game, r, 2, "raise")
    assert [(line.seat, line.outcome) for line in game.settle(r)] == [(0, "fold")]
    assert game.awaits(r) == Turn(DEALER, 0, 5)
    early, r = game.settle(r), turned(r)
    lines = game.settle(r)
    assert set(early) < set(lines)
    assert [(line.seat, line.wager) for line in lines] == [
        (0, "ante"),
        (0, "dos-pares"),
        (1, "joker-in-hand"),
        (2, "ante"),
        (2, "raise"),
    ]
    assert game.awaits(r) is None
    assert not game.undecided(r)


@pytest.mark.clause("SP.23")
def test_the_house_stays_face_down_where_no_raise_stands() -> None:
    game = table()
    spots = [folded(HANDS["two pair"], dos_pares=100), spot("Jo Ah 7c 5h 4d", joker_in_hand=100)]
    steps, gestures = walked(game, *spots)
    assert not any(isinstance(step, Turn) for step in steps)
    assert gestures == [Tuck(0, "dos-pares", "SP.22"), Discard(1, "SP.23"), Discard(0, "SP.23")]
    assert nets(*spots) == [{"ante": -1000, "dos-pares": 200}, {"joker-in-hand": 700}]


@pytest.mark.clause("SP.23", "SP.10")
def test_a_full_table_settles_hand_by_hand() -> None:
    spots = [
        raised("Ac Ad Ah As Jo", dos_pares=100, joker_in_hand=100),
        raised("Kc Kd Kh Ks 2c", dos_pares=100),
        folded("Qc Qd Qh Qs 3c", dos_pares=100, joker_in_hand=100),
        raised("Jc Jd 2d 3d 5d"),
        raised("7c 7d 4c 3s 5h"),
        spot("2s 4d 5s 6h 7h", dos_pares=500),
    ]
    assert nets(*spots, dealer="7s Js 6c 6d 4h") == [
        {"ante": 200_000, "dos-pares": 20_000, "joker-in-hand": 700, "raise": 2000},
        {"ante": 25_000, "dos-pares": 2500, "raise": 2000},
        {"ante": -1000, "dos-pares": 2500, "joker-in-hand": -100},
        {"ante": 1000, "raise": 2000},
        {"ante": 1000, "raise": 2000},
        {"dos-pares": -500},
    ]


@pytest.mark.clause("SP.24")
def test_hands_are_private_until_they_are_turned_over() -> None:
    game = table()
    spots = [
        raised(HANDS["pair"]),
        folded("Ac Qd 7c 5h 4d", dos_pares=100),
        spot("Jo Ah 7d 5c 4c", joker_in_hand=100),
    ]
    r = dealt(game, *spots)
    for seat in range(3):
        assert [shown(game.view(r, seat), other) for other in range(3)] == [other == seat for other in range(3)]
    assert not any(shown(game.view(r), other) for other in range(3))
    r = choose(game, choose(game, r, 1, "fold"), 0, "raise")
    assert [shown(game.view(r, 0), other) for other in range(3)] == [True, False, False]
    r = turned(r)
    assert [shown(game.view(r), other) for other in range(3)] == [True, False, True]


@pytest.mark.clause("SP.22", "SP.24")
def test_a_folded_hand_is_seen_only_if_a_bonus_wager_on_it_wins() -> None:
    game = table()
    for hand, wins in ((HANDS["two pair"], True), (HANDS["pair"], False)):
        r = choose(game, dealt(game, folded(hand, dos_pares=100)), 0, "fold")
        assert shown(game.view(r), 0) is wins
        assert shown(game.view(r, 0), 0)


@pytest.mark.clause("SP.23", "SP.24")
def test_an_unqualified_house_turns_hands_for_their_bonus_wagers_only() -> None:
    game = table()
    r = dealt(game, raised(HANDS["pair"]), raised("Ac Qd 7c 5h 4d", dos_pares=100))
    r = turned(choose(game, choose(game, r, 0, "raise"), 1, "raise"), WEAK)
    assert [shown(game.view(r), seat) for seat in range(2)] == [False, True]


@pytest.mark.clause("SP.24")
def test_one_spot_per_player_unless_the_house_allows_two() -> None:
    def two_spots(apart: int) -> list[Written]:
        first, second = raised(HANDS["pair"]), raised("Kh Ks 7d 5c 3d")
        return [{**first, "player": "a", "spot": 1}, {**second, "player": "a", "spot": 1 + apart}]

    with pytest.raises(ImpossibleRound, match="one spot at most"):
        nets(*two_spots(1), at=table())
    two = table(options={"spanish-poker.spots-per-player": 2})
    assert len(nets(*two_spots(1), at=two)) == 2
    with pytest.raises(ImpossibleRound, match="2 adjacent spots at most"):
        nets(*two_spots(2), at=two)


def example_hands() -> dict[tuple[str, bool], tuple[tuple[Card, ...], int]]:
    """A hand of every kind, with and without the joker, and how many of the 749,398 hands are like it."""
    faces = table().terms.shoe.all_cards()
    counted: Counter[tuple[str, bool]] = Counter()
    example: dict[tuple[str, bool], tuple[Card, ...]] = {}
    for hand in combinations(faces, 5):
        kind = SPANISH.value(hand).category, JOKER in hand
        counted[kind] += 1
        example.setdefault(kind, hand)
    return {kind: (example[kind], count) for kind, count in counted.items()}


@pytest.mark.clause("SP.4", "SP.11", "SP.12", "SP.13", "SP.25")
def test_counting_every_hand_gives_the_printed_figures() -> None:
    hands = example_hands()
    printed = [figure for figure in table().terms.rulebook.published if figure.wager != "ante"]
    assert len(printed) == 4
    for figure in printed:
        exact = counted_figure(figure, list(hands.values()))
        assert f"{float(100 * exact):.2f}%" == figure.figure, figure


def counted_figure(figure: Published, hands: list[tuple[tuple[Card, ...], int]]) -> Fraction:
    """A bonus wager's printed figure from the settlement of every kind of hand, per dollar wagered."""
    game = table(options={"offers": ["ante", figure.wager]}, pay_tables={figure.wager: figure.pay_table})
    total = Fraction(0)
    for hand, count in hands:
        seat = Seat({figure.wager: 100}, hand)
        (line,) = game.settle(Round((seat,), (FACE_DOWN,) * 5, meters={"jackpot": 0}))
        if figure.quantity == "house_edge":
            total -= count * Fraction(line.net, 100)
        elif line.award and line.award.source == "tray":
            total += count * Fraction(line.net + 100, 100)  # the award and the dollar that comes back
    return total / sum(count for _, count in hands)


@pytest.mark.clause("SP.25")
def test_the_rulebook_keeps_every_printed_figure() -> None:
    printed = [(f.wager, f.pay_table, f.quantity, f.figure) for f in table().terms.rulebook.published]
    assert printed == [
        ("ante", "1", "house_edge", "5.93%"),
        ("ante", "1", "element_of_risk", "2.41%"),
        ("ante", "2", "house_edge", "4.97%"),
        ("ante", "2", "element_of_risk", "2.02%"),
        ("dos-pares", "1", "house_edge", "4.78%"),
        ("dos-pares", "2", "house_edge", "5.28%"),
        ("joker-in-hand", "1", "house_edge", "2.44%"),
        ("gran-progressive", "1", "fixed_return", "43.76%"),
    ]


@pytest.mark.clause("SP.4")
def test_the_wheel_is_a_house_option_off_the_approved_sheet() -> None:
    low = spot("Ac 2d 3c 4c 5c", dos_pares=100)
    wheel = table(options={"spanish-poker.wheel": True})
    assert nets(low, dealer=WEAK) == [{"dos-pares": -100}]
    assert nets(low, dealer=WEAK, at=wheel) == [{"dos-pares": 700}]
    assert table().terms.deviations == ()
    assert wheel.terms.deviations == ("spanish-poker.wheel is true, approved is false",)


@pytest.mark.clause("SP.3", "SP.5", "SP.26")
def test_a_jokers_flush_beats_a_natural_one_with_a_lower_second_card() -> None:
    assert nets(raised("Jo Ah 5h 4h 2h"), dealer="As Qs Js 7s 6s") == [{"ante": 10_000, "raise": 2000}]
    assert nets(raised("Jo Ah 5h 4h 2h"), dealer="As Ks 6s 4s 2s") == [{"ante": -1000, "raise": -2000}]


@pytest.mark.clause("M.1")
def test_wagers_are_whole_cents_and_pays_in_whole_numbers_never_break() -> None:
    for cents in (0, -5, 2.5, "7", True, None):
        with pytest.raises(WagerRefused, match="positive whole number of cents"):
            settled(raised(HANDS["pair"], dos_pares=cents), at=table())  # type: ignore[arg-type]
    pays = [pay for pays in table().pays.values() for pay in pays.values() if isinstance(pay, Odds)]
    assert {pay.per for pay in pays} == {1}


@pytest.mark.parametrize(
    ("seats", "dealer", "error"),
    [
        ([spot(HANDS["pair"], None, ante=1000)], QUALIFIED, NotOffered),
        ([spot(HANDS["pair"], "check", ante=1000)], QUALIFIED, NotOffered),
        ([{**raised(HANDS["pair"]), "choices": ["raise", "fold"]}], QUALIFIED, ImpossibleRound),
        ([raised(HANDS["pair"])], "6c 6d 2h 3h", ImpossibleRound),
        ([folded(HANDS["pair"])], "", ImpossibleRound),
        ([raised(HANDS["pair"])], "6c 6d 2h 3h 4s 2s", ImpossibleRound),
        ([spot(HANDS["pair"])], QUALIFIED, ImpossibleRound),
        ([], QUALIFIED, ImpossibleRound),
    ],
)
def test_a_round_that_cannot_have_happened_is_refused(
    seats: list[Written], dealer: str, error: type[FeltError]
) -> None:
    with pytest.raises(error):
        settled(*seats, dealer=dealer, at=table())


def test_unknown_pay_tables_and_option_values_are_refused() -> None:
    with pytest.raises(UnknownName, match="it may be 1 or 2"):
        table(pay_tables={"ante": "3"})
    for option, said in {
        "tie": "win",
        "wheel": "maybe",
        "deal": "two",
        "stake": 1,
        "alone": ["ante"],
    }.items():
        with pytest.raises(BadOption):
            table(options={option: said})
