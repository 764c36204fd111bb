"""Simulated rounds a second on one core against the C yardsticks in one run, and two threads against one.

bench_simulate.py [FOLDER] takes the folder of the C sources; without one it looks beside the project.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from clock import timed

from feltworks.machine.streams import Stream
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.rounds.kernel import Kernel, kernel_for
from feltworks.simulation.run import Run
from feltworks.simulation.workers import Threads

HEADERS = Path(__file__).parent  # a header that sim_sp.c includes and its folder lacks
BESIDE = Path(__file__).parents[2] / "shared" / "yardsticks"
ROUNDS = 4_000_000
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


def spoken(source: Path) -> str:
    """What a C program prints when it is compiled and run here; why not, where it cannot be."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        made = subprocess.run(
            ["gcc", "-O3", "-march=native", f"-I{HEADERS}", "-o", program, source, "-lm"],
            capture_output=True,
            text=True,
        )
        if made.returncode:
            missing = re.search(r"([\w.]+\.h): No such file", made.stderr)
            print(f"{source.name} is left out: " + (f"its header {missing[1]} is missing" if missing else "gcc fails"))
            return ""
        return subprocess.run([program, str(ROUNDS)], capture_output=True, text=True, check=True).stdout


def yardsticks(folder: Path) -> str:
    """What all C programs of the folder print."""
    sources = sorted(folder.glob("*.c"))
    if not sources:
        print(f"no C yardsticks in {folder.name}: our own rates alone")
    return "".join(map(spoken, sources))


def in_c(said: str, line: str) -> float | None:
    """The best rate that the C programs report under a name, in millions of rounds a second."""
    found = re.findall(rf"^(?:{line})[^\n]*?([\d.]+) M (?:rounds|hands)/s", said, re.MULTILINE)
    return max(map(float, found)) if found else None


def rate(kernel: Kernel) -> float:
    """Our own, on one core."""
    return ROUNDS / timed(lambda: kernel.tally(Stream(1, 0), ROUNDS), runs=12) / 1e6


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
        measure()


def measure() -> None:
    said = yardsticks(Path(sys.argv[1]) if len(sys.argv) > 1 else BESIDE)
    for name, (plan, line, demanded) in PLANS.items():
        begun = time.perf_counter()
        kernel = kernel_for(plan)
        kernel.tally(Stream(0, 0), 10)
        ready, ours, theirs = time.perf_counter() - begun, rate(kernel), in_c(said, line)
        against = f", in C {theirs:6.1f}: {ours / theirs:.2f} of it (demanded {demanded})" if theirs else ""
        print(f"{name:<24}{ours:6.1f} M rounds/s{against}; ready in {ready:.1f} s")
    (one, alone), (two, together) = threads(1), threads(2)
    print(f"two threads are {one / two:.2f} times as fast as one (demanded {DEMANDED_OF_TWO})", end="")
    print(f", for {together / alone:.2f} times its work; the former takes two idle cores")


if __name__ == "__main__":
    main()
