"""How benchmarks measure: CPU seconds, in this process and in fresh ones, the best of some runs."""

import resource
import subprocess
import sys
import time
from collections.abc import Callable


def fresh(program: str, runs: int = 5) -> float:
    """CPU seconds of a program in a process of its own, imports included."""
    spent = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True)
        assert done.returncode in (0, 1), done.stderr  # 1: a check of the program failed, as an audit's may
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(spent)


def timed(work: Callable[[], object], runs: int = 3) -> float:
    """CPU seconds of some work in this process."""
    spent = []
    for _ in range(runs):
        begun = time.process_time()
        work()
        spent.append(time.process_time() - begun)
    return min(spent)
