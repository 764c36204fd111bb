"""A baccarat-style total against the dealer's up card, then the higher of the two cards."""

from feltworks.hands.baccarat import MONKEYS, points, total
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


def _facts(view: PlayerView) -> dict[str, int]:
    up = {"up": points(view.dealer[0])} if view.dealer else {}
    return {"total": total(view.cards), "monkeys": MONKEYS.issuperset(view.cards), **up}


def _phrases() -> list[Phrase]:
    totals, ups = list(ranges("total", 0, 9, "on {}")), list(ranges("up card", 0, 9, "against {}"))
    higher = [
        *(_higher(f"with a card of {card} or more", card, 9) for card in range(1, 10)),
        *(_higher(f"with no card above {card}", 0, card) for card in range(9)),
        *(_higher(f"with a {card}", card, card) for card in range(1, 9)),
    ]
    cells = combine_phrases(singles(totals), singles(ups))
    return [*totals, *ups, *combine_phrases(totals, ups), *combine_phrases(cells, higher)]


def _higher(words: str, least: int, most: int) -> Phrase:
    return Phrase(words, (Bound("higher card", least, most),))


_DIGITS = tuple(map(str, range(10)))
TOTALS = Sights(
    facts=_facts,
    features={
        "total": lambda view: total(view.cards),
        "up card": lambda view: points(view.dealer[0]),
        "higher card": lambda view: max(map(points, view.cards)),
    },
    phrases=_phrases,
    chart=Chart(
        down=Axis("total", _DIGITS[::-1], lambda view: str(total(view.cards))),
        across=Axis("up card", _DIGITS, lambda view: str(points(view.dealer[0]))),
        hand=lambda view: "-".join(map(str, sorted(map(points, view.cards), reverse=True))),
    ),
)
