import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Clock } from "../contract/clock.ts";
import { type ExamLock, examLockSchema } from "../contract/exam-lock.ts";
import { type ExamPlan, examPlanSchema } from "../contract/exam-plan.ts";
import { makeFolder } from "../files/make-folder.ts";
import { systemCode } from "../files/system-code.ts";
import { syncFolder } from "./durable-file.ts";
import { openRun } from "./open-run.ts";
import { createRedactor } from "./redactor.ts";
import { runFiles, trialsFolder } from "./run-layout.ts";
import type { RunRecord } from "./run-record.ts";
import { writeRecordFile } from "./write-record-file.ts";

export interface CreateRunOptions {
  /** The folder that holds runs; made when absent. */
  readonly root: string;
  readonly plan: ExamPlan;
  readonly lock: ExamLock;
  readonly clock: Clock;
  /** Values that must never reach the record, such as API keys. */
  readonly secrets?: readonly string[];
}

/**
 * Makes `<root>/<exam>-<UTC time>/` with its plan and lock, and opens it for writing. The folder appears whole or not
 * at all; a second run of the same second gets `-2` behind its name.
 */
export async function createRun(options: CreateRunOptions): Promise<RunRecord> {
  const root = resolve(options.root);
  await makeFolder(root);
  const draft = await mkdtemp(join(root, ".new-run-"));
  let dir: string;
  try {
    const redactor = createRedactor(options.secrets ?? []);
    await writeRecordFile(join(draft, runFiles.plan), examPlanSchema, options.plan, redactor);
    await writeRecordFile(join(draft, runFiles.lock), examLockSchema, options.lock, redactor);
    await mkdir(trialsFolder(draft));
    await syncFolder(draft);
    dir = await publish(draft, join(root, `${options.plan.exam}-${timestamp(options.clock.now())}`));
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(root);
  return openRun(dir, options);
}

/** Renames onto the first free name: a rename never replaces a folder that holds something. */
async function publish(draft: string, wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const dir = number === 1 ? wanted : `${wanted}-${number}`;
    try {
      await rename(draft, dir);
      return dir;
    } catch (error) {
      const code = systemCode(error);
      if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "ENOTDIR") throw error;
    }
  }
}

/** `20261129T151500Z`. */
function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
}
