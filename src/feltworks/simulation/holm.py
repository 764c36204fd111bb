"""Many checks at once: what is left of each one's doubt when all of them had a chance to be wrong."""

from collections.abc import Sequence
from math import erfc, sqrt

_MOST_BENT = 1 / 3


def two_sided(z: float, skewness: float = 0.0) -> float:
    """How likely a distance of z standard errors or more is, where the mean of a sample is a little skewed.

    The skewness is that of the mean. It bends the scale (Cornish and Fisher), by a third of z at the most.

    >>> round(two_sided(1.96), 3), round(two_sided(2.5, 0.3), 3), round(two_sided(-2.5, 0.3), 3)
    (0.05, 0.025, 0.006)
    """
    bent = skewness * (z * z - 1) / 6
    limit = abs(z) * _MOST_BENT
    return erfc(abs(z - min(limit, max(-limit, bent))) / sqrt(2))


def holm(likely: Sequence[float]) -> list[float]:
    """Each check's p-value so adjusted that all together are wrong no more often than the level says (Holm).

    It holds whatever the checks have to do with each other.

    >>> holm([0.5, 0.01, 0.02])
    [0.5, 0.03, 0.04]
    """
    adjusted, reached = [0.0] * len(likely), 0.0
    for rank, place in enumerate(sorted(range(len(likely)), key=likely.__getitem__)):
        reached = max(reached, min(1.0, likely[place] * (len(likely) - rank)))
        adjusted[place] = reached
    return adjusted
