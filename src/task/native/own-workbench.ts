import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { type Verdict, verdictSchema } from "../../contract/verdict.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { copyWritable } from "../copy-writable.ts";
import { isFolder } from "../is-folder.ts";
import { listedProbesSchema } from "../qc/listed-probe.ts";
import type { StagedInstance, StepOutcome, TaskWorkbench } from "../qc/workbench.ts";
import type { TaskInstance, TaskPackage, TaskVerb } from "../task-package.ts";
import { collectOutputs } from "./collect-outputs.ts";
import { type MachinePaths, machineArguments } from "./machine-arguments.ts";
import { ScratchFolder } from "./scratch-folder.ts";

/**
 * A workbench for a task's author: every part runs as a process of its own on this machine, in folders below
 * `root`, **without a sandbox**. For packages of our own format that one trusts; never for those of strangers.
 */
export function ownWorkbench(root: string): TaskWorkbench {
  const staged = new Map<string, Promise<StagedInstance>>();
  let count = 0;
  const folder = async (): Promise<string> => {
    const path = join(root, `work-${++count}`);
    await makeFolder(path);
    return path;
  };

  async function stageInto(task: TaskPackage, instance: TaskInstance, dir: string): Promise<StagedInstance> {
    for (const name of ["input", "reference"]) {
      await makeFolder(join(dir, name));
      if (await isFolder(join(task.dir, name))) await copyWritable(join(task.dir, name), join(dir, name));
    }
    const outcome = await runPart(task, instance, "generate", { result: dir });
    if (outcome.kind === "failed") {
      throw new AleError({
        code: "generate-failed",
        message: `${instance.id}: ${outcome.message}`,
        remedy: "correct generate in main.ts",
      });
    }
    return { input: join(dir, "input"), reference: join(dir, "reference") };
  }

  const bench: TaskWorkbench = {
    async stage(task, instance) {
      let made = staged.get(instance.id);
      if (made === undefined) {
        made = folder().then((dir) => stageInto(task, instance, dir));
        staged.set(instance.id, made);
      }
      return made;
    },
    async stageAfresh(task, instance) {
      const scratch = await ScratchFolder.make();
      const fresh = await stageInto(task, instance, scratch.path);
      return { ...fresh, [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose]() };
    },
    async solve(task, instance, into) {
      const { input } = await bench.stage(task, instance);
      await makeFolder(into);
      return runPart(task, instance, "solve", { input, output: into });
    },
    async probes(task, instance, oracleOutput, into) {
      const paths = { ...(await bench.stage(task, instance)), artifacts: oracleOutput, result: into };
      await makeFolder(into);
      const outcome = await runPart(task, instance, "probe", paths);
      if (outcome.kind === "failed") return outcome;
      const list = listedProbesSchema.parse(JSON.parse(await readFile(join(into, "probes.json"), "utf8")));
      return {
        kind: "made",
        probes: list.map((probe) => ({ ...probe, dir: join(into, "probes", probe.name) })),
      };
    },
    collect: (task, output, into) => collectOutputs(task.manifest.outputs, output, into),
    async grade(task, instance, artifacts) {
      const result = await folder();
      const paths = { ...(await bench.stage(task, instance)), artifacts, result };
      const outcome = await runPart(task, instance, "grade", paths);
      if (outcome.kind === "failed") return { kind: "verifier-error", message: outcome.message };
      const text = await readFile(join(result, "verdict.json"), "utf8");
      return { kind: "verdict", verdict: verdictSchema.parse(JSON.parse(text)) as Verdict };
    },
  };
  return bench;
}

async function runPart(
  task: TaskPackage,
  instance: TaskInstance,
  verb: TaskVerb,
  paths: MachinePaths,
): Promise<StepOutcome> {
  if (task.program(verb, instance) === undefined) {
    return verb === "generate" ? { kind: "done" } : { kind: "failed", message: `the task has no ${verb}` };
  }
  await using home = await ScratchFolder.make();
  const { id, seed, params } = instance;
  const args = machineArguments({ verb, instance: id, seed, params, paths });
  const child = spawn(process.execPath, [join(task.dir, "main.ts"), ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", HOME: home.path, TMPDIR: home.path, TZ: "UTC", LANG: "C.UTF-8" },
    timeout: task.manifest.grader.wall_seconds * 1000,
    killSignal: "SIGKILL",
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4000);
  });
  const end = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(code === null ? String(signal) : String(code)));
  });
  if (end === "0") return { kind: "done" };
  return { kind: "failed", message: `${verb} ended with ${end}: ${said.trim()}` };
}
