import { isProgressive } from "../src/app/money";
import { isLawful, oddsNumber, oddsText } from "../src/pages/lab/draft";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LabRequest } from "../src/pages/lab/request.svelte";
import { heading, fitToPage, legend, letter, reachOf, sentence, shade } from "../src/pages/lab/chart";
import { asCsv, column, otherTables, rows } from "../src/pages/lab/compare";
import {
  addressOf,
  askedAt,
  asTable,
  blank,
  difference,
  isPlayed,
  paperAt,
  shownAt,
  turnable,
  type Configuration,
} from "../src/pages/lab/configuration";
import type { Analysis, Cell, Chart, OutcomeRow } from "../src/wire/types";
import { fraction, likely, oneIn, pays, power, ratio, share, signedNet, signedShare } from "../src/pages/lab/numbers";
import { byNet, contributions, listOutcomes } from "../src/pages/lab/outcomes";
import { byDecksData, convergenceData, dash, distributionData, withMargin } from "../src/pages/lab/plots";
import { Simulator, startOf } from "../src/pages/lab/simulator.svelte";
import type { GameDocument } from "../src/wire/types";
import { game, option, wager } from "./examples";

const of = (value: number, exact: string | null = null) => ({ exact, value });
const row = (outcome: string, probability: number, net: string): OutcomeRow => ({
  outcome,
  probability: of(probability),
  net,
  wagered: "1",
});

const GAME: GameDocument = {
  ...game("fu-bacc", [
    wager("ante", {
      pay_tables: { "1": { "player higher": "1 to 1", tie: "lose" }, "2": { "player higher": "1 to 1", tie: "push" } },
    }),
    wager("play", { kind: "derived", of: "ante", pay_tables: {} }),
    wager("tie", { kind: "bonus", pay_tables: { "1": { tie: "7 to 1" } } }),
    wager("gran", { kind: "bonus", pay_tables: { "1": { royal: "1/4 of the jackpot" } } }),
  ]),
  title: "Fu Bacc",
  options: [
    option("decks", { default: 6, range: [1, 8] }),
    option("soft17", { default: "stand", values: ["stand", "hit"] }),
    option("offers", { default: ["ante"], members: ["ante"] }),
  ],
};

const answer = (pay_table: string, edge: number): Analysis =>
  ({
    game: "fu-bacc",
    wager: "ante",
    pay_table,
    decks: 1,
    house_edge: of(edge, "1/20"),
    element_of_risk: of(edge),
    hit_frequency: of(0.4),
    standard_deviation: 1,
  }) as Analysis;

describe("an address", () => {
  const at: Configuration = {
    ...blank("fu-bacc", "ante"),
    payTable: "2",
    decks: 5,
    options: { soft17: "hit" },
    beside: { tie: "1/3", gran: "" },
    exposed: "7h 7d",
    jackpot: 250000,
    seats: 3,
    strategy: "always-hit",
    draft: { "natural 9": "5 to 2" },
  };

  it("says everything that is shown, and is read back the same", () => {
    const shown = { at, versus: [blank("fu-bacc", "tie"), { ...at, decks: 6 }], everyGame: true, rules: 8 };
    const [path, search] = addressOf(shown).split("?");
    expect(path).toBe("/lab/fu-bacc/ante");
    expect(shownAt(path!.slice("/lab/".length), `?${search}`)).toEqual(shown);
  });

  it("leaves out what is as usual", () => {
    expect(addressOf({ at: blank("fu-bacc", "ante"), versus: [], everyGame: false, rules: 0 })).toBe(
      "/lab/fu-bacc/ante",
    );
    expect(askedAt.answer(blank("fu-bacc", "ante"))).toBe("/api/lab/fu-bacc/ante");
    expect(asTable(askedAt.audit("fu-bacc"))).toBe("/api/lab/audit?game=fu-bacc&format=csv");
    expect(asTable(askedAt.audit(null))).toBe("/api/lab/audit?format=csv");
  });

  it("asks the server what the page shows, and each document only what it depends on", () => {
    expect(askedAt.answer(at)).toContain(
      "pay_table=2&decks=5&set=soft17%3Dhit&beside=tie%3D1%2F3&beside=gran" +
        "&exposed=7h+7d&jackpot=250000&seats=3&strategy=always-hit&draft=natural+9%3D5+to+2",
    );
    expect(askedAt.comparison(at)).toBe("/api/lab/fu-bacc/ante/compare?set=soft17%3Dhit");
    expect(askedAt.strategy(at, 0)).toMatch(/rules=1&values=true$/);
    expect(askedAt.strategy(at, 8)).not.toContain("jackpot");
  });

  it("holds a draft without changes apart from the table itself", () => {
    const drafting = { ...blank("fu-bacc", "ante"), draft: {} };
    expect(askedAt.answer(drafting)).toBe("/api/lab/fu-bacc/ante?draft=");
    expect(shownAt("fu-bacc/ante", "?draft=").at).toEqual(drafting);
    expect(askedAt.design(drafting, 5.25, ["rescue"])).toBe("/api/lab/fu-bacc/ante/design?target=5.25&keep=rescue");
    expect([0.5, 1.5, 9].map(oddsText)).toEqual(["1 to 2", "3 to 2", "9 to 1"]);
    expect([0, -3, 0.005, 100001, NaN].filter(isLawful)).toEqual([]);
    expect(oddsNumber("6 to 5")).toBe(1.2);
  });

  it("prints papers of the game under the same terms", () => {
    expect(paperAt(at, "par")).toBe(
      "/api/lab/papers/par/fu-bacc?decks=5&set=soft17%3Dhit&jackpot=250000&pay_table=ante%3D2&format=pdf",
    );
  });

  it("drops numbers that are none", () => {
    const { at: read } = shownAt("fu-bacc/ante", "?decks=-3&jackpot=1e9&seats=x");
    expect([read.decks, read.jackpot, read.seats]).toEqual([null, null, 1]);
  });

  it("is told apart from another in words", () => {
    const titles = (_: string, wager: string): string => wager.toUpperCase();
    expect(difference(blank("fu-bacc", "tie"), blank("fu-bacc", "ante"), titles)).toBe("TIE");
    expect(difference({ ...at, options: {} }, at, titles)).toBe("soft17 as usual");
    expect(difference({ ...at, decks: 2, payTable: "" }, at, titles)).toBe("table 1, two decks");
    expect(difference(at, at, titles)).toBe("");
  });

  it("knows what is played, what wins from a jackpot, and what can be turned", () => {
    expect([isPlayed(GAME, blank("fu-bacc", "ante")), isPlayed(GAME, blank("fu-bacc", "tie"))]).toEqual([true, false]);
    expect(isPlayed(GAME, { ...blank("fu-bacc", "tie"), beside: { ante: "" } })).toBe(true);
    expect(GAME.wagers.map(isProgressive)).toEqual([false, false, false, true]);
    expect(turnable(GAME).map((option) => option.name)).toEqual(["soft17"]);
  });
});

describe("numbers", () => {
  it("are exact first", () => {
    expect([fraction(of(0.05, "593/11137")), fraction(of(1, "-1/1")), fraction(of(0.4))]).toEqual([
      "593 / 11,137",
      "−1",
      null,
    ]);
    expect([share(0.053246), share(-0.0019, 2), ratio("3/2"), ratio("-1/4")]).toEqual([
      "5.3246 %",
      "−0.19 %",
      1.5,
      -0.25,
    ]);
  });

  it("say what a result pays", () => {
    expect(["200", "3/2", "0", "-1", "-1/2", "-3"].map(pays)).toEqual([
      "200 to 1",
      "3 to 2",
      "pushes",
      "loses",
      "loses half",
      "loses 3×",
    ]);
    expect(["-1", "0", "7"].map(signedNet)).toEqual(["−1", "0", "+7"]);
  });

  it("keep digits where chances are small", () => {
    expect([likely(0.5), likely(0.00001381), oneIn(0.2376), oneIn(0.0000138), oneIn(0)]).toEqual([
      "50.0000 %",
      "0.001381 %",
      "1 in 4.21",
      "1 in 72,464",
      "never",
    ]);
    expect([power(1000), power(2000), power(null)]).toEqual(["10³", "", ""]);
  });
});

describe("outcomes", () => {
  const found = [
    row("natural", 0.1, "3/2"),
    row("win", 0.3, "1"),
    row("push", 0.1, "0"),
    row("lose", 0.4, "-1"),
    row("fold", 0.1, "-1"),
  ];

  it("contribute to the expectation, the largest with the whole bar", () => {
    const parts = contributions(found);
    expect(parts.reduce((sum, each) => sum + each.contribution, 0)).toBeCloseTo(-0.05);
    expect(parts.map((each) => each.bar)[3]).toBe(1);
  });

  it("are listed the best first, the highest total of those that pay alike, and tell what was at stake", () => {
    const shown = listOutcomes([
      row("19", 0.1, "2"),
      row("20", 0.1, "2"),
      row("21", 0.1, "3"),
      row("lose", 0.4, "-1"),
      { ...row("lose", 0.3, "-3"), wagered: "3" },
    ]);
    expect(shown.rows.map((each) => each.outcome)).toEqual(["21", "20", "19", "lose", "lose, 3× wagered"]);
  });

  it("stand together by their net, the worst first", () => {
    expect(byNet(found).map(({ net, probability }) => [net, probability])).toEqual([
      ["-1", 0.5],
      ["0", 0.1],
      ["1", 0.3],
      ["3/2", 0.1],
    ]);
    expect(listOutcomes(found).gathered).toBe(false);
    const many = Array.from({ length: 30 }, (_, i) => row(`way ${i}`, 1 / 30, i % 2 ? "1" : "-1"));
    expect(listOutcomes(many).rows.map((each) => [each.outcome, each.probability.value.toFixed(2)])).toEqual([
      ["win", "0.50"],
      ["lose", "0.50"],
    ]);
  });
});

describe("plots", () => {
  it("take losses and the rest apart", () => {
    expect(
      distributionData([
        { net: "-1", probability: 0.6 },
        { net: "0", probability: 0.1 },
        { net: "2", probability: 0.3 },
      ]),
    ).toEqual([
      [0, 1, 2],
      [0.6, null, null],
      [null, 0.1, 0.3],
    ]);
  });

  it("take lines and then their rings", () => {
    expect(byDecksData([1, 2], [{ name: "table 1", edges: [0.1, 0.2], printed: [0.1, null] }])).toEqual([
      [1, 2],
      [0.1, 0.2],
      [0.1, null],
    ]);
    expect([dash(0), dash(3), dash(4)]).toEqual([undefined, undefined, [6, 3]]);
  });

  it("draw twice the error around the exact edge, or around what was measured", () => {
    const looks = [
      { rounds: 100, edge: 0.2, error: 0.05 },
      { rounds: 200, edge: 0.1, error: null },
    ];
    expect(convergenceData(looks, 0.1)).toEqual([
      [100, 200],
      [0.2, null],
      [0, null],
      [0.2, 0.1],
    ]);
    expect(convergenceData(looks, null)[1]).toEqual([0.30000000000000004, null]);
  });

  it("have air even where a line is level", () => {
    expect(withMargin(1, 3, 0.1)).toEqual([0.8, 3.2]);
    expect(withMargin(0, 0, 0.1)).toEqual([-0.01, 0.01]);
  });
});

describe("a chart", () => {
  const cell = (hard: string, up: string, choice: string, more: Partial<Cell> = {}): Cell => ({
    hard,
    "up card": up,
    choice,
    ...more,
  });
  const chart: Chart = {
    title: "Hard totals",
    down: "hard",
    across: "up card",
    rows: ["16", "11"],
    columns: ["9", "A"],
    cells: [
      cell("16", "9", "surrender", { otherwise: "stand", values: { surrender: of(-0.5), hit: of(-0.509) } }),
      cell("11", "A", "split", { otherwise: "hit", shares: { split: of(0.75), hit: of(0.25) } }),
    ],
    notes: [],
    meaning: "",
  };

  it("has the trade's letters and says what they mean", () => {
    expect(chart.cells.map(letter)).toEqual(["Rs", "P*"]);
    expect(legend([chart])).toEqual([
      ["P", "split"],
      ["Rs", "surrender, or stand"],
    ]);
    expect(heading(chart)).toBe("Hard totals against the up card");
    expect(heading({ ...chart, title: "Best play", down: "total" })).toBe("Best play, total by up card");
  });

  it("lies on its side where it has many rows and hardly a column", () => {
    const rows = ["1", "2", "3", "4", "5"];
    expect(fitToPage({ ...chart, rows })).toMatchObject({
      rows: ["9", "A"],
      columns: rows,
      down: "up card",
      across: "hard",
    });
    expect(fitToPage(chart)).toBe(chart);
  });

  it("says what every choice is worth, the best first", () => {
    expect(sentence(chart, "16", "9")).toBe("16 against 9: surrender −0.500, hit −0.509");
    expect(sentence(chart, "11", "A")).toBe("11 against A: split (split with 75 % of them, hit with 25 % of them)");
    expect(sentence(chart, "16", "A")).toBe("");
    expect(
      sentence(
        { ...chart, across: "suits", cells: [{ hard: "16", suits: "one suit", choice: "raise" }] },
        "16",
        "one suit",
      ),
    ).toBe("hard 16, one suit: raise");
  });

  it("colours a hand by its worth between the least and the most", () => {
    expect(reachOf([chart])).toEqual([-0.5, 0]);
    expect([shade(-0.25, [-0.5, 1]), shade(7, [-0.5, 1]), shade(0, [0, 0])]).toEqual([
      { side: "lose", part: 50 },
      { side: "win", part: 100 },
      { side: "win", part: 0 },
    ]);
  });
});

describe("a comparison", () => {
  const at = blank("fu-bacc", "ante");
  const columns = [
    column(at, at, answer("1", 0.05), [GAME]),
    column({ ...at, payTable: "2", options: { soft17: "hit" } }, at, answer("2", 0.02), [GAME]),
  ];

  it("is with the other pay tables unless somebody says otherwise", () => {
    expect(otherTables(at, ["1", "2", "3"], "1").map((each) => each.payTable)).toEqual(["2", "3"]);
  });

  it("marks what differs and leaves out pays that are alike", () => {
    const found = rows(columns);
    expect(columns.map((each) => each.title)).toEqual(["Table 1", "Table 2, soft17 hit"]);
    expect(found.alike).toBe(1);
    expect(found.rows.map((each) => each.name)).toEqual([
      "tie",
      "House edge",
      "Element of risk",
      "Hit frequency",
      "Deviation",
    ]);
    expect(found.rows[0]!.cells).toEqual([
      { text: "lose", differs: false },
      { text: "push", differs: true },
    ]);
    expect(found.rows[3]!.cells.some((cell) => cell.differs)).toBe(false);
  });

  it("holds no cell that a spreadsheet would run", () => {
    const named = columns.map((each) => ({ ...each, title: "=1+1", pays: { "@odd": "-1", "-1/2": "-cmd" } }));
    const table = decodeURIComponent(asCsv(named).split(",").slice(1).join(","));
    expect(table.split("\r\n").slice(0, 3)).toEqual([",'=1+1,'=1+1", "'@odd,-1,-1", "-1/2,'-cmd,'-cmd"]);
  });

  it("can be taken along whole", () => {
    const table = decodeURIComponent(asCsv(columns).split(",").slice(1).join(","));
    expect(table.split("\r\n").slice(0, 2)).toEqual([',Table 1,"Table 2, soft17 hit"', "player higher,1 to 1,1 to 1"]);
  });
});

describe("a simulation", () => {
  const tally = (rounds: number) =>
    ({
      type: "tally",
      rounds,
      of: 100,
      seconds: 1,
      rounds_per_second: 5,
      wagers: { ante: { house_edge: 0.1, standard_error: 0.01, exact: 0.1, z: 0 } },
    }) as const;

  it("is asked for in the words of the command line", () => {
    const at = { ...blank("fu-bacc", "tie"), beside: { ante: "" }, payTable: "1", options: { soft17: "hit" } };
    expect(startOf(at, 1000, 7)).toMatchObject({
      type: "start",
      wagers: ["tie", "ante"],
      pay_tables: ["tie=1"],
      set: ["soft17=hit"],
      fresh: true,
      rounds: 1000,
      seed: 7,
      strategy: "",
      seats: null,
    });
    expect(startOf({ ...at, beside: { ante: "1/3" } }, 1000, null)).toMatchObject({
      wagers: ["tie=60000", "ante=20000"],
      strategy: "joint",
    });
  });

  it("gathers looks as they come, and ends with the result", () => {
    const simulator = new Simulator();
    simulator.hear({ type: "waiting", ahead: 3 });
    expect([simulator.state, simulator.ahead]).toEqual(["waiting", 3]);
    simulator.hear({ type: "started", seed: 7, of: 100, command: "" });
    simulator.hear(tally(10));
    simulator.hear(tally(10));
    simulator.hear(tally(20));
    expect([simulator.state, simulator.looks.map((look) => look.rounds), simulator.seed]).toEqual([
      "running",
      [10, 20],
      7,
    ]);
    simulator.hear({
      type: "done",
      result: {
        game: "fu-bacc",
        seconds: 1,
        rounds: 30,
        seed: 7,
        wagers: tally(30).wagers,
        rounds_per_second: 9,
        interrupted: true,
        made: { command: "felt", fingerprint: "", version: "", at: "" },
      },
      made_way: true,
    });
    expect([simulator.state, simulator.last?.rounds, simulator.isRunning, simulator.madeWay]).toEqual([
      "done",
      30,
      false,
      true,
    ]);
    expect(simulator.trouble).toBe("");
  });

  it("says why it was refused", () => {
    const simulator = new Simulator();
    simulator.hear({ type: "refused", kind: "BadOption", error: "option wager cannot be 'x'" });
    expect([simulator.state, simulator.trouble]).toEqual(["done", "option wager cannot be 'x'"]);
  });
});

describe("a document that is asked for", () => {
  const answers = (found: Record<string, () => Promise<Response>>): string[] => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", (path: string, { signal }: RequestInit) => {
      asked.push(path);
      return Promise.race([
        found[path]!(),
        new Promise<Response>((_, left) => signal!.addEventListener("abort", () => left(new Error("left")))),
      ]);
    });
    return asked;
  };
  const json =
    (body: unknown, status = 200) =>
    async () =>
      new Response(JSON.stringify(body), { status });
  const never = () => new Promise<Response>(() => undefined);
  afterEach(() => vi.unstubAllGlobals());

  it("is asked for once, refused or not, and again only when somebody says so", async () => {
    const asked = answers({ "/a": json({ error: "no such wager", kind: "UnknownName" }, 400) });
    const asking = new LabRequest<string>();
    asking.ask("/a");
    await vi.waitFor(() => expect(asking.trouble).toBe("no such wager"));
    asking.ask("/a");
    expect(asked).toEqual(["/a"]);
    asking.again();
    expect(asked).toEqual(["/a", "/a"]);
  });

  it("is left for another, whose answer alone counts", async () => {
    answers({ "/slow": never, "/quick": json("answer") });
    const asking = new LabRequest<string>();
    asking.ask("/slow");
    asking.ask("/quick");
    await vi.waitFor(() => expect(asking.value).toBe("answer"));
    expect([asking.trouble, asking.isWorking]).toEqual(["", false]);
  });

  it("says that it was stopped, and stays so", () => {
    answers({ "/slow": never });
    const asking = new LabRequest<string>();
    asking.ask("/slow");
    asking.stop();
    asking.ask("/slow");
    expect([asking.isWorking, asking.trouble]).toEqual([false, "Stopped before it was finished."]);
  });
});

it("sets no sign before a zero", () => {
  expect([-1e-9, 0, 1e-9].map((value) => signedShare(value))).toEqual(["0.0000 %", "0.0000 %", "0.0000 %"]);
  expect([signedShare(-0.05), signedShare(0.05), share(-0.0001)]).toEqual(["−5.0000 %", "+5.0000 %", "−0.0100 %"]);
});
