import { parseArgs } from "node:util";
import { AleError } from "../../contract/ale-error.ts";
import type { ParameterValue } from "../../contract/task-manifest.ts";
import type { TaskVerb } from "../task-package.ts";

/** The folders a part of a task is given, by name. */
export type MachinePaths = Readonly<
  Partial<Record<"artifacts" | "home" | "input" | "output" | "reference" | "result", string>>
>;

/** One run of one part of a task, as the machine asks for it. */
export interface MachineCall {
  readonly verb: TaskVerb;
  /** `domain/name@variant`. */
  readonly instance: string;
  readonly seed: number;
  readonly params: Readonly<Record<string, ParameterValue>>;
  readonly paths: MachinePaths;
}

const pathNames = ["artifacts", "home", "input", "output", "reference", "result"] as const;
const verbs: readonly string[] = ["generate", "setup", "collect", "grade", "solve", "probe"];

/** The arguments after `node main.ts` that stand for a call; {@link parseMachineArguments} reads them back. */
export function machineArguments(call: MachineCall): readonly string[] {
  const paths = pathNames.flatMap((name) => {
    const path = call.paths[name];
    return path === undefined ? [] : [`--${name}=${path}`];
  });
  return [
    call.verb,
    "--trusted",
    `--instance=${call.instance}`,
    `--seed=${call.seed}`,
    `--params=${JSON.stringify(call.params)}`,
    ...paths,
  ];
}

/** True when the arguments are a call by the machine, not by a person. */
export function isMachineCall(argv: readonly string[]): boolean {
  return argv[1] === "--trusted";
}

/** Reads a call. Throws an `AleError` with code `usage` for arguments we did not write. */
export function parseMachineArguments(argv: readonly string[]): MachineCall {
  const text = { type: "string" } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        trusted: { type: "boolean" },
        instance: text,
        seed: text,
        params: text,
        artifacts: text,
        home: text,
        input: text,
        output: text,
        reference: text,
        result: text,
      },
    });
    const [verb = ""] = positionals;
    if (!verbs.includes(verb)) throw new TypeError(`unknown part "${verb}"`);
    const seed = Number(values.seed);
    if (!Number.isSafeInteger(seed)) throw new TypeError(`--seed=${values.seed} is not a whole number`);
    if (values.instance === undefined) throw new TypeError("--instance is missing");
    const paths: Partial<Record<(typeof pathNames)[number], string>> = {};
    for (const name of pathNames) {
      const path = values[name];
      if (path !== undefined) paths[name] = path;
    }
    const params = JSON.parse(values.params ?? "{}") as MachineCall["params"];
    return { verb: verb as TaskVerb, instance: values.instance, seed, params, paths };
  } catch (error) {
    throw new AleError({
      code: "usage",
      message: `these are not the arguments of a part of a task: ${(error as Error).message}`,
      remedy: "run `node main.ts --help` for the commands that are meant for people",
      cause: error,
    });
  }
}
