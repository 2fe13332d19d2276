import { sandboxLayout } from "../../../contract/sandbox-layout.ts";
import type { Sandbox } from "../../../sandbox/sandbox.ts";
import type { PhaseStep } from "../phase-runner.ts";
import type { TrialContext } from "../trial-context.ts";

/** Changed paths kept in the record. */
const changesKept = 300;

/** Ends every process the agent left and freezes the machine; notes them, and what it changed outside `output/`. */
export async function quiesce(context: TrialContext, sandbox: Sandbox): Promise<PhaseStep<"frozen">> {
  const { ended } = await sandbox.quiesce();
  const changes = await sandbox.changes(changesKept * 2);
  const changed = changes
    .map((change) => change.path)
    .filter((path) => path !== sandboxLayout.output && !path.startsWith(`${sandboxLayout.output}/`))
    .slice(0, changesKept);
  context.writer.append({ type: "quiesced", ended, changed });
  return { kind: "ok", value: "frozen" };
}
