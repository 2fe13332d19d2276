import { Hono } from "hono";
import { AleError } from "../contract/ale-error.ts";
import type { About } from "./api/about.ts";
import type { ApiProblem } from "./api/api-problem.ts";
import type { AppOptions } from "./app-options.ts";
import { addBoardRoutes } from "./routes/board-routes.ts";
import { addFailureRoutes } from "./routes/failure-routes.ts";
import { addLiveRoutes } from "./routes/live-routes.ts";
import { addRunRoutes } from "./routes/run-routes.ts";
import { addTaskRoutes } from "./routes/task-routes.ts";
import { addTrialRoutes } from "./routes/trial-routes.ts";

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

/** The read API, from records only. Answers are JSON; what cannot be answered is an {@link ApiProblem}. */
export function createApp(options: AppOptions): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.header("X-Content-Type-Options", "nosniff");
    context.header("Cache-Control", "no-store");
    context.header("Referrer-Policy", "no-referrer");
  });
  app.get("/api/about", async (context) => {
    const reported = (await options.reported()) !== undefined;
    const about: About = { ...options.about, mode: options.mode, reported };
    return context.json(about);
  });
  addLiveRoutes(app, options);
  addRunRoutes(app, options);
  addTrialRoutes(app, options);
  addBoardRoutes(app, options);
  addTaskRoutes(app, options);
  addFailureRoutes(app, options);
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
  return app;
}
