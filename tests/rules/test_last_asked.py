"""The last thing asked for is not worked out again."""

from feltworks.rules.last_asked import LastAsked


def test_only_the_very_same_object_is_remembered() -> None:
    asked: list[tuple[int, ...]] = []

    def total(numbers: tuple[int, ...]) -> int:
        asked.append(numbers)
        return sum(numbers)

    remembered = LastAsked(total)
    first, equal, other = tuple(range(3)), tuple(range(3)), (3,)
    assert [remembered(n) for n in (first, first, equal, other, first)] == [3, 3, 3, 3, 3]
    assert list(map(id, asked)) == list(map(id, [first, equal, other, first]))
