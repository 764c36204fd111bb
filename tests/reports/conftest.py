"""What the tests of papers share: orders on one day, and papers made once."""

import datetime
from functools import cache

import pytest

from feltworks.reports.order import Order
from feltworks.reports.par import Par, par

DAY = datetime.date(2024, 1, 31)


@cache
def fu_bacc_par() -> Par:
    """The PAR sheet of Fu Bacc with a short simulation."""
    return par(Order("fu-bacc", DAY), rounds=20_000, seed=7)


@pytest.fixture
def fu_bacc() -> Par:
    return fu_bacc_par()
