"""The main wager and one on the dealer's hand, with wagers that the first three cards decide, together."""

from collections.abc import Iterator

import numpy as np

from feltworks.analysis.progress import Progress, part_of
from feltworks.analysis.shoe_game.bonus_rounds import BEYOND, INSIDE, Bonus, BonusRounds, bonus_rounds
from feltworks.analysis.shoe_game.chart import play_of_plan
from feltworks.analysis.shoe_game.dealer_bonus import LONGEST, NATURAL_MADE, BonusRules, bonus_of, law_by_play
from feltworks.analysis.shoe_game.first_cards import FirstCards, all_begun, begun_of
from feltworks.analysis.shoe_game.numbers import EXACT, plain
from feltworks.analysis.shoe_game.pays import NATURAL, OVER
from feltworks.analysis.shoe_game.rounds import RESIDUE, RoundOutcome
from feltworks.analysis.shoe_game.rules import STAND
from feltworks.analysis.shoe_game.solver import Plan, ShoeGame
from feltworks.machine.walk import Settled


def rounds_with_bonus(
    table: ShoeGame, plan: Plan, first: FirstCards | None, progress: Progress | None = None
) -> Iterator[tuple[Settled, str, RoundOutcome]]:
    """How the others settled, the bonus wager's outcome and the main one's; `first` if there are others."""
    kinds, begun = (first.kinds, begun_of(first, table)) if first else ([()], all_begun(table))
    bonus = bonus_columns(bonus_of(table.game), table)
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
    """Whether split cards of a value count as the mean of their kinds, which the cards' own law does not."""
    return any(table.rules.is_told_apart(value) for value in table.pairs.value[plan.hands > 0].tolist())


def _keep_to_the_law(
    table: ShoeGame, plan: Plan, bonus: Bonus, rounds: BonusRounds, progress: Progress | None
) -> None:
    """Split hands beyond the limit: as often as all cards say, not each hand by itself."""
    law = table.numbers.zeros(bonus.width)
    by_play = law_by_play(table.game, table.shoe, play_of_plan(table, plan), progress)
    for made, likely in by_play.beyond.items():
        law[bonus.columns[made]] += likely if table.numbers is EXACT else float(likely)
    missing = np.where(np.arange(bonus.width) < table.pays.width, 0, law - rounds.beyond())
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


def bonus_columns(rules: BonusRules, table: ShoeGame) -> Bonus:
    """The wager as its own verdicts lay it out behind the columns of the dealer's results."""
    pays = table.pays
    totals = {column: total for total, column in pays.columns.items()}
    if any(pays.columns[total] != OVER for total in rules.over):
        raise rules.rules.felts.refuse("the main wager tells the dealer's hands over 21 apart")
    made = [(totals.get(column, 0), 0) for column in range(pays.width)]
    made[NATURAL] = NATURAL_MADE
    hands = [(total, size) for total in rules.over for size in (0, *range(3, LONGEST + 1))]
    said = {rules.judge(rules.within, hand).outcome: hand for hand in hands}
    names = list(said)
    columns = {hand: pays.width + names.index(rules.judge(rules.within, hand).outcome) for hand in hands}
    states = [rules.within, rules.beyond or rules.within, rules.surrendered or rules.within]
    outcomes = [[rules.judge(seat, each).outcome for each in (*made, *said.values())] for seat in states]
    if table.rules.peeks:  # a blackjack that the dealer's check finds leaves nobody the time to surrender
        outcomes[-1][NATURAL] = outcomes[0][NATURAL]
    limit = rules.limit
    rows = tuple(tuple(row) for row in outcomes)
    return Bonus(rows, columns, limit.total if limit else None, limit is not None and limit.one_is_enough)
