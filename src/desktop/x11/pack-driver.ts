import { readFile } from "node:fs/promises";
import { extname } from "node:path";

/** A program in one file. */
export interface PackedProgram {
  readonly text: string;
  /** `mts` from sources, whose types Node erases, `mjs` from the built package. */
  readonly extension: "mts" | "mjs";
}

const ownImport = /^import\s[^;]*?from "\.\/([^"]+)";\n/gm;
const nodeImport = /^import \* as \w+ from "node:\w+";\n/gm;

/**
 * The program that runs on the agent's machine and speaks to its X server, as one file. Its modules in `inside/` import
 * only each other and Node's own, whole; no two of them give the same name to what is theirs, or Node refuses the file.
 */
export async function packDriver(): Promise<PackedProgram> {
  const extension = extname(import.meta.filename);
  const modules = new Map<string, string>();

  async function add(name: string): Promise<void> {
    if (modules.has(name)) return;
    // Taken before what it imports is, so that a cycle ends; set again to stand behind it.
    modules.set(name, "");
    const text = await readFile(new URL(`inside/${name}`, import.meta.url), "utf8");
    for (const [, imported = ""] of text.matchAll(ownImport)) await add(imported);
    modules.delete(name);
    modules.set(name, text);
  }

  await add(`main${extension}`);
  const texts = [...modules.values()];
  const imports = new Set(texts.flatMap((text) => [...text.matchAll(nodeImport)].map(([line]) => line)));
  const bodies = texts.map((text) =>
    text
      .replace(ownImport, "")
      .replace(nodeImport, "")
      .replace(/^export /gm, "")
      .trim(),
  );
  return {
    text: `${[...imports].join("")}\n${bodies.join("\n\n")}\n`,
    extension: extension === ".ts" ? "mts" : "mjs",
  };
}
