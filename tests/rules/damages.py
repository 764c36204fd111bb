"""A sound rulebook, and every way to damage it that loading has to notice."""

SOUND = """\
title = "Red Dog"
spots_per_player = "red-dog.two-spots"
most_wagers = 2

[cards]
decks = 1
without = ["2", "3"]

[clause]
"RD.1" = "The middle card wins."

[waiting]
"RD.1" = "the analysis"

[wager.ante]
title = "Ante"
kind = "main"
clause = "RD.1"
minimum = "$1"

[wager.raise]
title = "Raise"
kind = "derived"
clause = "RD.1"
of = "ante"
times = "2"

[wager.side]
title = "Side"
kind = "bonus"
clause = "RD.1"
leave_out = "allowed"
needs = { wager = "ante", unless = "red-dog.two-spots" }

[pay_table.ante.1]
clause = "RD.1"
pays = { "between" = "1 to 1", "outside" = "lose", "pair" = { option = "pair-pays" } }
factors = { "suited" = 2 }
needs_decks = { "pair" = 2 }

[pay_table.side.A]
clause = "RD.1"
pays = { "joker" = "1/2 of jackpot", "none" = "lose" }

[meter.jackpot]
clause = "RD.1"
smallest_seed = "$300"
backups = { clause = "RD.1", from = "$3,000", uncapped_from = "$9,000" }

[option."red-dog.two-spots"]
values = [true, false]
clause = "RD.1"
text = "Whether one player may play two spots."

[option.pair-pays]
values = ["11 to 1", "push"]
clause = "RD.1"
text = "What a pair pays."

[option.spots]
range = [1, 7]
default = 6
clause = "RD.1"
text = "How many spots there are."

[option.offers]
members = ["ante", "side"]
clause = "RD.1"
text = "The wagers this table offers."

[[reading]]
clause = "RD.1"
settles = "The ace is high."
because = "Nobody says otherwise."
option = "pair-pays"
other_pays = { wager = "ante", words = "1 for 1", for_one = true, pays = { "outside" = "push" } }

[[published]]
clause = "RD.1"
wager = "ante"
quantity = "house_edge"
figure = "3.08%"
decks = 6

[[law.wager-limit]]
from = 2020-01-01
value = "$100"
source = "A notice."
sure = "read"

[[law.wager-limit]]
from = 2021-01-01
value = "$200"
source = "Another notice."
sure = "read"

[approval]
date = 2020-01-01
document = "none"
conditions = [{ of = "operator", text = "Ask first.", clause = "WA.1" }]
"""

Damages = dict[str, tuple[str, str, str]]  # what is damaged, what it is damaged to, the key the refusal names
LONG = "9" * 5000

UNREADABLE: Damages = {
    "unclosed text": ('title = "Red Dog"', 'title = "Red Dog', "syntax"),
    "key twice": ("[cards]\n", "[cards]\ndecks = 2\n", "syntax"),
    "endless number": ("decks = 1", f"decks = {LONG}", "syntax"),
    "endless nesting": ("decks = 1", f"decks = {'[' * 5000}", "syntax"),
    "number beyond writing": ("decks = 1", f"decks = 0x{LONG}", "cards.decks"),
    "number beyond counting": (
        'factors = { "suited" = 2 }',
        f"factors.x = {10**10}",
        "pay_table.ante.1.factors.x",
    ),
    "option number beyond counting": ("range = [1, 7]", f"range = [1, 0x{LONG}]", "option.spots.range"),
}

MISSHAPEN: Damages = {
    "no title": ('title = "Red Dog"\n', "", "title"),
    "empty title": ('title = "Red Dog"', 'title = ""', "title"),
    "unknown section": ("[cards]", "[card]", "card"),
    "name from within": ('title = "Red Dog"', 'title = "Red Dog"\nname = "blue-dog"', "name"),
    "file from within": ('title = "Red Dog"', 'title = "Red Dog"\nfile = ""', "file"),
    "unprintable key": ("decks = 1", '"de\\ncks" = 1', 'cards."de\\ncks"'),
    "unknown key": ("minimum =", "least =", "wager.ante.least"),
    "missing key": ('kind = "bonus"\n', "", "wager.side.kind"),
    "unknown kind of wager": ('kind = "bonus"', 'kind = "side"', "wager.side.kind"),
    "unknown key of a bond": ("unless =", "except =", "wager.side.needs.except"),
    "bond as text": ('{ wager = "ante", unless = "red-dog.two-spots" }', '"ante"', "wager.side.needs"),
    "wager as text": ("[cards]", 'wager.war = "War"\n[cards]', "wager.war"),
    "wager without a name": ("[wager.raise]", '[wager.""]', "wager"),
    "unknown override key": ("[cards]", "[override.spots]\nleast = 1\n[cards]", "override.spots.least"),
    "text for a number": ("decks = 1", 'decks = "one"', "cards.decks"),
    "no deck": ("decks = 1", "decks = 0", "cards.decks"),
    "nine decks": ("decks = 1", "decks = 9", "cards.decks"),
    "unknown shuffle": ("decks = 1", 'shuffle = "never"', "cards.shuffle"),
    "rank as a number": ('["2", "3"]', '["2", 3]', "cards.without[1]"),
    "joker taken out": ("decks = 1", "jokers = -1", "cards.jokers"),
    "clause as a number": ('"RD.1" = "The middle card wins."', '"RD.1" = 1', 'clause."RD.1"'),
    "pay as a number": ('"1 to 1"', "1", "pay_table.ante.1.pays.between"),
    "pay by an unknown key": ('{ option = "pair-pays" }', '{ of = "ante" }', "pay_table.ante.1.pays.pair.of"),
    "factor zero": ('"suited" = 2', '"suited" = 0', "pay_table.ante.1.factors.suited"),
    "negative factor": ('"suited" = 2', '"all suited" = -2', 'pay_table.ante.1.factors."all suited"'),
    "row that needs no decks": ('"pair" = 2 }', '"pair" = 0 }', "pay_table.ante.1.needs_decks.pair"),
    "pay table as text": (
        "[pay_table.side.A]",
        '[pay_table.side]\nB = "1"\n[pay_table.side.A]',
        "pay_table.side.B",
    ),
    "option value as a fraction": ("[true, false]", "[true, 0.5]", 'option."red-dog.two-spots".values[1]'),
    "range of three": ("range = [1, 7]", "range = [1, 2, 3]", "option.spots.range"),
    "no wager at a table": ("most_wagers = 2", "most_wagers = 0", "most_wagers"),
    "no spot for a player": ('"red-dog.two-spots"\nmost', "0\nmost", "spots_per_player"),
    "unknown quantity": ('"house_edge"', '"edge"', "published[0].quantity"),
    "figure for no decks": ("decks = 6", "decks = 0", "published[0].decks"),
    "law without a value": ('value = "$200"', 'value = ""', "law.wager-limit[1].value"),
    "negative number in the law": ('value = "$100"', "value = -1", "law.wager-limit[0].value"),
    "approval day": ("date = 2020-01-01", 'date = "soon"', "approval.date"),
    "condition of nobody": ('of = "operator"', 'of = "player"', "approval.conditions[0].of"),
}

UNSOUND: Damages = {
    "rules file": ('title = "Red Dog"', 'title = "Red Dog"\ngame = "../red_dog"', "game"),
    "bonus file": ('title = "Red Dog"', 'title = "Red Dog"\nbonus = ["war", ""]', "bonus[1]"),
    "rank": ('["2", "3"]', '["2", "Z"]', "cards.without[1]"),
    "two ranks in one": ('["2", "3"]', '["23"]', "cards.without[0]"),
    "no rank left": ('["2", "3"]', str(list("23456789TJQKA")), "cards.without"),
    "clause id": ('"RD.1" = "The', '"RD.one" = "The', 'clause."RD.one"'),
    "waiting without its clause": ('"RD.1" = "the', '"RD.2" = "the', 'waiting."RD.2"'),
    "wager without its clause": ('"main"\nclause = "RD.1"', '"main"\nclause = "RD.2"', "wager.ante.clause"),
    "meter without its clause": ('"RD.1"\nsmallest', '"RD.2"\nsmallest', "meter.jackpot.clause"),
    "backups without their clause": (
        '"RD.1", from = "$3',
        '"RD.2", from = "$3',
        "meter.jackpot.backups.clause",
    ),
    "pay table without its clause": ('"RD.1"\npays = { "b', '"RD.2"\npays = { "b', "pay_table.ante.1.clause"),
    "option without its clause": (
        '"push"]\nclause = "RD.1"',
        '"push"]\nclause = "x"',
        "option.pair-pays.clause",
    ),
    "override without its clause": (
        "[cards]",
        '[override.chip]\nclause = "x"\n[cards]',
        "override.chip.clause",
    ),
    "reading without its clause": (
        '[[reading]]\nclause = "RD.1"',
        '[[reading]]\nclause = ""',
        "reading[0].clause",
    ),
    "figure without its clause": (
        '[[published]]\nclause = "RD.1"',
        '[[published]]\nclause = ""',
        "published[0].clause",
    ),
    "condition without its clause": ('"WA.1"', '"XX.1"', "approval.conditions[0].clause"),
    "reading by other pays of no wager": (
        '{ wager = "ante", words',
        '{ wager = "anti", words',
        "reading[0].other_pays.wager",
    ),
    "reading by other pays of no table": (
        '"1 for 1", for_one',
        '"1 for 1", judged_as = "7", for_one',
        "reading[0].other_pays.judged_as",
    ),
    "reading by other pays of no row": (
        '{ "outside" = "push" } }',
        '{ "inside" = "push" } }',
        "reading[0].other_pays.pays.inside",
    ),
    "reading by other pays that are none": (
        '{ "outside" = "push" } }',
        '{ "outside" = "much" } }',
        "reading[0].other_pays.pays.outside",
    ),
    "reading by no option": ('option = "pair-pays"\n', 'option = "gone"\n', "reading[0].option"),
    "figure": ('"3.08%"', '"3.08"', "published[0].figure"),
    "figure of no wager": ('wager = "ante"\nquantity', 'wager = "gone"\nquantity', "published[0].wager"),
    "figure of no pay table": ('"3.08%"', '"3.08%"\npay_table = "2"', "published[0].pay_table"),
    "law out of order": ("from = 2021-01-01", "from = 2019-01-01", "law.wager-limit[1].from"),
    "amount in the law": ('value = "$200"', 'value = "$2OO"', "law.wager-limit[1].value"),
    "includes nothing": ("[cards]", 'includes = ["gone"]\n[cards]', "includes[0]"),
    "includes itself": ("[cards]", 'includes = ["money", "red-dog"]\n[cards]', "includes[1]"),
}

UNSOUND_WAGERS: Damages = {
    "needs no wager": ('needs = { wager = "ante"', 'needs = { wager = "gone"', "wager.side.needs.wager"),
    "needs itself": ('needs = { wager = "ante"', 'needs = { wager = "side"', "wager.side.needs.wager"),
    "needs what follows": ('needs = { wager = "ante"', 'needs = { wager = "raise"', "wager.side.needs.wager"),
    "not above itself": (
        "needs = {",
        'not_above = { wager = "side" }\nneeds = {',
        "wager.side.not_above.wager",
    ),
    "lifted by no option": ('unless = "red-dog.two-spots"', 'unless = "gone"', "wager.side.needs.unless"),
    "lifted by a number": ('unless = "red-dog.two-spots"', 'unless = "spots"', "wager.side.needs.unless"),
    "derived of no wager": ('of = "ante"', 'of = "gone"', "wager.raise.of"),
    "derived of itself": ('of = "ante"', 'of = "raise"', "wager.raise.of"),
    "derived of one another": (
        'of = "ante"\ntimes = "2"',
        'of = "more"\ntimes = "2"\n'
        '[wager.more]\ntitle = "More"\nkind = "derived"\nclause = "RD.1"\nof = "raise"\nup_to = "1"',
        "wager.raise.of",
    ),
    "derived without its measure": ('times = "2"\n', "", "wager.raise.kind"),
    "derived by two measures": ('times = "2"\n', 'times = "2"\nup_to = "2"\n', "wager.raise.kind"),
    "measure of a main wager": ('minimum = "$1"', 'of = "raise"\ntimes = "2"', "wager.ante.kind"),
    "half a measure of a main wager": ('minimum = "$1"', 'times = "2"', "wager.ante.kind"),
    "factor in words": ('times = "2"', 'times = "twice"', "wager.raise.times"),
    "factor over nothing": ('times = "2"', 'times = "1/0"', "wager.raise.times"),
    "negative times": ('times = "2"', 'times = "-2"', "wager.raise.times"),
    "up to nothing": ('times = "2"', 'up_to = "0/3"', "wager.raise.up_to"),
    "endless factor": ('times = "2"', 'up_to = "1e999999999"', "wager.raise.up_to"),
    "amount": ('minimum = "$1"', 'minimum = "1"', "wager.ante.minimum"),
    "amount of nothing": ('minimum = "$1"', 'fixed = "$0"', "wager.ante.fixed"),
    "endless amount": ('minimum = "$1"', f'minimum = "${LONG}"', "wager.ante.minimum"),
    "fixed with a minimum": ('minimum = "$1"', 'minimum = "$1"\nfixed = "$1"', "wager.ante.minimum"),
    "no wager to place": (SOUND[SOUND.index("spots_per") :], 'game = "red_dog"', "wager"),
    "no pay table": ("[pay_table.side.A]", "[pay_table.raise]\n[pay_table.side.A]", "pay_table.raise"),
    "pay table of no wager": ("[pay_table.ante.1]", "[pay_table.gone.1]", "pay_table.gone"),
    "pay table without pays": (
        '{ "joker" = "1/2 of jackpot", "none" = "lose" }',
        "{}",
        "pay_table.side.A.pays",
    ),
    "decks for no row": ('"pair" = 2 }', '"pears" = 2 }', "pay_table.ante.1.needs_decks.pears"),
    "bad odds": ('"1 to 1"', '"1 for 1"', "pay_table.ante.1.pays.between"),
    "odds of nothing": ('"1 to 1"', '"1 to 0"', "pay_table.ante.1.pays.between"),
    "endless odds": ('"1 to 1"', f'"{LONG} to 1"', "pay_table.ante.1.pays.between"),
    "bad fixed pay": ('"1 to 1"', '"$1.5"', "pay_table.ante.1.pays.between"),
    "share of nothing": ("1/2 of jackpot", "1/0 of jackpot", "pay_table.side.A.pays.joker"),
    "more than the meter": ("1/2 of jackpot", "3/2 of jackpot", "pay_table.side.A.pays.joker"),
    "meter that pays nothing": ("[meter.jackpot]", "[meter.pot]", "meter.pot"),
    "seed of nothing": ('"$300"', '"$0"', "meter.jackpot.smallest_seed"),
    "seed in words": ('"$300"', '"a lot"', "meter.jackpot.smallest_seed"),
    "backup from nowhere": ('"$3,000"', '"soon"', "meter.jackpot.backups.from"),
    "backup uncapped from nothing": ('"$9,000"', '"$0"', "meter.jackpot.backups.uncapped_from"),
    "pay by an unknown option": (
        '{ option = "pair-pays" }',
        '{ option = "gone" }',
        "pay_table.ante.1.pays.pair",
    ),
    "pay by a range": ('{ option = "pair-pays" }', '{ option = "spots" }', "pay_table.ante.1.pays.pair"),
    "pay by a list": ('{ option = "pair-pays" }', '{ option = "offers" }', "pay_table.ante.1.pays.pair"),
    "bad odds in an option": ('"11 to 1", "push"', '"11 to 1", "even"', "pay_table.ante.1.pays.pair"),
}

UNSOUND_OPTIONS: Damages = {
    "both values and range": ("default = 6", "values = [6, 7]", "option.spots"),
    "neither values nor range": ("range = [1, 7]\n", "", "option.spots"),
    "empty range": ("range = [1, 7]\ndefault = 6", "range = [7, 1]", "option.spots.range"),
    "no value": ('values = ["11 to 1", "push"]', "values = []", "option.pair-pays.values"),
    "value twice": ('"11 to 1", "push"', '"push", "push"', "option.pair-pays.values"),
    "values that read alike": ("[true, false]", '[true, "true"]', 'option."red-dog.two-spots".values'),
    "default out of range": ("default = 6", "default = 8", "option.spots.default"),
    "default as text": ("default = 6", 'default = "6"', "option.spots.default"),
    "endless default": ("default = 6", f'default = "{LONG}"', "option.spots.default"),
    "default that is no value": ('"push"]', '"push"]\ndefault = "lose"', "option.pair-pays.default"),
    "default that is no list": (
        '["ante", "side"]',
        '["ante", "side"]\ndefault = "ante"',
        "option.offers.default",
    ),
    "default with a stranger": (
        '["ante", "side"]',
        '["ante", "side"]\ndefault = ["b"]',
        "option.offers.default",
    ),
    "default with one twice": (
        '["ante", "side"]',
        '["ante", "side"]\ndefault = ["ante", "ante"]',
        "option.offers.default",
    ),
    "approved that is no value": ("default = 6", "approved = [7, 9]", "option.spots.approved[1]"),
    "approved as text": ("default = 6", 'approved = ["7"]', "option.spots.approved[0]"),
    "nothing approved": ("default = 6", "approved = []", "option.spots.approved"),
    "approved members": (
        '["ante", "side"]',
        '["ante", "side"]\napproved = ["ante"]',
        "option.offers.approved[0]",
    ),
    "spots in words": ("range = [1, 7]\ndefault = 6", 'values = ["six", 6]', "option.spots"),
    "spots from none": ("range = [1, 7]", "range = [0, 7]", "option.spots"),
    "decks as a list": (
        "[option.spots]\nrange = [1, 7]\ndefault = 6",
        '[option.decks]\nmembers = ["1"]',
        "option.decks",
    ),
    "nine decks to choose": (
        "[option.spots]\nrange = [1, 7]",
        "[option.decks]\nrange = [1, 9]",
        "option.decks",
    ),
    "spots by no option": ('"red-dog.two-spots"\nmost', '"gone"\nmost', "spots_per_player"),
    "spots by a text": ('"red-dog.two-spots"\nmost', '"pair-pays"\nmost', "spots_per_player"),
    "offers what follows": (
        'members = ["ante", "side"]',
        'members = ["ante", "side", "raise"]',
        "option.offers.members",
    ),
    "offers not all": ('members = ["ante", "side"]', 'members = ["ante"]', "option.offers.members"),
    "offers by values": ('members = ["ante", "side"]', 'values = ["ante", "side"]', "option.offers.members"),
    "offers without the main wager": (
        '["ante", "side"]',
        '["ante", "side"]\ndefault = ["side"]',
        "option.offers.default",
    ),
    "offers too much": ("most_wagers = 2", "most_wagers = 1", "most_wagers"),
    "override of nothing": ("[cards]", "[override.gone]\ndefault = 1\n[cards]", "override.gone"),
    "override to another kind": ("[cards]", "[override.spots]\nvalues = [1]\n[cards]", "override.spots"),
    "override of a default": ("[cards]", "[override.chip]\ndefault = 0\n[cards]", "override.chip.default"),
}
DAMAGES = UNREADABLE | MISSHAPEN | UNSOUND | UNSOUND_WAGERS | UNSOUND_OPTIONS
