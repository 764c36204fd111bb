"""An addition pours into seed, jackpot and backups in one order, for books, simulation and analysis."""

from fractions import Fraction

import pytest

from feltworks import catalog
from feltworks.analysis.solvers.progressive import Growth
from feltworks.house.progressive.fund import CHART, Fund, Standing, add_to_prizes
from feltworks.rules.jackpot import accrue
from feltworks.simulation.jackpot import JackpotFund, JackpotPolicy
from feltworks.table.seating import House
from tests.house.desk import FIRST_DAY, terms

METER = catalog.rulebook("spanish-poker").meter_of("gran-progressive")


@pytest.mark.clause("SP.17", "SP.18")
@pytest.mark.parametrize("recovery", [Fraction(0), Fraction(1, 2), Fraction(1)])
@pytest.mark.parametrize("backups", [0, 1, 2])
def test_books_simulation_and_analysis_divide_an_addition_alike(recovery: Fraction, backups: int) -> None:
    for addition in (1_00, 449_999, 950_000, 1_500_000, 4_000_000):
        fund = Fund(terms(recovery=recovery, backups=backups), Standing.at_opening(FIRST_DAY), dict.fromkeys(CHART, 0))
        fund.move("seed", "jackpot", 50_000)
        add_to_prizes(fund, "uncounted", addition)
        in_books = [fund.balance(account) for account in ("jackpot", "backup", "second-backup", "seed")]
        simulated = JackpotFund(JackpotPolicy(recovery=recovery, backups=backups), METER)
        simulated.close_day(addition, 0, day=1)
        grown = Growth(Fraction(addition), Fraction(0), Fraction(1), METER).fund(1, recovery=recovery, backups=backups)
        assert in_books == [*simulated.lying, simulated.owed]
        assert in_books == [grown.primary, grown.backup, grown.second_backup, 50_000 - grown.recovered]


def test_losing_wagers_raise_the_posted_jackpot_and_leave_its_box() -> None:
    assert accrue({"jackpot": 500_00}, {"jackpot": 2_00}) == {"jackpot": 502_00}
    house = House(boxes={"jackpot": 3_00}, meters={"jackpot": 500_00})
    before = house.total
    house.accrue()
    assert (house.meters, house.boxes, house.total) == ({"jackpot": 503_00}, {}, before)
