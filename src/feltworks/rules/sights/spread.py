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
    PlayerView,
    Sights,
    combine_phrases,
    ranges,
    singles,
)


def _spread(view: PlayerView) -> int:
    return spread(view.cards[0].rank, view.cards[1].rank)


def _is_suited(view: PlayerView) -> bool:
    return view.cards[0].suit is view.cards[1].suit


def _kind(view: PlayerView) -> Hashable:
    return tuple(sorted(face.rank for face in view.cards)), len({face.suit for face in view.cards}) == 1


def _facts(view: PlayerView) -> dict[str, int]:
    return {"spread": _spread(view), "pair": _spread(view) < 0, "suited": _is_suited(view)}


def _phrases() -> list[Phrase]:
    ranks = [rank for rank in Rank if rank is not Rank.JOKER]
    pair, wide = Bound("spread", -1, -1), list(ranges("spread", 0, 11, "with a spread of {}"))
    any_spread = [Phrase("with a pair", (pair,)), *wide]
    suits = [
        Phrase("in one suit", (Bound("suited", 1, 1),)),
        Phrase("in two suits", (Bound("suited", 0, 0),)),
    ]
    lower = [Phrase(f"from the {rank.word} up", (Bound("lower card", rank, rank),)) for rank in ranks]
    pairs = [Phrase(f"with a pair of {rank.plural}", (pair, Bound("lower card", rank, rank)), 2) for rank in ranks]
    return [
        *any_spread,
        *suits,
        *combine_phrases(any_spread, suits),
        *combine_phrases(singles(wide), lower),
        *pairs,
    ]


def _suits(view: PlayerView) -> str:
    return "one suit" if _is_suited(view) else "two suits"


_BY_SPREAD = Axis(
    "spread", ("pair", *map(str, range(12))), lambda view: "pair" if _spread(view) < 0 else str(_spread(view))
)
_IN_FULL = Axis("cards", (), lambda view: "pair" if _spread(view) < 0 else f"spread {_spread(view):>2}")
SPREADS = Sights(
    facts=_facts,
    features={
        "spread": _spread,
        "suited": _is_suited,
        "lower card": lambda view: min(face.rank for face in view.cards),
    },
    phrases=_phrases,
    chart=Chart(_BY_SPREAD, Axis("suits", ("two suits", "one suit"), _suits)),
    summary=Chart(_IN_FULL, Axis("", (), lambda view: "suited" if _is_suited(view) else "of two suits")),
    kind=_kind,
)
