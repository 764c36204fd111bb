"""Every refusal of the books names the rule it rests on: a clause, a regulation, or a rule of the house.

What is refused for its form alone (an amount that is no number, an unknown name, a file that cannot be read)
rests on no rule, and says what the right form is.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import feltworks.house

HOUSE = Path(feltworks.house.__file__).parent
OF_FORM = {
    *("BadOption", "UnknownName", "RulebookError", "LogError", "StorageTrouble", "LoginRefused", "LockedOut"),
    *("ValueError", "_refusal"),  # within verification; of a password
}
FORM = re.compile(r"whole number of cents|is written like|is dated with a calendar day|[\"'][01] to ")
CITED = r"(WAC|RCW|CFR) \d|\b[A-Z]{2}\.\d+|house rule"
RULE = re.compile(CITED + r"|\.cites\(|\b(\w+\.)*(rule|source)\b[})]|APART|CASH_RULE|POSTED")


def refusals() -> Iterator[tuple[str, str]]:
    """Where the code of the house refuses something, and the expression that says why."""
    for path in sorted(HOUSE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name):
                source = ast.get_source_segment(text, node)
                if node.exc.func.id not in OF_FORM and source is not None:
                    yield f"{path.relative_to(HOUSE)}:{node.lineno}", source


def test_every_refusal_names_its_rule() -> None:
    cases = list(refusals())
    assert len(cases) > 100
    assert [f"{where}: {says}" for where, says in cases if not RULE.search(says) and not FORM.search(says)] == []


@pytest.mark.parametrize(
    "says",
    [
        'raise NotNow("the box is closed")',
        'raise PostingRefused(f"{person} signed")',
        'raise BadAmount("fill", cents, f"up to {most}")',
    ],
)
def test_a_refusal_without_a_rule_would_be_noticed(says: str) -> None:
    assert not RULE.search(says)
    assert not FORM.search(says)
