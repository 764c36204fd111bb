"""A damaged rulebook is refused by file and key, and by nothing but a RulebookError."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltworks import catalog
from feltworks.errors import RulebookError
from feltworks.rules.rulebook import Rulebook, load_rulebook

FILES = catalog.rulebook_files()
# A damaged book is loaded through one that includes it.
INCLUDING = {"blackjack": "acey-deucey-21", "lucky-break": "lucky-lucky", "money": "fu-bacc"}

SOUND = """\
title = "Red Dog"
spots_per_player = "red-dog.two-spots"

[cards]
decks = 1

[clause]
"RD.1" = "The middle card wins."

[wager.ante]
title = "Ante"
kind = "main"
clause = "RD.1"
minimum = "$1"

[wager.raise]
title = "Raise"
kind = "derived"
clause = "RD.1"
of = "ante"
times = "2"

[wager.side]
title = "Side"
kind = "bonus"
clause = "RD.1"
needs = { wager = "ante", unless = "red-dog.two-spots" }

[pay_table.ante.1]
clause = "RD.1"
pays = { "between" = "1 to 1", "outside" = "lose", "pair" = { option = "pair-pays" } }

[option."red-dog.two-spots"]
values = [true, false]
clause = "RD.1"
text = "Whether one player may play two spots."

[option.pair-pays]
values = ["11 to 1", "push"]
clause = "RD.1"
text = "What a pair pays."

[option.spots]
range = [1, 7]
default = 6
clause = "RD.1"
text = "How many spots there are."

[[reading]]
clause = "RD.1"
settles = "The ace is high."
because = "Nobody says otherwise."

[[published]]
clause = "RD.1"
wager = "ante"
quantity = "house_edge"
figure = "3.08%"

[approval]
date = 2020-01-01
document = "none"
conditions = [{ of = "operator", text = "Ask first." }]
"""

# what is damaged, what it is damaged to, the key the refusal names
DAMAGES = {
    "syntax": ('title = "Red Dog"', 'title = "Red Dog', "syntax"),
    "key twice": ("[cards]\n", "[cards]\ndecks = 2\n", "syntax"),
    "no title": ('title = "Red Dog"\n', "", "top"),
    "unknown section": ("[cards]", "[card]", "top"),
    "unknown key": ("minimum =", "least =", "wager[...]"),
    "unknown override key": ("[cards]", "[override.spots]\nleast = 1\n[cards]", "override[...]"),
    "text for a number": ("decks = 1", 'decks = "one"', "cards.decks"),
    "no deck": ("decks = 1", "decks = 0", "cards.decks"),
    "nine decks": ("decks = 1", "decks = 9", "cards.decks"),
    "unknown kind of wager": ('kind = "bonus"', 'kind = "side"', "wager[...].kind"),
    "unknown shuffle": ("decks = 1", 'shuffle = "never"', "cards.shuffle"),
    "clause id": ('"RD.1" = "The', '"RD.one" = "The', "clause.RD.one"),
    "wager without its clause": (
        'kind = "main"\nclause = "RD.1"',
        'kind = "main"\nclause = "RD.2"',
        "wager.ante.clause",
    ),
    "pay table without its clause": (
        'clause = "RD.1"\npays',
        'clause = "RD.2"\npays',
        "pay_table.ante.1.clause",
    ),
    "option without its clause": (
        '"push"]\nclause = "RD.1"',
        '"push"]\nclause = "x"',
        "option.pair-pays.clause",
    ),
    "reading without its clause": (
        '[[reading]]\nclause = "RD.1"',
        '[[reading]]\nclause = ""',
        "reading[0].clause",
    ),
    "figure without its clause": (
        '[[published]]\nclause = "RD.1"',
        '[[published]]\nclause = ""',
        "published[0].clause",
    ),
    "bad odds": ('"1 to 1"', '"1 for 1"', "pay_table.ante.1.pays.between"),
    "odds of nothing": ('"1 to 1"', '"1 to 0"', "pay_table.ante.1.pays.between"),
    "pay as a number": ('"1 to 1"', "1", "pay_table[...][...].pays[...]"),
    "share of nothing": ('"1 to 1"', '"1/0 of jackpot"', "pay_table.ante.1.pays.between"),
    "bad fixed pay": ('"1 to 1"', '"$1.5"', "pay_table.ante.1.pays.between"),
    "pay by an unknown option": (
        '{ option = "pair-pays" }',
        '{ option = "gone" }',
        "pay_table.ante.1.pays.pair",
    ),
    "bad odds in an option": ('"11 to 1", "push"', '"11 to 1", "even"', "pay_table.ante.1.pays.pair"),
    "pay table of no wager": ("[pay_table.ante.1]", "[pay_table.gone.1]", "pay_table.gone"),
    "needs no wager": ('needs = { wager = "ante"', 'needs = { wager = "gone"', "wager.side"),
    "lifted by no option": ('unless = "red-dog.two-spots"', 'unless = "gone"', "wager.side"),
    "derived of no wager": ('of = "ante"', 'of = "gone"', "wager.raise.of"),
    "derived without its measure": ('times = "2"\n', "", "wager.raise"),
    "measure of a main wager": ('minimum = "$1"', 'of = "raise"\ntimes = "2"', "wager.ante"),
    "factor": ('times = "2"', 'times = "twice"', "wager.raise.times"),
    "factor over nothing": ('times = "2"', 'times = "1/0"', "wager.raise.times"),
    "amount": ('minimum = "$1"', 'minimum = "1"', "wager.ante.minimum"),
    "both values and range": ("default = 6", "values = [6, 7]", "option.spots"),
    "neither values nor range": ("range = [1, 7]\n", "", "option.spots"),
    "default out of range": ("default = 6", "default = 8", "option.spots"),
    "empty range": ("range = [1, 7]\ndefault = 6", "range = [7, 1]", "option.spots"),
    "no value": ('values = ["11 to 1", "push"]', "values = []", "option.pair-pays"),
    "default that is no value": ('"push"]', '"push"]\ndefault = "lose"', "option.pair-pays"),
    "approved that is no value": ("default = 6", "approved = [9]", "option.spots"),
    "list with a stranger": (
        "range = [1, 7]\ndefault = 6",
        'members = ["a"]\ndefault = ["b"]',
        "option.spots",
    ),
    "spots by no option": ('"red-dog.two-spots"\n\n[cards]', '"gone"\n\n[cards]', "spots_per_player"),
    "override of nothing": ("[cards]", "[override.gone]\ndefault = 1\n[cards]", "override.gone"),
    "override to another kind": ("[cards]", "[override.spots]\nvalues = [1]\n[cards]", "option.spots"),
    "includes nothing": ("[cards]", 'includes = ["gone"]\n[cards]', "includes"),
    "includes itself": ("[cards]", 'includes = ["red-dog"]\n[cards]', "includes"),
    "figure": ('"3.08%"', '"3.08"', "published[0].figure"),
    "unknown quantity": ('"house_edge"', '"edge"', "published[0].quantity"),
    "approval day": ("date = 2020-01-01", 'date = "soon"', "approval.date"),
    "condition of nobody": ('of = "operator"', 'of = "player"', "approval.conditions[0].of"),
}


def _load(folder: Path, text: str | bytes, name: str = "red-dog") -> Rulebook:
    path = folder / f"{name}.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_rulebook(path, {**FILES, name: path}, always="money")


def test_the_sound_rulebook_loads(tmp_path: Path) -> None:
    assert _load(tmp_path, SOUND).option["spots"].preset == 6


@pytest.mark.parametrize("damage", sorted(DAMAGES))
def test_a_damaged_rulebook_is_refused_by_file_and_key(damage: str, tmp_path: Path) -> None:
    sound, damaged, key = DAMAGES[damage]
    assert sound in SOUND
    with pytest.raises(RulebookError) as refused:
        _load(tmp_path, SOUND.replace(sound, damaged, 1))
    assert (refused.value.file, refused.value.key) == ("red-dog.toml", key)
    assert str(refused.value).startswith(f"red-dog.toml: {key}: ")
    assert "\n" not in str(refused.value)


def test_rulebooks_that_include_each_other_are_refused(tmp_path: Path) -> None:
    paths = {name: tmp_path / f"{name}.toml" for name in ("one", "two")}
    paths["one"].write_text('title = "One"\nincludes = ["two"]\n')
    paths["two"].write_text('title = "Two"\nincludes = ["one"]\n')
    with pytest.raises(RulebookError) as refused:
        load_rulebook(paths["one"], paths)
    assert (refused.value.file, refused.value.key) == ("two.toml", "includes")


@pytest.mark.parametrize("content", [b"\xff\xfe", None], ids=["no text", "no file"])
def test_a_file_that_cannot_be_read_is_refused(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "red-dog.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RulebookError) as refused:
        load_rulebook(path, {})
    assert (refused.value.file, refused.value.key) == ("red-dog.toml", "file")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damaged")


@settings(max_examples=150, deadline=None)
@given(
    name=st.sampled_from(sorted(FILES)),
    start=st.floats(0, 1, exclude_max=True),
    length=st.integers(1, 200),
    instead=st.binary(max_size=12)
    | st.text("\"'[]{}=.,# \n\\0123456789aeinrt$%-:", max_size=12).map(str.encode),
)
def test_whatever_is_torn_out_of_a_rulebook_nothing_but_a_rulebook_error_comes_of_it(
    name: str, start: float, length: int, instead: bytes, folder: Path
) -> None:
    sound = FILES[name].read_bytes()
    at = int(start * len(sound))
    path = folder / f"{name}.toml"
    path.write_bytes(sound[:at] + instead + sound[at + length :])
    found = {**FILES, name: path}
    with suppress(RulebookError):
        load_rulebook(found[INCLUDING.get(name, name)], found, always="money")
