"""The law of a draw: what can come next, and how often, given all that lies on the felt.

Cards lying face down are still unseen. A back that says what it is not changes the law of every other
draw too, so each possibility is weighed by the number of ways the barred backs can still be filled.
Cards that come in one step come as a group: their order within it is not a fact of the game.
"""

from collections.abc import Iterator
from math import comb

from feltworks.cards import Card, Shoe
from feltworks.rules.advance import Answer
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, Back, Round, face_up
from feltworks.rules.steps import Chance, Draw, Peek, Turn

Weighted = tuple[int, Answer]
Barring = tuple[frozenset[Card], ...]


def unseen(r: Round, shoe: Shoe) -> Shoe:
    """The cards nobody has seen: those in the shoe and those lying face down."""
    places = (DEALER, BOARD, *range(len(r.seats)))
    return shoe.without(face for place in places for face in face_up(r.at(place)))


def law(step: Chance, r: Round, hidden: Shoe) -> list[Weighted]:
    """Every answer the step can have with its weight; nothing where the cards have run out."""
    if isinstance(step, Draw) and step.down:
        return [(1, (FACE_DOWN,) * step.count)] if _backs(r) + step.count <= hidden.total else []
    if isinstance(step, Draw):
        if _backs(r) + step.count > hidden.total:
            return []
        return [(w, group) for w, group in _groups(hidden, step.count, _barred(r))]
    if isinstance(step, Turn):
        return _turned(step, r, hidden)
    return _peeked(step, r, hidden)


def _turned(step: Turn, r: Round, hidden: Shoe) -> list[Weighted]:
    lying = r.at(step.at)
    turning = lying[step.index : step.index + step.count]
    others = _barred(r, besides=(step.at, step.index, step.count))
    if all(isinstance(back, Back) and not back.barring for back in turning):
        return [(w, group) for w, group in _groups(hidden, step.count, others)]
    backs = [back for back in turning if isinstance(back, Back)]
    return [(w, row) for w, row in _rows(hidden, backs, others)]


def _peeked(step: Peek, r: Round, hidden: Shoe) -> list[Weighted]:
    back = r.at(step.at)[step.index]
    assert isinstance(back, Back)
    others = _barred(r, besides=(step.at, step.index, 1))
    shown: list[Weighted] = []
    nothing = 0
    for weight, (face,) in _rows(hidden, [back], others):
        if face in step.wanted:
            shown.append((weight, (face,)))
        else:
            nothing += weight
    return [*shown, (nothing, (Back(barring=back.barring | step.wanted),))] if nothing else shown


def _backs(r: Round) -> int:
    places = (DEALER, BOARD, *range(len(r.seats)))
    return sum(isinstance(face, Back) for place in places for face in r.at(place))


def _barred(r: Round, *, besides: tuple[int, int, int] | None = None) -> Barring:
    """What the backs on the felt are known not to be, those that say something."""
    found = []
    for place in (DEALER, BOARD, *range(len(r.seats))):
        for index, face in enumerate(r.at(place)):
            turning = besides and place == besides[0] and 0 <= index - besides[1] < besides[2]
            if isinstance(face, Back) and face.barring and not turning:
                found.append(face.barring)
    return tuple(found)


def _ways(hidden: Shoe, barred: Barring) -> int:
    """In how many ways unseen cards can lie under the barred backs."""
    if not barred:
        return 1
    if len(barred) == 1:
        return sum(count for face, count in hidden.items() if face not in barred[0])
    return sum(
        count * _ways(hidden.without([face]), barred[1:])
        for face, count in hidden.items()
        if face not in barred[0]
    )


def _groups(hidden: Shoe, count: int, barred: Barring) -> Iterator[tuple[int, tuple[Card, ...]]]:
    """Unordered groups of unseen cards."""
    faces = list(hidden.items())

    def choose(
        start: int, left: int, weight: int, group: tuple[Card, ...]
    ) -> Iterator[tuple[int, tuple[Card, ...]]]:
        if not left:
            ways = _ways(hidden.without(group), barred) if barred else 1
            if ways:
                yield weight * ways, group
            return
        for place in range(start, len(faces)):
            face, held = faces[place]
            for taken in range(1, min(left, held) + 1):
                yield from choose(
                    place + 1, left - taken, weight * comb(held, taken), group + (face,) * taken
                )

    return choose(0, count, 1, ())


def _rows(hidden: Shoe, backs: list[Back], barred: Barring) -> Iterator[tuple[int, tuple[Card, ...]]]:
    """Cards under particular backs, in their order."""
    if not backs:
        if ways := _ways(hidden, barred):
            yield ways, ()
        return
    for face, held in hidden.items():
        if face not in backs[0].barring:
            for weight, row in _rows(hidden.without([face]), backs[1:], barred):
                yield held * weight, (face, *row)
