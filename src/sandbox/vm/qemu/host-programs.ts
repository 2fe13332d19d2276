import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { AleError } from "../../../contract/ale-error.ts";
import type { Finding } from "../../../contract/finding.ts";
import { runHostProgram } from "../../local/run-host-program.ts";

/** Programs of the host, with the Debian package each comes in. */
const packages = {
  "qemu-system-x86_64": "qemu-system-x86",
  "qemu-img": "qemu-utils",
  setpriv: "util-linux",
  mke2fs: "e2fsprogs",
  mmdebstrap: "mmdebstrap",
  xorrisofs: "xorriso",
} as const;

export type HostProgram = keyof typeof packages;

/** What a machine is run with; the builders of images need more. */
const needed: readonly HostProgram[] = ["qemu-system-x86_64", "qemu-img", "setpriv", "mke2fs"];

const folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/local/sbin"];

/** The program's path; throws an `AleError` coded `missing-program` with the package to install. */
export function hostProgram(name: HostProgram): string {
  const path = pathOf(name);
  if (path !== undefined) return path;
  throw new AleError({
    code: "missing-program",
    message: `Virtual machines need the program ${name}, which is not installed.`,
    remedy: `apt-get install ${packages[name]}`,
    fields: { program: name },
  });
}

/** An error for every program that is not there. */
export function missingPrograms(): readonly Finding[] {
  return needed
    .filter((name) => pathOf(name) === undefined)
    .map((name) => ({
      severity: "error",
      code: "missing-program",
      message: `The program ${name} is not installed.`,
      remedy: `apt-get install ${packages[name]}`,
    }));
}

/** Runs a program of the host that must succeed; throws an `AleError` of the code with what it said. */
export async function runTool(
  name: HostProgram,
  argv: readonly string[],
  code: string,
  cwd?: string,
): Promise<string> {
  const result = await runHostProgram([hostProgram(name), ...argv], cwd);
  if (result.code === 0) return result.stdout;
  throw new AleError({
    code,
    message: `${name} ${argv.slice(0, 2).join(" ")}… failed: ${(result.stderr || result.stdout).trim().slice(-800)}`,
    remedy: "Is the disk full? df -h",
  });
}

function pathOf(name: HostProgram): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
