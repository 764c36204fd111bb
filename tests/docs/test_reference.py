"""The reference is complete: no command, option or rulebook key is missing from its page."""

import re

import msgspec
import pytest

from feltworks.cli.main import felt
from feltworks.rules.rulebook import model, sentences
from tests.docs.pages import page, with_subcommands

CLI = page("docs/reference/cli.md")


@pytest.mark.parametrize("name", felt.places)
def test_every_command_and_option_is_documented(name: str) -> None:
    found = re.search(rf"^## felt {name}\b.*?(?=^## |\Z)", CLI, re.MULTILINE | re.DOTALL)
    assert found, f"docs/reference/cli.md has no section on felt {name}"
    every = list(with_subcommands(felt.every_command()[name]))
    words = [word for each in every for param in each.params for word in (*param.opts, *param.secondary_opts)]
    options = [word for word in words if word.startswith("-") and word != "--help"]
    assert [word for word in options if word not in found[0]] == []


def test_only_commands_that_exist_are_documented() -> None:
    assert set(re.findall(r"^## felt ([\w-]+)", CLI, re.MULTILINE)) <= felt.places.keys()


RECORDS = [
    kind
    for module in (model, sentences)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__module__ == module.__name__
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_every_key_of_a_rulebook_is_documented(record: type[msgspec.Struct]) -> None:
    text = page("docs/reference/rulebook.md")
    keys = [field.encode_name for field in msgspec.structs.fields(record)]
    assert [key for key in keys if not re.search(rf"`{key}`|\[{key}[\].]", text)] == []
