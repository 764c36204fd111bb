"""Six-seat rounds a second through `felt settle -`, game by game and mixed, beside a yardstick."""

import json
import random
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from feltworks import catalog
from feltworks.cards import Card
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Choice, Round
from feltworks.rules.steps import Decide, Draw, Peek, Turn

SEATS, ROUNDS, RUNS, DEMANDED = 6, 12_000, 4, 2000
WAGERS: dict[str, dict[str, int]] = {
    "fu-bacc": {"ante": 1000, "lucky-monkey": 500, "tie": 500},
    "acey-deucey-21": {"blackjack": 1000, "acey-deucey": 500, "war": 500},
    "lucky-break": {"blackjack": 1000, "lucky-break": 500},
    "lucky-lucky": {"blackjack": 1000, "lucky-lucky": 500, "lucky-break": 500},
    "spanish-poker": {"ante": 1000, "dos-pares": 500, "joker-in-hand": 500},
}


def played(game: Game[Any], wagers: dict[str, int], rng: random.Random) -> tuple[Round, dict[int, list[Card]]]:
    """One round under random choices, and every card that lies on the felt, turned or not."""
    order = list(game.terms.shoe.all_cards())
    rng.shuffle(order)
    lying: dict[int, list[Card]] = {}
    r = game.open_round([wagers] * SEATS)
    while (step := game.awaits(r)) is not None:
        if isinstance(step, Decide):
            offer = rng.choice([offer for offer in step.offers if offer.name != "surrender"])
            r = advance(r, step, Choice(offer.name, offer.most))
        elif isinstance(step, Draw):
            faces = [order.pop() for _ in range(step.count)]
            lying.setdefault(step.to, []).extend(faces)
            r = advance(r, step, (FACE_DOWN,) * step.count if step.down else tuple(faces))
        elif isinstance(step, Turn):
            r = advance(r, step, tuple(lying[step.at][step.index : step.index + step.count]))
        elif isinstance(step, Peek):
            r = advance(r, step, peek_answer(step, lying[step.at][step.index]))
    return r, lying


def written(game: Game[Any], name: str, r: Round, lying: dict[int, list[Card]]) -> dict[str, Any]:
    """The round as `felt settle` reads it."""
    codes = {place: [face.code for face in faces] for place, faces in lying.items()}
    dealer = codes[-1]
    if name == "fu-bacc":
        seats = [{"cards": codes[n][:2], "third": codes[n][2]} for n in range(SEATS)]
        shown: dict[str, Any] = dict(zip(("up", "hole", "third"), dealer, strict=True))
    elif name == "spanish-poker":
        seats, shown = [{"cards": codes[n]} for n in range(SEATS)], {"cards": dealer}
    else:
        seats = [{"cards": codes[n][:2], "hands": _hands(game, r, n)} for n in range(SEATS)]
        shown = {"hole": dealer[0], "up": dealer[1], "draws": dealer[2:]}
    for number, seat in enumerate(seats):
        choices = r.seats[number].choices
        seat["wagers"] = WAGERS[name]
        if shown.keys() & {"third", "cards"}:
            seat["choice"] = choices[0].name
        for field in ("raise", "insurance"):
            seat[field] = r.seats[number].wagers.get(field, 0)
    return {"game": name, "dealer": shown, "seats": seats}


def _hands(game: Any, r: Round, seat: int) -> list[dict[str, Any]]:
    hands = zip(game.standing(r, seat).spot.hands, game.part_cards(r, seat, "blackjack"), strict=True)
    return [{"cards": [face.code for face in held], "doubled": hand.is_doubled} for hand, held in hands]


def yardstick() -> float:
    """Seconds for a fixed amount of plain Python work: building and reading small tuples and dicts."""
    begun = time.perf_counter()
    total = 0
    for i in range(300_000):
        row = {"a": i, "b": (i, i + 1)}
        total += row["a"] + len(row["b"])  # type: ignore[operator,arg-type]
    return time.perf_counter() - begun


def main() -> None:
    felt = Path(sys.executable).with_name("felt")
    by_game = {name: rounds(name) for name in WAGERS if name in catalog.games()}
    mixed = [line for together in zip(*by_game.values(), strict=True) for line in together]
    for name, lines in [*by_game.items(), ("all in turn", mixed[:ROUNDS])]:
        text = "\n".join(lines).encode()
        # In turns, and the best of each: what else the machine does only ever adds.
        times, units = zip(*[(settling(felt, text), yardstick()) for _ in range(RUNS)], strict=True)
        rate, unit = len(lines) / min(times), min(units)
        speed = f"{rate:8,.0f} six-seat rounds a CPU second (demanded {DEMANDED:,})"
        print(f"settle {name:15} {speed} {rate * unit:8,.0f} a yardstick", flush=True)


def rounds(name: str) -> list[str]:
    """Different rounds of one game, as they are written down."""
    game, rng = catalog.game(name), random.Random(1)
    return [json.dumps(written(game, name, *played(game, WAGERS[name], rng))) for _ in range(ROUNDS)]


def settling(felt: Path, text: bytes) -> float:
    """Seconds of CPU that `felt settle -` takes from its start to its last answer."""
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([felt, "settle", "-"], input=text, capture_output=True, check=True)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert b'"error"' not in done.stdout, done.stdout[:500]
    return ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime


if __name__ == "__main__":
    main()
