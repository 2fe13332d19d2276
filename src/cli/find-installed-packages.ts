import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { known, type Maybe, unknown } from "../contract/absence.ts";
import { wholePackage } from "../task/whole-package.ts";

const run = promisify(execFile);

/**
 * Which of some Debian packages are installed on this host; unknown where there is no dpkg. What a program's package
 * `-nogui` gives, the whole program's gives too.
 */
export async function findInstalledPackages(names: readonly string[]): Promise<Maybe<ReadonlySet<string>>> {
  const installed = await queryInstalled([...new Set([...names, ...names.map(wholePackage)])]);
  if (!installed.known) return installed;
  const { value } = installed;
  return known(new Set(names.filter((name) => value.has(name) || value.has(wholePackage(name)))));
}

async function queryInstalled(names: readonly string[]): Promise<Maybe<ReadonlySet<string>>> {
  if (names.length === 0) return known(new Set());
  const format = ["--show", "--showformat", "${Package} ${db:Status-Status}\\n"];
  try {
    return known(installedIn((await run("dpkg-query", [...format, ...names])).stdout));
  } catch (error) {
    // Status 1: some are not known to dpkg; those that are stand on standard output all the same.
    const { code, stdout } = error as { readonly code?: string | number; readonly stdout?: string };
    if (code === 1 && stdout !== undefined) return known(installedIn(stdout));
    return unknown("this host has no dpkg: packages that tasks need were not looked for");
  }
}

function installedIn(listing: string): ReadonlySet<string> {
  const lines = listing.split("\n").map((line) => line.split(" "));
  return new Set(
    lines.flatMap(([name, status]) => (name !== undefined && status === "installed" ? [name] : [])),
  );
}
