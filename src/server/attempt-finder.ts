import type { Context } from "hono";
import { AleError } from "../contract/ale-error.ts";
import type { AttemptRecord } from "../record/run-record.ts";
import type { AppOptions } from "./app-options.ts";
import type { LoadedRun } from "./loaded-run.ts";
import { contentWithheld, findAttempt } from "./trial-view.ts";

/** Path of an attempt in the read API. */
export const attemptPath = "/api/runs/:run/trials/:trial/:attempt";

export interface FoundAttempt {
  readonly run: LoadedRun;
  readonly attempt: AttemptRecord;
}

/** Finds the attempt that the address of a request names. */
export interface AttemptFinder {
  find(context: Context): Promise<FoundAttempt>;
  /** Throws `forbidden` where the content of the trial is kept from the page. */
  open(context: Context): Promise<FoundAttempt>;
}

export function createAttemptFinder({ shelf, tasks, about }: AppOptions): AttemptFinder {
  async function find(context: Context): Promise<FoundAttempt> {
    const run = await shelf.get(context.req.param("run") ?? "");
    const attempt = findAttempt(run, context.req.param("trial") ?? "", Number(context.req.param("attempt")));
    return { run, attempt };
  }

  return {
    find,
    async open(context) {
      const found = await find(context);
      const trial = found.run.trials.find((one) => one.trial === found.attempt.trial);
      const hidden = contentWithheld(trial?.instance ?? "", await tasks(), about.maintainer);
      if (hidden === undefined) return found;
      throw new AleError({
        code: "forbidden",
        message: `${hidden.reason}; it is not shown`,
        remedy: "start the server with --maintainer",
      });
    },
  };
}
