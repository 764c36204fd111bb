"""What the tests of papers share: orders on one day, and papers made once."""

import datetime

import pytest

from feltworks.reports.order import HouseSettings, Order, PaperName, PaperRequest
from feltworks.reports.paper import Paper, make_paper
from feltworks.reports.par import Par, par

DAY = datetime.date(2024, 1, 31)


def paper_of(name: PaperName, *orders: Order, house: HouseSettings | None = None) -> Paper:
    """A paper without a simulation."""
    return make_paper(PaperRequest(name, orders, house or HouseSettings()))


@pytest.fixture(scope="session")
def fu_bacc() -> Par:
    """The PAR sheet of Fu Bacc with a short simulation."""
    return par(Order("fu-bacc", DAY), rounds=20_000, seed=7)
