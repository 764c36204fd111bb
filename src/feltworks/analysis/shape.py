"""Derives the shape of a game from what it declares, never from its name, and which suits are interchangeable.

For rules that read hands, interchangeable suits are proven on their tables (`machine.tables`). Rules that read single
cards play some hundred random rounds, each again with suits exchanged; if anything changes, suits are not
interchangeable.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from random import Random
from typing import Any, Final, Literal

from msgspec import Struct

from feltworks.cards import DECK, Card, Rank, Shoe, Suit
from feltworks.errors import FeltError
from feltworks.hands.poker import HandValue, Ranking
from feltworks.money import Cents
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, Back, Choice, Face, Place, Round, Seat
from feltworks.rules.steps import Chance, Decide, Draw, Peek

_SHIPPED: Final = "feltworks.games."


def ranking_of(game: Game) -> Ranking | None:
    """Returns the ranking by which a game compares poker hands; None if it compares none.

    >>> from feltworks import catalog
    >>> ranking_of(catalog.game("spanish-poker")).size, ranking_of(catalog.game("fu-bacc"))
    (5, None)
    """
    ranking = getattr(game, "ranking", None)
    return ranking if isinstance(ranking, Ranking) else None


def qualifier_of(game: Game) -> HandValue | None:
    """Returns the weakest hand that the house qualifies with; None if the game declares none.

    >>> from feltworks import catalog
    >>> qualifier_of(catalog.game("spanish-poker")).words
    'pair of sixes'
    """
    qualifier = getattr(game, "weakest_qualifier", None)
    return qualifier if isinstance(qualifier, HandValue) else None


def high_rank_of(game: Game, ranking: Ranking) -> Rank:
    """Returns the lowest rank that counts as high: the house's qualifying rank, or else the middle rank.

    >>> from feltworks import catalog
    >>> table = catalog.game("spanish-poker")
    >>> high_rank_of(table, ranking_of(table)).word
    'six'
    """
    qualifier = qualifier_of(game)
    return qualifier.ranks[0] if qualifier else ranking.ranks[len(ranking.ranks) // 2]


def shoe_game_of(game: Game) -> Any | None:
    """Returns the game if the blackjack solver can solve it; None otherwise.

    That solver assumes the deal of the games that come with Feltworks, so a custom game must be a subclass of
    one of them.

    >>> from feltworks import catalog
    >>> shoe_game_of(catalog.game("lucky-break")) is None, shoe_game_of(catalog.game("fu-bacc")) is None
    (False, True)
    """
    is_known = any(kind.__module__.startswith(_SHIPPED) for kind in type(game).__mro__)
    return game if game.has_spots and is_known else None


def main_wager_of(game: Game) -> str:
    """Returns the main wager of a game; the others lie beside it or are derived from it."""
    entries = game.terms.rulebook.wager.items()
    return next((name for name, entry in entries if entry.kind == "main"), next(iter(game.wagers)))


def opening_wagers(game: Game) -> tuple[str, ...]:
    """Returns the main wager and those that are placed together with it."""
    main = main_wager_of(game)
    return main, *game.terms.rulebook.placed_with(main)


def waits_for_dealer(game: Game, wager: str) -> bool:
    """Whether a side wager of a game with spots waits for the dealer's hand and assumes a way of play."""
    return game.has_spots and bool(game.wagers[wager].assumes)


def insurance_of(game: Game) -> str | None:
    """Returns the game's own wager that derives from the main one during play; None if there is none."""
    book, main = game.terms.rulebook.wager, main_wager_of(game)
    return next((kind.name for kind in type(game).wager_types if book[kind.name].of == main), None)


def is_played_by_hand(game: Game, wager: str) -> bool:
    """Whether a wager of a game with spots is played hand by hand, or depends on how hands are played."""
    own = {kind.name for kind in type(game).wager_types}
    return game.has_spots and (wager in own or waits_for_dealer(game, wager))


_PACKAGE: Final = "feltworks."


def is_shipped(game: Game, wagers: Iterable[str]) -> bool:
    """Whether the game, these wagers and those derived from them come with Feltworks."""
    names = set(wagers)
    wager_types = [game.wagers[name] for name, e in game.terms.rulebook.wager.items() if {name, e.of} & names]
    return all(type(part).__module__.startswith(_PACKAGE) for part in (game, *wager_types))


Solver = Literal["spots", "draw", "setting", "showdown", "duel", "streets", "board", "machine", "referee"]

_WORDS: dict[Solver, str] = {
    "spots": "hands that are hit and split",
    "draw": "a hand with one draw",
    "setting": "cards that are set into hands",
    "showdown": "a hand against the dealer's",
    "duel": "a hand against the dealer's, each as the rules read it",
    "streets": "streets on a hand",
    "board": "two hands with a shared board",
    "machine": "compiled rules, walked card by card",
    "referee": "rules that are walked without a shortcut",
}
# Seconds of one core, measured on the gallery: seconds for arrays of hands, minutes or more for a plain walk
_SECONDS: dict[Solver, int] = {
    "spots": 10,
    "draw": 2,
    "setting": 10,
    "showdown": 5,
    "duel": 10,
    "streets": 2,
    "board": 50,
    "machine": 3,
    "referee": 600,
}


class Estimate(Struct, frozen=True):
    """The solver of a game's main wager, and roughly how many seconds of one core it takes."""

    solver: Solver
    seconds: int

    @property
    def words(self) -> str:
        """The estimate as a sentence without its full stop."""
        if self.solver == "referee":
            return (
                f"exact figures take very long ({_WORDS[self.solver]}); `felt simulate` measures the edge,"
                " under a named strategy where best play takes too long"
            )
        return f"exact figures take about {self.seconds} s ({_WORDS[self.solver]})"


def estimate(game: Game) -> Estimate:
    """Returns the solver of the game's main wager and its usual time."""
    solver = _solver_of(game)
    return Estimate(solver, _SECONDS[solver])


def _solver_of(game: Game) -> Solver:
    if shoe_game_of(game):
        return "spots"
    stakes = dict.fromkeys(opening_wagers(game), 100_00)
    if ranking_of(game):
        from feltworks.analysis.solvers.board.tree import Boards
        from feltworks.analysis.solvers.draw import DrawRounds
        from feltworks.analysis.solvers.showdown.spot import Spot
        from feltworks.analysis.solvers.streets.tree import Streets

        with suppress(FeltError):
            DrawRounds(game, stakes, {})
            return "draw"
        with suppress(FeltError):
            Streets(game, stakes, {}, game.terms.shoe).check()
            return "streets"
        with suppress(FeltError):
            Boards(game, stakes, {}, game.terms.shoe)
            return "board"
        with suppress(FeltError):
            ranking = ranking_of(game)
            assert ranking is not None
            Spot(game, stakes, {}).up_cards(tuple(game.terms.shoe.all_cards())[: ranking.size])
            return "showdown"
        return "duel" if is_duel(game) else "referee"
    return _machine_or_referee(game, stakes)


def _machine_or_referee(game: Game, stakes: dict[str, int]) -> Solver:
    from feltworks.analysis.solvers.setting import SettingRounds
    from feltworks.machine.sights import SightWalk
    from feltworks.machine.tables import Tables

    with suppress(FeltError):
        SettingRounds(game, stakes, {}, game.terms.shoe)
        return "setting"
    if is_duel(game):
        return "duel"
    with suppress(FeltError):
        SightWalk(Tables(game, stakes), joins_suits=True).check_length()
        return "machine"
    return "referee"


@lru_cache(maxsize=32)
def is_duel(game: Game) -> bool:
    """Whether the main wager compares a hand with the dealer's, each evaluated by the game's own rules."""
    from feltworks.analysis.solvers.showdown.spot import HandRules

    with suppress(FeltError):
        HandRules(game, dict.fromkeys(opening_wagers(game), 100_00), {}, game.terms.shoe)
        return True
    return False


ROUNDS: Final = 300
_UNIT: Final[Cents] = 100_00  # large enough for the full range of every derived wager
_SWAPS: Final = tuple(zip(list(Suit)[:-1], list(Suit)[1:], strict=True))  # generators of all permutations

Patterns = Mapping[Suit, Hashable]


def are_suits_alike(game: Game, wagers: Iterable[str]) -> bool:
    """Whether exchanging suits changes nothing for a spot with these opening wagers.

    Tests check the result for all games that come with Feltworks.
    """
    placed = tuple(sorted(wagers))
    return is_shipped(game, placed) or try_on_rounds(game, placed, ROUNDS)


@lru_cache(maxsize=256)
def try_on_rounds(game: Game, wagers: tuple[str, ...], rounds: int) -> bool:
    """Whether suits may be exchanged in so many random rounds; the seed is fixed."""
    return all(_ignores_suits(game, wagers, Random(number), number) for number in range(rounds))


def _ignores_suits(game: Game, wagers: Sequence[str], chance: Random, number: int) -> bool:
    """Whether a random round is the same from a deck with two suits exchanged."""
    book = game.terms.rulebook.wager
    stakes = {name: book[name].least if book[name].fixed else _UNIT for name in wagers}
    meters = dict.fromkeys((m for name in wagers for m in meters_of(game.pays[name].values())), _UNIT)
    opened, deck = Round((Seat(stakes),), meters=meters), _shuffle(game, chance, number)
    choices: list[Choice] = []

    def decide(step: Decide) -> Choice:
        offer = chance.choice(step.offers)
        choices.append(Choice(offer.name, chance.choice((offer.least, offer.most)), step.about))
        return choices[-1]

    def again(swap: tuple[Suit, Suit]) -> list[Hashable] | None:
        answers = iter(choices)
        return _deal(game, opened, _exchange(deck, *swap), lambda _: next(answers))

    marks = _deal(game, opened, deck, decide)
    return marks is None or all(again(swap) == marks for swap in _SWAPS)


def _deal(game: Game, r: Round, deck: Sequence[Card], decide: Callable[[Decide], Choice]) -> list[Hashable] | None:
    """The steps of the round with their offers, and its lines; None if the cards run out."""
    marks, lying, used = list[Hashable](), dict[Place, list[int]](), 0
    try:
        while (step := game.awaits(r)) is not None:
            if isinstance(step, Decide):
                marks.append((step.seat, step.about, step.offers))
                r = advance(r, step, decide(step))
                continue
            if isinstance(step, Draw):
                lying.setdefault(step.to, []).extend(range(used, used + step.count))
                used += step.count
            answer = _answer(step, [deck[place] for place in _places(step, lying)])
            marks.append((type(step).__name__, step.to if isinstance(step, Draw) else step.at, len(answer)))
            r = advance(r, step, answer)
        lines = game.settle(r)
    except (FeltError, IndexError, StopIteration):
        return None
    return [*marks, tuple((one.seat, one.wager, one.part, one.wagered, one.outcome) for one in lines)]


def _places(step: Chance, lying: Mapping[Place, Sequence[int]]) -> Sequence[int]:
    if isinstance(step, Draw):
        return lying[step.to][-step.count :]
    count = 1 if isinstance(step, Peek) else step.count
    return lying[step.at][step.index : step.index + count]


def _answer(step: Chance, faces: Sequence[Card]) -> tuple[Face, ...]:
    if isinstance(step, Peek):
        return peek_answer(step, faces[0])
    return (FACE_DOWN,) * len(faces) if isinstance(step, Draw) and step.down else tuple(faces)


def _shuffle(game: Game, chance: Random, number: int) -> list[Card]:
    """A deck with two ranks, one suit or any cards on top, so that rare hands come up often."""
    deck = list(game.terms.shoe.all_cards())
    chance.shuffle(deck)
    ranks = chance.sample(sorted({face.rank for face in deck}), 2)
    suit = chance.choice(list(Suit))
    if number % 3 == 0:
        return sorted(deck, key=lambda face: face.rank not in ranks)
    return sorted(deck, key=lambda face: face.suit is not suit) if number % 3 == 1 else deck


def _exchange(deck: Sequence[Card], one: Suit, other: Suit) -> list[Card]:
    exchanged = {one: other, other: one}
    return [
        DECK[4 * (face.rank - 2) + exchanged.get(face.suit, face.suit)] if face.suit is not None else face
        for face in deck
    ]


def suit_patterns(r: Round, hidden: Shoe) -> Patterns:
    """The unseen and the cards_of cards of each suit, with places: suits with equal patterns are interchangeable.

    Exposed cards break the symmetry through the unseen cards. A back that bars only some suits of a rank would
    also break it, so then every suit has its own pattern.
    """
    cards_of = _cards_by_suit(r)
    if cards_of is None:
        return {suit: suit for suit in Suit}
    return {suit: (held, cards_of[suit]) for suit, held in _composition(hidden).items()}


def holds_suits_alike(shoe: Shoe) -> bool:
    """Whether a shoe has the same cards of every suit."""
    return len(set(_composition(shoe).values())) == 1


def put_suits_in_order(r: Round) -> Round:
    """The round with suits renamed in a canonical order, so that rounds which differ only in suits become equal."""
    cards_of = _cards_by_suit(r)
    if cards_of is None:
        return r
    names = dict(zip(sorted(Suit, key=lambda suit: cards_of[suit], reverse=True), Suit, strict=True))

    def rename(lying: tuple[Face, ...]) -> tuple[Face, ...]:
        return tuple(
            DECK[4 * (face.rank - 2) + names[face.suit]] if isinstance(face, Card) and face.suit is not None else face
            for face in lying
        )

    seats = tuple(Seat(seat.wagers, rename(seat.cards), seat.choices, seat.tokes) for seat in r.seats)
    return Round(seats, rename(r.dealer), rename(r.board), r.meters)


def _composition(shoe: Shoe) -> dict[Suit, tuple[tuple[int, int], ...]]:
    return {suit: tuple([(face.rank, count) for face, count in shoe.items() if face.suit is suit]) for suit in Suit}


def _cards_by_suit(r: Round) -> dict[Suit, tuple[tuple[int, int, int], ...]] | None:
    """The cards_of cards of each suit, with places; None if a back distinguishes suits."""
    cards_of: dict[Suit, list[tuple[int, int, int]]] = {suit: [] for suit in Suit}
    for place in (DEALER, BOARD, *range(len(r.seats))):
        for index, face in enumerate(r.at(place)):
            if isinstance(face, Back):
                if not _bars_whole_ranks(face):
                    return None
            elif face.suit is not None:
                cards_of[face.suit].append((place, index, face.rank))
    return {suit: tuple(cards) for suit, cards in cards_of.items()}


def _bars_whole_ranks(back: Back) -> bool:
    suits: dict[int, int] = {}
    for face in back.barring:
        suits[face.rank] = suits.get(face.rank, 0) + 1
    return all(count == len(Suit) for count in suits.values())


def group_kind(group: tuple[Card | Back, ...], patterns: Patterns) -> Hashable:
    """A key of a group of cards: groups with equal keys differ only by interchangeable suits."""
    ranks: dict[Suit, list[int]] = {}
    others = []
    for face in group:
        if isinstance(face, Card) and face.suit is not None:
            ranks.setdefault(face.suit, []).append(face.rank)
        else:
            others.append(face)
    suited = sorted(((repr(patterns[suit]), tuple(sorted(held))) for suit, held in ranks.items()))
    return tuple(suited), tuple(others)
