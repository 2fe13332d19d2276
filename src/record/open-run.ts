import { join, resolve } from "node:path";
import type { z } from "zod";
import { AleError } from "../contract/ale-error.ts";
import type { Clock } from "../contract/clock.ts";
import { examLockSchema } from "../contract/exam-lock.ts";
import { examPlanSchema } from "../contract/exam-plan.ts";
import { openAttemptWriter } from "./attempt-writer.ts";
import { claimNumber } from "./claim-number.ts";
import { readJsonFile } from "./read-json-file.ts";
import { createRedactor } from "./redactor.ts";
import { attemptsFolder, runFiles } from "./run-layout.ts";
import type { RunRecord } from "./run-record.ts";
import { attemptPlaces, readAttempts } from "./scan-attempts.ts";

export interface OpenRunOptions {
  /** Needed to write; without it the run is open for reading only. */
  readonly clock?: Clock;
  /** Values that must never reach the record, such as API keys: replaced in all that is written. */
  readonly secrets?: readonly string[];
}

/**
 * Opens a run directory. Rejects with an `AleError`: `run-not-found` when it is not one, `run-damaged` when its
 * plan or lock cannot be read.
 */
export async function openRun(dir: string, options: OpenRunOptions = {}): Promise<RunRecord> {
  const runDir = resolve(dir);
  const plan = await readRequired(runDir, runFiles.plan, examPlanSchema);
  const lock = await readRequired(runDir, runFiles.lock, examLockSchema);
  const redactor = createRedactor(options.secrets ?? []);
  const trials = new Set(plan.trials.map((trial) => trial.id));
  return {
    dir: runDir,
    plan,
    lock,
    async attempts() {
      return readAttempts(await attemptPlaces(runDir));
    },
    async startAttempt(trial) {
      if (options.clock === undefined) throw readOnly(runDir);
      if (!trials.has(trial)) throw notPlanned(trial, runDir);
      const { number, dir: attemptDir } = await claimNumber(attemptsFolder(runDir, trial));
      return openAttemptWriter({
        runDir,
        trial,
        attempt: number,
        dir: attemptDir,
        clock: options.clock,
        redactor,
      });
    },
  };
}

async function readRequired<T>(runDir: string, name: string, schema: z.ZodType<T>): Promise<T> {
  const file = await readJsonFile(join(runDir, name), schema);
  if (file.kind === "value") return file.value;
  if (file.kind === "damaged") {
    throw new AleError({
      code: "run-damaged",
      message: file.finding.message,
      remedy: "Restore it from a copy of the run; a run of another version is read with that version.",
      fields: { run: runDir, file: name },
    });
  }
  throw new AleError({
    code: "run-not-found",
    message: `${runDir} is not a run directory: it has no ${name}.`,
    remedy: "Give a folder under runs/, such as runs/<exam>-<time>.",
    fields: { run: runDir },
  });
}

function readOnly(runDir: string): AleError {
  return new AleError({ code: "run-read-only", message: `${runDir} was opened for reading: give a clock.` });
}

function notPlanned(trial: string, runDir: string): AleError {
  return new AleError({
    code: "unknown-trial",
    message: `${trial} is not a trial of the exam in ${runDir}.`,
    fields: { trial, run: runDir },
  });
}
