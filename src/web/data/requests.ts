import type { ApiProblem } from "../../server/api/api-problem.ts";
import { ProblemError } from "./source.ts";

/** Asks the server. Rejects with a {@link ProblemError} for any answer but a good one. */
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

/** What is wrong, in the form that pages show. */
export function problemOf(error: unknown): ApiProblem {
  return error instanceof ProblemError ? error.problem : { code: "client", message: String(error) };
}
