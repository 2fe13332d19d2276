import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSources, repositoryRoot } from "./source-imports.ts";

interface PackageFile {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(await readFile(join(repositoryRoot, "package.json"), "utf8")) as PackageFile;
const runtime = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
/** Packages that have no root to import, with a part of theirs. */
const parts: Readonly<Record<string, string>> = {
  "@modelcontextprotocol/sdk": "@modelcontextprotocol/sdk/server/mcp.js",
};

describe("the dependencies", () => {
  test.each(runtime)("%s can be imported", async (name) => {
    expect(Object.keys(await import(parts[name] ?? name)).length).toBeGreaterThan(0);
  });

  test("every version is exact", () => {
    const versions = Object.entries({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.devDependencies,
    });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  test("sources and tasks import only declared run-time packages, and every one is used", async () => {
    // The web client is built into the package: what it is made of is needed to build it, not to run it.
    const isWeb = (path: string): boolean => path.startsWith("src/web/");
    const all = [...(await readSources("src")), ...(await readSources("tasks"))];
    const sources = all.filter((source) => !isWeb(source.path));
    const parts = all.filter((source) => isWeb(source.path)).flatMap((source) => source.packages);
    expect(parts.filter((name) => manifest.devDependencies[name] === undefined)).toEqual([]);
    const used = new Set(
      sources.flatMap((source) => source.packages).filter((name) => !name.startsWith("node:")),
    );
    used.delete("ale");
    // The test runner is imported by the published conformance suites' adapters alone.
    used.delete("vitest");
    expect([...used].filter((name) => !runtime.includes(name)).sort()).toEqual([]);
    expect(runtime.filter((name) => !used.has(name))).toEqual([]);
  });
});
