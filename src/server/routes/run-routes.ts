import type { Hono } from "hono";
import { AleError } from "../../contract/ale-error.ts";
import type { RunList, RunSummary, UnreadableRun } from "../api/run-summary.ts";
import type { AppOptions } from "../app-options.ts";
import { runSummary, runView } from "../run-view.ts";
import { trialRows } from "../trial-rows.ts";

/** Runs, one run, its trials. */
export function addRunRoutes(app: Hono, { shelf }: AppOptions): void {
  app.get("/api/runs", async (context) => {
    const runs: RunSummary[] = [];
    const unreadable: UnreadableRun[] = [];
    for (const id of (await shelf.folders()).keys()) {
      try {
        runs.push(runSummary(await shelf.get(id)));
      } catch (error) {
        if (!AleError.isInstance(error)) throw error;
        unreadable.push({ id, message: error.message });
      }
    }
    return context.json({ runs: runs.reverse(), unreadable } satisfies RunList);
  });
  app.get("/api/runs/:run", async (context) =>
    context.json(runView(await shelf.get(context.req.param("run")))),
  );
  app.get("/api/runs/:run/trials", async (context) =>
    context.json(trialRows(await shelf.get(context.req.param("run")))),
  );
}
