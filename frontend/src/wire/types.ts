/** Names for the generated types of the wire. Amounts are integer cents. */
import type { components } from "./wire";

type Schemas = components["schemas"];

/** An action without its id, which the connection adds. */
type WithoutId<T> = T extends { id: number } ? Omit<T, "id"> : never;

export type Code = string | null; // null lies face down
export type Money = Readonly<Record<string, number>>;

// A field that has a default in Python is optional in the schema; in an answer it is always there: Required says so.

// Tables
export type SeatView = Schemas["SeatView"];
export type Offer = Schemas["OfferView"];
export type Decision = Schemas["DecisionView"];
export type SettledLine = Schemas["LineView"];
export type View = Schemas["TableView"];
export type TableEvent = Schemas["TableEvent"];
export type Advice = Schemas["AdviceMessage"];
export type ServerMessage = Schemas["ServerMessage"];
export type Action = WithoutId<Schemas["TableAction"]>;
export type OptionDocument = Schemas["OptionDocument"];
export type OptionValue = OptionDocument["default"];
export type WagerDocument = Schemas["WagerDocument"];
export type GameDocument = Schemas["GameDocument"];
export type TableSummary = Schemas["TableSummary"];
export type TableDocument = Schemas["TableDocument"];
export type NewTable = Schemas["NewTable"];
export type TableAddress = Schemas["TableAddress"];
export type Proof = Schemas["DealProof"];
export type Me = Schemas["Me"];
export type Layout = Schemas["Layout"];
export type Spot = Layout["spots"][number];
export type Results = Schemas["ResultsView"];

// Training
export type PracticeState = Schemas["PracticeState"] & { score: Required<Schemas["Score"]> };
export type Move = Schemas["MoveRequest"]["move"];
export type Verb = PracticeState["verbs"][number];
export type Mistake = Schemas["Mistake"];
export type DemoHouse = Schemas["DemoHouse"];
export type ChairGame = Schemas["ChairGame"];
export type Lesson = Schemas["Lesson"];

export type TrainerHand = Schemas["TrainerHand"];
export type TrainerTable = Schemas["TrainerTable"];
export type TrainerChoice = Schemas["TrainerChoice"];
export type Drill = Schemas["Drill"];
export type Worth = Schemas["ChoiceWorth"];

// The house
export type LoggedInUser = Schemas["LoggedInUser"];
export type Person = Schemas["Person"];
export type Role = NewPerson["role"];
export type Notice = Schemas["Notice"];
export type HouseAction = Schemas["HouseAction"];
export type Signer = Schemas["Signer"];
export type Signers = Record<string, Signer>;
export type Order = Schemas["OrderRequest"];
export type HouseKind = NonNullable<Order["house"]>;
export type CheckResult = Schemas["CheckResult"];
export type WagerRange = Schemas["WagerRange"];
export type Standing = Schemas["GameStanding"];
export type ApprovalStep = Schemas["ApprovalStep"];
export type ApprovalRecord = Schemas["ApprovalRecord"];
export type Jackpot = Schemas["JackpotStatus"];
export type OpenJackpot = Schemas["OpenJackpot"];
export type PostToJackpot = Schemas["PostToJackpot"];
export type PostingResult = Schemas["PostingResult"];
export type Posting = Schemas["JournalPosting"];
export type Journal = Schemas["JournalPage"];
export type Meter = Schemas["MeterHistory"];
export type Verification = Schemas["BookVerification"];
export type Slip = Schemas["Slip"];
export type TableStatus = Schemas["TableStatus"] & { sums: Required<Schemas["Sums"]> };
export type ClosedPeriod = Schemas["Span"];
export type ClosePeriod = Schemas["ClosePeriod"];
export type HouseApprovalRequest = Schemas["HouseApprovalRequest"];
export type Matter = HouseApprovalRequest["matter"];
export type RecordRestoration = Schemas["RecordRestoration"];
export type NewEntry = Schemas["NewEntry"];
export type RegisterLine = Schemas["RegisterLine"];
export type EntryKinds = Record<string, Required<Schemas["Kind"]>>;
export type FloorDay = Schemas["FloorDay"];
export type FloorRow = Schemas["FloorRow"];
export type StrikeEntry = Schemas["StrikeEntry"];
export type HoldComparison = Schemas["HoldComparison"];
export type PeriodSummary = Schemas["PeriodSummary"];
export type Report = Schemas["MasterReport"];
export type TheoreticalWin = Schemas["TheoreticalWin"];
export type ReportRow = Schemas["ReportRow"];
export type Task = Required<Schemas["HouseTask"]>;
export type FinishTask = Schemas["FinishTask"];
export type TablePosting = Schemas["TablePosting"];
export type FloorTable = Schemas["FloorTable"];
export type TableClosure = Schemas["TableClosure"];
export type NewPerson = Schemas["NewPerson"];
export type ChangePerson = Schemas["ChangePerson"];

// The laboratory
export type ExactValue = Schemas["ExactValue"];
export type OutcomeRow = Schemas["OutcomeRow"];
export type Analysis = Schemas["Analysis"];
export type Comparison = Schemas["Comparison"];
export type Design = Schemas["Design"];
export type Protection = Schemas["Protection"];
export type Rung = Schemas["Rung"];
export type CountDocument = Schemas["CountDocument"];
/** A cell of a chart; its row and column stand under the names that the chart gives them. */
export type Cell = Schemas["ChartCell"] & Readonly<Record<string, unknown>>;
export type Chart = Omit<Schemas["Chart"], "cells"> & { cells: Cell[] };
export type PracticalStrategy = Schemas["PracticalStrategy"];
export type Strategy = Omit<Schemas["Strategy"], "charts"> & { charts: Chart[] };
export type Audit = Schemas["Audit"];
export type AuditedFigure = Schemas["AuditedFigure"];
export type AuditedReading = Schemas["AuditedReading"];
export type ReadingEffect = Schemas["ReadingEffect"];
export type WorkProgress = Schemas["WorkProgress"];
export type MeasuredWager = Schemas["MeasuredWager"];
export type SimulationResult = Schemas["SimulationResult"];
export type SimulatorMessage = Schemas["SimulatorMessage"];
