import { describe, expect, test } from "vitest";
import { readSources } from "./source-imports.ts";

/** Which folders of src/ each folder may import, types included. DESIGN.md section 9. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  // Strict reading of what people write; docs/decisions/2026-11-29-yaml-layer.md.
  yaml: ["contract"],
  // What the host's file system says, in our words; docs/decisions/2026-11-30-files-layer.md.
  files: ["contract"],
  stats: ["contract"],
  grade: ["contract", "files"],
  task: ["contract", "files", "yaml", "grade"],
  record: ["contract", "files"],
  sandbox: ["contract", "files"],
  desktop: ["contract", "files", "sandbox"],
  gateway: ["contract", "files", "yaml"],
  harness: ["contract", "files", "yaml", "sandbox", "desktop", "gateway"],
  exam: ["contract", "files", "yaml", "grade", "task", "sandbox", "desktop", "gateway", "harness", "record"],
  board: ["contract", "files", "stats", "record"],
  server: ["contract", "files", "stats", "record", "board"],
  // Types of the read API alone: nothing of these folders runs in the browser.
  web: ["contract", "server"],
  testing: [
    "contract",
    "files",
    "yaml",
    "stats",
    "grade",
    "task",
    "record",
    "sandbox",
    "desktop",
    "gateway",
    "harness",
  ],
  cli: [
    "contract",
    "files",
    "yaml",
    "stats",
    "grade",
    "task",
    "record",
    "sandbox",
    "desktop",
    "gateway",
    "harness",
    "exam",
    "board",
    "server",
    "testing",
  ],
};

const sources = await readSources("src");
const folderOf = (path: string): string => path.split("/")[1] ?? "";

describe("the layers of src/", () => {
  test("every folder is in the table", () => {
    const folders = new Set(
      sources.map((source) => folderOf(source.path)).filter((name) => !name.includes(".")),
    );
    expect([...folders].filter((folder) => allowed[folder] === undefined)).toEqual([]);
  });

  test("no file imports from a layer that its own may not see", () => {
    const breaches = sources.flatMap((source) => {
      const own = folderOf(source.path);
      if (own === "index.ts") return [];
      return source.imports
        .filter((path) => path.startsWith("src/"))
        .filter((path) => folderOf(path) !== own && !allowed[own]?.includes(folderOf(path)))
        .map((path) => `${source.path} imports ${path}`);
    });
    expect(breaches).toEqual([]);
  });

  test("no source imports a file outside src/", () => {
    const outside = sources.flatMap((source) =>
      source.imports
        .filter((path) => !path.startsWith("src/"))
        .map((path) => `${source.path} imports ${path}`),
    );
    expect(outside).toEqual([]);
  });

  test("no import of one of our files is a cycle, types included", () => {
    const importsOf = new Map(sources.map((source) => [source.path, source.imports]));
    expect(findCycle(importsOf)).toEqual([]);
  });

  test("contract imports no package but the schema library", () => {
    const packages = sources
      .filter((source) => folderOf(source.path) === "contract")
      .flatMap((source) => source.packages);
    expect([...new Set(packages)]).toEqual(["zod"]);
  });

  test("no file but the package's own index re-exports a folder", () => {
    const barrels = sources.filter(
      (source) => /\/index\.tsx?$/.test(source.path) && source.path !== "src/index.ts",
    );
    expect(barrels.map((source) => source.path)).toEqual([]);
  });
});

/** The first cycle met, as a list of paths, or an empty list. */
function findCycle(importsOf: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const finished = new Set<string>();
  const trail: string[] = [];

  function visit(path: string): readonly string[] {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) return [...trail.slice(seenAt), path];
    if (finished.has(path)) return [];
    trail.push(path);
    for (const next of importsOf.get(path) ?? []) {
      const cycle = visit(next);
      if (cycle.length > 0) return cycle;
    }
    trail.pop();
    finished.add(path);
    return [];
  }

  for (const path of importsOf.keys()) {
    const cycle = visit(path);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
