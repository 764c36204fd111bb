"""Cells of a spreadsheet: nothing that somebody named can run when the sheet is opened."""

import csv
import io

import pytest

from feltworks.documents import csv_text, safe_cell


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        '=HYPERLINK("http://elsewhere.example";"win")',
        "+1+1",
        "-1+cmd|' /C calc'!A0",
        "@SUM(A1:A9)",
        "\t=1+1",
        "\r=1+1",
        "\n=1+1",
        "  =1+1",
        "-",
        "-3/2/1",
        "+٣+1",
    ],
)
def test_text_that_begins_like_a_formula_is_quoted(text: str) -> None:
    assert safe_cell(text) == f"'{text}"
    ((cell,),) = csv.reader(io.StringIO(csv_text([[text]]), newline=""))
    assert cell == f"'{text}"


@pytest.mark.parametrize(
    "cell",
    [-500, -0.5, None, "", "-500", "+5", "-0.25", "-1e-05", "-3/2", "-2.99%", "-1,250", "5", "ante", "A=1"],
)
def test_numbers_and_other_text_stay_what_they_are(cell: object) -> None:
    assert safe_cell(cell) == cell
