import type { Hono } from "hono";
import { AleError } from "../contract/ale-error.ts";
import type { ApiProblem } from "./api/api-problem.ts";

const notFoundCodes: ReadonlySet<string> = new Set([
  "unknown-run",
  "unknown-trial",
  "unknown-task",
  "unknown-contestant",
  "unknown-board",
  "unknown-file",
  "unknown-item",
  "not-found",
]);

/** What is not there, and what cannot be answered, is told as an {@link ApiProblem}, whatever the app. */
export function answerProblems(app: Hono): void {
  app.notFound((context) => {
    const problem: ApiProblem = { code: "not-found", message: `there is nothing at ${context.req.path}` };
    return context.json(problem, 404);
  });
  app.onError((error, context) => {
    if (!AleError.isInstance(error)) {
      return context.json({ code: "internal", message: error.message } satisfies ApiProblem, 500);
    }
    const { code, message, remedy } = error;
    const problem: ApiProblem = { code, message, ...(remedy === undefined ? {} : { remedy }) };
    const status = notFoundCodes.has(code) ? 404 : code === "forbidden" ? 403 : 409;
    return context.json(problem, status);
  });
}
