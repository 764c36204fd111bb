"""Draws the felt in a terminal: the cards, the dealer, the player and the neighbours."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from rich.box import ROUNDED
from rich.panel import Panel
from rich.text import Text

from feltworks.cards import Card, Suit, card
from feltworks.money import dollars, signed_dollars
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, Back, Face, Place, Round
from feltworks.rules.steps import Decide, Say
from feltworks.rules.wager import Line
from feltworks.table.events import OpeningSeat
from feltworks.table.wording import HeldHand, dealers_words, hands_of, title

# The felt sets text and background colours, so that it looks the same on light and dark terminals.
CLOTH: Final = "#eff3e2 on #11543b"
CLOTH_EDGE: Final = "#8fb39a on #11543b"
QUIET: Final = "#b4cdbb on #11543b"
BRASS: Final = "#f0cf74 on #11543b"
STRONG: Final = "bold #ffffff on #11543b"
WON: Final = "bold #9fe3b4 on #11543b"
LOST: Final = "bold #f7b5aa on #11543b"

PAPER: Final = "#fffdf7"
CARD_EDGE: Final = f"#9a937f on {PAPER}"
CARD_BLACK: Final = f"bold #16181a on {PAPER}"
CARD_RED: Final = f"bold #bd1e2d on {PAPER}"
CARD_BLUE: Final = f"bold #1c57b3 on {PAPER}"
CARD_GREEN: Final = f"bold #15703d on {PAPER}"
CARD_JOKER: Final = f"bold #6a359c on {PAPER}"
CARD_BACK: Final = "#e9dfc6 on #1f3a4d"

# Other text has middle tones, which are readable on light and dark backgrounds.
ACCENT: Final = "bold #a8761a"
HEADING: Final = "bold"
SOFT: Final = "dim"
REFUSED: Final = "#d1483b"
SPEECH: Final = "italic #a8761a"
RESULT: Final = {"win": "bold #1a8f4f", "lose": "bold #d1483b", "push": "bold #4f7fb5"}
SIGN: Final = {"win": "▲", "lose": "▼", "push": "■"}  # readable without colours

HEIGHT: Final = 4
_CODE: Final = re.compile(r"\b[2-9TJQKA][cdhs]\b")
_WIDE, _OVERLAPPED = 5, 3  # columns of a whole card, and of one that the next card covers


class Glyphs(Struct, frozen=True):
    """The characters that cards are drawn with."""

    suits: str  # clubs, diamonds, hearts, spades
    joker: str
    back: str
    top: str
    side: str
    bottom: str


DRAWN: Final = Glyphs("♣♦♥♠", "★", "▒", "╭───╮", "│", "╰───╯")
TYPED: Final = Glyphs("cdhs", "*", "#", "+---+", "|", "+---+")  # for a terminal without suit symbols


class Deck(Struct, frozen=True):
    """Formats cards in two or four colours, with symbols or letters."""

    four_colours: bool = False
    glyphs: Glyphs = DRAWN

    def style(self, face: Face) -> str:
        """The style of a card."""
        if isinstance(face, Back):
            return CARD_BACK
        if face.suit is None:
            return CARD_JOKER
        if self.four_colours and face.suit in (Suit.CLUBS, Suit.DIAMONDS):
            return CARD_GREEN if face.suit is Suit.CLUBS else CARD_BLUE
        return CARD_RED if face.suit in (Suit.DIAMONDS, Suit.HEARTS) else CARD_BLACK

    def code(self, face: Face) -> str:
        """A card in two or three characters.

        >>> from feltworks.cards import card
        >>> [Deck().code(card(code)) for code in ("Th", "As", "Jo")]
        ['10♥', 'A♠', 'Jo★']
        """
        if isinstance(face, Back):
            return self.glyphs.back * 2
        return _rank(face) + self._suit(face)

    def small(self, faces: Sequence[Face]) -> Text:
        """Cards in one line, for a neighbour's hand."""
        if len(faces) > 1 and all(isinstance(face, Back) for face in faces):
            return Text.assemble(self.small(faces[:1]), f" ×{len(faces)}")
        return Text(" ").join(Text(f" {self.code(face)} ", style=self.style(face)) for face in faces)

    def with_suits(self, words: str) -> str:
        """Replace the suits of cards in a sentence by symbols.

        >>> Deck().with_suits("9h 2d 8s make 19")
        '9♥ 2♦ 8♠ make 19'
        """
        return _CODE.sub(lambda match: self.code(card(match[0])), words)

    def boxes(self, faces: Sequence[Face], *, overlapped: bool = False) -> list[Text]:
        """Draw cards side by side, or overlapping to save space."""
        lines = [Text() for _ in range(HEIGHT)]
        for number, face in enumerate(faces):
            under = overlapped and number < len(faces) - 1
            for line, (ink, edge) in zip(lines, self._box(face), strict=True):
                line.append_text(_styled_row(ink, edge, self.style(face), cut=under))
                line.append("" if under or number == len(faces) - 1 else " ")
        return lines

    def _suit(self, face: Card) -> str:
        return self.glyphs.joker if face.suit is None else self.glyphs.suits[face.suit]

    def _box(self, face: Face) -> list[tuple[str, bool]]:
        """The four rows of a card, each with whether it is an edge of the box."""
        glyphs = self.glyphs
        rows = [glyphs.top, "", "", glyphs.bottom]
        inner = [glyphs.back * 3] * 2 if isinstance(face, Back) else [_rank(face), self._suit(face)]
        rows[1:3] = [f"{glyphs.side}{ink:<3}{glyphs.side}" for ink in inner]
        return [(row, number in (0, HEIGHT - 1)) for number, row in enumerate(rows)]


def _styled_row(row: str, edge: bool, ink: str, *, cut: bool) -> Text:
    """Style one row of a card, with the frame fainter than rank and suit."""
    frame = CARD_BACK if ink == CARD_BACK else CARD_EDGE
    text = Text(row, style=frame if edge else ink)
    if not edge:
        text.stylize(frame, 0, 1)
        text.stylize(frame, _WIDE - 1, _WIDE)
    return text[:_OVERLAPPED] if cut else text


def _rank(face: Card) -> str:
    return "10" if face.rank.letter == "T" else face.rank.letter


def width(count: int, *, overlapped: bool = False) -> int:
    """The width of this many cards, in columns."""
    if not count:
        return 0
    return _WIDE + (count - 1) * (_OVERLAPPED if overlapped else _WIDE + 1)


WIDEST = 100  # columns; a wider felt is no easier to read
_GAP = 4


class Scene(Struct, frozen=True):
    """What a player sees of a round at one moment."""

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


Block = list[Text]  # lines of equal width


def draw(scene: Scene, deck: Deck, columns: int) -> Panel:
    """Draw the felt as wide as the screen allows."""
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
        Text("\n", style=CLOTH).join(_centre(row, inner) for row in rows),
        title=Text(f" {scene.heading} ", style=STRONG),
        subtitle=Text(f" {scene.footing} ", style=BRASS),
        box=ROUNDED,
        style=CLOTH,
        border_style=CLOTH_EDGE,
        width=outer,
        padding=(0, 1),
    )


def _centre(row: Text, columns: int) -> Text:
    spare = max(columns - row.cell_len, 0)
    return Text.assemble((" " * (spare // 2), CLOTH), row, (" " * (spare - spare // 2), CLOTH))


def _dealer(scene: Scene, deck: Deck, columns: int) -> Block:
    words = dealers_words(scene.game, scene.round, scene.own[0]) if scene.own else ""
    faces = scene.cards_at(DEALER)
    up = [deck.code(face) for face in faces if isinstance(face, Card)]
    hidden = any(isinstance(face, Back) for face in faces)
    name = scene.game.terms.rulebook.places.dealer
    label = f"{name} has {words}" if words else f"{name} shows {' '.join(up)}" if up and hidden else name
    cards = deck.boxes(faces, overlapped=width(len(faces)) > columns) if faces else [Text()] * HEIGHT
    return [Text(label, style=STRONG), *cards]


def _announcement(words: Say | None) -> Text:
    if words is None:
        return Text()
    cited = f" {words.clause}" if words.clause else ""
    return Text.assemble((f"“{words.words}”", f"italic {BRASS}"), (cited, QUIET))


def _board(scene: Scene, deck: Deck) -> Block:
    faces = scene.cards_at(BOARD)
    return [*deck.boxes(faces), Text(scene.game.terms.rulebook.places.board, style=QUIET)] if faces else []


def _own(scene: Scene, deck: Deck, columns: int) -> Block:
    """Draw the player's spots side by side, with overlapping cards if there is not enough room."""
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
    label = Text(caption[:1].upper() + caption[1:], style=STRONG if active else CLOTH)
    lines = [*(deck.boxes(hand.faces, overlapped=overlapped) if hand.faces else [Text()] * HEIGHT), label]
    across = max(line.cell_len for line in lines)
    return [_centre(line, across) for line in lines]


def _wagers(scene: Scene, seat: int) -> Text:
    """The wagers on a spot, with settled ones in a faint colour."""
    settled = {(line.wager, line.toke) for line in scene.lines if line.seat == seat}
    on = scene.round.seats[seat]
    placed = [(name, cents, False) for name, cents in on.wagers.items()]
    placed += [(name, cents, True) for name, cents in on.tokes.items()]
    return Text("  ", style=CLOTH).join(
        Text(
            f"{title(scene.game.terms, name)}{' toke' if toke else ''} {dollars(cents)}",
            style=QUIET if (name, toke) in settled else BRASS,
        )
        for name, cents, toke in placed
    )


def _neighbours(scene: Scene, deck: Deck, columns: int) -> Block:
    """Draw the other seats: one entry each, two to a line if there is room."""
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
    entry = Text(f"Spot {scene.seats[seat].spot} ", style=QUIET)
    entry.append_text(deck.small(scene.cards_at(seat)))
    parts = [words, dollars(sum(on.wagers.values()))]
    entry.append(f" {' · '.join(filter(None, parts))}", style=QUIET)
    if lines:
        entry.append(
            f" {signed_dollars(net)}",
            style=WON if net > 0 else LOST if net else QUIET,
        )
    return entry


def _fill(line: Text, columns: int) -> Text:
    return Text.assemble(line, (" " * max(columns - line.cell_len, 0), CLOTH))


def _join(entries: Sequence[Text]) -> Text:
    return Text("  ", style=CLOTH).join(entries)


def _side_by_side(blocks: Sequence[Block]) -> Block:
    """Put blocks side by side, with the shorter ones padded below."""
    tallest = max(map(len, blocks))
    widths = [max(line.cell_len for line in block) for block in blocks]
    gap = Text(" " * _GAP, style=CLOTH)
    return [
        gap.join(
            _centre(block[row], across) if row < len(block) else Text(" " * across)
            for block, across in zip(blocks, widths, strict=True)
        )
        for row in range(tallest)
    ]


def _in_rows(blocks: Sequence[Block], columns: int) -> Block:
    """Put blocks side by side as far as there is room, and the rest below."""
    rows: list[list[Block]] = [[]]
    for block in blocks:
        if rows[-1] and _width_of([*rows[-1], block]) > columns:
            rows.append([])
        rows[-1].append(block)
    return [line for row in rows for line in _side_by_side(row)]


def _width_of(blocks: Sequence[Block]) -> int:
    widths = [max(line.cell_len for line in block) for block in blocks]
    return sum(widths) + _GAP * (len(blocks) - 1)
