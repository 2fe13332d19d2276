import { sandboxLayout as layout } from "../../contract/sandbox-layout.ts";
import type { TaskInstance, TaskProgram, TaskVerb } from "../task-package.ts";
import { type MachinePaths, machineArguments } from "./machine-arguments.ts";

const { input, output, home, artifacts, verifierInput, reference, result } = layout;
const judged: MachinePaths = { artifacts, input: verifierInput, reference, result };

const pathsOf: Readonly<Record<TaskVerb, MachinePaths>> = {
  generate: { result },
  setup: { input, home },
  collect: { output },
  solve: { input, output },
  grade: judged,
  probe: judged,
};

/** The command that runs a part of a native task inside a sandbox laid out as ours are. */
export function machineProgram(verb: TaskVerb, instance: TaskInstance): TaskProgram {
  const { id, seed, params } = instance;
  const call = { verb, instance: id, seed, params, paths: pathsOf[verb] };
  return {
    argv: [layout.node, `${layout.task}/main.ts`, ...machineArguments(call)],
    env: {},
    result: verb === "generate" || verb === "grade" || verb === "probe" ? "ale" : "none",
  };
}
