"""Two cards and what lies between them: spreads and pairs, suited or not.

Rules may also go by the ranks themselves, which count where the shoe is known.
"""

from collections.abc import Hashable

from feltworks.cards import Rank
from feltworks.hands.spread import spread
from feltworks.rules.sights.sight import (
    Axis,
    Bound,
    Chart,
    Phrase,
    Seen,
    Sights,
    combine_phrases,
    ranges,
    singles,
)


def _spread(seen: Seen) -> int:
    return spread(seen.cards[0].rank, seen.cards[1].rank)


def _is_suited(seen: Seen) -> bool:
    return seen.cards[0].suit is seen.cards[1].suit


def _kind(seen: Seen) -> Hashable:
    return tuple(sorted(face.rank for face in seen.cards)), len({face.suit for face in seen.cards}) == 1


def _facts(seen: Seen) -> dict[str, int]:
    return {"spread": _spread(seen), "pair": _spread(seen) < 0, "suited": _is_suited(seen)}


def _phrases() -> list[Phrase]:
    ranks = [rank for rank in Rank if rank is not Rank.JOKER]
    pair, wide = Bound("spread", -1, -1), list(ranges("spread", 0, 11, "with a spread of {}"))
    any_spread = [Phrase("with a pair", (pair,)), *wide]
    suits = [
        Phrase("in one suit", (Bound("suited", 1, 1),)),
        Phrase("in two suits", (Bound("suited", 0, 0),)),
    ]
    lower = [Phrase(f"from the {rank.word} up", (Bound("lower card", rank, rank),)) for rank in ranks]
    pairs = [
        Phrase(f"with a pair of {rank.plural}", (pair, Bound("lower card", rank, rank)), 2) for rank in ranks
    ]
    return [
        *any_spread,
        *suits,
        *combine_phrases(any_spread, suits),
        *combine_phrases(singles(wide), lower),
        *pairs,
    ]


def _suits(seen: Seen) -> str:
    return "one suit" if _is_suited(seen) else "two suits"


_BY_SPREAD = Axis(
    "spread", ("pair", *map(str, range(12))), lambda seen: "pair" if _spread(seen) < 0 else str(_spread(seen))
)
_IN_FULL = Axis("cards", (), lambda seen: "pair" if _spread(seen) < 0 else f"spread {_spread(seen):>2}")
SPREADS = Sights(
    facts=_facts,
    features={
        "spread": _spread,
        "suited": _is_suited,
        "lower card": lambda seen: min(face.rank for face in seen.cards),
    },
    phrases=_phrases,
    chart=Chart(_BY_SPREAD, Axis("suits", ("two suits", "one suit"), _suits)),
    summary=Chart(_IN_FULL, Axis("", (), lambda seen: "suited" if _is_suited(seen) else "of two suits")),
    kind=_kind,
)
