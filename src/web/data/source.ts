import type { ApiProblem } from "../../server/api/api-problem.ts";
import { searchExported } from "./search-exported.ts";

/** What an exported page finds in its window: answers by path, in scripts that are loaded when asked for. */
export interface ExportedData {
  /** Script that holds the answer of a path; 0 for what is here from the start. */
  readonly index: Readonly<Record<string, number>>;
  readonly values: Record<string, unknown>;
  /** Addresses of files in a one-file export, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

declare global {
  interface Window {
    aleData?: ExportedData;
  }
}

/** Whether this page came with its data instead of a server. */
export const isExported: boolean = window.aleData !== undefined;

/** An answer that is no answer. */
export class ProblemError extends Error {
  readonly problem: ApiProblem;

  constructor(problem: ApiProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Reads `path` of the API, from the server or from the export. Rejects with a {@link ProblemError}. */
export async function readJson<T>(path: string): Promise<T> {
  if (window.aleData !== undefined) return (await readExported(window.aleData, path)) as T;
  let response: Response;
  try {
    response = await fetch(`/api/${path}`);
  } catch {
    throw new ProblemError({ code: "no-server", message: "the server does not answer" });
  }
  const body: unknown = await response.json();
  if (!response.ok) throw new ProblemError(body as ApiProblem);
  return body as T;
}

/** Sends a value to the server. Rejects with a {@link ProblemError} when it is not taken. */
export async function sendJson(path: string, value: unknown): Promise<void> {
  const response = await fetch(`/api/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(value),
  });
  if (!response.ok) throw new ProblemError((await response.json()) as ApiProblem);
}

async function readExported(data: ExportedData, path: string): Promise<unknown> {
  const [, items, query] = /^(.*\/items\/\w+)\/search\?q=(.*)$/.exec(path) ?? [];
  if (items !== undefined && query !== undefined) {
    await readExported(data, `${items}/index`);
    return searchExported(data.values, items, decodeURIComponent(query));
  }
  const script = data.index[path];
  if (script === undefined) {
    throw new ProblemError({ code: "not-exported", message: "this was left out of the export" });
  }
  if (!(path in data.values)) await loadScript(`data/${script}.js`);
  return data.values[path];
}

function loadScript(address: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const element = document.createElement("script");
  element.src = address;
  element.onload = () => resolve();
  element.onerror = () =>
    reject(new ProblemError({ code: "not-exported", message: `${address} is missing` }));
  document.head.append(element);
  return promise;
}

/** API path of an attempt. */
export function attemptPath(run: string, trial: string, attempt: number): string {
  return `runs/${encodeURIComponent(run)}/trials/${encodeURIComponent(trial)}/${attempt}`;
}

/** Address of a file of an attempt; `undefined` where an export left it out. */
export function fileAddress(attempt: string, path: string): string | undefined {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  const data = window.aleData;
  if (data === undefined) return `/api/${attempt}/files/${encoded}`;
  return data.files?.[`${attempt}/files/${encoded}`];
}
