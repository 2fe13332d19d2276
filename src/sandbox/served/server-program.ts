import { readFile } from "node:fs/promises";

/** The parts of the program that serves a machine, in the order in which they make it up. */
const parts = ["processes", "files", "lease", "server"] as const;

/** The program that serves a machine: Python 3.8 or newer, its standard library only, run as root. */
export async function serverProgram(): Promise<string> {
  const texts = parts.map((part) =>
    readFile(new URL(`../../../data/machine/${part}.py`, import.meta.url), "utf8"),
  );
  return (await Promise.all(texts)).join("\n\n");
}
