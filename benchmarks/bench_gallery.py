"""Every game of the gallery under best play: rounds a second on one core against the C yardstick of Fu Bacc.

bench_gallery.py [FOLDER] takes the folder of the C sources; without one it looks beside the project.
"""

import sys
import time
from pathlib import Path

from bench_simulate import BESIDE, in_c, rate, yardsticks

from feltworks import catalog
from feltworks.machine.streams import Stream
from feltworks.simulation.plan import make_plan
from feltworks.simulation.rounds.kernel import kernel_for

DEMANDED = 0.1


def main() -> None:
    catalog.add_examples()
    yardstick = in_c(yardsticks(Path(sys.argv[1]) if len(sys.argv) > 1 else BESIDE), r"FuBacc")
    for book in sorted(catalog.examples_folder().glob("*.toml")):
        begun = time.process_time()
        kernel = kernel_for(make_plan(book.stem))
        kernel.tally(Stream(0, 0), 10)
        ready, ours = time.process_time() - begun, rate(kernel)
        against = f", {ours / yardstick:.2f} of Fu Bacc in C (demanded {DEMANDED})" if yardstick else ""
        print(f"{book.stem:<24}{ours:6.1f} M rounds/s{against}; ready in {ready:.1f} s of CPU")


if __name__ == "__main__":
    main()
