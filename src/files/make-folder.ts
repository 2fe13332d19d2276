import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import { systemRemedy } from "./system-remedy.ts";

export interface MakeFolderOptions {
  /** Permissions of the folders that are made. */
  readonly mode?: number;
}

/**
 * Makes a folder and those above it, where they are not there yet; returns the topmost one it made. Throws an `AleError`
 * coded `folder-not-made`, with the system's error as its cause.
 *
 * Node's own `mkdir` with `recursive` never comes back where a folder that is there takes no others and the system
 * says `ENOENT`, as below /proc.
 */
export async function makeFolder(path: string, options: MakeFolderOptions = {}): Promise<string | undefined> {
  const folder = resolve(path);
  const refusal = await tryToMake(folder, options);
  if (refusal === undefined) return folder;
  if (await isFolder(folder)) return undefined;
  const above = dirname(folder);
  if (refusal.code !== "ENOENT" || above === folder) throw notMade(folder, refusal);
  const topmost = await makeFolder(above, options);
  const again = await tryToMake(folder, options);
  if (again !== undefined && !(await isFolder(folder))) throw notMade(folder, again);
  return topmost ?? folder;
}

async function tryToMake(
  folder: string,
  options: MakeFolderOptions,
): Promise<NodeJS.ErrnoException | undefined> {
  return mkdir(folder, options).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
}

/** What cannot be looked at is none: why it could not be made says more. */
async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function notMade(folder: string, cause: NodeJS.ErrnoException): AleError {
  return new AleError({
    code: "folder-not-made",
    message: `the folder ${folder} cannot be made: ${reasonOf(folder, cause)}`,
    remedy: systemRemedy(cause.code) ?? systemRemedy("EPERM") ?? "",
    fields: { path: folder },
    cause,
  });
}

function reasonOf(folder: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === "EEXIST") return "something that is no folder has that name";
  if (code === "ENOTDIR") return "what should hold it is no folder";
  if (code === "ENOENT") return `nothing can be made in ${dirname(folder)}`;
  return message;
}
