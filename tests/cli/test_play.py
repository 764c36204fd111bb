"""`felt play`: a table in the terminal for every game, from the menu to the summary."""

import builtins
import fcntl
import io
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from feltworks import catalog
from feltworks.cards import Card, cards
from feltworks.cli.play.betting import amount_for, read_answer
from feltworks.cli.play.felt import Deck, Scene, draw
from feltworks.cli.play.witness import Witness
from feltworks.dealing.seed import Commitment, ShoeEmpty, verify
from feltworks.dealing.shoes import SingleDeck, source_for
from feltworks.errors import FeltError
from feltworks.rules.round import Choice, Round, Seat, face_up
from feltworks.rules.steps import Offer, card_offers
from feltworks.table.events import OpeningSeat, RoundVoided
from feltworks.table.live import Dealer
from feltworks.table.log import entries, read_lines, rounds
from feltworks.table.replay import replay
from feltworks.table.table import Table
from tests.conftest import Output
from tests.docs.pages import blocks, named_files

GAMES = catalog.games()
Felt = Callable[..., Output]


@pytest.fixture
def play(felt: Felt, monkeypatch: pytest.MonkeyPatch) -> Felt:
    """Speak a command line to `felt play` and pipe lines into it."""

    def speak(*words: str, lines: Sequence[str] = ()) -> Output:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return felt("play", *words)

    return speak


def every_wager(name: str) -> str:
    """A line that puts something on each wager of the table."""
    terms = catalog.game(name).terms
    placed = [wager for wager in terms.rulebook.wager if wager in terms.offers]
    return ", ".join(f"{wager} 10" for wager in placed)


def settled(out: str) -> list[str]:
    """The settlement lines of a transcript, each with what it was folded into."""
    found = re.findall(r"^ [▲▼■] +\S+ (?:win|lose|push)[^\n]*(?:\n {12,}[^\n]*)*", out, re.MULTILINE)
    return [" ".join(line.split()) for line in found]


def nets_and_stacks(out: str) -> list[tuple[int, int]]:
    """What each round brought and left, in cents."""
    found = re.findall(r"^ Net ([+−]?)\$([\d,.]+) · stack \$([\d,.]+)", out, re.MULTILINE)
    return [((-1 if sign == "−" else 1) * _cents(net), _cents(stack)) for sign, net, stack in found]


def _cents(text: str) -> int:
    return int(text.replace(",", "").replace(".", ""))


def unfolded(out: str) -> str:
    """A transcript with its lines joined, for sentences that were folded."""
    return " ".join(out.split())


def seed_with(play: Felt, pattern: str, *words: str, lines: Sequence[str]) -> str:
    """A seed whose first deal shows what the test is about."""
    for seed in map(str, range(1, 80)):
        if re.search(pattern, play(*words, "--seed", seed, lines=lines).out):
            return seed
    raise AssertionError(f"no deal shows {pattern}")


# A round


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(1, 5))
def test_a_round_of_every_game_is_played_and_explained(play: Felt, name: str, seed: int) -> None:
    said = play(name, "--seed", str(seed), lines=[every_wager(name), "", *["1"] * 12])
    assert (said.status, said.err) == (0, "")
    lines = settled(said.out)
    assert len(lines) > every_wager(name).count(",")
    clauses = catalog.rulebook(name).clause
    for line in lines:
        cited = [word for word in line.split() if word in clauses]
        assert len(cited) == 1, line
        reason = line.replace(f" {cited[0]}", "")  # the clause stands at the right edge of a folded reason
        assert re.search(r": (pays .+|lose|lose half|push)\.$", reason), line
    ((net, stack),) = nets_and_stacks(said.out)
    assert stack == 50_000 + net


@pytest.mark.parametrize("name", GAMES)
def test_several_rounds_with_the_same_wagers_add_up(play: Felt, name: str) -> None:
    answers = ["5", "", *["1", "1", "1", "same"] * 5]
    said = play(name, "--seed", "8", "--stack", "$1,000", lines=answers)
    assert (said.status, said.err) == (0, "")
    played = nets_and_stacks(said.out)
    assert len(played) > 1
    stack = 100_000
    for net, left in played:
        stack += net
        assert left == stack
    summed = re.search(r"Your session: (\d+) rounds, \$[\d.,]+ wagered, net ([+−]?)\$([\d.,]+)", said.out)
    assert summed is not None
    assert int(summed[1]) == len(played)
    assert (-1 if summed[2] == "−" else 1) * _cents(summed[3]) == stack - 100_000


def test_choices_say_what_they_move_and_what_follows(play: Felt) -> None:
    seed = seed_with(play, r"You: total 9", "fu-bacc", lines=["10", ""])
    out = play("fu-bacc", "--seed", seed, lines=["10", ""]).out
    assert re.search(r"f  Fold +the Ante is lost +FB\.6", out)
    assert re.search(r"b  Bonus +the Ante pays 2 to 1, \+\$20\.00 +FB\.8", out)
    assert re.search(r"s  Stay \$20 +2× the Ante, on the Play; keep the cards you have +FB\.5", out)


def test_what_no_choice_can_change_is_no_consequence(play: Felt) -> None:
    """A hand without two pair loses its Dos Pares whether it folds or raises."""
    wagers = ["ante 10, dos-pares 5", ""]
    seed = seed_with(play, r"You: pair of", "spanish-poker", lines=wagers)
    out = play("spanish-poker", "--seed", seed, lines=wagers).out
    assert re.search(r"f  Fold +the Ante is lost +SP\.6", out)


def test_a_choice_may_be_a_key_a_number_a_name_or_its_beginning(play: Felt) -> None:
    ends = [play("fu-bacc", "--seed", "7", lines=["10", "", said, "quit"]).out for said in ("s", "2", "stay", "STA")]
    assert len({end.partition("Your choice")[2].partition("\n")[2] for end in ends}) == 1
    assert settled(ends[0])


def test_an_open_amount_is_asked_within_its_range(play: Felt) -> None:
    asked = play("acey-deucey-21", "--seed", "3", lines=["10, acey 5", "", "raise", "11", "7.505", "7.50"])
    assert "How much, $1 to $10?" in asked.out
    assert asked.out.count("Raise takes $1 to $10") == 2
    assert "Raise That Pays $7.50" in asked.out
    at_once = play("acey-deucey-21", "--seed", "3", lines=["10, acey 5", "", "r 7.50"])
    assert "Raise That Pays $7.50" in at_once.out


def test_a_question_explains_the_choices_by_their_clauses(play: Felt) -> None:
    out = unfolded(play("fu-bacc", "--seed", "7", lines=["10", "", "?"]).out)
    for clause in ("FB.5", "FB.6"):
        assert catalog.rulebook("fu-bacc").clause[clause] in out


def test_a_choice_beyond_the_stack_is_refused_and_asked_again(play: Felt) -> None:
    said = play("fu-bacc", "--seed", "7", "--stack", "25", lines=["10", "", "hit", "fold"])
    assert "(your stack holds $15)" in unfolded(said.out).replace(" FB.5", "")
    assert "Play of $20 refused: the stack holds $15." in said.out
    assert nets_and_stacks(said.out) == [(-1000, 1500)]


@pytest.mark.clause("FB.15")
def test_two_spots_are_played_one_after_the_other(play: Felt) -> None:
    said = play("fu-bacc", "--spots", "2", "--seed", "7", lines=["10", "spot 2: tie 5", "", "fold", "fold"])
    assert "On spot 2: Ante $10, Tie $5." in said.out
    assert re.search(r"Spot 1 *\n.*Your choice: fold.*Spot 2 *\n.*Your choice: fold", said.out, re.DOTALL)
    assert [line.split()[3] for line in settled(said.out)].count("1:") == 1
    assert len(settled(said.out)) == 3


def test_decisions_that_stand_open_together_are_asked_in_turn(play: Felt) -> None:
    two = ("--spots", "2", "--set", "spanish-poker.spots-per-player=2", "--seed", "7")
    said = play("spanish-poker", *two, lines=["10", "", "raise", "fold"])
    assert re.search(r"Spot 1 *\n.*Your choice: raise.*Spot 2 *\n.*Your choice: fold", said.out, re.DOTALL)
    assert len(settled(said.out)) == 3


def test_a_split_hand_is_drawn_and_settled_hand_by_hand(play: Felt) -> None:
    seed = seed_with(play, r"p  Split \$10", "lucky-break", lines=["10", ""])
    said = play("lucky-break", "--seed", seed, lines=["10", "", "split", *["stand"] * 4])
    assert re.search(r"Hand 1: (soft )?\d+ +Hand 2: ", said.out)
    assert "Blackjack, hand 2" in said.out
    assert "Blackjack $20" in said.out


def test_insurance_is_offered_with_its_pay_and_settled_alone(play: Felt) -> None:
    seed = seed_with(play, r"i  Insure", "lucky-break", lines=["10", ""])
    said = play("lucky-break", "--seed", seed, lines=["10", "", "insure 5", *["stand"] * 4])
    assert re.search(r"i  Insure \$0.01 to \$5 +up to half the Blackjack; pays 2 to 1", said.out)
    assert "on dealer blackjack" in unfolded(said.out).replace(" BJ.4", "")
    assert re.search(r"(\+\$10\.00 win|−\$5\.00 lose) +Insurance", said.out)


def test_a_toke_is_wagered_for_the_dealers(play: Felt) -> None:
    said = play("lucky-break", "--seed", "4", lines=["10, lb 5, toke lb 1", "", "s", "s"])
    assert "Lucky Break $1 for the dealers" in said.out
    assert "Lucky Break toke" in said.out
    assert "Wagered for the dealers: $1.00." in said.out


def test_the_jackpot_is_posted_and_its_wager_is_one_dollar(play: Felt) -> None:
    offers = ("--set", "offers=ante,dos-pares,gran-progressive", "--jackpot", "$12,345")
    said = play("spanish-poker", *offers, lines=["ante 5, gp 2", "ante 5, gp 1", "", "fold"])
    assert "The jackpot stands at $12,345." in said.out
    assert "Gran Progressive of $2 refused: always exactly $1." in said.out
    assert "jackpot $12,345 · play money" in said.out


@pytest.mark.clause("SP.15")
def test_a_losing_progressive_wager_raises_the_jackpot_at_a_terminal_table(play: Felt) -> None:
    offers = ("--set", "offers=ante,dos-pares,gran-progressive", "--jackpot", "$12,345")
    lines = ["ante 5, gp 1", "", "fold", "ante 5, gp 1", "", "fold"]
    said = play("spanish-poker", *offers, "--seed", "1", lines=lines)
    assert "jackpot $12,346 · play money" in said.out


# Wagering


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("0.50", "Ante of $0.50 refused: this table takes $1 to $50"),
        ("ante 60", "Ante of $60 refused: at most $50 under the limit of $100."),
        ("tie 10, play 5", "Play of $5 refused: it follows from the ante wager"),
        ("ante 10 tie 1000", "Tie of $1,000 refused: at most $100"),
        ("blackjack 10", "Fu Bacc has no wager 'blackjack'; it may be ante, lucky-monkey or tie."),
        ("10.505", "'10.505' is not a wager; write ante 10, lucky-monkey 5, or help."),
        ("-5", "'-5' is not a wager"),
        ("a lot", "'a lot' is not a wager"),
        ("ante 5, ante 6", "A wager is named twice"),
        ("toke tie 1, 10", "tokes are taken on no wager"),
        ("tie 0", "no such wager is on the spot"),
        ("spot 3: ante 5", "Spot 3 is not yours; you play spot 1."),
        ("undo", "There is nothing to undo"),
        ("", "There are no wagers to repeat yet"),
        ("deal", "No wager is on the felt"),
        ("verify", "No round has been dealt yet"),
        ("why", "No round has been settled yet"),
        ("why ZZ.9", "Fu Bacc has no clause 'ZZ.9'"),
        ("buy nothing", "Buy takes an amount"),
        ("? whist", "Fu Bacc has no wager 'whist'"),
    ],
)
def test_what_is_refused_gets_one_sentence_and_loses_nothing(play: Felt, line: str, sentence: str) -> None:
    said = play("fu-bacc", "--limit", "$100", lines=[line, "quit"])
    assert (said.status, said.err) == (0, "")
    assert len(re.findall(r"^ × ", said.out, re.MULTILINE)) == 1
    assert sentence in unfolded(said.out)
    assert "net $0.00, stack $500.00" in said.out


def test_a_refusal_leaves_what_lay_there(play: Felt) -> None:
    said = play("fu-bacc", lines=["ante 10, tie 5", "lucky 9000", "undo", "", "quit"])
    assert "Lucky Monkey of $9,000" not in said.out  # the whole spot is refused: its total is beyond the stack
    assert "Ante and Tie and Lucky Monkey of $9,015 refused: the stack holds $500." in unfolded(said.out)
    assert "The felt is empty. Stack $500.00." in said.out


def test_wagers_are_taken_back_line_by_line(play: Felt) -> None:
    said = play("fu-bacc", lines=["10", "tie 5", "undo", "ante 0", "quit"])
    shown = re.findall(r"(?:On the felt: .*|The felt is empty\.) Stack .*\.", said.out)
    assert [line.split(" Stack")[0] for line in shown] == [
        "On the felt: Ante $10.",
        "On the felt: Ante $10, Tie $5.",
        "On the felt: Ante $10.",
        "The felt is empty.",
    ]


@pytest.mark.parametrize("name", GAMES)
def test_every_pay_that_can_come_up_is_shown_on_request(play: Felt, name: str) -> None:
    out = play(name, lines=["?"]).out
    game = catalog.game(name)
    for wager in game.terms.offers:
        for outcome, pay in game.pays[wager].items():
            shown = re.search(rf"\b{re.escape(outcome)} +{re.escape(str(pay))}", out)
            assert shown or outcome not in game.wagers[wager].possible, (wager, outcome)
    assert "added wager returned" not in out


def test_help_speaks_of_this_table(play: Felt) -> None:
    out = play("lucky-lucky", lines=["help"]).out
    assert "blackjack 10, lucky-lucky 5" in out
    assert "toke lucky-lucky 1" in out
    assert "toke" not in play("fu-bacc", lines=["help"]).out


def test_a_broke_player_is_told_how_to_buy_in(play: Felt) -> None:
    said = play("fu-bacc", "--stack", "5", "--seed", "7", lines=["5", "", "fold", "buy 20", "same", "fold"])
    assert "buy 500 brings more play money" in unfolded(said.out)
    assert "your stack is $20.00" in said.out
    assert nets_and_stacks(said.out)[-1] == (-500, 1500)
    assert "net −$10.00, stack $15.00" in said.out


# Why, and the fair deal


@pytest.mark.parametrize("name", GAMES)
def test_why_shows_the_clauses_of_the_round_in_full(play: Felt, name: str) -> None:
    said = play(name, "--seed", "4", lines=["10", "", *["1"] * 6, "why"])
    cited = {word for line in settled(said.out) for word in line.split()} & catalog.rulebook(name).clause.keys()
    assert cited
    for clause in cited:
        assert catalog.rulebook(name).clause[clause] in unfolded(said.out)


def test_the_commitment_comes_before_the_cards_and_the_seed_after(play: Felt) -> None:
    said = play("fu-bacc", lines=["10", "", "fold", "verify"])
    assert re.search(r"hash [0-9a-f]{64}.*Dealer shows.*seed [0-9a-f]{64}", said.out, re.DOTALL)
    assert "The seed matches the hash" in said.out


def test_a_shoe_keeps_its_seed_until_it_ends_or_is_left(play: Felt) -> None:
    out = play("lucky-break", "--seed", "4", lines=["5", "", "s", "verify", "same", "s", "quit"]).out
    assert "the seed is revealed when the shoe ends" in out
    assert re.search(r"shoe 1 goes on with card \d+ of 312", out)
    assert re.search(r": quit\n(.*called off.*\n)?.*ends here.*\n seed [0-9a-f]{64}", out)
    (digest,) = set(re.findall(r"hash ([0-9a-f]{64})", out))
    (seed,) = re.findall(r"seed ([0-9a-f]{64})", out)
    commitment = Commitment(digest, 1, 0, seeded=True, cards=312)
    assert len(verify(commitment, seed, catalog.game("lucky-break").terms.shoe)) == 312


def test_a_seeded_deal_announces_itself_and_repeats(play: Felt) -> None:
    lines = ["10", "", "hit", "same", "stay"]
    first, again = (play("fu-bacc", "--seed", "11", "--seats", "3", lines=lines).out for _ in range(2))
    assert first == again
    assert "Seeded deal: not for live play" in first
    assert "Seeded deal" not in play("fu-bacc").out


def test_a_table_that_is_not_as_approved_says_so(play: Felt) -> None:
    assert "Not as approved: peek is false" in play("lucky-break", "--set", "peek=false").out
    assert "Not as approved" not in play("lucky-break").out


# Leaving


@pytest.mark.parametrize("name", GAMES)
def test_end_of_input_in_a_round_voids_it(play: Felt, name: str, tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    for seed in range(1, 20):  # until a deal asks for a decision
        said = play(name, "--seed", str(seed), "--log", str(log), lines=["10", ""])
        assert (said.status, said.err) == (0, "")
        if not settled(said.out):
            break
        log.unlink()
    assert "The round is called off and every wager is returned: $10.00." in said.out
    assert "net $0.00, stack $500.00" in said.out
    assert isinstance(entries(read_lines(log))[-1].event, RoundVoided)


def test_an_interrupt_voids_the_round_and_ends_well(felt: Felt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtins, "input", _typist("10", "", KeyboardInterrupt()))
    said = felt("play", "fu-bacc", "--seed", "7")
    assert (said.status, said.err) == (0, "")
    assert "every wager is returned: $10.00" in said.out


@pytest.mark.parametrize("leaving", ["quit", "Exit", "q"])
def test_quitting_between_rounds_takes_the_wagers_back(play: Felt, leaving: str) -> None:
    said = play("fu-bacc", lines=["10", leaving])
    assert said.status == 0
    assert "called off" not in said.out
    assert "0 rounds, $0.00 wagered, net $0.00, stack $500.00" in said.out


def test_a_shoe_that_runs_out_calls_the_round_off(play: Felt, monkeypatch: pytest.MonkeyPatch) -> None:
    deal, dealt = SingleDeck.deal, []

    def short(source: SingleDeck, count: int) -> tuple[Card, ...]:
        dealt.append(deal(source, count))
        if len(dealt) == 2:
            raise ShoeEmpty(52)
        return dealt[-1]

    monkeypatch.setattr(SingleDeck, "deal", short)
    said = play("fu-bacc", "--seed", "7", lines=["10", "", "", "fold", "quit"])
    assert (said.status, said.err) == (0, "")
    assert "every wager is returned: $10.00" in said.out
    assert nets_and_stacks(said.out) == [(-1000, 49_000)]


def _typist(*said: str | BaseException) -> Callable[[str], str]:
    lines: Iterator[str | BaseException] = iter(said)

    def typed(_: str) -> str:
        line = next(lines)
        if isinstance(line, BaseException):
            raise line
        return line

    return typed


# The log


@pytest.mark.parametrize("name", GAMES)
def test_every_logged_round_replays_to_the_same_money(play: Felt, name: str, tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    answers = ["5", "", *["1", "1", "1", "same"] * 3]
    said = play(name, "--seed", "8", "--seats", "3", "--log", str(log), lines=answers)
    assert said.status == 0
    kept = [replay(round_) for round_ in rounds(read_lines(log))]
    finished = [round_ for round_ in kept if round_.lines]
    nets = [
        sum(line.net for line in round_.lines if round_.table.seats[line.seat].player == "you") for round_ in finished
    ]
    assert nets == [net for net, _ in nets_and_stacks(said.out)]
    assert not log.with_name("table.log.seed").exists()


def test_a_log_goes_on_where_it_ended(play: Felt, tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    for _ in range(2):
        play("fu-bacc", "--log", str(log), lines=["10", "", "fold"])
    assert [replay(lines).table.rounds for lines in rounds(read_lines(log))] == [1, 2]


@pytest.mark.parametrize("seats", ["1", "3"])
def test_an_interrupted_round_goes_on_to_the_same_end(
    play: Felt, felt: Felt, seats: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "table.log"
    table, wagers = ("lucky-lucky", "--seats", seats), ["10, ll 5", ""]
    seed = seed_with(play, r"Your choice: h\n[^×]*h  Hit", *table, lines=[*wagers, "h"])
    whole = play(*table, "--seed", seed, lines=[*wagers, "h", "s"])
    with monkeypatch.context() as power:
        power.setattr(builtins, "input", _typist(*wagers, "h", RuntimeError("the power failed")))
        assert felt("play", *table, "--seed", seed, "--log", str(log)).status == 3
    with log.open("ab") as torn:
        torn.write(b'{"n":99,"half a line')
    other = play("lucky-lucky", "--log", str(log))
    assert (other.status, other.err.count("\n")) == (2, 1)
    assert "ends within a round; take it up with --resume" in other.err
    resumed = play("--resume", str(log), "--seed", seed, lines=["s"])
    assert (resumed.status, resumed.err) == (0, "")
    assert "The interrupted round goes on." in resumed.out
    if seats == "1":  # neighbours think afresh
        assert nets_and_stacks(resumed.out) == nets_and_stacks(whole.out)
    (lines,) = rounds(read_lines(log))
    assert replay(lines).lines
    again = play("--resume", str(log))
    assert (again.status, again.err.count("\n")) == (2, 1)
    assert "is over; play on with --log" in again.err


def test_without_its_seed_an_interrupted_round_is_not_dealt_on(
    play: Felt, felt: Felt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "table.log"
    with monkeypatch.context() as power:
        power.setattr(builtins, "input", _typist("10", "", RuntimeError("the power failed")))
        felt("play", "fu-bacc", "--log", str(log))
    vault = log.with_name("table.log.seed")
    assert vault.stat().st_mode & 0o077 == 0
    seed = vault.read_text(encoding="utf-8").split('"')[-2]
    assert seed.encode() not in log.read_bytes()
    vault.unlink()
    said = play("--resume", str(log))
    assert (said.status, said.err.count("\n")) == (2, 1)
    assert "does not hold the seed" in said.err


# The menu and the command line


@pytest.mark.parametrize("said", ["2", "fu-bacc", "Fu B"])
def test_the_menu_offers_every_game(play: Felt, said: str) -> None:
    out = play(lines=["", "99", "whist", said, "quit"]).out
    assert all(catalog.rulebook(name).title in out for name in GAMES)
    assert out.count("There is no game") == 2
    assert "Fu Bacc  Play money" in out
    assert GAMES[1] == "fu-bacc"


@pytest.mark.parametrize("lines", [[], ["quit"], ["q"]])
def test_the_menu_may_be_left(play: Felt, lines: list[str]) -> None:
    said = play(lines=lines)
    assert (said.status, said.err) == (0, "")
    assert "You sit" not in said.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["whist"], "there is no game 'whist'; it may be "),
        (["fu-bacc", "--set", "nonsense=1"], "Fu Bacc has no option 'nonsense'"),
        (["fu-bacc", "--set", "nonsense"], "option --set cannot be 'nonsense'; it takes name=value"),
        (["lucky-break", "--set", "decks=9"], "option decks cannot be '9'"),
        (["acey-deucey-21", "--pay-table", "war=7"], "no war pay table '7'"),
        (["acey-deucey-21", "--pay-table", "war"], "option --pay-table cannot be 'war'"),
        (["fu-bacc", "--stack", "lots"], "option --stack cannot be 'lots'; it takes an amount"),
        (["fu-bacc", "--limit", "-1"], "option --limit cannot be '-1'"),
        (["fu-bacc", "--limit", "$1", "--minimum", "$2"], "posted ante"),
        (["fu-bacc", "--minimum", "0"], "option --minimum cannot be '0'"),
        (["fu-bacc", "--seats", "0"], "option --seats cannot be 0; it takes 1 to 7 players"),
        (["fu-bacc", "--seats", "7", "--spots", "2"], "option --seats cannot be 7; it takes 1 to 6 players"),
        (["fu-bacc", "--spots", "3"], "option --spots cannot be 3; it takes 1 to 2"),
        (["spanish-poker", "--spots", "2"], "option --spots cannot be 2; it takes 1 at this table"),
        (["fu-bacc", "--seed", "x"], "--seed"),
        (["fu-bacc", "--log", "missing/folder/table.log"], "cannot use missing/folder/table.log"),
        (["--resume", "missing.log"], "missing.log cannot be read"),
        (["--resume", "missing.log", "--log", "other.log"], "--log cannot be 'other.log'"),
        (["fu-bacc", "--loud"], "--loud"),
    ],
)
def test_a_bad_command_line_gets_one_sentence_and_status_2(
    play: Felt, words: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = play(*words)
    assert (said.status, said.out) == (2, "")
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["my notes", "my notes\n"])
def test_a_file_that_is_no_log_is_left_alone(play: Felt, text: str, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text(text, encoding="utf-8")
    for words in (("fu-bacc", "--log", str(notes)), ("--resume", str(notes))):
        said = play(*words, lines=["10", ""])
        assert (said.status, said.err.count("\n")) == (2, 1)
    assert notes.read_text(encoding="utf-8") == text


def test_a_damaged_log_is_named_by_its_line(play: Felt, tmp_path: Path) -> None:
    log = tmp_path / "table.log"
    play("fu-bacc", "--log", str(log), lines=["10", "", "fold"])
    before = log.read_bytes()
    log.write_bytes(before.replace(b'"ante":1000', b'"ante":9000'))
    for words in (("fu-bacc", "--log", str(log)), ("--resume", str(log))):
        said = play(*words, lines=["10", "", "fold"])
        assert (said.status, said.err.count("\n")) == (2, 1)
        assert "line 11 of the log does not follow lines 1 to 10" in said.err


@pytest.mark.parametrize("name", GAMES)
def test_nonsense_never_stops_the_table(play: Felt, name: str) -> None:
    chance = Random(name)
    words = [
        "",
        "10",
        "1",
        "same",
        "undo",
        "hit",
        "stand",
        "fold",
        "raise",
        "?",
        "why",
        "s",
        "h",
        "r 5",
        "verify",
    ]
    odd = [
        "\x1b[2J",
        "💥",
        "spot 1: 5",
        "toke",
        "9" * 5000,
        "ante",
        "1e9",
        ": :",
        "buy 10",
        "deal",
        "-",
        "''",
        "a b c",
    ]
    lines = [chance.choice(words if chance.random() < 0.8 else odd) for _ in range(80)]
    said = play(name, "--seats", "2", "--seed", "5", lines=lines)
    assert (said.status, said.err) == (0, "")
    assert "Your session:" in said.out
    assert "\x1b" not in said.out


def test_colours_are_shown_only_where_they_are_wanted(play: Felt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    lines, red, blue = ["10", "", "hit"], "38;2;189;30;45", "38;2;28;87;179"
    two = play("fu-bacc", "--seed", "4", lines=lines).out
    four = play("fu-bacc", "--seed", "4", "--four-colours", lines=lines).out
    assert (red in two, blue in two) == (True, False)
    assert (red in four, blue in four) == (True, True)  # 7♥ and 4♦ are turned
    assert "38;2" not in play("fu-bacc", "--seed", "4", "--no-colour", lines=lines).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "38;2" not in play("fu-bacc", "--seed", "4", lines=lines).out


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_the_felt_fits_the_screen(play: Felt, columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    out = play("lucky-lucky", "--seed", "4", "--seats", "7", lines=["10, lb 5", "", "d", "split"]).out
    framed = [line for line in out.splitlines() if line.startswith(("╭", "│", "╰─"))]
    assert framed
    assert {len(line) for line in framed} == {min(int(columns), 100)}


def test_four_hands_of_a_split_spot_find_room() -> None:
    game = catalog.game("lucky-break")
    dealt = cards("8h 8d 8c 8s Tc 3s 2d 5c 4h 9d 6s")
    played = ["split", "split", "split", "hit", "hit", "stand", "stand", "stand"]
    choices = tuple(Choice(name, 0, "hand 1") for name in played)
    round_ = Round((Seat({"blackjack": 4000}, dealt, choices),), cards("7c 9h"))
    opened = OpeningSeat(1, "you", {"blackjack": 1000})
    scene = Scene(game, round_, (opened,), (0,), (), frozenset(), None, "round 1", "play money")
    for columns in (40, 80, 120):
        console = Console(width=columns, file=io.StringIO(), record=True)
        console.print(draw(scene, Deck(), columns))
        shown = console.export_text()
        assert all(f"Hand {number}: " in shown for number in range(1, 5))
        assert {len(line) for line in shown.splitlines()} == {min(columns, 100)}


def test_a_neighbours_hand_lies_face_down_until_it_is_shown() -> None:
    game = catalog.game("fu-bacc")
    table = Table(game, Dealer(source_for(game.terms, seed=7)))
    for spot, player in enumerate(("you", "neighbour"), 1):
        table.sit(player, spot, stack=10_000)
        table.wager(player, spot, {"ante": 1000})
    witness = Witness(table, "you")
    table.deal()
    before = list(witness.catch_up())
    assert [len(moment.round.seats[1].cards) for moment in before][-1] == 3
    assert not any(face_up(moment.round.seats[1].cards) for moment in before)
    table.choose("you", 1, "stay")
    table.choose("neighbour", 2, "stay")
    assert len(face_up(list(witness.catch_up())[-1].round.seats[0].cards)) == 2
    assert face_up(table.view("you").round.seats[1].cards)  # type: ignore[union-attr]


# A terminal


def test_on_a_terminal_the_deal_is_shown_step_by_step_and_ctrl_c_ends_it_well() -> None:
    command = [sys.executable, "-c", "from feltworks.cli.main import run; run()"]
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [*command, "play", "fu-bacc", "--seed", "7"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "40"},
        start_new_session=True,
        preexec_fn=_take_the_terminal,
    )
    os.close(theirs)
    try:
        _seen(ours, "Your wagers", answer="10\r")
        _seen(ours, "Enter deals", answer="\r")
        dealt = _seen(ours, "Your choice")
        # A first Ctrl-C may fall into the instant before the prompt listens; people press it again.
        left = _seen(ours, "Play money only", pressing="\x03")
        assert running.wait(timeout=30) == 0
    finally:
        running.kill()
        running.wait()
        os.close(ours)
    assert dealt.count("round 1") > 4  # the felt is drawn again for every card
    assert "every wager is returned: $10.00" in left
    assert "Traceback" not in left


def _take_the_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _seen(terminal: int, prompt: str, *, answer: str = "", pressing: str = "") -> str:
    """What is shown up to a prompt, which is then answered; a key may be pressed until it comes."""
    shown, until = b"", time.monotonic() + 60
    while prompt.encode() not in shown:
        assert time.monotonic() < until, f"no {prompt!r} after {shown!r}"
        if not select.select([terminal], [], [], 0.5)[0]:
            os.write(terminal, pressing.encode())
        else:
            shown += os.read(terminal, 65536)
    os.write(terminal, answer.encode())
    return shown.decode(errors="replace")


# A game that nobody has seen before


@pytest.mark.usefixtures("own_games")
def test_a_game_of_ones_own_is_played_like_the_others(play: Felt, own_games: Path) -> None:
    for file, text in named_files("docs/how-to/add-a-game.md").items():
        (own_games / file).write_text(text, encoding="utf-8")
    for seed in range(1, 60):  # until the cards tie
        said = play("casino-war", "--seed", str(seed), lines=["10, tie 5", "", "war"])
        assert (said.status, said.err) == (0, "")
        if "War $10" in said.out:
            break
    assert re.search(r"w  War \$10 +as much as the Ante, on the Raise", said.out)
    assert re.search(r"s  Surrender +the Ante loses \$5", said.out)
    assert len(settled(said.out)) == 3
    assert "CW.5" in said.out


def test_the_tutorial_shows_what_the_table_says(play: Felt) -> None:
    shown = blocks("docs/tutorial/first-hand.md", "text")
    typed = re.findall(
        r"^ (?:Your wagers|Enter deals|Your choice)[^:]*(?:: the same again\))?: ?(.*)$",
        "".join(shown),
        re.MULTILINE,
    )
    said = play("fu-bacc", "--seed", "4", lines=typed)
    told = [line.rstrip() for line in said.out.splitlines()]
    for block in shown:
        wanted = [line.rstrip() for line in block.splitlines()]
        assert any(told[at : at + len(wanted)] == wanted for at in range(len(told))), block


def test_an_amount_is_one_of_the_sizes_offered() -> None:
    offer = Offer("play", "play", 3000, 4000, sizes=(3000, 4000))
    assert [amount_for(offer, text) for text in ("30", "40")] == [3000, 4000]
    with pytest.raises(FeltError, match=r"play takes \$30 or \$40, written like 10 or 7.50; Enter alone goes back"):
        amount_for(offer, "35")


def test_cards_that_cannot_be_chosen_are_answered_with_how_to_choose() -> None:
    offers = [Offer("stand"), *card_offers("discard", 5, range(1, 4))]
    assert read_answer("d 3,1", offers).offer.name == "discard 1 3"
    for text in ("discard", "d 9", "disc 1 2 3 4"):
        with pytest.raises(FeltError, match="discard: type the numbers of 1 to 3 cards from 1 to 5: d 1 2"):
            read_answer(text, offers)
