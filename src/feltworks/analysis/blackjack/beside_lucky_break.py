"""Blackjack and Lucky Break, with wagers the first three cards decide: every way they come out together."""

from collections.abc import Iterator

import numpy as np

from feltworks.analysis.blackjack.dealers_hand import TEN
from feltworks.analysis.blackjack.dealt import Dealt, all_begun, begun_of
from feltworks.analysis.progress import Progress, part_of
from feltworks.analysis.shoe_game.bonus_rounds import BEYOND, INSIDE, Bonus, BonusRounds, bonus_rounds
from feltworks.analysis.shoe_game.conduct import plans_conduct
from feltworks.analysis.shoe_game.dealer import BLACKJACK, OVER, RESULTS
from feltworks.analysis.shoe_game.lucky_break import SURRENDERED, WITHIN, judged, limit_of, over_the_limit
from feltworks.analysis.shoe_game.numbers import EXACT, plain
from feltworks.analysis.shoe_game.play import STAND
from feltworks.analysis.shoe_game.rounds import RESIDUE, RoundOutcome
from feltworks.analysis.shoe_game.solver import Plan, ShoeGame
from feltworks.games.blackjack import Blackjack
from feltworks.machine.walk import Settled

_OVER_21 = range(22, 27)
_SIZES = (0, *range(3, 27))  # cards of one suit in a hand over 21, or 0


def with_lucky_break(
    table: ShoeGame, plan: Plan, dealt: Dealt | None, progress: Progress | None = None
) -> Iterator[tuple[Settled, str, RoundOutcome]]:
    """How the others settled, Lucky Break's outcome and blackjack's; `dealt` where there are others."""
    kinds, begun = (dealt.kinds, begun_of(dealt, table)) if dealt else ([()], all_begun(table))
    bonus = lucky_bonus(table.game)
    pieces = 1 + _may_come_beyond(table, plan, bonus)
    rounds = bonus_rounds(table, plan, bonus, begun, part_of(progress, 0, pieces))
    if rounds.split and np.any(rounds.beyond()) and not _is_meaned(table, plan):
        _keep_to_the_law(table, plan, bonus, rounds, part_of(progress, 1, pieces))
    every = [*rounds.unsplit.items(), *rounds.split.items()]
    faint = sum(likely for _, likely in every) * (0 if table.numbers is EXACT else RESIDUE)
    for (name, wagered, net, state), likely in every:
        for column, kind in zip(*np.nonzero(likely > faint), strict=True):
            outcome = RoundOutcome(name, plain(likely[column, kind]), net, wagered)
            yield kinds[kind], bonus.outcomes[state][column], outcome


def _may_come_beyond(table: ShoeGame, plan: Plan, bonus: Bonus) -> bool:
    """Whether a split hand is drawn to that one card can bring beyond the limit."""
    if bonus.limit is None or not plan.hands.any():
        return False
    drawn_to = (plan.split_acts != STAND).any(axis=1)
    return bool((drawn_to & (table.split_hands.low + 10 >= bonus.limit)).any())


def _is_meaned(table: ShoeGame, plan: Plan) -> bool:
    """Whether split ten-value cards count as the mean of their kinds, which the cards' own law does not."""
    splits_tens = bool(((table.pairs.value == TEN) & (plan.hands > 0)).any())
    return splits_tens and not table.game.spot_rules.splits_on_value


def _keep_to_the_law(
    table: ShoeGame, plan: Plan, bonus: Bonus, rounds: BonusRounds, progress: Progress | None
) -> None:
    """Split hands over the limit of LB.5: as often as all cards say, not each hand by itself."""
    law = table.numbers.zeros(bonus.width)
    conduct = plans_conduct(table, plan)
    for made, likely in over_the_limit(table.game, table.shoe, conduct, progress).items():
        law[bonus.columns[made]] += likely if table.numbers is EXACT else float(likely)
    missing = np.where(np.arange(bonus.width) < RESULTS, 0, law - rounds.beyond())
    keys = [key for key in rounds.split if key[-1] == BEYOND]
    for key in keys:
        rounds.split.setdefault((*key[:-1], INSIDE), np.zeros_like(rounds.split[key]))
    others = [(*key[:-1], INSIDE) for key in keys]
    for wanted, giving, taking in ((missing, others, keys), (-missing, keys, others)):
        there = sum(rounds.split[key].sum(axis=1) for key in giving)
        part = np.where(there > 0, np.maximum(wanted, 0) / np.where(there > 0, there, 1), 0)[:, None]
        for one, other in zip(giving, taking, strict=True):
            given = rounds.split[one] * part
            rounds.split[one] = rounds.split[one] - given
            rounds.split[other] = rounds.split[other] + given


def lucky_bonus(game: Blackjack) -> Bonus:
    """Lucky Break as its own verdicts lay it out."""
    columns: dict[tuple[int, int], int] = {}
    made = [(17 + column, 0) for column in range(RESULTS)]
    made[OVER], made[BLACKJACK] = (22, 0), (0, 0)
    said = {judged(game, WITHIN, (total, size)): (total, size) for total in _OVER_21 for size in _SIZES}
    for total in _OVER_21:
        for size in _SIZES:
            columns[total, size] = RESULTS + list(said).index(judged(game, WITHIN, (total, size)))
    limit = limit_of(game)
    states = [WITHIN, limit.spot if limit else WITHIN, SURRENDERED]
    outcomes = [[judged(game, spot, each) for each in (*made, *said.values())] for spot in states]
    if game.peeks:  # BJ.4: a blackjack that the dealer's check finds leaves nobody the time to surrender
        outcomes[-1][BLACKJACK] = outcomes[0][BLACKJACK]
    rows = tuple(tuple(row) for row in outcomes)
    return Bonus(rows, columns, limit.total if limit else None, limit is not None and limit.one_is_enough)
