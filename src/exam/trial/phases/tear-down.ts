import type { PhaseRunner } from "../phase-runner.ts";
import type { TrialContext } from "../trial-context.ts";

/** Undoes everything in reverse, under a deadline of its own. What fails is noted; the result stands. */
export async function tearDown(context: TrialContext, phases: PhaseRunner): Promise<void> {
  const { options, teardown, writer } = context;
  // The stack keeps the deadline itself, so that it can start every teardown even when one hangs.
  const limits = {
    graceMs: options.graceMs,
    announcedMs: options.teardownMs,
    failsAs: "env_error",
    uncancellable: true,
  } as const;
  await phases.run("teardown", limits, async () => {
    const failures = await teardown.unwind();
    for (const { what, message } of failures) {
      writer.append({ type: "note", code: "teardown-failed", message: `${what}: ${message}` });
    }
    return failures.length === 0
      ? { kind: "ok", value: "gone" }
      : { kind: "ok", value: "left to the reaper", outcome: "failed", message: "see the notes" };
  });
}
