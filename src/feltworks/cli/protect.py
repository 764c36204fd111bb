"""`felt protect`: what knowing or counting cards is worth, for the floor and the regulator."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import click
from msgspec import Struct

from feltworks.cli.options import (
    POSITIVE,
    Option,
    decks_option,
    game_argument,
    json_option,
    option_group,
    set_option,
)
from feltworks.cli.output import Page, Table, print_json
from feltworks.errors import BadOption, FeltError

if TYPE_CHECKING:
    from feltworks.analysis.progress import Progress
    from feltworks.analysis.question import Question
    from feltworks.protection.counting import Count, Difference
    from feltworks.protection.report import Report


_PACE_SECONDS = 1.0  # of work that show its pace
_LONG_SECONDS = 5.0  # that are worth a word


class ProtectOptions(Struct, frozen=True, kw_only=True):
    """The wager, what a player knows of the cards, and how a count is kept."""

    wager: Annotated[str, Option("The wager; without it the report of the whole game.", metavar="WAGER")] = ""
    pay_table: Annotated[str | None, Option("Its pay table, the first unless given.")]
    decks: Annotated[int | None, decks_option]
    chosen: Annotated[tuple[str, ...], set_option]
    exposed: Annotated[str, Option('Cards known to be out of the shoe, as "7h 7d Ac".')] = ""
    sees: Annotated[
        tuple[str, ...],
        Option(
            "What is known, several times for several things: dealer, dealer:2, hole, hit, next, order:N, "
            "board:first, board:last, neighbours:N, burn, or group:QKA@dealer for whether a card is one of these.",
            metavar="WHAT",
        ),
    ]
    count: Annotated[
        str | None,
        Option(
            'Count cards: with the best tags, suits against each other, or these tags, as "A=-1,2=1,Qh=-2".',
            is_flag=False,
            flag_value="best",
            metavar="best|suits|TAGS",
        ),
    ]
    cut_card: Annotated[int | None, Option("How many cards lie behind the cut card.", metavar="CARDS")]
    seats: Annotated[int, Option("How many seats play while the count is kept.")] = 1
    trigger: Annotated[int | None, Option("The true count from which on a wager is made.")]
    rounds: Annotated[int | None, Option("How many rounds are dealt to measure a count.")]
    samples: Annotated[int | None, Option("How many deals are drawn where a figure is sampled.")]
    limit: Annotated[
        int | None, Option("The most on any one wager; the law's unless given.", type=POSITIVE, metavar="AMOUNT")
    ]
    rounds_an_hour: Annotated[int | None, Option("How many rounds an hour has; 40 unless given.")]
    seed: Annotated[int, Option("The seed of sampled deals.")] = 1


@click.command()
@game_argument
@option_group("terms", ProtectOptions)
@json_option
def protect(game: str, terms: ProtectOptions, as_json: bool) -> None:
    """Show what knowing or counting cards is worth."""
    _check(terms)
    if not terms.wager:
        _report(game, terms, as_json)
        return
    from feltworks.analysis.question import parse_question

    question = parse_question(
        game,
        terms.wager,
        pay_table=terms.pay_table,
        decks=terms.decks,
        chosen=terms.chosen,
        exposed=terms.exposed,
    )
    if terms.count is not None:
        _count(game, question, terms, as_json)
    else:
        _know(game, question, terms, as_json)


def _check(terms: ProtectOptions) -> None:
    """Validate the numbers before any work."""
    numbers = {
        "--samples": terms.samples,
        "--rounds": terms.rounds,
        "--seats": terms.seats,
        "--rounds-an-hour": terms.rounds_an_hour,
    }
    for option, number in numbers.items():
        if number is not None and number < 1:
            raise BadOption(option, number, "a whole number from 1 on")
    if terms.samples == 1:
        raise BadOption("--samples", 1, "a whole number from 2 on: one deal has no error")
    if terms.seed < 0:
        raise BadOption("--seed", terms.seed, "a whole number from 0 on")
    if terms.count is not None and terms.sees:
        raise BadOption("--sees", terms.sees[0], "nothing beside --count: each is a question of its own")
    if terms.count is not None and not terms.wager:
        raise BadOption("--count", terms.count, "a wager beside it: --wager NAME")


def _know(name: str, question: "Question", terms: ProtectOptions, as_json: bool) -> None:
    from feltworks.protection.protect import exposed_worth, worth_of

    if terms.sees:
        with announce("Following known cards") as progress:
            worth = worth_of(question, terms.sees, terms.samples, terms.seed, progress)
    elif terms.exposed:
        worth = exposed_worth(question)
    else:
        raise FeltError("say what is known with --sees, which cards are out with --exposed, or ask for a --count")
    document = {"game": name, "wager": question.wager, "sees": list(terms.sees), **worth.document()}
    if as_json:
        print_json(document)
        return
    title = f"{question.game.terms.rulebook.title}: {question.wager}, edge of the player"
    table = Table("the player knows", "edge", title=title)
    table.add_row("nothing beside the rules", _percent(float(worth.baseline)))
    table.add_row(", ".join(terms.sees) or f"{terms.exposed} are out", _percent(float(worth.edge)))
    table.add_row("gain", _percent(float(worth.gain)))
    page = Page()
    page.print(table)
    if worth.method == "sampled":
        page.print(f"Sampled: {worth.samples:,} deals, standard error {_percent(worth.standard_error)}.")
    if worth.note:
        page.print(worth.note[0].upper() + worth.note[1:] + ".")
    page.close()


@contextmanager
def announce(words: str) -> "Iterator[Progress]":
    """Shows a bar on a terminal; elsewhere says once how long the work takes, or after some seconds that it goes on."""
    from feltworks.cli.progress import progress_bar

    def say(sentence: str) -> None:
        late.cancel()
        click.echo(f"felt: {sentence}", err=True)

    late = Timer(_LONG_SECONDS, say, ["this takes more than a few seconds; Ctrl-C stops"])
    late.daemon = True
    with progress_bar(words) as bar:
        if bar is None:
            late.start()
        try:
            yield bar or time_notice(say)
        finally:
            late.cancel()


def time_notice(say: Callable[[str], None], clock: Callable[[], float] = monotonic) -> "Progress":
    """Says once, as soon as the pace is known, how long the work takes.

    The pace is taken from the first report on, as loops may be compiled before it.
    """
    first: list[tuple[float, float]] = []

    def tell(done: float, total: float) -> None:
        if not first:
            first.append((clock(), done))
            return
        seconds, more = clock() - first[0][0], done - first[0][1]
        if len(first) > 1 or seconds < _PACE_SECONDS or not more:
            return
        first.append((seconds, done))
        left = seconds * (total - done) / more
        if left > _LONG_SECONDS:
            words = f"about {left / 60:.0f} minutes" if left > 90 else f"about {left:.0f} seconds"
            say(f"{words} more; fewer cards or --samples take less; Ctrl-C stops")

    return tell


def _percent(number: float) -> str:
    return f"{100 * number:+.4f} %"


def _count(name: str, question: "Question", terms: ProtectOptions, as_json: bool) -> None:
    from feltworks.protection.counting import ROUNDS, CountTerms, Immune, count_plan, count_wager
    from feltworks.protection.knowledge import Terms

    rounds = terms.rounds or ROUNDS
    kept = CountTerms(terms.count or "best", terms.cut_card, terms.seats, terms.trigger, rounds, seed=terms.seed)
    tables = {} if terms.pay_table is None else {question.wager: terms.pay_table}
    plan = count_plan(name, [question.wager], Terms(terms.decks, terms.chosen, pay_tables=tables), terms.seats)
    with announce("Counting cards") as progress:
        result = count_wager(question, plan, kept, progress)
    document = {"game": name, "wager": question.wager, "decks": terms.decks, **result.document()}
    if as_json:
        print_json(document)
        return
    title = f"{question.game.terms.rulebook.title}: {question.wager}"
    page = Page()
    table, removal = Table("card", "effect of one card gone", "tag", title=f"{title}, counted"), result.removal
    for name, effect in {**removal.effects, **removal.suits, **removal.special}.items():
        table.add_row(name, _percent(float(effect)), str(document["tags"].get(name, "")))
    page.print(table)
    if isinstance(result, Immune):
        page.print(f"Immune to counting: {result.reason}.")
    else:
        _print_count(page, result)
    page.close()


def _print_count(page: Page, result: "Count") -> None:
    ceiling = result.ceiling
    page.print(
        f"Correlation {result.correlation:.4f}. Wagered from a true count of {result.trigger} on: "
        f"{100 * result.bets:.3f} % of rounds at {_percent(result.edge)}. That is "
        f"{result.per_100:+.4f} units per 100 rounds, standard error {result.standard_error:.4f}, and "
        f"{result.per_shoe:+.4f} per shoe, with {result.cut_card} cards behind the cut card."
    )
    page.print(
        f"A player who knows all remaining cards makes {ceiling.per_100:+.4f} units per 100 rounds "
        f"({ceiling.method} edge at {ceiling.compositions:,} compositions, standard error "
        f"{ceiling.standard_error:.4f}); by the count they give {ceiling.counted_per_100:+.4f}. Of the first, "
        f"knowing suits beside ranks adds at most {ceiling.suits_per_100:.4f}, and deciding by the cards left "
        f"{ceiling.choices_per_100:.4f}."
    )
    if result.difference:
        page.print(_difference_words(result.difference))


def _difference_words(difference: "Difference") -> str:
    tags = ", ".join(f"{suit} {tag:+d}" for suit, tag in difference.tags.items())
    return (
        f"Suits against each other ({tags}; --count suits deals it): wagered where the difference per deck is "
        f"{difference.trigger} or more on either side, {100 * difference.bets:.3f} % of rounds, that is "
        f"{difference.per_100:+.4f} units per 100 rounds at the same compositions; correlation "
        f"{difference.correlation:.4f}."
    )


def _report(name: str, terms: ProtectOptions, as_json: bool) -> None:
    from feltworks.house.law import profile_on
    from feltworks.protection.knowledge import ROUNDS_AN_HOUR, Terms
    from feltworks.protection.report import protection_report

    limit = profile_on(date.today()).wager_limit if terms.limit is None else terms.limit  # the law's limit by default
    hourly = terms.rounds_an_hour or ROUNDS_AN_HOUR
    with announce("Valuing known and counted cards") as progress:
        report = protection_report(name, Terms(terms.decks, terms.chosen, limit, hourly, terms.seed), progress)
    if as_json:
        print_json(report.document())
    else:
        _show(report)


def _show(report: "Report") -> None:
    from feltworks.money import dollars

    page = Page()
    if report.ladder:
        page.print(_ladder(report))
    for table in _sorted_cards(report):
        page.print(table)
    page.print(_removal(report))
    for wager, counted in report.counting.items():
        page.print(_count_words(wager, counted.document()))
    errors = Table("wager", "the dealer's error", "an hour", "what stops it")
    for slip in report.slips:
        errors.add_row(slip.wager, slip.error, dollars(slip.per_hour), slip.remedy)
    page.print(errors)
    remedies = Table("risk", "what stops it", "then an hour")
    for stop in report.remedies:
        remedies.add_row(stop.risk, stop.remedy, dollars(stop.after))
    page.print(remedies)
    page.print(report.face_up)
    page.close()


def _ladder(report: "Report") -> Table:
    """A table of each kind of knowledge and what it is worth."""
    from feltworks.money import dollars
    from feltworks.protection.knowledge import words_of
    from feltworks.protection.report import pace_words

    pace = pace_words(report.game, report.limits, report.terms.rounds_an_hour)
    table = Table("wager", "the player knows", "edge", "gain", "gain an hour", title=f"{report.title}: {pace}")
    for rung in report.ladder:
        edge, gain = _percent(float(rung.worth.edge)), _percent(float(rung.worth.gain))
        table.add_row(rung.wager, words_of(rung.sees), edge, gain, dollars(rung.per_hour))
    return table


def _sorted_cards(report: "Report") -> Iterator[Table]:
    """A table for each wager: the worth of telling some ranks of the dealer's card from the others."""
    from feltworks.protection.knowledge import group_words

    for wager, groupings in report.groupings.items():
        table = Table("ranks sorted", "edge", "gain", title=f"{wager}: the dealer's card sorted")
        for one in groupings:
            table.add_row(group_words([one.ranks]), _percent(one.edge), _percent(one.gain))
        yield table


def _removal(report: "Report") -> Table:
    ranks = max((list(one.effects) for one in report.removal.values()), key=len, default=[])
    table = Table("gone", *report.removal, title="Effect of one card gone on the player's edge")
    for rank in ranks:
        table.add_row(rank, *(_percent(float(one.effects.get(rank, 0))) for one in report.removal.values()))
    return table


def _count_words(wager: str, count: dict[str, Any]) -> str:
    if count.get("immune"):
        return f"{wager}: immune to counting. {count['reason']}."
    return (
        f"{wager}: wagered on {100 * count['bets']:.2f} % of rounds at {_percent(count['edge'])}, "
        f"{count['per_100']:+.4f} units per 100 rounds, standard error "
        f"{count['standard_error']:.4f}; with all cards known {count['ceiling']['per_100']:+.4f}."
    )
