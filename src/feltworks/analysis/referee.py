"""The referee: walks the rounds of any game step by step with exact numbers. Reference implementation.

It knows nothing about particular games. To save work it merges cards that the compiled rules never tell apart;
if rules cannot be compiled, it merges suits as long as random rounds show no difference between them. Both can
be switched off, so that tests can compare with the plain walk.

The law of a draw gives the weight of each possible answer, given the cards on the felt. Cards lying face down
are still unseen. A peek shows that a face-down card is none of certain cards, which changes the law of every
other draw too, so each answer is weighted by the number of ways in which such cards can still be filled. Cards
that are dealt in one step form an unordered group.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import comb, factorial
from random import Random

from feltworks.analysis.progress import Progress, Track
from feltworks.analysis.shape import (
    are_suits_alike,
    group_kind,
    holds_suits_alike,
    put_suits_in_order,
    ranking_of,
    suit_patterns,
)
from feltworks.cards import Card, Shoe, Suit
from feltworks.errors import FeltError
from feltworks.machine.node import choices_of, result_of
from feltworks.machine.tables import derive_kinds
from feltworks.machine.walk import Settled, WalkTooLong, settlement_of
from feltworks.money import Odds
from feltworks.rules.advance import Answer, advance
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Pay
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, Back, Choice, Face, Round, face_up
from feltworks.rules.steps import Chance, Decide, Draw, Peek, Turn
from feltworks.rules.wager import Line

WeightedAnswer = tuple[int, Answer]
Barring = tuple[frozenset[Card], ...]


def unseen_cards(r: Round, shoe: Shoe) -> Shoe:
    """Returns the cards that nobody has seen: those in the shoe and those lying face down."""
    places = (DEALER, BOARD, *range(len(r.seats)))
    return shoe.without(face for place in places for face in face_up(r.at(place)))


def draw_law(step: Chance, r: Round, hidden: Shoe) -> list[WeightedAnswer]:
    """Lists every answer to the step with its weight; empty if the cards have run out."""
    if isinstance(step, Draw) and step.down:
        return [(1, (FACE_DOWN,) * step.count)] if _backs(r) + step.count <= hidden.total else []
    if isinstance(step, Draw):
        if _backs(r) + step.count > hidden.total:
            return []
        return [(w, group) for w, group in _groups(hidden, step.count, _barrings(r))]
    if isinstance(step, Turn):
        return _turn_answers(step, r, hidden)
    return _peek_answers(step, r, hidden)


def _turn_answers(step: Turn, r: Round, hidden: Shoe) -> list[WeightedAnswer]:
    lying = r.at(step.at)
    turning = lying[step.index : step.index + step.count]
    others = _barrings(r, besides=(step.at, step.index, step.count))
    if all(isinstance(back, Back) and not back.barring for back in turning):
        return [(w, group) for w, group in _groups(hidden, step.count, others)]
    backs = [back for back in turning if isinstance(back, Back)]
    return [(w, row) for w, row in _rows(hidden, backs, others)]


def _peek_answers(step: Peek, r: Round, hidden: Shoe) -> list[WeightedAnswer]:
    back = r.at(step.at)[step.index]
    assert isinstance(back, Back)
    others = _barrings(r, besides=(step.at, step.index, 1))
    shown: list[WeightedAnswer] = []
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


def _barrings(r: Round, *, besides: tuple[int, int, int] | None = None) -> Barring:
    """For each face-down card that a peek has narrowed down, lists the cards that it is known not to be."""
    barrings = []
    for place in (DEALER, BOARD, *range(len(r.seats))):
        for index, face in enumerate(r.at(place)):
            turning = besides and place == besides[0] and 0 <= index - besides[1] < besides[2]
            if isinstance(face, Back) and face.barring and not turning:
                barrings.append(face.barring)
    return tuple(barrings)


def _ways(hidden: Shoe, barred: Barring) -> int:
    """Counts the ways in which unseen cards can lie under the barred backs."""
    if not barred:
        return 1
    if len(barred) == 1:
        return sum(count for face, count in hidden.items() if face not in barred[0])
    return sum(
        count * _ways(hidden.without([face]), barred[1:]) for face, count in hidden.items() if face not in barred[0]
    )


def _groups(hidden: Shoe, count: int, barred: Barring) -> Iterator[tuple[int, tuple[Card, ...]]]:
    """Yields unordered groups of unseen cards with their weights."""
    faces = list(hidden.items())

    def choose(start: int, left: int, weight: int, group: tuple[Card, ...]) -> Iterator[tuple[int, tuple[Card, ...]]]:
        if not left:
            ways = _ways(hidden.without(group), barred) if barred else 1
            if ways:
                yield weight * ways, group
            return
        for place in range(start, len(faces)):
            face, held = faces[place]
            for taken in range(1, min(left, held) + 1):
                yield from choose(place + 1, left - taken, weight * comb(held, taken), group + (face,) * taken)

    return choose(0, count, 1, ())


def _rows(hidden: Shoe, backs: list[Back], barred: Barring) -> Iterator[tuple[int, tuple[Card, ...]]]:
    """Yields the cards that can lie under particular backs, in order, with their weights."""
    if not backs:
        if ways := _ways(hidden, barred):
            yield ways, ()
        return
    for face, held in hidden.items():
        if face not in backs[0].barring:
            for weight, row in _rows(hidden.without([face]), backs[1:], barred):
                yield held * weight, (face, *row)


Law = dict[Settled, Fraction]
_MOST_CACHED = 1 << 19  # states in the cache
MOST_STEPS = 20_000_000  # of a walk, about an hour of one core
_SAMPLES = 16  # rounds from which the length of a walk is estimated
VOID: Settled = ()  # a round for which the cards ran out, so every wager is returned


class Referee:
    """Finds the exact law of a round's settlements under best play, from any shoe composition."""

    def __init__(
        self,
        game: Game,
        shoe: Shoe | None = None,
        *,
        wagers: Iterable[str] | None = None,
        serving: Iterable[str] | None = None,
        lumps: bool = True,
        remembers: bool = True,
        progress: Progress | None = None,
    ) -> None:
        """`wagers` are the wagers in question (default: all), `serving` those that decisions are made for."""
        self.game = game
        self.shoe = shoe or game.terms.shoe
        self.wagers = frozenset(wagers) if wagers is not None else None
        self.serving = frozenset(serving) if serving is not None else None
        self.lumps = lumps
        self.remembers = remembers
        self.track = Track(progress)
        self._cache: dict[Hashable, Law] = {}
        self._renames_suits = lumps and holds_suits_alike(self.shoe)
        self._joined: dict[frozenset[str], bool] = {}
        self._derived: dict[frozenset[str], Mapping[Card, int]] = {}  # by the wagers of the round

    def check_length(self, r: Round, most: int = MOST_STEPS) -> None:
        """Refuses a walk that would take too long, before it begins."""
        steps = int(sum(self._sample_length(r, Random(seed)) for seed in range(_SAMPLES)) / _SAMPLES)
        if steps > most:
            raise WalkTooLong(self.game.terms.rulebook.title, steps, most)

    def _sample_length(self, r: Round, chance: Random) -> float:
        """Plays one round at random and returns the product of the number of answers at each step.

        The mean over many rounds estimates how many ends a round has, counting those that differ by suits once.
        """
        ends = 1 / (1 if self._kinds(r) or not self._joins_suits(r) else factorial(len(Suit)))
        while (step := self.game.awaits(r)) is not None and (self.wagers is None or self._settlement(r) is None):
            if isinstance(step, Decide):
                choices = list(choices_of(step))
                r, ends = advance(r, step, chance.choice(choices)), ends * len(choices)
                continue
            hidden, count = unseen_cards(r, self.shoe), 1 if isinstance(step, Peek) else step.count
            if hidden.total < count:
                break
            if not isinstance(step, Draw) or not step.down:
                kinds = {self._kinds(r).get(face, face) for face in hidden}
                ends *= min(comb(hidden.total, count), comb(len(kinds) + count - 1, count))
            r = advance(r, step, self._draw(r, step, hidden, chance))
        return max(ends, 1)

    def _draw(self, r: Round, step: Chance, hidden: Shoe, chance: Random) -> tuple[Face, ...]:
        """Deals the cards of a step at random."""
        if isinstance(step, Draw) and step.down:
            return (FACE_DOWN,) * step.count
        if isinstance(step, Draw) or (isinstance(step, Turn) and not _barrings(r)):
            return tuple(chance.sample(hidden.all_cards(), step.count))
        law = draw_law(step, r, hidden)
        ((_, answer),) = chance.choices(law, [weight for weight, _ in law])
        assert isinstance(answer, tuple)
        return answer

    def expectation(self, r: Round) -> Fraction:
        """Returns the players' mean net in cents, from this state of the round on."""
        return mean(self.law(r), net)

    def law(self, r: Round) -> Law:
        """Returns the probability of each settlement of the wagers in question under best play from here on."""
        if self.wagers is not None and (settled := self._settlement(r)) is not None:
            return {settled: Fraction(1)}
        step = self.game.awaits(r)
        if step is None:
            settled = self._settlement(r)
            assert settled is not None
            return {settled: Fraction(1)}
        if isinstance(step, Decide):
            return self.best(r, step)[1]
        return self._law_of_draw(r, step)

    def best(self, r: Round, step: Decide) -> tuple[Choice, Law]:
        """Returns the best choice with its law; of choices with the same value, the one that wagers less."""
        return max(self.choices(r, step), key=lambda pair: (self.worth(pair[1]), -mean(pair[1], money_wagered)))

    def choices(self, r: Round, step: Decide) -> Iterator[tuple[Choice, Law]]:
        """Yields each open choice with its law; of a range of amounts only both ends, as the value is linear."""
        for _, choice in self.track.branches([(1, choice) for choice in choices_of(step)]):
            yield choice, self.law(advance(r, step, choice))

    def worth(self, law_: Law) -> Fraction:
        """Returns the mean net of a law on the wagers that decisions are made for."""
        return mean(law_, lambda settled: net(settled, self.serving))

    def _settlement(self, r: Round) -> Settled | None:
        """Settles the wagers in question; None while one of them is undecided."""
        lines = [line for line in self.game.settle(r) if self.wagers is None or line.wager in self.wagers]
        staked = sum(
            cents
            for seat in r.seats
            for amounts in (seat.wagers, seat.tokes)
            for name, cents in amounts.items()
            if self.wagers is None or name in self.wagers
        )
        if sum(line.wagered for line in lines) != staked:
            return None
        return settlement_of(map(result_of, lines))

    def _law_of_draw(self, r: Round, step: Chance) -> Law:
        if not self.remembers:
            return self._average(r, step)
        key = self.state(r), _fixed_money(r)
        law = self._cache.get(key)
        if law is None:
            law = self._average(r, step)
            if len(self._cache) >= _MOST_CACHED:
                self._cache.clear()
            self._cache[key] = law
        return law

    def _average(self, r: Round, step: Chance) -> Law:
        weighed = self.next_cards(r, step)
        total = sum(weight for weight, _ in weighed)
        if not total:
            return {VOID: Fraction(1)}
        mixed: Law = {}
        for weight, answer in self.track.branches(weighed):
            part = Fraction(weight, total)
            for settled, chance in self.law(advance(r, step, answer)).items():
                mixed[settled] = mixed.get(settled, 0) + part * chance
        return mixed

    def next_cards(self, r: Round, step: Chance) -> list[WeightedAnswer]:
        """Lists the possible answers with their weights, merging those whose cards are alike from here on."""
        hidden = unseen_cards(r, self.shoe)
        weighed = draw_law(step, r, hidden)
        if not self.lumps or len(weighed) < 2:
            return weighed
        patterns = suit_patterns(r, hidden) if self._joins_suits(r) else {suit: suit for suit in Suit}
        by_kind: dict[Hashable, WeightedAnswer] = {}
        for weight, answer in weighed:
            assert isinstance(answer, tuple)
            kind = self._kind(r, answer) or group_kind(answer, patterns)
            before = by_kind.get(kind)
            by_kind[kind] = (before[0] + weight, before[1]) if before else (weight, answer)
        return list(by_kind.values())

    def state(self, r: Round) -> Hashable:
        """Returns the cache key of a round: equal keys mean that the rest of the round is the same."""
        kinds = self._kinds(r)
        if self._renames_suits and self._joins_suits(r):
            r = put_suits_in_order(r)

        def by_kind(lying: tuple[Face, ...]) -> tuple[Hashable, ...]:
            return tuple([kinds[face] if isinstance(face, Card) else face for face in lying]) if kinds else lying

        seats = tuple((by_kind(seat.cards), seat.choices, tuple(seat.wagers.items())) for seat in r.seats)
        return seats, by_kind(r.dealer), by_kind(r.board)

    def _kinds(self, r: Round) -> Mapping[Card, int]:
        """Returns a number for each card that is equal for cards that the compiled rules never tell apart.

        Empty for games with spots, which have too many states to compile, and for poker hands.
        """
        placed = self._opening_wagers(r)
        if placed not in self._derived:
            has_kinds = self.lumps and not self.game.has_spots and ranking_of(self.game) is None
            self._derived[placed] = derive_kinds(self.game, r) if has_kinds else {}
        return self._derived[placed]

    def _joins_suits(self, r: Round) -> bool:
        """Whether suits may be exchanged for each other; asked only where no kinds of cards are known."""
        placed = self._opening_wagers(r)
        if placed not in self._joined:
            is_open = self.lumps and not self._kinds(r)
            self._joined[placed] = is_open and are_suits_alike(self.game, placed)
        return self._joined[placed]

    def _opening_wagers(self, r: Round) -> frozenset[str]:
        """Returns the opening wagers of all seats of the round."""
        book = self.game.terms.rulebook.wager
        names = [name for seat in r.seats for name in (*seat.wagers, *seat.tokes)]
        return frozenset([name for name in names if book[name].kind != "derived"])

    def _kind(self, r: Round, answer: tuple[Face, ...]) -> Hashable | None:
        kinds = self._kinds(r)
        return tuple(sorted([kinds[face] for face in answer if isinstance(face, Card)])) if kinds else None


def exact_net(line: Line) -> Fraction:
    """Returns the net of a line before any breakage."""
    return result_of(line).exact


def net(settled: Settled, wagers: frozenset[str] | None = None) -> Fraction:
    """Returns the net of a settlement on some wagers, or on all of them."""
    return sum((line.net for line in settled if wagers is None or line.wager in wagers), Fraction(0))


def money_wagered(settled: Settled) -> Fraction:
    """Returns all money wagered in a settlement."""
    return Fraction(sum(line.wagered for line in settled))


def reprice(settled: Settled, pays: Mapping[str, Mapping[str, Pay]]) -> Settled:
    """Applies other pays to the same outcomes; works only for pays that are odds."""
    lines = []
    for line in settled:
        pay = pays[line.wager][line.outcome]
        if not isinstance(pay, Odds):
            raise FeltError(f"the {line.wager} wager is not paid at odds, so it is solved table by table")
        lines.append(line._replace(net=line.wagered * pay.exact))
    return tuple(lines)


def mean(law_: Law, value: Callable[[Settled], Fraction]) -> Fraction:
    """Returns the mean of a value over a law."""
    return sum((chance * value(settled) for settled, chance in law_.items()), Fraction(0))


def _fixed_money(r: Round) -> Hashable:
    """Returns the tokes and meters, which do not change during the round."""
    return tuple(tuple(amounts.items()) for amounts in (r.meters, *(seat.tokes for seat in r.seats)))
