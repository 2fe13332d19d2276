import type { DeskCommand, DeskFolder } from "../../contract/sitting-desk.ts";
import type { ApiProblem } from "../../server/api/api-problem.ts";
import { ProblemError } from "../data/source.ts";

const fileAddress = (folder: DeskFolder, path: string): string =>
  `/api/sit/file?folder=${folder}&path=${encodeURIComponent(path)}`;

/** Address to download a file of the desk from. */
export const downloadAddress: typeof fileAddress = fileAddress;

/** Asks the server of the sitting. Rejects with a {@link ProblemError} for any answer but a good one. */
export async function ask(path: string, request: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, request);
  } catch (error) {
    if (request.signal?.aborted === true) throw error;
    throw new ProblemError({ code: "no-server", message: "the server does not answer" });
  }
  if (!response.ok) throw new ProblemError((await response.json()) as ApiProblem);
  return response;
}

export function askJson(path: string, value: unknown, signal?: AbortSignal): Promise<Response> {
  return ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(value),
    ...(signal === undefined ? {} : { signal }),
  });
}

export async function handIn(path: string, file: File): Promise<void> {
  await ask(fileAddress("output", path), { method: "PUT", body: file });
}

export async function withdraw(path: string): Promise<void> {
  await ask(fileAddress("output", path), { method: "DELETE" });
}

export async function runLine(line: string, signal: AbortSignal): Promise<DeskCommand> {
  const response = await askJson("/api/sit/command", { line }, signal);
  return (await response.json()) as DeskCommand;
}

/** What is wrong, in the form that pages show. */
export function problemOf(error: unknown): ApiProblem {
  return error instanceof ProblemError ? error.problem : { code: "client", message: String(error) };
}
