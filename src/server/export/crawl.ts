import type { Hono } from "hono";
import { AleError } from "../../contract/ale-error.ts";
import type { About } from "../api/about.ts";
import type { PreviewKind } from "../api/artifact-preview.ts";
import type { CompareView } from "../api/compare-view.ts";
import type { ItemIndex, ItemPage } from "../api/item-page.ts";
import type { RunList } from "../api/run-summary.ts";
import type { TaskList } from "../api/task-view.ts";
import type { TrialRow } from "../api/trial-row.ts";
import type { RecordFile, TrialView } from "../api/trial-view.ts";

/** Answers of the read API by path, of the parts of an export that are loaded together. */
export type Answers = Readonly<Record<string, unknown>>;

/** A part of an export: what all pages share, or one attempt. */
export interface ExportPart {
  readonly answers: Answers;
  /** Files of the attempt, with the API path of their bytes. */
  readonly files: readonly { readonly address: string; readonly file: RecordFile }[];
}

export interface CrawlLimits {
  /** Pages of events, steps or calls taken of one file. */
  readonly pages: number;
  /** Contestants that are compared with each other, the first ones of a run. */
  readonly compared: number;
}

/** Kinds of files that pages are given as values. */
const madeByServer: ReadonlySet<PreviewKind> = new Set(["table", "json", "text", "document"]);

/** Reads everything that pages may ask for from the read API, one part at a time. */
export async function* crawl(app: Hono, limits: CrawlLimits): AsyncGenerator<ExportPart> {
  const about = await ask<About>(app, "about");
  const runs = await ask<RunList>(app, "runs");
  const shared: Record<string, unknown> = { about, runs, taxonomy: await ask(app, "taxonomy") };
  const tasks = await ask<TaskList>(app, "tasks");
  shared["tasks"] = tasks;
  for (const { id } of tasks.tasks) shared[`tasks/${id}`] = await ask(app, `tasks/${id}`);
  for (const lane of ["full-pass-verified", "mean-verified"])
    shared[`trend/${lane}`] = await ask(app, `trend/${lane}`);
  if (about.reported) {
    for (const lane of ["reported-full-pass", "reported-mean"])
      shared[`board/${lane}`] = await ask(app, `board/${lane}`);
  }
  for (const [index, { id }] of runs.runs.entries()) {
    const run = encodeURIComponent(id);
    // The newest run is the one that pages show when their address names none.
    const queries = index === 0 ? ["", `run=${run}`] : [`run=${run}`];
    for (const query of queries) Object.assign(shared, await boardAnswers(app, query, limits.compared));
    for (const path of [`runs/${run}`, `runs/${run}/trials`, `failures/${run}`])
      shared[path] = await ask(app, path);
  }
  yield { answers: shared, files: [] };
  for (const { id } of runs.runs) {
    const run = encodeURIComponent(id);
    for (const row of shared[`runs/${run}/trials`] as readonly TrialRow[]) {
      if (row.attempt === 0) continue;
      const trial = `runs/${run}/trials/${encodeURIComponent(row.trial)}`;
      const { attempts } = await ask<TrialView>(app, `${trial}/${row.attempt}`);
      for (const attempt of attempts) yield attemptPart(app, `${trial}/${attempt}`, limits.pages);
    }
  }
}

async function boardAnswers(app: Hono, query: string, compared: number): Promise<Answers> {
  const withQuery = (path: string, more = ""): string => {
    const parts = [query, more].filter((part) => part !== "");
    return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
  };
  const answers: Record<string, unknown> = {};
  for (const lane of ["full-pass-verified", "mean-verified"]) {
    const path = withQuery(`board/${lane}`);
    answers[path] = await ask(app, path);
  }
  const choices = await ask<CompareView>(app, withQuery("compare"));
  const contestants = choices.contestants.slice(0, compared);
  answers[withQuery("compare")] = { ...choices, contestants };
  for (const first of contestants) {
    for (const second of contestants) {
      if (first === second) continue;
      const path = withQuery(
        "compare",
        `first=${encodeURIComponent(first)}&second=${encodeURIComponent(second)}`,
      );
      answers[path] = await ask(app, path);
    }
  }
  return answers;
}

async function attemptPart(app: Hono, path: string, mostPages: number): Promise<ExportPart> {
  const view = await ask<TrialView>(app, path);
  const answers: Record<string, unknown> = { [path]: view };
  for (const { kind } of view.items) {
    const items = `${path}/items/${kind}`;
    const index = await ask<ItemIndex>(app, `${items}/index`);
    const pages = index.pages.slice(0, mostPages);
    const count = index.pages[mostPages]?.first ?? index.count;
    answers[`${items}/index`] = { ...index, count, pages, leftOut: index.count - count } satisfies ItemIndex;
    if (kind === "steps" || kind === "calls") answers[`${items}/usage`] = await ask(app, `${items}/usage`);
    answers[`${items}/page/0`] = await ask(app, `${items}/page/0`);
    for (const { offset } of pages) {
      const page = await ask<ItemPage>(app, `${items}/page/${offset}`);
      answers[`${items}/page/${offset}`] = page;
      for (const item of page.items.filter((one) => one.clipped)) {
        answers[`${items}/at/${item.offset}`] = await ask(app, `${items}/at/${item.offset}`);
      }
    }
  }
  const files = view.files.map((file) => {
    const encoded = file.path.split("/").map(encodeURIComponent).join("/");
    return { file, encoded, address: `${path}/files/${encoded}` };
  });
  for (const { file, encoded } of files) {
    if (madeByServer.has(file.preview))
      answers[`${path}/preview/${encoded}`] = await ask(app, `${path}/preview/${encoded}`);
  }
  return { answers, files: files.map(({ address, file }) => ({ address, file })) };
}

async function ask<T>(app: Hono, path: string): Promise<T> {
  const response = await app.request(`/api/${path}`);
  if (response.ok) return (await response.json()) as T;
  const { code, message } = (await response.json()) as { readonly code: string; readonly message: string };
  throw new AleError({ code, message, fields: { path } });
}

/** The bytes of a file of an attempt. */
export async function askBytes(app: Hono, address: string): Promise<Uint8Array> {
  const response = await app.request(`/api/${address}`);
  return new Uint8Array(await response.arrayBuffer());
}
