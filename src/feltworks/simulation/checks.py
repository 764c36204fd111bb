"""Numbers that a simulation is asked with: refused in one sentence where they make no sense."""

from feltworks.errors import BadOption


def check_seed(seed: int) -> None:
    """A seed is a whole number from 0 on."""
    if seed < 0:
        raise BadOption("--seed", seed, "a whole number from 0 on")


def check_number(option: str, number: int, most: int) -> None:
    """How many of something: one at least, and no more than can be had.

    >>> check_number("--years", 0, 10_000)
    Traceback (most recent call last):
    feltworks.errors.BadOption: option --years cannot be 0; it takes a whole number from 1 to 10,000
    """
    if not 1 <= number <= most:
        raise BadOption(option, number, f"a whole number from 1 to {most:,}")
