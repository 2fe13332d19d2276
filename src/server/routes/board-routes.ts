import type { Context, Hono } from "hono";
import type { VerifiedLane } from "../../board/board-rows.ts";
import type { ReportedLane } from "../../board/reported/reported-lane.ts";
import { reportedRows } from "../../board/reported/reported-rows.ts";
import type { TaskFilter } from "../../board/task-facts.ts";
import { AleError } from "../../contract/ale-error.ts";
import type { BoardView } from "../api/board-view.ts";
import type { AppOptions } from "../app-options.ts";
import { type BoardSelection, selectEntries, trendView, verifiedBoard } from "../board-view.ts";
import { compareView } from "../compare-view.ts";
import type { LoadedRun } from "../loaded-run.ts";

const verifiedLanes: readonly VerifiedLane[] = ["full-pass-verified", "mean-verified"];
const reportedLanes: readonly ReportedLane[] = ["reported-full-pass", "reported-mean"];
const filters = ["domain", "tier", "subfield", "os", "channel", "software"] as const;

/** Boards by lane, and two contestants side by side. */
export function addBoardRoutes(app: Hono, options: AppOptions): void {
  /** The runs a request names, the newest when it names none. */
  async function runsOf(context: Context): Promise<readonly LoadedRun[]> {
    const ids = [...(await options.shelf.folders()).keys()];
    const named = context.req.queries("run") ?? ids.slice(-1);
    return Promise.all(named.map((id) => options.shelf.get(id)));
  }

  async function selectionOf(context: Context, runs: readonly LoadedRun[]): Promise<BoardSelection> {
    const filter: TaskFilter = Object.fromEntries(
      filters.flatMap((name) => {
        const values = context.req.queries(name);
        return values === undefined ? [] : [[name, values]];
      }),
    );
    return selectEntries(runs, filter, await options.tasks());
  }

  app.get("/api/board/:lane", async (context) => {
    const name = context.req.param("lane");
    const reportedLane = reportedLanes.find((lane) => lane === name);
    if (reportedLane !== undefined) {
      const board = await options.reported();
      if (board === undefined) throw noReportedBoard();
      return context.json({ kind: "reported", board: reportedRows(board, reportedLane) } satisfies BoardView);
    }
    const lane = verifiedLanes.find((candidate) => candidate === name);
    if (lane === undefined) throw unknownLane(name);
    const runs = await runsOf(context);
    return context.json(verifiedBoard(runs, lane, await selectionOf(context, runs)));
  });
  app.get("/api/trend/:lane", async (context) => {
    const name = context.req.param("lane");
    const lane = verifiedLanes.find((candidate) => candidate === name);
    if (lane === undefined) throw unknownLane(name);
    const ids = [...(await options.shelf.folders()).keys()];
    // A run that cannot be read is told of in the list of runs.
    const read = await Promise.allSettled(ids.map((id) => options.shelf.get(id)));
    const runs = read.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    return context.json(trendView(runs, lane));
  });
  app.get("/api/compare", async (context) => {
    const selection = await selectionOf(context, await runsOf(context));
    return context.json(compareView(selection, context.req.query("first"), context.req.query("second")));
  });
}

function noReportedBoard(): AleError {
  return new AleError({
    code: "unknown-board",
    message: "no published board was imported",
    remedy: "import one: npx ale board import FILE",
  });
}

function unknownLane(name: string): AleError {
  return new AleError({
    code: "not-found",
    message: `there is no lane ${name}`,
    remedy: `the lanes are ${[...verifiedLanes, ...reportedLanes].join(", ")}`,
  });
}
