"""The referee: walks any game through the grammar with exact numbers. Slow, and obviously right.

It needs no knowledge of a game. Three declarations of a game make it quicker: that suits may stand for each
other (`Game.suits_are_alike`), which unseen cards are alike besides (`Game.alike`), and what of a round
matters for its future (`Game.matters`). They can be switched off, to be checked against the plain walk; one
that does not hold for the wagers of the spot is not used.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from feltworks.analysis.claims import Claims, is_default, try_claims
from feltworks.analysis.law import Weighted, law, unseen
from feltworks.analysis.progress import Progress, Track
from feltworks.analysis.symmetry import group_kind, holds_suits_alike, suit_patterns, with_suits_in_order
from feltworks.cards import Card, Shoe, Suit
from feltworks.machine.graph import result_of
from feltworks.machine.tables import derive_kinds
from feltworks.machine.walk import Settled
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import Choice, Face, Round
from feltworks.rules.steps import Chance, Decide, Offer
from feltworks.rules.wager import Line

Law = dict[Settled, Fraction]
_MOST_KNOWN = 1 << 19  # states that are remembered at once
VOID: Settled = ()  # a round for which the cards ran out: every wager returned


class Referee:
    """Finds the exact law of what a round settles to under best play, from any shoe composition."""

    def __init__(
        self,
        game: Game[Any],
        shoe: Shoe | None = None,
        *,
        wagers: Iterable[str] | None = None,
        serving: Iterable[str] | None = None,
        lumps: bool = True,
        remembers: bool = True,
        progress: Progress | None = None,
    ) -> None:
        """`wagers` are the ones in question (all by default), `serving` those that decisions are made for."""
        self.game = game
        self.shoe = shoe or game.terms.shoe
        self.wagers = frozenset(wagers) if wagers is not None else None
        self.serving = frozenset(serving) if serving is not None else None
        self.lumps = lumps
        self.remembers = remembers
        self.track = Track(progress)
        self._known: dict[Hashable, Law] = {}
        self._derived: dict[frozenset[str], Mapping[Card, int]] = {}  # by the wagers of the round
        self._suits_alike = game.suits_are_alike and holds_suits_alike(self.shoe)
        self._tried: dict[frozenset[str], Claims] = {}

    def expectation(self, r: Round) -> Fraction:
        """What the players together are up on average, in cents, from this round on."""
        return mean(self.law(r), net)

    def law(self, r: Round) -> Law:
        """How likely each settlement of the wagers in question is, from this round on, under best play."""
        if self.wagers is not None and (settled := self._settled(r)) is not None:
            return {settled: Fraction(1)}
        step = self.game.awaits(r)
        if step is None:
            settled = self._settled(r)
            assert settled is not None
            return {settled: Fraction(1)}
        if isinstance(step, Decide):
            return self.best(r, step)[1]
        return self._remembered(r, step)

    def best(self, r: Round, step: Decide) -> tuple[Choice, Law]:
        """The best choice with its law; of choices worth the same, the one that wagers less."""
        return max(self.choices(r, step), key=lambda each: (self.worth(each[1]), -mean(each[1], wagered)))

    def choices(self, r: Round, step: Decide) -> Iterator[tuple[Choice, Law]]:
        """Each open choice with its law; of a range of amounts both ends, the value being linear."""
        open_choices = [(1, choice) for offer in step.offers for choice in _ends(offer)]
        for _, choice in self.track.branches(open_choices):
            yield choice, self.law(advance(r, step, choice))

    def worth(self, law_: Law) -> Fraction:
        """What a law is worth to the wagers that decisions are made for."""
        return mean(law_, lambda settled: net(settled, self.serving))

    def _settled(self, r: Round) -> Settled | None:
        """How the wagers in question came out, or None while one of them is undecided."""
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
        return tuple((line.wager, line.outcome, exact_net(line), line.wagered) for line in lines)

    def _remembered(self, r: Round, step: Chance) -> Law:
        if not self.remembers:
            return self._average(r, step)
        key = self.state(r), _fixed_money(r)
        known = self._known.get(key)
        if known is None:
            known = self._average(r, step)
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = known
        return known

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

    def next_cards(self, r: Round, step: Chance) -> list[Weighted]:
        """What can come next with its weight; cards that are alike from here on come once."""
        hidden = unseen(r, self.shoe)
        weighed = law(step, r, hidden)
        if not self.lumps or len(weighed) < 2:
            return weighed
        claims = self._claims(r)
        alike = self.game.suits_are_alike and claims.suits
        patterns = suit_patterns(r, hidden) if alike else {suit: suit for suit in Suit}
        lumps: dict[Hashable, Weighted] = {}
        for weight, answer in weighed:
            assert isinstance(answer, tuple)
            kind = (claims.cards and self._kind(r, answer)) or group_kind(answer, patterns)
            before = lumps.get(kind)
            lumps[kind] = (before[0] + weight, before[1]) if before else (weight, answer)
        return list(lumps.values())

    def state(self, r: Round) -> Hashable:
        """What the future of a round follows from: its cards by their kinds, where those are known."""
        kinds = self._kinds(r)
        if not kinds:
            return self._declared_state(r)

        def by_kind(lying: tuple[Face, ...]) -> tuple[Hashable, ...]:
            return tuple([kinds[face] if isinstance(face, Card) else face for face in lying])

        seats = tuple((by_kind(seat.cards), seat.choices, tuple(seat.wagers.items())) for seat in r.seats)
        return seats, by_kind(r.dealer), by_kind(r.board)

    def _declared_state(self, r: Round) -> Hashable:
        """What a game says itself; by default all of a round, its suits renamed where they are alike."""
        claims, game = self._claims(r), self.game
        if not is_default(game.matters, Game.matters):
            return game.matters(r) if claims.rounds else Game.matters(game, r)
        renames = self.lumps and self._suits_alike and claims.suits
        return game.matters(with_suits_in_order(r) if renames else r)

    def _kinds(self, r: Round) -> Mapping[Card, int]:
        """Cards that the compiled rules never tell apart; nothing where a game declares its own kinds."""
        placed = self._placed(r)
        if placed not in self._derived:
            declares = type(self.game).alike is not Game.alike or self.game.suits_are_alike
            self._derived[placed] = {} if declares or not self.lumps else derive_kinds(self.game, r)
        return self._derived[placed]

    def _claims(self, r: Round) -> Claims:
        """Which of the game's claims hold for the wagers of this round."""
        placed = self._placed(r)
        if placed not in self._tried:
            self._tried[placed] = try_claims(self.game, placed)
        return self._tried[placed]

    def _placed(self, r: Round) -> frozenset[str]:
        """The opening wagers that some seat of the round has."""
        book = self.game.terms.rulebook.wager
        names = [name for seat in r.seats for name in (*seat.wagers, *seat.tokes)]
        return frozenset([name for name in names if book[name].kind != "derived"])

    def _kind(self, r: Round, answer: tuple[Face, ...]) -> Hashable | None:
        derived = self._kinds(r)
        if derived:
            return tuple(sorted([derived[face] for face in answer if isinstance(face, Card)]))
        kinds = [self.game.alike(r, face) for face in answer if isinstance(face, Card)]
        return tuple(sorted(map(repr, kinds))) if kinds and None not in kinds else None


def exact_net(line: Line) -> Fraction:
    """What a line brings before any breakage."""
    return result_of(line).exact


def net(settled: Settled, wagers: frozenset[str] | None = None) -> Fraction:
    """What a settlement brings, of some wagers or of all."""
    return sum((each[2] for each in settled if wagers is None or each[0] in wagers), Fraction(0))


def wagered(settled: Settled) -> Fraction:
    """All money a settlement had down."""
    return Fraction(sum(each[3] for each in settled))


def mean(law_: Law, value: Callable[[Settled], Fraction]) -> Fraction:
    """The average of a value over a law."""
    return sum((chance * value(settled) for settled, chance in law_.items()), Fraction(0))


def _fixed_money(r: Round) -> Hashable:
    """Tokes and meters stand as they are for the whole round, whatever a game says of its future."""
    return tuple(tuple(amounts.items()) for amounts in (r.meters, *(seat.tokes for seat in r.seats)))


def _ends(offer: Offer) -> tuple[Choice, ...]:
    if offer.least == offer.most:
        return (Choice(offer.name, offer.most),)
    return (Choice(offer.name, offer.least), Choice(offer.name, offer.most))
