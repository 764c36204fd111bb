"""A playthrough told step by step, as a supervisor could read it: cards, offers, choices, gestures, lines."""

import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from feltworks import catalog
from feltworks.money import Cents, dollars
from feltworks.rules.advance import Answer
from feltworks.rules.game import Game
from feltworks.rules.round import Back, Choice, Face, Round
from feltworks.rules.steps import Burn, Decide, Discard, Draw, Gesture, Peek, Say, Step, Tuck, Turn, place_name
from feltworks.rules.wager import Line
from tests.conformance.play import Move, play

FOLDER = Path(__file__).parent
_HEADING = re.compile(r"^# ([a-z ]+): (.+)$", re.MULTILINE)
_WORDS = {1: "one card", 2: "two cards", 3: "three cards", 5: "five cards"}


class Heading(NamedTuple):
    """What a transcript is a playthrough of; it stands at the top of the file."""

    game: str
    settings: tuple[str, ...] = ()  # option=value, or wager:table
    seed: int = 1
    rounds: int = 3

    def __str__(self) -> str:
        settings = [f"# set: {setting}" for setting in self.settings]
        return "\n".join([f"# game: {self.game}", *settings, f"# seed: {self.seed}", f"# rounds: {self.rounds}"])

    @classmethod
    def of(cls, text: str) -> "Heading":
        found = [(key, value) for key, value in _HEADING.findall(text)]
        said = dict(found)
        settings = tuple(value for key, value in found if key == "set")
        return cls(said["game"], settings, int(said.get("seed", 1)), int(said.get("rounds", 3)))

    def table(self) -> Game[Any]:
        options = dict(setting.split("=") for setting in self.settings if "=" in setting)
        pay_tables = dict(setting.split(":") for setting in self.settings if "=" not in setting)
        return catalog.game(self.game, options=options, pay_tables=pay_tables)


def transcript(heading: Heading) -> str:
    """The whole text of a playthrough."""
    game, rng = heading.table(), random.Random(heading.seed)
    rounds = ["\n".join([f"Round {number + 1}", *_round(game, rng)]) for number in range(heading.rounds)]
    return "\n\n".join([str(heading), *rounds]) + "\n"


def _round(game: Game[Any], rng: random.Random) -> Iterator[str]:
    played = play(game, rng)
    for number, seat in enumerate(played.opened.seats):
        tokes = f"; tokes: {_amounts(seat.tokes)}" if seat.tokes else ""
        yield f"  {place_name(number)} wagers {_amounts(seat.wagers)}{tokes}"
    yield from (f"  {meter} posted at {dollars(c)}" for meter, c in played.opened.meters.items())
    settled: tuple[Line, ...] = ()
    for move in played.moves:
        yield from _move(game, move)
        lines = game.settle(move.after)
        yield from (_line(line) for line in lines if line not in settled)
        settled = lines
    yield from _seen(game, played.end)


def _move(game: Game[Any], move: Move) -> Iterator[str]:
    if isinstance(move.step, Decide):
        subject = f" ({move.step.about})" if move.step.about else ""
        offers = ", ".join(map(str, move.step.offers))
        yield f"  {place_name(move.step.seat)}{subject} may {offers}"
    yield f"  {_happened(move.step, move.answer)}"
    yield from (f"    {_gesture(each)}" for each in game.gestures(move.before, move.after, move.step))


def _happened(step: Step, answer: Answer) -> str:
    if isinstance(step, Decide):
        assert isinstance(answer, Choice)
        amount = f" for {dollars(answer.cents)}" if answer.cents else ""
        return f"{place_name(step.seat)} says {answer.name}{amount}"
    assert isinstance(answer, tuple)
    if isinstance(step, Draw):
        what = f"{_WORDS[step.count]} face down" if step.down else _faces(answer)
        return f"{place_name(step.to)} is dealt {what}"
    if isinstance(step, Peek):
        found = "finds nothing" if isinstance(answer[0], Back) else f"turns {_faces(answer)}"
        return f"{place_name(step.at)} looks under card {step.index + 1} and {found}"
    assert isinstance(step, Turn)
    return f"{place_name(step.at)} turns {_faces(answer)}"


def _gesture(gesture: Gesture) -> str:
    told = {
        Say: lambda g: f'"{g.words}"',
        Tuck: lambda g: f"the hand of {place_name(g.seat)} is tucked under {g.under}",
        Burn: lambda g: f"card {g.index + 1} of {place_name(g.at)} is burned",
        Discard: lambda g: f"the hand of {place_name(g.seat)} is discarded",
    }[type(gesture)](gesture)
    return f"{told} [{gesture.clause}]"


def _line(line: Line) -> str:
    name = f"{line.wager} toke" if line.toke else f"{line.wager}, {line.part}" if line.part else line.wager
    net = dollars(line.net, signed=True)
    clauses = ", ".join(line.clauses)
    return f"  = {place_name(line.seat)} {name} {dollars(line.wagered)}: {net}. {line.reason} [{clauses}]"


def _seen(game: Game[Any], end: Round) -> Iterator[str]:
    shown = game.view(end)
    yield f"  the bystander sees: dealer {_faces(shown.dealer)}"
    yield from (f"  the bystander sees: {place_name(n)} {_faces(seat.cards)}" for n, seat in enumerate(shown.seats))


def _amounts(wagers: Mapping[str, Cents]) -> str:
    return ", ".join(f"{dollars(cents)} on {name}" for name, cents in wagers.items())


def _faces(faces: tuple[Face, ...]) -> str:
    return " ".join("##" if isinstance(face, Back) else face.code for face in faces)
