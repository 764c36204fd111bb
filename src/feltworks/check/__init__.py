"""Checks that a game keeps the common promises: its files load, and its rounds are dealt and settled correctly.

The clauses are read, random rounds are dealt through the rules, each step is checked, and every fault is listed.
"""

import ast
import inspect
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import current_thread, main_thread
from types import CodeType, FrameType
from typing import Any

from feltworks import catalog
from feltworks.cards import Card
from feltworks.check.faults import Fault, class_fault, judge_fault, line_of_key, raised_fault, rulebook_fault
from feltworks.errors import BadOption, FeltError, RulebookError
from feltworks.money import Cents
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Choice, Place, Round, Seat
from feltworks.rules.rulebook.model import Rulebook
from feltworks.rules.rulebook.toml import dotted
from feltworks.rules.settlement import facts_for
from feltworks.rules.steps import Decide, Draw, Offer, Peek, Step, Turn
from feltworks.rules.wager import Line, Part, Verdict

_UNIT: Cents = 60_00  # divisible into halves, thirds and quarters
_MOST_STEPS = 400
_SECONDS = 5.0  # a round takes a few milliseconds
_SEATS = (1, 1, 3)


class ChoiceName(str):
    """The name of a choice; notes unequal comparisons by the rules, and where they are."""

    notes: "ChoiceNotes"

    def __eq__(self, other: object) -> bool:
        return self._is(other, sys._getframe(1))

    def __ne__(self, other: object) -> bool:
        return not self._is(other, sys._getframe(1))

    def _is(self, other: object, caller: FrameType) -> bool:
        is_equal = str(self) == other
        if isinstance(other, str) and not is_equal:
            self.notes.compared.setdefault((str(other), caller.f_code), caller.f_lineno)
        return is_equal

    __hash__ = str.__hash__


class ChoiceNotes:
    """The choices offered in a game's rounds, and the names that its rules compare them with."""

    def __init__(self, game: Game) -> None:
        kinds = {type(game), *map(type, game.wagers.values())}
        self._files = {Path(inspect.getfile(kind)) for kind in kinds}
        self.compared: dict[tuple[str, CodeType], int] = {}
        self._offered: set[str] = set()

    def name(self, offer: Offer) -> ChoiceName:
        """The name of the chosen offer."""
        self._offered.add(offer.name)
        name = ChoiceName(offer.name)
        name.notes = self
        return name

    def faults(self) -> Iterator[Fault]:
        """Names that no decision offers and no call in the rules contains: other options may offer those."""
        offered = ", ".join(sorted(self._offered))
        for (name, code), line in self.compared.items():
            path = Path(code.co_filename)
            if path in self._files and name not in self._offered | _names_in_calls(path):
                words = f"no decision offers the choice {name!r}; those that are offered: {offered}"
                yield Fault(path.name, line, code.co_qualname, words)


def _names_in_calls(path: Path) -> set[str]:
    """The string arguments of all calls in a file."""
    calls = [node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Call)]
    arguments = [argument for call in calls for argument in (*call.args, *(word.value for word in call.keywords))]
    return {one.value for one in arguments if isinstance(one, ast.Constant) and isinstance(one.value, str)}


def openings_of(game: Game) -> Iterator[dict[str, Cents]]:
    """Each wager of a table with the wagers it needs, and all wagers together."""
    terms = game.terms
    offered = [name for name in terms.rulebook.wager if name in terms.offers]
    groups = [{name, *terms.needed_wagers([name])} for name in offered]
    for names in dict.fromkeys(frozenset(group) for group in (*groups, offered)):
        yield {name: _amount(game, name) for name in offered if name in names}


def _amount(game: Game, wager: str) -> Cents:
    entry = game.terms.rulebook.wager[wager]
    return entry.least if entry.fixed else max(_UNIT, entry.least) * game.terms.breakage.chip


class TrialRound:
    """One round, dealt card by card; stops at the first fault."""

    def __init__(self, game: Game, wagers: Mapping[str, Cents], seats: int, chance: Random, notes: ChoiceNotes) -> None:
        self._game, self._wagers, self._seats, self._chance, self._notes = game, wagers, seats, chance, notes
        self._deck = list(game.terms.shoe.all_cards())
        chance.shuffle(self._deck)
        self._under: dict[tuple[Place, int], Card] = {}
        self.is_endless = False

    def fault(self) -> Fault | None:
        """The fault of the round; None if there is none."""
        try:
            with _time_limit(_SECONDS):
                return self._play()
        except TimeoutError as endless:
            self.is_endless = True
            return raised_fault(endless) or class_fault(type(self._game), str(endless))
        except FeltError as refused:
            return raised_fault(refused) or class_fault(type(self._game), str(refused), "procedure")
        except Exception as error:  # any exception of a designer's rules is their fault
            if fault := raised_fault(error) or self._signature_fault(error):
                return fault
            raise

    def _signature_fault(self, error: Exception) -> Fault | None:
        """The fault of a method that does not accept its arguments; no line of its own shows it."""
        name, dot, rest = str(error).partition("()")[0].partition(".")
        for kind in (type(self._game), *map(type, self._game.wagers.values())):
            if isinstance(error, TypeError) and dot and kind.__name__ == name and hasattr(kind, rest):
                return class_fault(kind, str(error), rest)
        return None

    def _play(self) -> Fault | None:
        game = self._game
        meters = dict.fromkeys(game.terms.rulebook.meter, 10_000_00)
        r = game.open_round([dict(self._wagers) for _ in range(self._seats)], meters)
        given: tuple[Line, ...] = ()
        before: Step | None = None
        for _ in range(_MOST_STEPS):
            if fault := self._verdict_fault(r):
                return fault
            step, lines = game.awaits(r), game.settle(r)
            if isinstance(step, Decide) and step == before:
                asked = f"the decision {step.about!r}" if step.about else "a decision"
                return class_fault(type(game), f"{asked} is asked again when it has been answered", "procedure")
            fault = self._changed_line(given, lines) or self._line_fault(lines) or self._step_fault(r, step)
            if fault or step is None:
                return fault or self._end_fault(r, lines)
            given, before, r = lines, step, advance(r, step, self._answer(r, step))
        return class_fault(type(game), f"a round is not over after {_MOST_STEPS} steps", "procedure")

    def _answer(self, r: Round, step: Step) -> Any:
        if isinstance(step, Decide):
            return self._choice(step)
        if isinstance(step, Draw):
            drawn = [self._deck.pop() for _ in range(step.count)]
            if step.down:
                begin = len(r.at(step.to))
                self._under |= {(step.to, begin + place): card for place, card in enumerate(drawn)}
            return (FACE_DOWN,) * step.count if step.down else tuple(drawn)
        if isinstance(step, Turn):
            return tuple(self._under[step.at, step.index + place] for place in range(step.count))
        assert isinstance(step, Peek)
        return peek_answer(step, self._under[step.at, step.index])

    def _choice(self, step: Decide) -> Choice:
        offer: Offer = self._chance.choice(step.offers)
        amounts = offer.sizes or (offer.least, offer.most)
        return Choice(self._notes.name(offer), self._chance.choice(amounts), step.about)

    def _verdict_fault(self, r: Round) -> Fault | None:
        """The fault of a judge that returns anything but a verdict on an outcome it lists."""
        for number, seat in enumerate(r.seats):
            standing = self._game.standing(r, number)
            for name, cents in seat.wagers.items():
                judge = self._game.wagers[name]
                facts = facts_for(judge, r, number, standing)
                parts = judge.parts(facts, cents) if judge.divides else [Part("", cents, judge.judge(facts))]
                verdicts: Iterable[object] = [part.verdict for part in parts if part.verdict is not None]
                for verdict in verdicts:
                    if not isinstance(verdict, Verdict):
                        return judge_fault(judge, f"`judge` gives {verdict!r}; it has to give a Verdict or None")
                    if verdict.outcome not in judge.outcomes:
                        return judge_fault(judge, f"the outcome {verdict.outcome!r} is not listed in `outcomes`")
        return None

    def _changed_line(self, given: tuple[Line, ...], lines: tuple[Line, ...]) -> Fault | None:
        for line in given:
            if line not in lines:
                judge = self._game.wagers[line.wager]
                return judge_fault(judge, f"a line that said {line.outcome!r} changed later in the round")
        return None

    def _line_fault(self, lines: tuple[Line, ...]) -> Fault | None:
        clauses = self._game.terms.rulebook.clause
        for line in lines:
            judge = self._game.wagers[line.wager]
            cited: object = line.clauses  # the rules' own, whatever they are
            if isinstance(cited, str):
                words = f"the clauses of the outcome {line.outcome!r} are no tuple; write ({cited!r},)"
                return judge_fault(judge, words)
            if not line.clauses or not all(clause in clauses for clause in line.clauses):
                named = ", ".join(line.clauses) or "no clause"
                return judge_fault(judge, f"the outcome {line.outcome!r} cites {named}; the rulebook has others")
            if not line.because.strip():
                return judge_fault(judge, f"the outcome {line.outcome!r} gives no reason")
        return None

    def _step_fault(self, r: Round, step: Step | None) -> Fault | None:
        game = type(self._game)
        if isinstance(step, Decide):
            names = [offer.name for offer in step.offers]
            if not names or len(set(names)) < len(names):
                return class_fault(game, f"a decision offers {names or 'nothing'}", "procedure")
            if not 0 <= step.seat < len(r.seats):
                return class_fault(game, f"a decision is asked of seat {step.seat + 1}", "procedure")
            return self._offer_fault(r.seats[step.seat], step)
        if isinstance(step, Turn | Peek):
            count = step.count if isinstance(step, Turn) else 1
            missing = [i for i in range(step.index, step.index + count) if (step.at, i) not in self._under]
            if missing or any(r.is_turned(step.at, step.index + i) for i in range(count)):
                return class_fault(game, "a card is turned that does not lie face down", "procedure")
        if isinstance(step, Draw) and step.count > len(self._deck):
            return class_fault(game, "a round takes more cards than the shoe holds", "procedure")
        return None

    def _offer_fault(self, seat: Seat, step: Decide) -> Fault | None:
        for offer in step.offers:
            if offer.wager and offer.wager not in self._game.wagers:
                return class_fault(type(self._game), f"{offer.name} puts money on no wager of the game", "procedure")
            if offer.least > offer.most:
                return class_fault(type(self._game), f"{offer.name} offers less at most than at least", "procedure")
            if seat.wagers.get(offer.wager, 0) + offer.least < 0:
                return class_fault(type(self._game), f"{offer.name} takes back more than was wagered", "procedure")
        return None

    def _end_fault(self, r: Round, lines: tuple[Line, ...]) -> Fault | None:
        for number, seat in enumerate(r.seats):
            for name, cents in seat.wagers.items():
                settled = sum(line.wagered for line in lines if (line.seat, line.wager) == (number, name))
                if settled != cents:
                    said = "is undecided when" if not settled else f"settles {settled} of {cents} cents when"
                    return judge_fault(self._game.wagers[name], f"the wager {said} the round is over")
        return None


def trial_faults(game: Game, rounds: int, seed: int = 1) -> Iterator[Fault]:
    """The faults found by random rounds with all its wagers, one for each class or method."""
    known: set[tuple[str, int, str, str]] = set()
    notes = ChoiceNotes(game)
    for wagers in openings_of(game):
        for number in range(rounds):
            seats = min(_SEATS[number % len(_SEATS)], game.terms.spots or 3)
            trial = TrialRound(game, wagers, seats, Random(seed * 1_000_003 + number), notes)
            fault = trial.fault()
            if fault and (place := (fault.file, fault.line, fault.key, fault.wager)) not in known:
                known.add(place)
                yield fault
            if trial.is_endless:
                return
    yield from notes.faults()


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Stop rules that run too long; signals reach only the main thread, so other threads have no limit."""
    if current_thread() is not main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise TimeoutError(f"the rules have not come to an end after {seconds:g} seconds")

    former = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


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
