import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import { type MachineEntry, type MachinesFile, machinesFileSchema } from "../contract/machines-file.ts";
import { systemCode } from "../files/system-code.ts";
import type { AttachedMachine } from "../sandbox/attached/attached-machine.ts";
import { requireYaml } from "../yaml/require-yaml.ts";
import type { CliContext } from "./cli-context.ts";

const machinesFileName = "machines.yaml";

type Surroundings = Pick<CliContext, "cwd" | "folders" | "environment">;

/**
 * The machines that already run and may be lent to trials: of `machines.yaml` here, else of the user's config folder, else
 * none. Throws `bad-machines-file` with every fault and its place; keys are read from their files and variables.
 */
export function readMachines(context: Surroundings): readonly AttachedMachine[] {
  const found = findFile(context);
  if (found === undefined) return [];
  const file = parseMachinesFile(found.text, found.path);
  return file.machines.map((entry) => resolveMachine(entry, found.path, context));
}

/** Where machines are looked for, absolute; the first that is there is read. */
export function machinesFiles({ cwd, folders }: Pick<Surroundings, "cwd" | "folders">): readonly string[] {
  return [join(cwd, machinesFileName), join(folders.config, machinesFileName)];
}

/** Reads a machines file. Throws an `AleError` coded `bad-machines-file` that names every place at fault. */
export function parseMachinesFile(text: string, path: string): MachinesFile {
  return requireYaml<MachinesFile>({
    path,
    text,
    schema: machinesFileSchema,
    code: "bad-machines-file",
    remedy: "docs/reference/machines-yaml.md has every key, docs/guide/machines.md an example",
  });
}

function findFile(context: Surroundings): { readonly path: string; readonly text: string } | undefined {
  for (const path of machinesFiles(context)) {
    try {
      return { path, text: readFileSync(path, "utf8") };
    } catch (error) {
      if (systemCode(error) === "ENOENT") continue;
      throw new AleError({
        code: "bad-machines-file",
        message: `${path} cannot be read: ${(error as Error).message}`,
        remedy: "correct its permissions",
        cause: error,
      });
    }
  }
  return undefined;
}

function resolveMachine(entry: MachineEntry, path: string, context: Surroundings): AttachedMachine {
  const { name, image, reset } = entry;
  const common = {
    name,
    ...(image === undefined ? {} : { image }),
    ...(reset === undefined
      ? {}
      : { reset: { on: reset.on, argv: reset.argv, limitMs: reset.limit_seconds * 1000 } }),
  };
  if (entry.kind === "ssh") {
    const { address, port, user, key_file, host_key } = entry;
    const privateKey = readKey(name, key_file, path);
    const hostKey = host_key === undefined ? {} : { hostKey: host_key };
    return { ...common, kind: "ssh", address, port, user, privateKey, ...hostKey };
  }
  const { address, container_name, key_env } = entry;
  const key = key_env === undefined ? undefined : context.environment[key_env]?.trim();
  if (key_env !== undefined && !key) {
    throw new AleError({
      code: "bad-machines-file",
      message: `${path}: the variable ${key_env}, which holds the key of ${name}, is not set`,
      remedy: `export ${key_env}=…`,
    });
  }
  return {
    ...common,
    kind: "cua",
    address,
    ...(container_name === undefined ? {} : { containerName: container_name }),
    ...(key === undefined ? {} : { key }),
  };
}

function readKey(name: string, file: string, machinesPath: string): string {
  const path = file.startsWith("~/") ? join(homedir(), file.slice(2)) : resolve(dirname(machinesPath), file);
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new AleError({
      code: "bad-machines-file",
      message: `${machinesPath}: key_file of ${name}, ${path}, cannot be read: ${(error as Error).message}`,
      remedy: "correct its path or its permissions",
      cause: error,
    });
  }
}
