import type { TrialPhase } from "../../contract/trial-phase.ts";
import { exitOf } from "../../sandbox/command.ts";
import type { CommandListener } from "../bench/run-program.ts";
import type { TrialContext } from "./trial-context.ts";

/** Notes each command we run on a machine, with its end. */
export function noteCommand(context: TrialContext, phase: TrialPhase): CommandListener {
  return (argv, result) => {
    const exit = exitOf(result.end);
    context.writer.append({ type: "command", phase, argv, exit, wallMs: Math.max(0, result.wallMs) });
  };
}
