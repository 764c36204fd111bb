"""Colours of the felt, the cards and the results."""

from typing import Final

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
