"""Loads a rulebook with all its includes, checks it, and compares it with the approved one.

The checks are of its references, its amounts, and that its default table can be dealt. Each check may rely on those
before it: only the faults found by the first failing check are reported.
"""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from feltworks.cards import RANKS
from feltworks.errors import BadOption, RulebookError, one_of
from feltworks.money import Odds, parse_dollars
from feltworks.rules.pay_table import Share, meters_of, parse_pay
from feltworks.rules.rulebook.model import Rulebook, RulebookText
from feltworks.rules.rulebook.sentences import merge_sentences, sentence_troubles
from feltworks.rules.rulebook.toml import KeyPath, dotted, read_toml

if TYPE_CHECKING:
    from feltworks.rules.rulebook.model import Bond, Option, OptionPay, OtherPays, PayTable, WagerEntry

_RULES_FILE = re.compile(r"[a-z][a-z0-9_]*")
_CLAUSE_ID = re.compile(r"[A-Z]{1,4}\.[1-9][0-9]{0,3}")
_LAW_ID = re.compile(r"WA\.[1-9][0-9]{0,3}")  # the law's clauses are in a book that no game includes
_FIGURE = re.compile(r"[0-9]{1,3}(\.[0-9]{1,9})?%")
_FACTOR = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6}|/[1-9][0-9]{0,5})?")
_LONG_NUMBER = re.compile(r"\d{10}")
Troubles = Iterator[tuple[KeyPath, str]]  # the key, and what is wrong there

_MOST = 10**9
_WHOLE_OPTIONS = {"decks": 8, "spots": _MOST, "chip": _MOST}  # from 1 up, in every game with such an option


def check(book: "Rulebook") -> None:
    """Refuse a rulebook with broken references, or with values that cannot be read or dealt."""
    for troubles in (
        _file_troubles,
        _clause_troubles,
        _card_troubles,
        option_troubles,
        _wager_troubles,
        _pay_table_troubles,
        _meter_troubles,
        _offer_troubles,
        _figure_troubles,
        _reading_troubles,
        _law_troubles,
        sentence_troubles,
    ):
        faults = [RulebookError(book.file, dotted(*path), trouble) for path, trouble in troubles(book)]
        if faults:
            raise RulebookError(book.file, faults[0].key, faults[0].trouble, faults[1:])


def _reading_troubles(book: "Rulebook") -> Troubles:
    for place, reading in enumerate(book.reading):
        if reading.option and reading.option not in book.option:
            yield ("reading", place, "option"), f"there is no option {reading.option!r}"
        if reading.other_pays is not None:
            yield from _other_pays_troubles(book, ("reading", place, "other_pays"), reading.other_pays)


def _other_pays_troubles(book: "Rulebook", path: KeyPath, other: "OtherPays") -> Troubles:
    tables = book.pay_table.get(other.wager)
    if tables is None:
        yield (*path, "wager"), f"there is no wager {other.wager!r} with a pay table"
        return
    for key, number in (("pay_table", other.pay_table), ("judged_as", other.judged_as)):
        if number not in tables:
            yield (*path, key), f"{other.wager} has no pay table {number!r}; it has {', '.join(tables)}"
            return
    rows = tables[other.judged_as].pays
    for outcome, pay in other.pays.items():
        if outcome not in rows:
            yield (*path, "pays", outcome), f"there is no such row; it may be {one_of(rows)}"
        try:
            _check_pay(pay)
        except ValueError as trouble:
            yield (*path, "pays", outcome), str(trouble)


def _law_troubles(book: "Rulebook") -> Troubles:
    for subject, dated in book.law.items():
        for place, (earlier, later) in enumerate(pairwise(dated), 1):
            if later.from_ <= earlier.from_:
                yield ("law", subject, place, "from"), f"it has to be later than {earlier.from_}"
        for place, entry in enumerate(dated):
            if "$" in str(entry.value):
                yield from _amount_troubles(("law", subject, place, "value"), str(entry.value))


def _file_troubles(book: "Rulebook") -> Troubles:
    named: list[tuple[KeyPath, str]] = [(("game",), book.game)] if book.game else []
    named += [(("bonus", place), name) for place, name in enumerate(book.bonus)]
    for path, name in named:
        if not _RULES_FILE.fullmatch(name):
            yield path, f"{name!r} names no rules file; write small letters, digits and _, such as fu_bacc"


def _clause_troubles(book: "Rulebook") -> Troubles:
    for id_ in book.clause:
        if not _CLAUSE_ID.fullmatch(id_):
            yield ("clause", id_), "an id is up to four capital letters, a dot and a number, such as FB.7"
    for path, id_ in _citations(book):
        if id_ not in book.clause and not (path[0] == "approval" and _LAW_ID.fullmatch(id_)):
            yield path, f"there is no clause {id_!r}"


def _citations(book: "Rulebook") -> Iterator[tuple[KeyPath, str]]:
    yield from ((("waiting", id_), id_) for id_ in book.waiting)
    for name, entry in book.wager.items():
        yield ("wager", name, "clause"), entry.clause
    for wager, tables in book.pay_table.items():
        for name, table in tables.items():
            yield ("pay_table", wager, name, "clause"), table.clause
            if table.factors_clause:
                yield ("pay_table", wager, name, "factors_clause"), table.factors_clause
    for name, meter in book.meter.items():
        yield ("meter", name, "clause"), meter.clause
        if meter.backups:
            yield ("meter", name, "backups", "clause"), meter.backups.clause
    for name, option in book.option.items():
        yield (section_of(book, name), name, "clause"), option.clause
    for place, reading in enumerate(book.reading):
        yield ("reading", place, "clause"), reading.clause
    for place, printed in enumerate(book.published):
        yield ("published", place, "clause"), printed.clause
    for place, evidence in enumerate(book.evidence):
        yield ("evidence", place, "clause"), evidence.clause
    for place, example in enumerate(book.example):
        yield ("example", place, "clause"), example.clause
    for place, condition in enumerate(book.approval.conditions if book.approval else ()):
        yield ("approval", "conditions", place, "clause"), condition.clause


def _card_troubles(book: "Rulebook") -> Troubles:
    for place, rank in enumerate(book.cards.without):
        if len(rank) != 1 or rank not in RANKS:
            yield ("cards", "without", place), f"there is no rank {rank!r}; it may be {one_of(RANKS)}"
    if set(RANKS) <= set(book.cards.without):
        yield ("cards", "without"), "at least one rank has to stay in the deck"


def _wager_troubles(book: "Rulebook") -> Troubles:
    for name, entry in book.wager.items():
        for field, bond in (("needs", entry.needs), ("not_above", entry.not_above)):
            for inner, trouble in _bond_troubles(book, name, bond) if bond else ():
                yield ("wager", name, field, *inner), trouble
        for inner, trouble in (*_measure_troubles(book, name), *_size_troubles(entry)):
            yield ("wager", name, *inner), trouble
        yield from _equal_troubles(book, name)


def _equal_troubles(book: "Rulebook", name: str) -> Troubles:
    """Check that wagers placed together name one leader, which follows no other."""
    entry = book.wager[name]
    others = [other for other in book.placed if other != name and not book.wager[other].equals]
    if entry.equals and (entry.kind == "derived" or entry.equals not in others):
        yield (
            ("wager", name, "equals"),
            f"name the wager that leads those placed together; it may be {one_of(others)}",
        )


def _bond_troubles(book: "Rulebook", name: str, bond: "Bond") -> Troubles:
    others = [other for other in book.placed if other != name]
    if bond.wager not in others:
        yield ("wager",), f"name another wager placed before the deal; it may be {one_of(others)}"
    option = book.option.get(bond.unless)
    if bond.unless and (option is None or not (is_switch(option) or option.members)):
        yield ("unless",), "name an option that takes true and false, or a list of wagers"


def _measure_troubles(book: "Rulebook", name: str) -> Troubles:
    entry = book.wager[name]
    listed = [("times", text) for text in ([entry.times] if isinstance(entry.times, str) else entry.times)]
    factors = [(field, text) for field, text in (*listed, ("up_to", entry.up_to)) if text]
    derived = entry.kind == "derived"
    if bool(entry.of) != derived or (bool(entry.times) + bool(entry.up_to)) != derived:
        yield ("kind",), "a derived wager, and only that, says `of` and either `times` or `up_to`"
    if entry.at_least and not entry.up_to:
        yield ("at_least",), "it goes with `up_to`, the other end of the range"
    for field, text in (*factors, *([("at_least", entry.at_least)] if entry.at_least else ())):
        if not _FACTOR.fullmatch(text) or not Fraction(text):
            yield (field,), "write a number or a fraction above zero, such as 2 or 1/2"
    offering = book.option.get(entry.offered_by)
    if entry.offered_by and (offering is None or not is_switch(offering) or not derived):
        yield ("offered_by",), "a derived wager names an option here that takes true and false"
    if entry.of and entry.of not in book.wager:
        yield ("of",), f"there is no wager {entry.of!r}; it may be {one_of(book.wager)}"
    elif _is_measured_in_a_circle(book, name):
        yield ("of",), "the wagers it is measured by lead back to itself"
    elif entry.of and book.wager[entry.of].kind == "derived" and entry.of not in _earlier(book, name):
        yield ("of",), f"{entry.of} comes after it; a wager is measured by one that is made before"


def _earlier(book: "Rulebook", name: str) -> list[str]:
    """The wagers listed before this one."""
    names = list(book.wager)
    return names[: names.index(name)]


def _is_measured_in_a_circle(book: "Rulebook", name: str) -> bool:
    passed: set[str] = set()
    while name in book.wager and name not in passed:
        passed.add(name)
        name = book.wager[name].of
    return name in passed


def _size_troubles(entry: "WagerEntry") -> Troubles:
    for field, text in (("minimum", entry.minimum), ("fixed", entry.fixed)):
        if text:
            yield from _amount_troubles((field,), text)
    if entry.minimum and entry.fixed:
        yield ("minimum",), "a wager that is always exactly `fixed` has no minimum"


def _amount_troubles(path: KeyPath, text: str) -> Troubles:
    try:
        if not parse_dollars(_short(text)):
            yield path, "the amount has to be above zero"
    except ValueError as trouble:
        yield path, str(trouble)


def _short(text: str) -> str:
    """Refuse very long numbers before they are read."""
    if _LONG_NUMBER.search(text.replace(",", "")):
        raise ValueError("a number here has at most nine digits")
    return text


def _pay_table_troubles(book: "Rulebook") -> Troubles:
    for wager, tables in book.pay_table.items():
        if wager not in book.wager:
            yield ("pay_table", wager), f"there is no such wager; it may be {one_of(book.wager)}"
        if not tables:
            yield ("pay_table", wager), "list at least one pay table"
        for name, table in tables.items():
            for inner, trouble in _table_troubles(book, table):
                yield ("pay_table", wager, name, *inner), trouble


def _table_troubles(book: "Rulebook", table: "PayTable") -> Troubles:
    if not table.pays:
        yield ("pays",), "list at least one outcome with its pay"
    for row, pay in table.pays.items():
        try:
            for text in _pay_texts(book, pay):
                _check_pay(text)
        except ValueError as trouble:
            yield ("pays", row), str(trouble)
    for row, text in table.bonus.items():
        try:
            if not isinstance(parse_pay(_short(text)), Odds):
                raise ValueError("a bonus on the same wager is paid at odds, such as 4 to 1")
        except ValueError as trouble:
            yield ("bonus", row), str(trouble)
    for field in ("needs_decks", "words"):
        for row in getattr(table, field):
            if row not in table.pays:
                yield (field, row), f"there is no such row; it may be {one_of(table.pays)}"


def _pay_texts(book: "Rulebook", pay: "str | OptionPay") -> list[str]:
    if isinstance(pay, str):
        return [pay]
    option = book.option.get(pay.option)
    if option is None or option.values is None:
        raise ValueError(f"there is no option {pay.option!r} whose values are pays")
    return [str(value) for value in option.values]


def _check_pay(text: str) -> None:
    pay = parse_pay(_short(text))
    if isinstance(pay, Share) and pay.part > 1:
        raise ValueError(f"{text!r} is more than the {pay.meter} holds")


def _meter_troubles(book: "Rulebook") -> Troubles:
    tables = [table for tables in book.pay_table.values() for table in tables.values()]
    pays = [text for table in tables for pay in table.pays.values() for text in _pay_texts(book, pay)]
    paid = meters_of(map(parse_pay, pays))
    for name, meter in book.meter.items():
        if name not in paid:
            yield ("meter", name), "no pay table pays from this meter"
        yield from _amount_troubles(("meter", name, "smallest_seed"), meter.smallest_seed)
        if backups := meter.backups:
            yield from _amount_troubles(("meter", name, "backups", "from"), backups.from_)
            yield from _amount_troubles(("meter", name, "backups", "uncapped_from"), backups.uncapped_from)


def _offer_troubles(book: "Rulebook") -> Troubles:
    """Check that the default table can be opened: with all it must offer and no more than it may."""
    placed = book.placed
    if book.game and not placed:
        yield ("wager",), "a game has at least one wager that is placed before the deal"
    option = book.option.get("offers")
    offers = option.preset if option else tuple(placed)
    path = (section_of(book, "offers"), "offers")
    if not isinstance(offers, tuple) or (option and set(option.members or ()) != set(placed)):
        yield (*path, "members"), f"list the wagers placed before the deal: {', '.join(placed)}"
        return
    for name in placed:
        if book.wager[name].leave_out == "never" and name not in offers:
            yield (*path, "default"), f"the {name} wager may not be left out"
    if book.most_wagers and len(offers) > book.most_wagers:
        yield ("most_wagers",), f"by default the table offers {len(offers)} wagers"


def _figure_troubles(book: "Rulebook") -> Troubles:
    for place, printed in enumerate(book.published):
        if printed.wager not in book.wager:
            yield ("published", place, "wager"), f"there is no such wager; it may be {one_of(book.wager)}"
        tables = book.pay_table.get(printed.wager, {printed.pay_table: None})
        if printed.pay_table not in tables:
            yield ("published", place, "pay_table"), f"{printed.wager} has pay table {one_of(tables)}"
        if not _FIGURE.fullmatch(printed.figure):
            yield ("published", place, "figure"), "write the figure as it is printed, such as 2.99%"


def option_troubles(book: "Rulebook") -> Troubles:
    """The faults of the options: each by itself, and those that every table uses."""
    for name, option in book.option.items():
        for inner, trouble in (*_kind_troubles(option), *_chosen_troubles(name, option)):
            yield (section_of(book, name), name, *inner), trouble
    for name, most in _WHOLE_OPTIONS.items():
        if name in book.option and not _is_whole(book.option[name], most):
            yield (section_of(book, name), name), f"it takes whole numbers from 1 to {most} and nothing else"
    if isinstance(book.spots_per_player, str):
        sizing = book.option.get(book.spots_per_player)
        if sizing is None or not (is_switch(sizing) or _is_whole(sizing)):
            yield ("spots_per_player",), "name an option that takes true and false, or numbers from 1 up"


def section_of(book: "Rulebook", option: str) -> str:
    """The section of this file that names an option."""
    return "override" if option in book.override else "option"


def is_switch(option: "Option") -> bool:
    """Whether its only values are true and false."""
    return all(isinstance(value, bool) for value in option.values or ("none",))


def _is_whole(option: "Option", most: int = _MOST) -> bool:
    numbers = option.range or option.values or ("none",)
    return all(type(number) is int and 1 <= number <= most for number in numbers)


def _kind_troubles(option: "Option") -> Troubles:
    kinds = [kind for kind in ("values", "range", "members") if getattr(option, kind) is not None]
    if len(kinds) != 1:
        yield (), "say exactly one of values, range and members"
    if option.range is not None and option.range[0] > option.range[1]:
        yield ("range",), "write the lowest number first and the highest second"
    for field in ("values", "members", "approved"):
        listed = [str(value).lower() for value in getattr(option, field) or ()]
        if getattr(option, field) == []:
            yield (field,), "list at least one"
        if len(set(listed)) < len(listed):
            yield (field,), "list each only once"


def _chosen_troubles(name: str, option: "Option") -> Troubles:
    if option.default is not None and not _takes(option, option.preset):
        yield ("default",), str(BadOption(name, option.preset, option.allowed))
    for place, value in enumerate(option.approved or ()):
        if not _takes(option, value):
            yield ("approved", place), str(BadOption(name, value, option.allowed))


def _takes(option: "Option", value: object) -> bool:
    """Whether a rulebook may write this value: of the option's own type, so 6 and not "6"."""
    try:
        read = option.read("", value)
    except BadOption:
        return False
    if isinstance(read, tuple) and isinstance(value, tuple):
        return sorted(read) == sorted(value)
    return type(read) is type(value) and read == value


# The approved parts; readings, published figures and the letter itself only describe them
APPROVED: Final = (
    *("clause", "wager", "pay_table", "meter", "option"),
    *("cards", "most_wagers", "spots_per_player"),
)


def parse_rulebook(text: str, *, name: str, file: str) -> Rulebook:
    """Read the text of one rulebook; `merge` adds what it includes."""
    written = read_toml(text, RulebookText, file=file)
    return Rulebook(**msgspec.structs.asdict(written), name=name, file=file)


def load_rulebook(path: Path, find: Mapping[str, Path], *, always: str = "") -> Rulebook:
    """Load a rulebook with its includes (`always` is one of them), each checked under its own file's name."""
    return _load(path, find, always, ())


def _load(path: Path, find: Mapping[str, Path], always: str, within: tuple[str, ...]) -> Rulebook:
    book = parse_rulebook(_text(path), name=path.stem, file=path.name)
    within = (*within, path.stem)
    for place, included in enumerate(book.includes):
        if included not in find or included in within:
            known = one_of(name for name in find if name not in within)
            trouble = f"there is no rulebook {included!r} to include; it may be {known}"
            raise RulebookError(book.file, dotted("includes", place), trouble)
        merge(book, _load(find[included], find, always, within))
    if always and always not in within:
        merge(book, _load(find[always], find, always, within))
    _override(book)
    for name, entry in book.wager.items():  # wagers placed together share a pay table unless they have their own
        if entry.equals in book.pay_table:
            book.pay_table.setdefault(name, book.pay_table[entry.equals])
    check(book)
    return book


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as trouble:
        raise RulebookError(path.name, "file", f"cannot be read: {trouble}") from None


def merge(book: Rulebook, included: Rulebook) -> None:
    """Add the facts of an included rulebook; the book's own facts take precedence."""
    for section in ("clause", "waiting", "wager", "pay_table", "meter", "option"):
        own: dict[str, Any] = getattr(book, section)
        for key, value in getattr(included, section).items():
            own.setdefault(key, value)
    book.bonus.extend(name for name in included.bonus if name not in book.bonus)
    known = {(reading.clause, reading.settles) for reading in book.reading}
    book.reading.extend(r for r in included.reading if (r.clause, r.settles) not in known)
    book.guide = merge_sentences(book.guide, included.guide)
    book.procedure = merge_sentences(book.procedure, included.procedure)
    book.irregularity = merge_sentences(book.irregularity, included.irregularity)
    if book.spots_per_player is None:
        book.spots_per_player = included.spots_per_player


def _override(book: Rulebook) -> None:
    for name, change in book.override.items():
        if name not in book.option:
            key = dotted("override", name)
            raise RulebookError(book.file, key, f"there is no such option; it may be {one_of(book.option)}")
        changed = {key: value for key, value in msgspec.structs.asdict(change).items() if value is not None}
        book.option[name] = msgspec.structs.replace(book.option[name], **changed)


def departures(book: Rulebook, approved: Rulebook) -> Iterator[str]:
    """The differences between an own rulebook and the approved one that it replaces (WA.3)."""
    parts = [part for part in APPROVED if _encode(book, part) != _encode(approved, part)]
    if parts:
        *others, last = [part.replace("_", " ") for part in parts]
        listed = " and ".join(filter(None, [", ".join(others), last]))
        yield f"the rulebook differs from the approved one in its {listed}"


def _encode(book: Rulebook, part: str) -> bytes:
    """A part in its order, as the first of several pay tables or values is the default."""
    return msgspec.json.encode(getattr(book, part))
