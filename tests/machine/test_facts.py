"""What is noted while the rules judge one hand of the house: only hands that answer alike come out alike."""

from feltworks.cards import cards
from feltworks.hands.hand import Hand
from feltworks.hands.poker import STANDARD, HandValue
from feltworks.machine.facts import Columns, Facts, Path, Probe, alike


class House(Hand, frozen=True):
    """A hand that need not have a value."""

    value: HandValue | None = None


HANDS = [
    House(STANDARD.value(cards("Ac Ad 9h 7s 2c"))),
    House(),
    House(STANDARD.value(cards("Kc Kd 9h 7s 2c"))),
    House(STANDARD.value(cards("Ac Kd 9h 7s 2c"))),
]
PAIR_OF_QUEENS = STANDARD.value(cards("Qc Qd 9h 7s 2c"))


def judge(hand: House) -> str:
    """As a designer may write it, by the type of a value and by comparing it."""
    if not isinstance(hand.value, HandValue):
        return "nothing"
    return f"better with {hand.value.words}" if hand.value > PAIR_OF_QUEENS else "worse"


def read(place: int, path: Path) -> object:
    value: object = HANDS[place]
    for name in path[2:]:
        value = getattr(value, str(name))
    return value


def test_hands_that_answer_alike_are_those_that_come_out_alike() -> None:
    outcomes = [judge(hand).partition(" with")[0] for hand in HANDS]
    assert outcomes == ["better", "nothing", "better", "worse"]
    for hand, outcome in zip(HANDS, outcomes, strict=True):
        facts = Facts()
        assert judge(Probe(hand, (-1, 0), facts)).partition(" with")[0] == outcome  # type: ignore[arg-type]
        same = alike(Columns(read, len(HANDS)), facts.noted).tolist()
        assert same == [other == outcome for other in outcomes]
