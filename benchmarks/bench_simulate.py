"""Simulated rounds a second on one core, against C where a program is named: bench_simulate.py [SIM.C]."""

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from clock import timed

from feltworks.simulation.kernel import kernel_for
from feltworks.simulation.kernels.compiled import compiled, word
from feltworks.simulation.plan import Plan
from feltworks.simulation.streams import Handle, Stream

ROUNDS = 8_000_000
DEMANDED = 0.6  # of the C program's rounds a second
FU_BACC = Plan("fu-bacc", ({"ante": 100_00, "lucky-monkey": 100_00, "tie": 100_00},))


@compiled
def words(stream: Handle, count: int) -> int:
    """The yardstick where no C program is named: as many random words as there are rounds."""
    mixed = word(stream)
    for _ in range(count):
        mixed ^= word(stream)
    return int(mixed >> 1)


def in_c(source: Path) -> float:
    """Millions of Fu Bacc rounds a second in C, compiled and run here."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "sim"
        subprocess.run(["gcc", "-O3", "-march=native", "-o", program, source, "-lm"], check=True)
        said = subprocess.run([program, str(ROUNDS // 2)], capture_output=True, text=True, check=True).stdout
    return max(map(float, re.findall(r"FuBacc: ([\d.]+) M rounds/s", said)))


def main() -> None:
    kernel = kernel_for(FU_BACC)
    begun = time.perf_counter()
    kernel.tally(Stream(0, 0), 10)
    print(f"kernel compiled or loaded in {time.perf_counter() - begun:.2f} s")
    rate = ROUNDS / timed(lambda: kernel.tally(Stream(1, 0), ROUNDS), runs=5) / 1e6
    stream = Stream(1, 1)
    words(stream.handle, 10)
    drawn = ROUNDS / timed(lambda: words(stream.handle, ROUNDS), runs=5) / 1e6
    print(f"random words    {drawn:7.1f} M/s")
    print(f"Fu Bacc, all wagers {rate:5.1f} M rounds/s, {rate / drawn:.2f} of the random words")
    if len(sys.argv) > 1:
        yardstick = in_c(Path(sys.argv[1]))
        print(
            f"the same in C   {yardstick:7.1f} M rounds/s: {rate / yardstick:.2f} of it (demanded {DEMANDED})"
        )


if __name__ == "__main__":
    main()
