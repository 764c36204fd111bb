"""Checks one game: loads its files, reads its clauses, deals rounds, and lists every fault."""

from collections.abc import Iterator

from feltworks import catalog
from feltworks.check.faults import Fault, judge_fault, line_of_key, rulebook_fault
from feltworks.check.rounds import trial_faults
from feltworks.errors import BadOption, RulebookError
from feltworks.rules.rulebook.model import Rulebook
from feltworks.rules.rulebook.toml import dotted

ROUNDS = 60  # for each opening


def check_game(name: str, rounds: int = ROUNDS, seed: int = 1) -> list[Fault]:
    """Every fault of a game; empty if it keeps what every game promises.

    >>> check_game("fu-bacc", rounds=3)
    []
    """
    if name not in catalog.rulebook_files():
        catalog.check_game(name)
    if fault := catalog.broken_books().get(name):
        return [rulebook_fault(each) for each in (fault, *fault.others)]
    try:
        book = catalog.rulebook(name)
        game = catalog.game(name, options=book.offers_for(catalog.first_offers(book)))
    except RulebookError as fault:
        return [rulebook_fault(each) for each in (fault, *fault.others)]
    except BadOption as refused:
        return [Fault(book.file, 1, "", str(refused))]
    silent = [judge_fault(kind, "the wager names no outcomes") for kind in game.wagers.values() if not kind.outcomes]
    return [*_clause_faults(book), *silent, *trial_faults(game, rounds, seed)]


def _clause_faults(book: Rulebook) -> Iterator[Fault]:
    """Clauses without text."""
    path = catalog.rulebook_files()[book.name]
    text = path.read_text(encoding="utf-8")
    for clause, words in book.clause.items():
        if len(words.split()) < 2:
            yield Fault(path.name, line_of_key(text, ["clause", clause]), dotted("clause", clause), "it says nothing")
