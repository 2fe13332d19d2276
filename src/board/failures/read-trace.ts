import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { orAbsent } from "../../files/or-absent.ts";
import type { AttemptRecord } from "../../record/run-record.ts";
import type { AttemptTrace } from "./attempt-trace.ts";
import { traceOfTrajectory } from "./trace-of-trajectory.ts";

/** What the agent of an attempt did, from its `trajectory.json`; damage and absence are reasons, never a throw. */
export async function readTrace(attempt: Pick<AttemptRecord, "dir">): Promise<AttemptTrace> {
  const text = await orAbsent(readFile(join(attempt.dir, "trajectory.json"), "utf8"));
  if (text === undefined) return { kind: "none", reason: "the attempt has no trajectory" };
  try {
    return traceOfTrajectory(JSON.parse(text));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { kind: "none", reason: `the trajectory cannot be read: ${problem}` };
  }
}
