import { callChannel } from "../../contract/call-channel.ts";
import type { TraceAction } from "./attempt-trace.ts";
import { type FailureCase, type FailureRule, type RuleFinding, yesWhere } from "./failure-case.ts";

/** From this share on, failed calls are a finding. */
const manyFailed = 0.25;
/** As many equal calls in a row are a loop. */
const manyEqual = 4;

/** Rules that need the agent's trajectory. */
export const traceRules: readonly FailureRule[] = [
  withActions("many-failed-calls", "a quarter or more of its tool calls failed", (actions) => {
    const told = actions.filter((action) => action.failed.known);
    if (told.length === 0) {
      return { kind: "cannot-tell", reason: "the record does not say which calls failed" };
    }
    const failed = told.filter((action) => action.failed.known && action.failed.value);
    if (failed.length / told.length < manyFailed) return { kind: "no" };
    return yesWhere([
      `${failed.length} of ${told.length} calls failed (${actions.length - told.length} unknown)`,
      ...failed.slice(0, 3).map((action) => `${action.place}: ${action.tool}`),
    ]);
  }),
  withActions("repeated-action", "the same call with the same arguments, again and again", (actions) =>
    yesWhere(
      runsOfEqual(actions)
        .filter((run) => run.length >= manyEqual)
        .slice(0, 3)
        .map((run) => `from ${run[0]?.place}: ${run[0]?.tool} ${run.length} times with the same arguments`),
    ),
  ),
  {
    id: "context-compacted",
    meaning: "its context was compacted before the end",
    judge: ({ trace }) =>
      trace.kind === "none"
        ? { kind: "cannot-tell", reason: trace.reason }
        : yesWhere(trace.compactions.map((place) => `compacted at ${place}`)),
  },
  {
    id: "software-not-opened",
    meaning: "none of the programs that a professional would use was ever named in a call",
    judge: (failure) => {
      const { trace, task } = failure;
      if (trace.kind === "none") return { kind: "cannot-tell", reason: trace.reason };
      if (task === undefined) return { kind: "cannot-tell", reason: "the task's package is gone" };
      if (task.software.length === 0) return { kind: "no" };
      const inputs = trace.actions.map((action) => action.input.toLowerCase());
      const opened = task.software.some((program) =>
        wordsOf(program).some((word) => inputs.some((input) => input.includes(word))),
      );
      if (opened) return { kind: "no" };
      return yesWhere([`${trace.actions.length} calls, none names ${task.software.join(" or ")}`]);
    },
  },
  { id: "gui-avoided", meaning: "the work asked for a screen, and none was used", judge: judgeScreen },
];

function withActions(
  id: string,
  meaning: string,
  judge: (actions: readonly TraceAction[]) => RuleFinding,
): FailureRule {
  return {
    id,
    meaning,
    judge: ({ trace }) =>
      trace.kind === "none" ? { kind: "cannot-tell", reason: trace.reason } : judge(trace.actions),
  };
}

function runsOfEqual(actions: readonly TraceAction[]): readonly (readonly TraceAction[])[] {
  const runs: TraceAction[][] = [];
  for (const action of actions) {
    const last = runs.at(-1)?.[0];
    if (last?.tool === action.tool && last.input === action.input) runs.at(-1)?.push(action);
    else runs.push([action]);
  }
  return runs;
}

/** `LibreOffice Calc 7.4` is opened as `libreoffice` as well as `calc`; versions and short words say nothing. */
function wordsOf(program: string): readonly string[] {
  return program.toLowerCase().match(/[a-z][a-z0-9+-]{2,}/g) ?? [program.toLowerCase()];
}

function judgeScreen({ trace, task, result }: FailureCase): RuleFinding {
  // What was done on the screen itself tells more than the names of tools.
  const recorded = result.channels?.required;
  if (recorded !== undefined && recorded.state !== "not-asked" && recorded.channel !== "shell") {
    if (recorded.state === "unknown") return { kind: "cannot-tell", reason: recorded.reason };
    return recorded.state === "used" ? { kind: "no" } : yesWhere([recorded.reason]);
  }
  if (task === undefined) return { kind: "cannot-tell", reason: "the task's package is gone" };
  const wanted = task.requiredChannel ?? (task.channels.includes("shell") ? undefined : task.channels[0]);
  if (wanted === undefined || wanted === "shell") return { kind: "no" };
  if (trace.kind === "none") return { kind: "cannot-tell", reason: trace.reason };
  const screen = trace.actions.filter((action) => callChannel(action.tool) === "screen").length;
  if (screen > 0) return { kind: "no" };
  return yesWhere([`${trace.actions.length} calls, none through the ${wanted} the task asks for`]);
}
