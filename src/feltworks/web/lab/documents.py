"""The laboratory's JSON documents as typed records, from which OpenAPI schemas and browser types are made.

The analysis and the simulation make these documents; tests compare real ones with the records.
"""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from feltworks.documents import Rows, csv_text

AnyDocument = dict[str, Any]  # made by the analysis


class ExactValue(Struct, frozen=True):
    """A number as a fraction, where it is exact, and as a decimal."""

    exact: str | None
    value: float


class WorkProgress(Struct, frozen=True):
    """A question being computed: its title, the part that is done, and the seconds so far."""

    words: str
    done: float | None
    seconds: float


class OutcomeRow(Struct, frozen=True):
    """One outcome of a wager."""

    outcome: str
    probability: ExactValue
    net: str
    wagered: str
    ways: int | UnsetType = UNSET
    of: int | UnsetType = UNSET


class Figures(Struct, frozen=True, kw_only=True):
    """The figures of one wager."""

    house_edge: ExactValue
    element_of_risk: ExactValue
    average_wager: ExactValue
    hit_frequency: ExactValue
    push_frequency: ExactValue
    standard_deviation: float


class SideFigures(Figures, frozen=True, kw_only=True):
    """The figures of another wager of the spot, and its size relative to the analysed one."""

    ratio: str


class ReturnLine(Struct, frozen=True):
    """The return of a progressive as a linear function of the jackpot."""

    constant: ExactValue
    per_cent: ExactValue


class ReturnAtJackpot(Struct, frozen=True, rename={"returned": "return"}):
    """The return of a progressive at one size of the jackpot."""

    jackpot: int
    returned: ExactValue


class RoundFigures(Struct, frozen=True):
    """The result of a whole spot in one round."""

    mean: ExactValue
    standard_deviation: float | None


class DraftRow(Struct, frozen=True):
    """A row of a pay table: what it pays in the table and in the draft, and the edge for one unit more on it."""

    row: str
    table: str
    pay: str
    slope: ExactValue | None


class Draft(Struct, frozen=True):
    """A draft of a pay table, also as a rulebook writes it."""

    rows: list[DraftRow]
    toml: str


class DesignedTable(Struct, frozen=True):
    """A pay table near the target, with what it changes: what a row pays now and in this table."""

    changed: dict[str, list[str]]
    house_edge: ExactValue
    distance: ExactValue


class Design(Struct, frozen=True):
    """The pay tables nearest to a target; `complete` where no table was left out of the search."""

    tables: list[DesignedTable]
    searched: int
    complete: bool


class Analysis(Figures, frozen=True, kw_only=True, rename={"return_line": "return"}):
    """The answer of `felt analyze`."""

    game: str
    wager: str
    pay_table: str
    decks: int
    options: dict[str, Any]
    played: str
    as_approved: bool
    deviations: list[str]
    fingerprint: str
    outcomes: list[OutcomeRow]
    strategy: list[dict[str, Any]] | UnsetType = UNSET
    remarks: list[str] | UnsetType = UNSET
    jackpot: int | UnsetType = UNSET
    seats: int | UnsetType = UNSET
    fixed_return: ExactValue | UnsetType = UNSET
    break_even_jackpot: ExactValue | UnsetType = UNSET
    return_line: ReturnLine | UnsetType = UNSET
    return_by_jackpot: list[ReturnAtJackpot] | UnsetType = UNSET
    rounds_between: dict[str, ExactValue] | UnsetType = UNSET
    rounds_between_at_table: dict[str, ExactValue] | UnsetType = UNSET
    beside: dict[str, SideFigures] | UnsetType = UNSET
    round: RoundFigures | UnsetType = UNSET
    draft: Draft | UnsetType = UNSET


class ComparisonRow(Struct, frozen=True):
    """The house edge under one pay table with so many decks."""

    pay_table: str
    decks: int
    house_edge: ExactValue


class Comparison(Struct, frozen=True):
    """A wager under all its pay tables and deck counts."""

    game: str
    wager: str
    compared: list[ComparisonRow]


class ChartCell(Struct, frozen=True):
    """One cell of a chart; its row and column stand under the names that the chart gives them."""

    choice: str
    otherwise: str | UnsetType = UNSET
    shares: dict[str, ExactValue] | UnsetType = UNSET
    values: dict[str, ExactValue] | UnsetType = UNSET


class Chart(Struct, frozen=True):
    """Best play by what the player sees; `down` and `across` name the keys of row and column in each cell."""

    title: str
    down: str
    across: str
    rows: list[str]
    columns: list[str]
    cells: list[ChartCell]
    notes: list[str]
    meaning: str


class StrategyRule(Struct, frozen=True):
    """One rule of a practical strategy."""

    choice: str
    words: str


class PracticalStrategy(Struct, frozen=True):
    """A short list of rules, and what it costs against best play."""

    rules: list[StrategyRule]
    otherwise: str
    words: str
    to_remember: int
    cost: ExactValue
    house_edge: ExactValue


class Strategy(Struct, frozen=True, kw_only=True):
    """The answer of `felt strategy`: charts of best play, and lists of rules."""

    game: str
    wager: str
    pay_table: str
    decks: int
    options: dict[str, Any]
    house_edge: ExactValue
    charts: list[Chart]
    practical: list[PracticalStrategy]
    least_cost: ExactValue
    remark: str
    chart_house_edge: ExactValue | UnsetType = UNSET
    chart_cost: ExactValue | UnsetType = UNSET


class AuditedFigure(Struct, frozen=True):
    """A printed figure beside the computed one."""

    game: str
    wager: str
    pay_table: str
    decks: int
    quantity: str
    published: str
    computed: ExactValue
    match: Literal["rounded", "truncated", "none"]
    finding: str
    clause: str
    agrees: bool


class ReadingEffect(Struct, frozen=True):
    """What another reading of a clause does to a wager."""

    wager: str
    beside: str
    option: str
    value: Any
    house_edge: ExactValue
    house_edge_by_default: ExactValue
    cents_per_hundred_rounds: float


class AuditedReading(Struct, frozen=True):
    """How an open clause was read, and what the other readings would change."""

    game: str
    clause: str
    settles: str
    finding: str
    effects: list[ReadingEffect]


class Audit(Struct, frozen=True):
    """The answer of `felt audit`."""

    figures: list[AuditedFigure]
    readings: list[AuditedReading]
    as_approved: bool
    deviations: dict[str, list[str]]


class MeasuredWager(Struct, frozen=True):
    """The measured house edge of a wager, beside the exact one."""

    house_edge: float
    standard_error: float | None
    exact: float | None
    z: float | None


class SimulationOrigin(Struct, frozen=True):
    """How a result was made, so that it can be repeated."""

    version: str
    fingerprint: str
    command: str
    at: str


class SimulationResult(Struct, frozen=True):
    """The answer of `felt simulate`."""

    game: str
    rounds: int
    seed: int
    wagers: dict[str, MeasuredWager]
    rounds_per_second: int
    seconds: float
    interrupted: bool
    made: SimulationOrigin


# Documents as rows for a spreadsheet.


def csv_bytes(rows: Rows) -> bytes:
    """Rows as CSV, with a byte order mark so that spreadsheets recognize the encoding."""
    return csv_text(rows).encode("utf-8-sig")


def outcome_rows(document: AnyDocument) -> Rows:
    """The outcomes of a wager."""
    yield ["outcome", "net", "wagered", "probability", "exact", "ways", "of"]
    for row in document["outcomes"]:
        probability = row["probability"]
        cells = [row["outcome"], row["net"], row["wagered"], probability["value"], probability["exact"]]
        yield [*cells, row.get("ways", ""), row.get("of", "")]


def comparison_rows(document: AnyDocument) -> Rows:
    """The edges of a wager by pay table and number of decks."""
    yield ["pay table", "decks", "house edge", "exact"]
    for row in document["compared"]:
        yield [row["pay_table"], row["decks"], row["house_edge"]["value"], row["house_edge"]["exact"]]


def design_rows(document: AnyDocument) -> Rows:
    """The pay tables of a design with their pays."""
    rows = list(document["now"]["pays"])
    yield ["house edge", "exact", *rows]
    for table in document["tables"]:
        edge = table["house_edge"]
        yield [edge["value"], edge["exact"], *(table["pays"][row] for row in rows)]


def strategy_rows(document: AnyDocument) -> Rows:
    """The cells of all charts, with the value of each choice if the document has it."""
    cells = [cell for chart in document["charts"] for cell in chart["cells"]]
    names = list(dict.fromkeys(name for cell in cells for name in cell.get("values", ())))
    yield ["chart", "row", "column", "choice", "otherwise", *names]
    for chart in document["charts"]:
        for cell in chart["cells"]:
            place = [chart["title"], cell[chart["down"]], cell[chart["across"]]]
            values = cell.get("values", {})
            numbers = [values[name]["value"] if name in values else "" for name in names]
            yield [*place, cell["choice"], cell.get("otherwise", ""), *numbers]


class Worth(Struct, frozen=True, kw_only=True):
    """The player's edge without and with some knowledge."""

    baseline: ExactValue
    player_edge: ExactValue
    gain: float
    method: Literal["exact", "sampled"]
    standard_error: float
    samples: int | UnsetType = UNSET
    note: str | UnsetType = UNSET


class Rung(Worth, frozen=True, kw_only=True):
    """One thing that a player may know of a wager; cents an hour at the limit."""

    wager: str
    sees: str
    words: str
    per_hour: int


class KnownWorth(Worth, frozen=True, kw_only=True):
    """What it is worth to know some cards of a wager."""

    game: str
    wager: str
    sees: list[str]


class SortedGroup(Struct, frozen=True):
    """Ranks that a mark distinguishes from all others, and what that is worth."""

    group: str
    player_edge: float
    gain: float


class Ceiling(Struct, frozen=True):
    """What perfect knowledge of the cards left can make."""

    bets: float
    edge: float
    per_100: float
    standard_error: float
    compositions: float
    method: str
    counted_per_100: float
    counted_error: float
    suits_per_100: float
    choices_per_100: float


class SuitDifference(Struct, frozen=True):
    """The best count of suits against each other."""

    tags: dict[str, int]
    correlation: float
    trigger: int
    bets: float
    per_100: float


class CountDocument(Struct, frozen=True):
    """A count of one wager; `immune` with its reason where there is none."""

    removal: dict[str, float]
    removal_suits: dict[str, float]
    removal_cards: dict[str, float]
    baseline: ExactValue
    burn_card: float
    tags: dict[str, int]
    correlation: float
    trigger: int | None
    bets: float
    edge: float
    per_100: float
    per_shoe: float
    standard_error: float
    ceiling: Ceiling
    immune: bool | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    cut_card: int | UnsetType = UNSET
    edge_error: float | UnsetType = UNSET
    desirability: float | UnsetType = UNSET
    n0: float | UnsetType | None = UNSET
    by_count: dict[str, list[float]] | UnsetType = UNSET
    difference: SuitDifference | UnsetType | None = UNSET


class DepthRow(Struct, frozen=True):
    """What a count gains per 100 rounds with so many cards behind the cut card."""

    cut_card: int
    per_100: float


class DealerError(Struct, frozen=True):
    """An error of the dealer, what it costs an hour in cents, and what stops it."""

    wager: str
    error: str
    per_hour: int
    remedy: str


class Remedy(Struct, frozen=True):
    """A risk and what stops it; cents an hour that the player wins before, after, and with the cut card moved too."""

    risk: str
    remedy: str
    wager: str
    kind: Literal["none", "hide", "cut card", "cap", "shuffle", "entry", "pay", "table"]
    before: int
    after: int
    after_cut: int
    sees: str


class Protection(Struct, frozen=True):
    """What knowing and counting cards is worth in a game, what errors cost, and what stops them."""

    game: str
    title: str
    limit: int
    limits: dict[str, int]
    rounds_an_hour: int
    ladder: list[Rung]
    edge_sorting: dict[str, list[SortedGroup]]
    removal: dict[str, dict[str, float]]
    counting: dict[str, CountDocument]
    cut_card: dict[str, list[DepthRow]]
    errors: list[DealerError]
    remedies: list[Remedy]
    face_up: str
    deviations: list[str]


def ladder_rows(document: AnyDocument) -> Rows:
    """Each kind of knowledge and what it is worth."""
    heads = ["wager", "sees", "words", "baseline", "player_edge", "exact", "gain"]
    yield [*heads, "method", "standard_error", "cents_an_hour"]
    for rung in document.get("ladder") or [document]:
        words = [rung["wager"], rung["sees"], rung.get("words", ""), rung["baseline"]["value"]]
        edge = rung["player_edge"]
        rest = [rung["gain"], rung["method"], rung["standard_error"], rung.get("per_hour", "")]
        yield [*words, edge["value"], edge["exact"], *rest]


def audit_rows(document: AnyDocument) -> Rows:
    """The printed figures beside the computed ones."""
    fields = ["game", "wager", "pay_table", "decks", "quantity", "published"]
    yield [*fields, "computed", "exact", "match", "clause", "finding"]
    for row in document["figures"]:
        computed = row["computed"]
        cells = [row[key] for key in fields]
        yield [*cells, computed["value"], computed["exact"], row["match"], row["clause"], row["finding"]]
