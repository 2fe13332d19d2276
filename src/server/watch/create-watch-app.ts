import type { Hono } from "hono";
import { AleError } from "../../contract/ale-error.ts";
import { answerProblems } from "../answer-problems.ts";
import type { AppOptions } from "../app-options.ts";
import { createApp } from "../create-app.ts";
import { createPageApp } from "../page-app.ts";
import type { PageSecrets } from "../page-key.ts";
import { type WatchOptions, watchView } from "./watch-view.ts";

export interface WatchAppOptions extends WatchOptions {
  readonly secrets: PageSecrets;
  /** What the read API answers from, which the page of a run that is watched asks as well. */
  readonly reading: AppOptions;
}

/** The read API with the page of a run that is watched, for the one browser that came with the token, and to read only. */
export function createWatchApp({ secrets, reading, ...watched }: WatchAppOptions): Hono {
  const app = createPageApp({ name: "watch", secrets, guarded: "/api" });
  app.get("/api/watch", async (context) => context.json(await watchView(reading, watched)));
  app.use("/api/*", async (context, next) => {
    if (context.req.method === "GET" || context.req.method === "HEAD") return next();
    throw new AleError({ code: "forbidden", message: "whoever watches changes nothing" });
  });
  app.route("/", createApp(reading));
  answerProblems(app);
  return app;
}
