import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder that holds package.json, src/, data/ and tasks/; the same in a checkout and in the package. */
export const packageRoot: string = dirname(dirname(import.meta.dirname));

/** This package's version. */
export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as { version: string };
  return manifest.version;
}
