import type { CaseOutcome } from "../../conformance/run-conformance.ts";
import { type ConformanceSkips, runConformance } from "../../conformance/run-conformance.ts";
import { localTarget } from "./conformance-target.ts";

/** What is said to the parent of each case. */
export type CaseMessage =
  | { readonly name: string; readonly outcome: "passed" | "skipped" }
  | { readonly name: string; readonly outcome: "failed"; readonly message: string };

function messageOf(outcome: CaseOutcome): CaseMessage {
  if (outcome.outcome !== "failed") return { name: outcome.name, outcome: outcome.outcome };
  const { error, name } = outcome;
  return { name, outcome: "failed", message: error instanceof Error ? (error.stack ?? "") : String(error) };
}

// A process of its own, started as an ordinary user: runs the suite in the folder given.
const [folder = "", skips = "{}"] = process.argv.slice(2);
if (folder !== "") {
  for await (const outcome of runConformance(
    await localTarget(folder),
    JSON.parse(skips) as ConformanceSkips,
  )) {
    process.send?.(messageOf(outcome));
  }
  process.disconnect?.();
}
