import type { Clock } from "../../contract/clock.ts";
import type { Limits } from "../../contract/limits.ts";
import type { Usage } from "../../contract/usage.ts";

/** Share of a limit after which the agent is told to come to an end. */
const lateShare = 0.85;

/** Says once that little of a limit is left, so that work is handed in instead of lost. Starts counting now. */
export function createReminder(limits: Limits, clock: Clock, usage: () => Usage): () => string | undefined {
  const startedAt = clock.monotonic();
  let isTold = false;
  return () => {
    if (isTold) return undefined;
    const used = usage();
    const minutes = (clock.monotonic() - startedAt) / 60_000;
    const short = [
      ["time", minutes, limits.wall_minutes],
      ["tokens", used.input + used.output, limits.tokens],
      ["model calls", used.calls, limits.calls],
    ].flatMap(([name, spent, limit]) =>
      typeof limit === "number" && Number(spent) >= limit * lateShare ? [String(name)] : [],
    );
    if (short.length === 0) return undefined;
    isTold = true;
    return `Little is left of your ${short.join(" and ")}: write what you have to the output files now, then end.`;
  };
}
