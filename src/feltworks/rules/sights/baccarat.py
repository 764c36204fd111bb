"""A baccarat-style total against the dealer's up card, then the higher of the two cards."""

from feltworks.hands.baccarat import MONKEYS, points, total
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


def _facts(seen: Seen) -> dict[str, int]:
    up = {"up": points(seen.dealer[0])} if seen.dealer else {}
    return {"total": total(seen.cards), "monkeys": MONKEYS.issuperset(seen.cards), **up}


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
        "total": lambda seen: total(seen.cards),
        "up card": lambda seen: points(seen.dealer[0]),
        "higher card": lambda seen: max(map(points, seen.cards)),
    },
    phrases=_phrases,
    chart=Chart(
        down=Axis("total", _DIGITS[::-1], lambda seen: str(total(seen.cards))),
        across=Axis("up card", _DIGITS, lambda seen: str(points(seen.dealer[0]))),
        hand=lambda seen: "-".join(map(str, sorted(map(points, seen.cards), reverse=True))),
    ),
)
