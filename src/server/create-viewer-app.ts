import type { Hono } from "hono";
import { answerProblems } from "./answer-problems.ts";
import type { AppOptions } from "./app-options.ts";
import { createApp } from "./create-app.ts";
import { createPageApp } from "./page-app.ts";
import type { PageSecrets } from "./page-key.ts";

export interface ViewerAppOptions {
  readonly secrets: PageSecrets;
  /** What the read API answers from. */
  readonly reading: AppOptions;
}

/**
 * The read API for the one browser that came with the token: other users of this machine reach its port as well, and
 * records, screens of running trials among them, are none of their business.
 */
export function createViewerApp({ secrets, reading }: ViewerAppOptions): Hono {
  const app = createPageApp({ name: "serve", secrets, guarded: "/api" });
  app.route("/", createApp(reading));
  answerProblems(app);
  return app;
}
