import { readFile } from "node:fs/promises";

/** The parts of the program that serves a machine, in the order in which they make it up. */
const parts = [
  ...["kernel", "processes", "account"],
  ...["files", "taking", "changes", "mounts", "surroundings", "lease", "describe"],
  ...["link", "channel", "watcher", "streams", "commands", "operations", "ports", "server", "start"],
] as const;

/** Those of the keepers' program, which the server starts in an interpreter of its own. */
const keeperParts = ["kernel", "processes", "keeper/command", "keeper/keeper"] as const;

/** The program that serves a machine: Python 3.8 or newer, its standard library only, run as root. */
export async function serverProgram(): Promise<string> {
  // A text of JSON is one of Python's.
  const keeper = `KEEPER_PROGRAM = ${JSON.stringify(await joined(keeperParts))}\n`;
  return [await joined(["begin"]), keeper, await joined(parts)].join("\n\n");
}

async function joined(names: readonly string[]): Promise<string> {
  const texts = names.map((name) =>
    readFile(new URL(`../../../data/machine/${name}.py`, import.meta.url), "utf8"),
  );
  return (await Promise.all(texts)).join("\n\n");
}
