"""The compiled loop that follows a bankroll along its paths.

It has a module of its own because importing it loads the compiler.
"""

import numpy as np

from feltworks.machine.compiler import Ints, compile_loop

RESULT, LONGEST, DRAWDOWN, DEPTH, LASTED, COLUMNS = range(6)


@compile_loop
def scan_paths(nets: Ints, length: int, points: Ints, floor: int, results: Ints, sums: Ints) -> None:
    """Cuts `nets` into paths and writes a row of `results` for each, and its sums at the points to `sums`.

    A path stops where it falls below the floor, but its depth is computed to the end.
    """
    for path in range(len(results)):
        total = peak = drawdown = losing = longest = lasted = point = 0
        depth = full = np.int64(0)
        stopped = False
        for step in range(length):
            net = nets[path * length + step]
            full += net
            depth = max(depth, -full)
            if not stopped:
                total += net
                losing = losing + 1 if net < 0 else 0
                longest = max(longest, losing)
                peak = max(peak, total)
                drawdown = max(drawdown, peak - total)
                lasted += 1
                stopped = total < floor
            if step + 1 == points[point]:
                sums[path, point] = total
                point += 1
        results[path, RESULT], results[path, LONGEST], results[path, DRAWDOWN] = total, longest, drawdown
        results[path, DEPTH], results[path, LASTED] = depth, lasted
