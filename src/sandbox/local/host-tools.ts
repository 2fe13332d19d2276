import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";

/** A program of the host that the provider starts, with the Debian package it comes in. */
const packages = {
  sh: "dash",
  bwrap: "bubblewrap",
  unshare: "util-linux",
  nsenter: "util-linux",
  setpriv: "util-linux",
  setsid: "util-linux",
  mount: "mount",
  mkfifo: "coreutils",
  cp: "coreutils",
  "mkfs.ext4": "e2fsprogs",
} as const;

export type HostTool = keyof typeof packages;

const folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/local/sbin"];

/** Absolute paths of the programs found on this host. Fixed folders, never the caller's PATH. */
export class HostTools {
  readonly #paths: ReadonlyMap<HostTool, string>;

  constructor(paths: ReadonlyMap<HostTool, string>) {
    this.#paths = paths;
  }

  static find(): HostTools {
    const paths = new Map<HostTool, string>();
    for (const tool of Object.keys(packages) as HostTool[]) {
      const path = folders.map((folder) => join(folder, tool)).find(isExecutable);
      if (path !== undefined) paths.set(tool, path);
    }
    return new HostTools(paths);
  }

  has(tool: HostTool): boolean {
    return this.#paths.has(tool);
  }

  /** The program's path; throws an `AleError` coded `missing-program` with the package to install. */
  path(tool: HostTool): string {
    const path = this.#paths.get(tool);
    if (path !== undefined) return path;
    throw new AleError({
      code: "missing-program",
      message: `The local sandbox needs the program ${tool}, which is not installed.`,
      remedy: HostTools.remedy(tool),
      fields: { program: tool },
    });
  }

  static remedy(tool: HostTool): string {
    return `apt-get install ${packages[tool]}`;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
