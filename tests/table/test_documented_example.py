"""The page about the table's log shows what really happens."""

import contextlib
import io

from tests.docs.pages import blocks

PAGE = "docs/explanation/table-log.md"


def test_the_round_on_the_page_ends_as_printed_there() -> None:
    code, _ = blocks(PAGE, "python")
    (printed,) = blocks(PAGE, "text")
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, PAGE, "exec"), {})
    assert said.getvalue() == printed
