"""The felt: the dealer's cards, the player's own below them, and the neighbours in small print."""

from collections.abc import Sequence

from msgspec import Struct
from rich.box import ROUNDED
from rich.panel import Panel
from rich.text import Text

from feltworks.cards import Card
from feltworks.cli.play import drawing
from feltworks.cli.play.drawing import HEIGHT, Deck, width
from feltworks.money import dollars, signed_dollars
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, Back, Face, Place, Round
from feltworks.rules.steps import Decide, Say
from feltworks.rules.wager import Line
from feltworks.table.events import OpeningSeat
from feltworks.table.wording import HeldHand, dealers_words, hands_of, title

WIDEST = 100  # a wider felt is no easier to read
_GAP = 4


class Scene(Struct, frozen=True):
    """What one player sees of a round at one moment."""

    game: Game
    round: Round
    seats: tuple[OpeningSeat, ...]
    own: tuple[int, ...]
    lines: tuple[Line, ...]
    burned: frozenset[tuple[Place, int]]
    announced: Say | None
    heading: str
    footing: str
    decision: Decide | None = None

    def cards_at(self, place: Place) -> tuple[Face, ...]:
        """The cards at a place, without burned ones."""
        faces = self.round.at(place)
        return tuple(face for index, face in enumerate(faces) if (place, index) not in self.burned)


Block = list[Text]  # lines of one width


def draw(scene: Scene, deck: Deck, columns: int) -> Panel:
    """The felt, as wide as the screen allows."""
    outer = min(columns, WIDEST)
    inner = outer - 4
    rows = [
        *_dealer(scene, deck, inner),
        _announcement(scene.announced),
        *_board(scene, deck),
        *_own(scene, deck, inner),
        *_neighbours(scene, deck, inner),
    ]
    return Panel(
        Text("\n", style=drawing.CLOTH).join(_centre(row, inner) for row in rows),
        title=Text(f" {scene.heading} ", style=drawing.STRONG),
        subtitle=Text(f" {scene.footing} ", style=drawing.BRASS),
        box=ROUNDED,
        style=drawing.CLOTH,
        border_style=drawing.CLOTH_EDGE,
        width=outer,
        padding=(0, 1),
    )


def _centre(row: Text, columns: int) -> Text:
    spare = max(columns - row.cell_len, 0)
    return Text.assemble((" " * (spare // 2), drawing.CLOTH), row, (" " * (spare - spare // 2), drawing.CLOTH))


def _dealer(scene: Scene, deck: Deck, columns: int) -> Block:
    words = dealers_words(scene.game, scene.round, scene.own[0]) if scene.own else ""
    faces = scene.cards_at(DEALER)
    up = [deck.code(face) for face in faces if isinstance(face, Card)]
    hidden = any(isinstance(face, Back) for face in faces)
    name = scene.game.terms.rulebook.places.dealer
    label = f"{name} has {words}" if words else f"{name} shows {' '.join(up)}" if up and hidden else name
    cards = deck.boxes(faces, overlapped=width(len(faces)) > columns) if faces else [Text()] * HEIGHT
    return [Text(label, style=drawing.STRONG), *cards]


def _announcement(words: Say | None) -> Text:
    if words is None:
        return Text()
    cited = f" {words.clause}" if words.clause else ""
    return Text.assemble((f"“{words.words}”", f"italic {drawing.BRASS}"), (cited, drawing.QUIET))


def _board(scene: Scene, deck: Deck) -> Block:
    faces = scene.cards_at(BOARD)
    return [*deck.boxes(faces), Text(scene.game.terms.rulebook.places.board, style=drawing.QUIET)] if faces else []


def _own(scene: Scene, deck: Deck, columns: int) -> Block:
    """The player's spots side by side; their cards overlap where the room is short."""
    for overlapped in (False, True):
        spots = [_spot(scene, deck, seat, columns, overlapped=overlapped) for seat in scene.own]
        if _width_of(spots) <= columns:
            break
    return _in_rows(spots, columns)


def _spot(scene: Scene, deck: Deck, seat: int, columns: int, *, overlapped: bool) -> Block:
    hands = [_hand(scene, deck, seat, number, overlapped) for number in range(len(_hands(scene, seat)))]
    block = [*(_in_rows(hands, columns) if overlapped else _side_by_side(hands)), _wagers(scene, seat)]
    across = max(line.cell_len for line in block)
    return [_centre(line, across) for line in block]


def _hands(scene: Scene, seat: int) -> list[HeldHand]:
    hands = hands_of(scene.game, scene.round, seat)
    return hands if len(hands) > 1 else [HeldHand(scene.cards_at(seat), hands[0].words)]


def _hand(scene: Scene, deck: Deck, seat: int, number: int, overlapped: bool) -> Block:
    hands = _hands(scene, seat)
    hand, several = hands[number], len(hands) > 1
    name = f"hand {number + 1}" if several else f"spot {scene.seats[seat].spot}" if len(scene.own) > 1 else "You"
    caption = f"{name}: {hand.words}" if hand.words else name
    decision = scene.decision
    active = decision is not None and decision.seat == seat and (not several or decision.about == name)
    label = Text(caption[:1].upper() + caption[1:], style=drawing.STRONG if active else drawing.CLOTH)
    lines = [*(deck.boxes(hand.faces, overlapped=overlapped) if hand.faces else [Text()] * HEIGHT), label]
    across = max(line.cell_len for line in lines)
    return [_centre(line, across) for line in lines]


def _wagers(scene: Scene, seat: int) -> Text:
    """The wagers on a spot; settled ones are quiet."""
    settled = {(line.wager, line.toke) for line in scene.lines if line.seat == seat}
    on = scene.round.seats[seat]
    placed = [(name, cents, False) for name, cents in on.wagers.items()]
    placed += [(name, cents, True) for name, cents in on.tokes.items()]
    return Text("  ", style=drawing.CLOTH).join(
        Text(
            f"{title(scene.game.terms, name)}{' toke' if toke else ''} {dollars(cents)}",
            style=drawing.QUIET if (name, toke) in settled else drawing.BRASS,
        )
        for name, cents, toke in placed
    )


def _neighbours(scene: Scene, deck: Deck, columns: int) -> Block:
    """Everyone else: one quiet entry each, two to a line where there is room."""
    entries = [_neighbour(scene, deck, seat) for seat in range(len(scene.seats)) if seat not in scene.own]
    if not entries:
        return []
    half = columns // 2 - 1
    if len(entries) > 2 and all(entry.cell_len <= half for entry in entries):
        filled = [_fill(entry, half) for entry in entries]
        entries = [_join(filled[at : at + 2]) for at in range(0, len(filled), 2)]
    for entry in entries:
        entry.truncate(columns, overflow="ellipsis")
    across = max(entry.cell_len for entry in entries)
    return [Text(), *(_fill(entry, across) for entry in entries)]


def _neighbour(scene: Scene, deck: Deck, seat: int) -> Text:
    on = scene.round.seats[seat]
    words = ", ".join(hand.words for hand in hands_of(scene.game, scene.round, seat) if hand.words)
    lines = [line for line in scene.lines if line.seat == seat]
    net = sum(line.net for line in lines)
    entry = Text(f"Spot {scene.seats[seat].spot} ", style=drawing.QUIET)
    entry.append_text(deck.small(scene.cards_at(seat)))
    parts = [words, dollars(sum(on.wagers.values()))]
    entry.append(f" {' · '.join(filter(None, parts))}", style=drawing.QUIET)
    if lines:
        entry.append(
            f" {signed_dollars(net)}",
            style=drawing.WON if net > 0 else drawing.LOST if net else drawing.QUIET,
        )
    return entry


def _fill(line: Text, columns: int) -> Text:
    return Text.assemble(line, (" " * max(columns - line.cell_len, 0), drawing.CLOTH))


def _join(entries: Sequence[Text]) -> Text:
    return Text("  ", style=drawing.CLOTH).join(entries)


def _side_by_side(blocks: Sequence[Block]) -> Block:
    """Blocks side by side, the shorter ones padded below."""
    tallest = max(map(len, blocks))
    widths = [max(line.cell_len for line in block) for block in blocks]
    gap = Text(" " * _GAP, style=drawing.CLOTH)
    return [
        gap.join(
            _centre(block[row], across) if row < len(block) else Text(" " * across)
            for block, across in zip(blocks, widths, strict=True)
        )
        for row in range(tallest)
    ]


def _in_rows(blocks: Sequence[Block], columns: int) -> Block:
    """Blocks side by side as far as there is room, the rest below."""
    rows: list[list[Block]] = [[]]
    for block in blocks:
        if rows[-1] and _width_of([*rows[-1], block]) > columns:
            rows.append([])
        rows[-1].append(block)
    return [line for row in rows for line in _side_by_side(row)]


def _width_of(blocks: Sequence[Block]) -> int:
    widths = [max(line.cell_len for line in block) for block in blocks]
    return sum(widths) + _GAP * (len(blocks) - 1)
