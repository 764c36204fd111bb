"""Bigger campaigns, `make oracle`: python -m tests.oracle.run --rounds 20000 --seed 7 [--family fu-bacc]."""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from tests.oracle import campaign


def main() -> int:
    """Run the campaign; exit status 1 where anything disagrees."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.run", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20_000, help="lines per family, a quarter illegal")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--family", choices=list(campaign.FAMILIES), action="append")
    parser.add_argument("--show", type=int, default=3, help="how many mismatches to show in full")
    wanted = parser.parse_args()

    failed = False
    for family in wanted.family or campaign.FAMILIES:
        cases = campaign.mixed_cases(family, wanted.rounds, wanted.seed)
        collected = campaign.mismatches(cases)
        sys.stdout.write(f"{family}: {campaign.report(collected, len(cases), wanted.show)}\n")
        kinds = Counter(x.kind() for x in collected)
        for kind, times in kinds.most_common():
            sys.stdout.write(f"{times:8d}  {kind}\n")
        failed = failed or bool(collected)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
