"""Colours and cards in a terminal: cards are boxes on the felt and two letters in a sentence."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from rich.text import Text

from feltworks.cards import Card, Suit, card
from feltworks.rules.round import Back, Face

# On the felt both colours are set, so that cards look the same on a light and on a dark terminal.
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

# Elsewhere middle tones, which are readable on light and on dark backgrounds.
ACCENT: Final = "bold #a8761a"
HEADING: Final = "bold"
SOFT: Final = "dim"
REFUSED: Final = "#d1483b"
SPEECH: Final = "italic #a8761a"
RESULT: Final = {"win": "bold #1a8f4f", "lose": "bold #d1483b", "push": "bold #4f7fb5"}
SIGN: Final = {"win": "▲", "lose": "▼", "push": "■"}  # a shape besides the colour and the word

HEIGHT: Final = 4
_CODE: Final = re.compile(r"\b[2-9TJQKA][cdhs]\b")
_WIDE, _OVERLAPPED = 5, 3  # columns of a card that lies free, and of one with the next card on top of it


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
    """How cards are shown: in two or four colours, with symbols or letters."""

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
        """The sentence with suit symbols in its cards.

        >>> Deck().with_suits("9h 2d 8s make 19")
        '9♥ 2♦ 8♠ make 19'
        """
        return _CODE.sub(lambda match: self.code(card(match[0])), words)

    def boxes(self, faces: Sequence[Face], *, overlapped: bool = False) -> list[Text]:
        """Cards side by side, or overlapping where the room is short."""
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
        """The four rows of a card, each with whether it is an edge."""
        glyphs = self.glyphs
        rows = [glyphs.top, "", "", glyphs.bottom]
        inner = [glyphs.back * 3] * 2 if isinstance(face, Back) else [_rank(face), self._suit(face)]
        rows[1:3] = [f"{glyphs.side}{ink:<3}{glyphs.side}" for ink in inner]
        return [(row, number in (0, HEIGHT - 1)) for number, row in enumerate(rows)]


def _styled_row(row: str, edge: bool, ink: str, *, cut: bool) -> Text:
    """One row of a card; the frame is fainter than rank and suit."""
    frame = CARD_BACK if ink == CARD_BACK else CARD_EDGE
    text = Text(row, style=frame if edge else ink)
    if not edge:
        text.stylize(frame, 0, 1)
        text.stylize(frame, _WIDE - 1, _WIDE)
    return text[:_OVERLAPPED] if cut else text


def _rank(face: Card) -> str:
    return "10" if face.rank.letter == "T" else face.rank.letter


def width(count: int, *, overlapped: bool = False) -> int:
    """How many columns so many cards take."""
    if not count:
        return 0
    return _WIDE + (count - 1) * (_OVERLAPPED if overlapped else _WIDE + 1)
