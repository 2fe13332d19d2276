import { readFile } from "node:fs/promises";

/** The parts of the program that serves a machine, in the order in which they make it up. */
const parts = ["begin", "kernel", "processes", "account", "files", "lease", "commands", "server"] as const;

/** Those of the keepers' program, which the server starts in an interpreter of its own. */
const keeperParts = ["kernel", "processes", "keeper/command", "keeper/keeper"] as const;

/** The program that serves a machine: Python 3.8 or newer, its standard library only, run as root. */
export async function serverProgram(): Promise<string> {
  const keeper = await joined(keeperParts);
  // A text of JSON is one of Python's.
  return `KEEPER_PROGRAM = ${JSON.stringify(keeper)}\n\n${await joined(parts)}`;
}

async function joined(names: readonly string[]): Promise<string> {
  const texts = names.map((name) =>
    readFile(new URL(`../../../data/machine/${name}.py`, import.meta.url), "utf8"),
  );
  return (await Promise.all(texts)).join("\n\n");
}
