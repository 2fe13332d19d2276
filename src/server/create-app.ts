import { Hono } from "hono";
import { answerProblems } from "./answer-problems.ts";
import type { About } from "./api/about.ts";
import type { AppOptions } from "./app-options.ts";
import { addBoardRoutes } from "./routes/board-routes.ts";
import { addFailureRoutes } from "./routes/failure-routes.ts";
import { addLiveRoutes } from "./routes/live-routes.ts";
import { addRunRoutes } from "./routes/run-routes.ts";
import { addScreenRoutes } from "./routes/screen-routes.ts";
import { addTaskRoutes } from "./routes/task-routes.ts";
import { addTrialRoutes } from "./routes/trial-routes.ts";

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
  addScreenRoutes(app, options);
  addBoardRoutes(app, options);
  addTaskRoutes(app, options);
  addFailureRoutes(app, options);
  answerProblems(app);
  return app;
}
