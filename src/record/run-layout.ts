import { join } from "node:path";

/** Names in a run directory. */
export const runFiles = { plan: "exam.json", lock: "lock.json", index: "index.sqlite" } as const;

/** Names in an attempt's folder. */
export const attemptFiles = {
  events: "events.jsonl",
  result: "result.json",
  verdict: "verdict.json",
  regrades: "regrades",
  regrade: "regrade.json",
} as const;

/** Bytes that several attempts share, under the run directory. */
export const blobFolder = "blobs";

/** Where the trials are. */
export function trialsFolder(runDir: string): string {
  return join(runDir, "trials");
}

/** Where a trial's attempts are. */
export function attemptsFolder(runDir: string, trial: string): string {
  return join(trialsFolder(runDir), trial, "attempts");
}
