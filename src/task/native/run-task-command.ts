import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { nearest } from "../../yaml/nearest.ts";
import { formatFinding } from "../format-finding.ts";
import type { TaskDefinition } from "../task-definition.ts";
import type { TaskInstance, TaskPackage } from "../task-package.ts";
import { formatVerdict } from "./format-verdict.ts";
import { nativeFormat } from "./native-format.ts";
import { ScratchFolder } from "./scratch-folder.ts";
import { serializeVerdict } from "./serialize-verdict.ts";
import { stageInstance } from "./stage-instance.ts";

const help = `The task's own program, for its author. Works in temporary folders, without a sandbox.

  node main.ts check             lint the package, then prove the grader on every instance
  node main.ts instruction       print what the agent is told
  node main.ts generate DIR      write input/ and reference/ into DIR
  node main.ts solve [DIR]       run the oracle (outputs into DIR) and grade what it made
  node main.ts grade DIR         grade the outputs in DIR

  --variant NAME                 the instance to work on; default: the first, for check all
  --help                         this text

Example:  node main.ts solve /tmp/out && node main.ts grade /tmp/out
`;

const commands: readonly string[] = ["check", "instruction", "generate", "solve", "grade"];

interface Call {
  readonly definition: TaskDefinition;
  readonly task: TaskPackage;
  readonly dir: string | undefined;
  readonly variant: string | undefined;
  readonly print: (text: string) => void;
}

const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, signal === undefined ? {} : { signal }),
};

/**
 * Runs a command of the task's own command line and returns the exit status: 0 done, 1 a check failed.
 * Throws an `AleError` with code `usage` for wrong arguments, and whatever the task's own code throws.
 */
export async function runTaskCommand(
  definition: TaskDefinition,
  packageDir: string,
  argv: readonly string[],
  print: (text: string) => void,
): Promise<number> {
  const { command, dir, variant, wantsHelp } = parse(argv);
  if (wantsHelp || command === undefined) {
    print(help);
    return 0;
  }
  const outcome = await nativeFormat.read(packageDir);
  if (outcome.kind === "malformed") {
    for (const finding of outcome.findings) print(`${formatFinding(finding)}\n`);
    return 1;
  }
  const call: Call = { definition, task: outcome.task, dir, variant, print };
  switch (command) {
    case "instruction":
      print(await outcome.task.instruction(chosen(call)));
      return 0;
    case "generate":
      return generate(call, needDir(dir, command));
    case "solve":
      return solve(call);
    case "grade":
      return grade(call, resolve(needDir(dir, command)));
    default: {
      const { checkOwnTask } = await import("./check-own-task.ts");
      const only = variant === undefined ? undefined : chosen(call);
      const instances = only === undefined ? outcome.task.instances : [only];
      return checkOwnTask(outcome.task, instances, systemClock, print);
    }
  }
}

async function generate(call: Call, dir: string): Promise<number> {
  const instance = chosen(call);
  await makeFolder(dir);
  if ((await readdir(dir)).length > 0) throw usage(`${dir} is not empty`, "name a new or an empty folder");
  const staged = await stageInstance(call.definition, call.task.dir, instance, dir);
  call.print(`${instance.id}: input in ${staged.input}, reference in ${staged.reference}\n`);
  return 0;
}

async function solve(call: Call): Promise<number> {
  const instance = chosen(call);
  const { solve: oracle } = call.definition;
  if (oracle === undefined) throw usage("this task has no solve", "add solve to defineTask in main.ts");
  await using work = await ScratchFolder.make();
  await using scratch = await ScratchFolder.make();
  const { input } = await stageInstance(call.definition, call.task.dir, instance, work.path);
  const output = resolve(call.dir ?? join(work.path, "output"));
  await makeFolder(output);
  const { id, seed, params } = instance;
  await oracle({ instance: id, seed, params, input, output, scratch: scratch.path });
  // Awaited here, so that the folders outlive the grading.
  return await grade(call, output);
}

async function grade(call: Call, artifacts: string): Promise<number> {
  const instance = chosen(call);
  await using work = await ScratchFolder.make();
  await using scratch = await ScratchFolder.make();
  const staged = await stageInstance(call.definition, call.task.dir, instance, work.path);
  const { id, seed, params } = instance;
  const about = { instance: id, seed, params, artifacts, scratch: scratch.path };
  const verdict = await call.definition.grade({ ...about, ...staged });
  serializeVerdict(verdict);
  call.print(`${id}: ${formatVerdict(verdict)}`);
  return verdict.fullPass ? 0 : 1;
}

function parse(argv: readonly string[]): {
  readonly command: string | undefined;
  readonly dir: string | undefined;
  readonly variant: string | undefined;
  readonly wantsHelp: boolean;
} {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { variant: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    const [command, dir, ...rest] = positionals;
    if (rest.length > 0) throw usage(`unexpected argument ${rest[0]}`);
    if (command !== undefined && !commands.includes(command)) {
      const meant = nearest(command, commands);
      throw usage(
        `there is no command ${command}`,
        meant === undefined ? undefined : `did you mean ${meant}?`,
      );
    }
    return { command, dir, variant: values.variant, wantsHelp: values.help === true };
  } catch (error) {
    if (AleError.isInstance(error)) throw error;
    throw usage((error as Error).message);
  }
}

function needDir(dir: string | undefined, command: string): string {
  if (dir === undefined) throw usage(`${command} needs a folder`, `node main.ts ${command} DIR`);
  return dir;
}

function chosen({ task, variant }: Call): TaskInstance {
  const variants = task.instances.map((instance) => instance.variant);
  const instance = variant === undefined ? task.instances[0] : task.instances[variants.indexOf(variant)];
  if (instance !== undefined) return instance;
  const meant = nearest(variant ?? "", variants);
  throw usage(
    `there is no variant ${variant}`,
    meant === undefined ? `the variants are ${variants.join(", ")}` : `did you mean ${meant}?`,
  );
}

function usage(message: string, remedy = "see node main.ts --help"): AleError {
  return new AleError({ code: "usage", message, remedy });
}
