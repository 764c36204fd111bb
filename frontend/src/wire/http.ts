/** The HTTP side of the wire: requests and answers are JSON; a refusal becomes an error that says what is allowed. */
import type {
  TrainerChoice,
  TrainerHand,
  TrainerTable,
  GameDocument,
  Me,
  NewTable,
  Proof,
  TableAddress,
  TableDocument,
  TableSummary,
} from "./types";

/** Something the server refused; `field` names the field that caused it, where there is one. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly kind: string,
    readonly field: string | null,
    readonly rule: string | null,
    readonly status: number,
  ) {
    super(message);
  }
}

const AWAY = "The server does not answer. Nothing was changed; try again in a moment.";

function token(): string {
  return /(?:^|;\s*)csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
}

async function refusal(answer: Response): Promise<Refused> {
  const refused = (await answer.json().catch(() => ({}))) as {
    error?: string;
    kind?: string;
    field?: string | null;
    rule?: string | null;
  };
  return new Refused(
    refused.error ?? AWAY,
    refused.kind ?? "",
    refused.field ?? null,
    refused.rule ?? null,
    answer.status,
  );
}

/** One request; a refusal is thrown. */
export async function ask<T>(path: string, method = "GET", body?: unknown): Promise<T> {
  const headers: Record<string, string> =
    method === "GET" ? {} : { "content-type": "application/json", "x-csrftoken": token() };
  const request: RequestInit = { method, headers, credentials: "same-origin" };
  if (body !== undefined) request.body = JSON.stringify(body);
  const answer = await fetch(path, request).catch(() => {
    throw new Refused(AWAY, "Unreachable", null, null, 0);
  });
  if (!answer.ok) throw await refusal(answer);
  return (await answer.json()) as T;
}

const byCloth = (all: GameDocument[]): GameDocument[] => all.sort((a, b) => a.layout.rank - b.layout.rank);

let games: Promise<GameDocument[]> | null = null;

export const api = {
  me: () => ask<Me>("/api/me"),
  rename: (name: string) => ask<Me>("/api/me", "PUT", { name }),
  /** The games do not change while a page is open: asked once, again only after a failure. */
  games: (): Promise<GameDocument[]> => {
    games ??= ask<GameDocument[]>("/api/games")
      .then(byCloth)
      .catch((trouble: unknown) => {
        games = null;
        throw trouble;
      });
    return games;
  },
  tables: () => ask<TableSummary[]>("/api/tables"),
  table: (id: string) => ask<TableDocument>(`/api/tables/${encodeURIComponent(id)}`),
  open: (order: NewTable) => ask<TableAddress>("/api/tables", "POST", order),
  trainer: (game: string) => ask<TrainerTable>(`/api/trainer/${encodeURIComponent(game)}`),
  trainerHand: (game: string, hand: { number?: number; choices?: TrainerChoice[]; drill?: string }) =>
    ask<TrainerHand>(`/api/trainer/${encodeURIComponent(game)}/hand`, "POST", hand),
  proof: (id: string) => ask<Proof>(`/api/tables/${encodeURIComponent(id)}/proof`),
};
