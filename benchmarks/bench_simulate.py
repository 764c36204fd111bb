"""Simulated rounds a second on one core against the C yardsticks in one run, and two threads against one.

bench_simulate.py [FOLDER] takes the folder of the C sources; without one it looks beside the project.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from clock import timed

from feltworks.machine.streams import Stream
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.rounds.kernel import Kernel, kernel_for
from feltworks.simulation.run import Run
from feltworks.simulation.workers import Threads

HEADERS = Path(__file__).parent  # a header that sim_sp.c includes and its folder lacks
BESIDE = Path(__file__).parents[2] / "shared" / "yardsticks"
ROUNDS, TURNS = 4_000_000, 4
THREADED = 1 << 27
DEMANDED_OF_TWO = 1.7
OWN_GAME = Path(__file__).parents[1] / "docs" / "how-to" / "add-a-game.md"  # its Casino War is dealt too
UNIT = 100_00
BOTH = {"blackjack": UNIT, "lucky-lucky": UNIT, "lucky-break": UNIT}
SIXES = {"rules": [{"choice": "raise", "if": {"hand": {"from": "6c 6d 4h 3s 2c"}}}, {"choice": "fold"}]}
FU_BACC = Plan("fu-bacc", ({"ante": UNIT, "lucky-monkey": UNIT, "tie": UNIT},))
LUCKY_LUCKY = Plan("lucky-lucky", ({"lucky-lucky": UNIT},), shuffle_every_round=True)
LUCKY_BREAK = Plan("lucky-break", ({"lucky-break": UNIT},), shuffle_every_round=True)
SPANISH = Plan("spanish-poker", ({"ante": UNIT},), Strategy("sixes", SIXES))
BLACKJACK = Plan("lucky-lucky", ({"blackjack": UNIT},), Strategy("basic"))
BONUSES = Plan("lucky-lucky", (BOTH,), Strategy("basic"))
CASINO_WAR = Plan("casino-war", ({"ante": UNIT, "tie": UNIT},))
# A plan, the line of a C program that it is measured against, and the part of its speed that is asked for
PLANS = {
    "Lucky Lucky": (LUCKY_LUCKY, r"LL 6 decks", 0.4),
    "Lucky Break": (LUCKY_BREAK, r"LB dealer-only", 0.4),
    "Fu Bacc, all wagers": (FU_BACC, r"FuBacc", 0.6),
    "Spanish Poker": (SPANISH, r"Spanish|SP", 0.45),
    "blackjack alone": (BLACKJACK, r"Blackjack BS", 0.7),
    "blackjack, both bonuses": (BONUSES, r"Blackjack \+ LL \+ LB", 0.35),
    "Casino War of the guide": (CASINO_WAR, r"FuBacc", 0.2),
}


def compile_yardsticks(into: Path) -> list[Path]:
    """The C programs, compiled here; one that cannot be is named with the reason."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else BESIDE
    programs = []
    for source in sorted(folder.glob("*.c")):
        program = into / source.stem
        command = ["gcc", "-O3", "-march=native", f"-I{HEADERS}", "-o", program, source, "-lm"]
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode:
            missing = re.search(r"([\w.]+\.h): No such file", made.stderr)
            print(f"{source.name} is left out: " + (f"its header {missing[1]} is missing" if missing else "gcc fails"))
        else:
            programs.append(program)
    if not programs:
        print(f"no C yardsticks in {folder.name}: our own rates alone")
    return programs


def best_rate(printed: str, line: str) -> float | None:
    """The best rate that the C programs print under a name, in millions of rounds a second."""
    found = re.findall(rf"^(?:{line})[^\n]*?([\d.]+) M (?:rounds|hands)/s", printed, re.MULTILINE)
    return max(map(float, found)) if found else None


def measure(kernels: Mapping[str, Kernel], demands: Mapping[str, tuple[str, float]]) -> None:
    """Print the rate of each kernel beside the line of the C programs that it is measured against.

    C and ours are run in turns, and the best of each counts: what else the machine does only ever adds.
    """
    rates, printed = dict.fromkeys(kernels, 0.0), ""
    with tempfile.TemporaryDirectory() as folder:
        programs = compile_yardsticks(Path(folder))
        for _ in range(TURNS):
            for program in programs:
                printed += subprocess.run([program, str(ROUNDS)], capture_output=True, text=True, check=True).stdout
            for name, kernel in kernels.items():
                seconds = timed(partial(kernel.tally, Stream(1, 0), ROUNDS))
                rates[name] = max(rates[name], ROUNDS / seconds / 1e6)
    for name, ours in rates.items():
        line, demanded = demands[name]
        theirs = best_rate(printed, line)
        against = f", in C {theirs:6.1f}: {ours / theirs:.2f} of it (demanded {demanded})" if theirs else ""
        print(f"{name:<24}{ours:6.1f} M rounds/s{against}")


def make_kernels(plans: Mapping[str, Plan]) -> dict[str, Kernel]:
    """The kernels of some plans, compiled; prints how long each took."""
    kernels = {}
    for name, plan in plans.items():
        begun = time.process_time()
        kernels[name] = kernel_for(plan)
        kernels[name].tally(Stream(0, 0), 10)
        print(f"{name:<24}ready in {time.process_time() - begun:5.1f} s of CPU")
    return kernels


def threads(workers: int) -> tuple[float, float]:
    """Seconds on the wall's clock and of the cores for the same rounds by so many threads."""
    wall, cores = [], []
    for _ in range(3):
        begun = time.process_time()
        with Threads(workers) as crew:
            wall.append(Run(FU_BACC, 1, rounds=THREADED).simulate(crew).seconds)
        cores.append(time.process_time() - begun)
    return min(wall), min(cores)


def unpack_own_game(folder: Path) -> None:
    """Write the files of the guide's game where the catalogue finds them."""
    for name, text in re.findall(r'```\w+ title="([^"]+)"\n(.*?)```', OWN_GAME.read_text(), re.DOTALL):
        (folder / name).write_text(text)
    os.environ["FELT_GAMES"] = str(folder)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        unpack_own_game(Path(folder))
        kernels = make_kernels({name: plan for name, (plan, _, _) in PLANS.items()})
        measure(kernels, {name: (line, demanded) for name, (_, line, demanded) in PLANS.items()})
    (one, alone), (two, together) = threads(1), threads(2)
    print(f"two threads are {one / two:.2f} times as fast as one (demanded {DEMANDED_OF_TWO})", end="")
    print(f", for {together / alone:.2f} times its work; the former takes two idle cores")


if __name__ == "__main__":
    main()
