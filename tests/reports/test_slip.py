"""A slip as a form: three parts for fills, credits and closers, with pieces, signatures and its seal."""

from pathlib import Path

import pytest

from feltworks.errors import UnknownName
from feltworks.house.storage.migration import open_database
from feltworks.house.tables.books import TableBooks
from feltworks.reports.paper import pdf
from feltworks.reports.slip import slip_html
from tests.house.floor import VOIDERS, Pit, approve, hire


def test_a_slip_is_printed_in_its_parts(tmp_path: Path) -> None:
    database = open_database(str(tmp_path / "books.sqlite"))
    hire(database)
    approve(database, "fu-bacc")
    pit = Pit(TableBooks(database))
    pit.open(1_000_00)
    pit.fill({25_00: 40, 5_00: 100})
    form = slip_html(database, "fill", 1)
    for words in ("Original: back to the cage", "Duplicate: into the drop box", "Triplicate: to accounting"):
        assert words in form
    assert form.count("<td>$25</td><td>40</td><td>$1,000</td>") == 3
    assert form.count("cara<br>") == 3
    assert "VOID" not in form
    assert slip_html(database, "opener", 1).count("<section>") == 1
    assert pdf(form).startswith(b"%PDF")
    pit.books.void("fill", 1, "a mistake", VOIDERS)
    assert slip_html(database, "fill", 1).count("VOID") == 3
    with pytest.raises(UnknownName, match="no fill slip 2"):
        slip_html(database, "fill", 2)
    database.close()
