"""Where everything lies in the arrays that blackjack's compiled rounds look things up in."""

from typing import Final

# What is done with a hand; FINISHED: nobody asks.
STAND, HIT, DOUBLE, SURRENDER, SPLIT, FINISHED = range(6)

# A hand that is played out is a code: its points, or one of these; a doubled hand has DOUBLED added.
NATURAL: Final = 1
SURRENDERED: Final = 2
LOWEST, HIGHEST = 4, 21  # the points of a hand that is compared with the dealer's
DOUBLED: Final = 32
CODES: Final = 64

# The dealer's hand as the settlement counts it: 17 to 26, or a blackjack.
STANDS: Final = 17
BLACKJACK: Final = 10
DEALERS: Final = 16
SUITED: Final = 8  # by number of cards, 5 for all longer hands; 0 for a hand of mixed suits
SURRENDERED_SPOT: Final = 3  # after: no hand within Lucky Break's limit, some, all

ACE: Final = 32  # in a dealer's hand under way: an ace is there, besides the low total
ROW: Final = 16  # up cards and values are 1 to 10; rows of 16 are quicker to find
HAND_CELLS: Final = 32  # how a hand came out: one of 16 outcomes, and 16 more where it was doubled
MOST_HANDS: Final = 4
INSURED: Final = 3  # no insurance, insurance won, insurance lost

# `book`, by card, by points or by standing
VALUE: Final = 0
WEIGHT: Final = 64
KIND: Final = 128
TAG: Final = 192
POINTS: Final = 256
DRAWS: Final = 320
WITHIN: Final = 384
MOST: Final = 416
SETTLED: Final = 448
BROKEN: Final = SETTLED + 2 * CODES * DEALERS
BOOK: Final = BROKEN + 4 * DEALERS * SUITED
NO_TAG: Final = 128  # what a count adds for a card is written above this

# `acts`: the code of every state, then for every true count a block
SPLITS: Final = 0  # by value and up card: into how many hands at most; its first row is free for
INSURES: Final = 0
LEVEL: Final = 1
CHOSEN: Final = 11 * ROW  # by state and up card

# `nexts`, behind the states that follow each state with each value
OPENED: Final = 0  # by the values of the first two cards
RESUMED: Final = 11 * ROW  # by the value of a split card and of the one dealt to it

# `at`: what changes from round to round
POSITION, READY, START, CUT, RUNNING, SEEN, BLOCK, LOGGED, DEALER, LUCKY, ROUND_LEVEL = range(11)
STATE: Final = 16

# `rules`: what holds for all rounds
RULES: Final = range(18)
SPOTS, BEFORE_CUT, BURNED, AHEAD, PEEKS, INSURANCE, BREAK_GOES, COUNTING = RULES[:8]
WIDEST, STATES, BLOCK_SIZE, WIDTH, LEVELS = RULES[8:13]
UP_CELLS, BREAK_CELLS, COLUMNS, HAS_SIDE, MAIN_COLUMN = RULES[13:]

# `seats`: what a seat has wagered, and where its kind's money and counts begin
MAIN, BREAK, RAISES, NETS, COUNTS = range(5)
SEAT: Final = 8

# `hands`: a spot as it is played
DEALT, FIRST, WAITING, INSURANCE_CELL, RAISED = 0, 1, 5, 8, 9
SPOT: Final = 16
