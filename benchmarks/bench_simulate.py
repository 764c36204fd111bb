"""Simulated rounds a second on one core against the C yardsticks in one run, and two threads against one.

bench_simulate.py [FOLDER] takes the folder of the C sources; without one it looks beside the project.
"""

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from clock import timed

from feltworks.machine.streams import Stream
from feltworks.simulation.crews import Threads
from feltworks.simulation.kernel import Kernel, kernel_for
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.runner import Run

HEADERS = Path(__file__).parent  # a header that sim_sp.c includes and its folder lacks
BESIDE = Path(__file__).parents[2] / "shared" / "yardsticks"
ROUNDS = 4_000_000
THREADED = 1 << 27
DEMANDED, DEMANDED_OF_TWO = 0.6, 1.7
UNIT = 100_00
BOTH = {"blackjack": UNIT, "lucky-lucky": UNIT, "lucky-break": UNIT}
SIXES = {"rules": [{"choice": "raise", "if": {"hand": {"from": "6c 6d 4h 3s 2c"}}}, {"choice": "fold"}]}
FU_BACC = Plan("fu-bacc", ({"ante": UNIT, "lucky-monkey": UNIT, "tie": UNIT},))
# A plan and the line of a C program that it is measured against
PLANS = {
    "Lucky Lucky": (Plan("lucky-lucky", ({"lucky-lucky": UNIT},), shuffle_every_round=True), r"LL 6 decks"),
    "Lucky Break": (
        Plan("lucky-break", ({"lucky-break": UNIT},), shuffle_every_round=True),
        r"LB dealer-only",
    ),
    "Fu Bacc, all wagers": (FU_BACC, r"FuBacc"),
    "Spanish Poker": (Plan("spanish-poker", ({"ante": UNIT},), Strategy("sixes", SIXES)), r"Spanish|SP"),
    "blackjack, both bonuses": (Plan("lucky-lucky", (BOTH,), Strategy("basic")), r"Blackjack \+ LL \+ LB"),
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
            print(
                f"{source.name} is left out: "
                + (f"its header {missing[1]} is missing" if missing else "gcc fails")
            )
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


def main() -> None:
    said = yardsticks(Path(sys.argv[1]) if len(sys.argv) > 1 else BESIDE)
    for name, (plan, line) in PLANS.items():
        begun = time.perf_counter()
        kernel = kernel_for(plan)
        kernel.tally(Stream(0, 0), 10)
        ready, ours, theirs = time.perf_counter() - begun, rate(kernel), in_c(said, line)
        against = f", in C {theirs:6.1f}: {ours / theirs:.2f} of it (demanded {DEMANDED})" if theirs else ""
        print(f"{name:<24}{ours:6.1f} M rounds/s{against}; ready in {ready:.1f} s")
    (one, alone), (two, together) = threads(1), threads(2)
    print(f"two threads are {one / two:.2f} times as fast as one (demanded {DEMANDED_OF_TWO})", end="")
    print(f", for {together / alone:.2f} times its work; the former takes two idle cores")


if __name__ == "__main__":
    main()
