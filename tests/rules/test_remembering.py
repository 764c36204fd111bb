"""What was asked for just now is not worked out again."""

from feltworks.rules.remembering import LastAsked, LatelyAsked


def test_only_the_very_same_object_is_remembered() -> None:
    asked: list[tuple[int, ...]] = []

    def total(numbers: tuple[int, ...]) -> int:
        asked.append(numbers)
        return sum(numbers)

    remembered = LastAsked(total)
    first, equal, other = tuple(range(3)), tuple(range(3)), (3,)
    assert [remembered(n) for n in (first, first, equal, other, first)] == [3, 3, 3, 3, 3]
    assert list(map(id, asked)) == list(map(id, [first, equal, other, first]))


def test_a_few_objects_are_remembered_and_an_answer_found_elsewhere_too() -> None:
    asked: list[int] = []

    def doubled(numbers: tuple[int, ...]) -> int:
        asked.append(len(numbers))
        return 2 * len(numbers)

    remembered = LatelyAsked(doubled, most=2)
    one, two, three = (tuple(range(n)) for n in (1, 2, 3))
    assert [remembered(n) for n in (one, two, one, two)] == [2, 4, 2, 4]
    assert asked == [1, 2]
    assert remembered(three) == 6
    assert one not in remembered
    remembered.keep(one, 99)
    assert (one in remembered, remembered(one), asked) == (True, 99, [1, 2, 3])
