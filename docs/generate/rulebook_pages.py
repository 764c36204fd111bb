"""A page for every game and one for the law, written from the rulebooks."""

from collections.abc import Iterator

from markdown_text import NOTE, code, page, section, table

from feltworks import catalog
from feltworks.rules.rulebook.model import Option, OptionPay, PayTable, Rulebook, WagerEntry

LAW = ("washington", "tribal-operation")


def rulebook_pages() -> dict[str, str]:
    """The pages by their place in the site."""
    games = {f"reference/games/{name}.md": _game(catalog.rulebook(name)) for name in catalog.games()}
    return {"reference/games/index.md": _index(), **games, "reference/law.md": _law()}


def _index() -> str:
    books = [catalog.rulebook(name) for name in catalog.games()]
    rows = [
        [
            f"[{book.title}]({book.name}.md)",
            code(book.name),
            ", ".join(map(code, book.wager)),
            _approved(book),
        ]
        for book in books
    ]
    return page("# Games", table(["game", "name in commands", "wagers", "approved"], rows), NOTE)


def _approved(book: Rulebook) -> str:
    if book.approval is None:
        return "no"
    number = f", submission {book.approval.submission}" if book.approval.submission else ""
    return f"{book.approval.date}{number}"


def _game(book: Rulebook) -> str:
    return page(
        f"# {book.title}",
        f"`felt play {book.name}` deals it, `felt games {book.name}` shows this page in the terminal. {NOTE}",
        section("Cards", _cards(book)),
        section("Clauses", table(["clause", "says"], book.clause.items())),
        section("Wagers", table(["wager", "kind", "clause", "rules"], _wagers(book))),
        section("Pay tables", *_pay_tables(book)),
        section("Meters", table(["meter", "clause", "rules"], _meters(book))),
        section("Options", table(["option", "default", "takes", "clause", "meaning"], _options(book))),
        section("Readings", table(["clause", "how we read it", "because", "else"], _readings(book))),
        section("Printed figures", *_figures(book)),
        section("Approval", *_approval(book)),
    )


def _cards(book: Rulebook) -> str:
    decks = "decks as the option `decks` says" if "decks" in book.option else f"decks: {book.cards.decks}"
    said = [decks, f"shuffled: {book.cards.shuffle}"]
    if book.cards.without:
        said.append(f"without {', '.join(book.cards.without)}")
    if book.cards.jokers:
        said.append(f"jokers in each deck: {book.cards.jokers}")
    return "; ".join(said) + "."


def _wagers(book: Rulebook) -> Iterator[list[object]]:
    for name, entry in book.wager.items():
        yield [f"{entry.title} ({code(name)})", entry.kind, entry.clause, "; ".join(_rules(entry))]


def _rules(entry: WagerEntry) -> Iterator[str]:
    for words, bond in (("needs", entry.needs), ("not above", entry.not_above)):
        if bond is not None:
            yield f"{words} {bond.wager}" + (f" unless option {code(bond.unless)}" if bond.unless else "")
    if entry.of:
        yield f"{'exactly' if entry.times else 'up to'} {entry.multiples} times {entry.of}"
    if entry.equals:
        yield f"placed with as much {entry.equals}"
    if entry.fixed or entry.minimum:
        yield f"always {entry.fixed}" if entry.fixed else f"at least {entry.minimum}"
    if entry.tokes:
        yield "tokes are taken on it"
    if entry.kind != "derived":
        left_out = {"never": "always offered", "allowed": "may be left out"}
        yield left_out.get(entry.leave_out, "a table without it is not as approved")


def _pay_tables(book: Rulebook) -> Iterator[str]:
    for wager, tables in book.pay_table.items():
        yield f"### {book.wager[wager].title}"
        headings = ["outcome", *(f"table {name} ({each.clause})" for name, each in tables.items())]
        yield table(headings, _pays(list(tables.values())))


def _pays(tables: list[PayTable]) -> Iterator[list[str]]:
    for row in dict.fromkeys(row for each in tables for row in each.pays):
        yield [row, *(_paid(each, row) for each in tables)]
    for row in dict.fromkeys(row for each in tables for row in each.factors):
        yield [row, *(f"× {each.factors[row]}" if row in each.factors else "" for each in tables)]
    for switch in dict.fromkeys(row for each in tables for row in each.switches):
        yield [
            switch.replace("_", " "),
            *("yes" if each.switches.get(switch, True) else "no" for each in tables),
        ]


def _paid(each: PayTable, row: str) -> str:
    pay = each.pays.get(row, "")
    said = f"as option `{pay.option}` says" if isinstance(pay, OptionPay) else pay
    return f"{said} ({each.needs_decks[row]} decks or more)" if row in each.needs_decks else said


def _meters(book: Rulebook) -> Iterator[list[str]]:
    for name, meter in book.meter.items():
        yield [code(name), meter.clause, f"starts from at least {meter.smallest_seed}"]
        if backups := meter.backups:
            said = f"a backup may start at {backups.from_} and stays within it below {backups.uncapped_from}"
            yield [code(name), backups.clause, said]


def _options(book: Rulebook) -> Iterator[list[str]]:
    for name, option in book.option.items():
        yield [code(name), _written(option.preset), _takes(option), option.clause, option.text]


def _takes(option: Option) -> str:
    if option.approved is None:
        return option.allowed
    approved = ", ".join(map(_written, option.approved))
    return f"{option.allowed}; on the approved sheet: {approved}"


def _written(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _readings(book: Rulebook) -> Iterator[list[str]]:
    for each in book.reading:
        option = f" (option {code(each.option)})" if each.option else ""
        yield [each.clause, each.settles, each.because, " ".join(each.alternatives) + option]


def _figures(book: Rulebook) -> Iterator[str]:
    rows = [
        [
            each.wager,
            each.pay_table,
            each.decks or "",
            each.quantity.replace("_", " "),
            each.figure,
            each.clause,
        ]
        for each in book.published
    ]
    if not rows:
        yield f"The document prints none. `felt audit {book.name}` lists the computed ones."
        return
    yield f"As the document prints them; `felt audit {book.name}` computes each afresh."
    yield table(["wager", "pay table", "decks", "quantity", "printed", "clause"], rows)


def _approval(book: Rulebook) -> Iterator[str]:
    if book.approval is None:
        yield "This game is not approved."
        return
    yield f"Approved: {_approved(book)}."
    rows = [[each.of, each.text, each.clause] for each in book.approval.conditions]
    yield table(["asked of", "condition", "clause"], rows)
    yield from book.approval.remarks


def _law() -> str:
    books = [catalog.rulebook(name) for name in LAW]
    words = "What the law asks, by the day from which it holds; `felt house profile` shows one day."
    clauses = section("Clauses", table(["clause", "says"], books[0].clause.items()))
    return page("# The law by date", f"{words} {NOTE}", clauses, *map(_by_date, books))


def _by_date(book: Rulebook) -> str:
    rows = [
        [subject, each.from_, each.value, each.source, each.sure]
        for subject, dated in book.law.items()
        for each in dated
    ]
    return section(book.title, table(["subject", "from", "value", "source", "how sure"], rows))
