// A process of its own, started as an ordinary user: runs the suite on that user's daemon, in the folder given.

import { type ConformanceSkips, runConformance } from "../../conformance/run-conformance.ts";
import type { CaseMessage } from "../../local/test-support/unprivileged-suite.ts";
import { containerTarget } from "./conformance-target.ts";

const [socket = "", folder = "", skips = "{}"] = process.argv.slice(2);
const target = await containerTarget(socket, folder, "base");
for await (const outcome of runConformance(target, JSON.parse(skips) as ConformanceSkips)) {
  const { name } = outcome;
  const message: CaseMessage =
    outcome.outcome === "failed"
      ? { name, outcome: "failed", message: String((outcome.error as Error).stack ?? outcome.error) }
      : { name, outcome: outcome.outcome };
  process.send?.(message);
}
await target.provider.reap({ force: true });
process.disconnect?.();
