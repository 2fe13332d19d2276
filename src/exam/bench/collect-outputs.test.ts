import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import type { Artifact } from "../../contract/artifact.ts";
import type { OutputSpec } from "../../contract/task-manifest.ts";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import type { MemoryFiles } from "../../testing/memory-sandbox/memory-files.ts";
import { MemorySandboxProvider } from "../../testing/memory-sandbox/memory-sandbox-provider.ts";
import { testMachine } from "../../testing/test-machine.ts";
import { collectOutputs } from "./collect-outputs.ts";

const output = (path: string, more: Partial<OutputSpec> = {}): OutputSpec => ({
  path,
  kind: "any",
  required: true,
  max_mb: 100,
  ...more,
});

async function collect(
  outputs: readonly OutputSpec[],
  fill: (files: MemoryFiles) => void,
): Promise<{ readonly artifacts: readonly Artifact[]; readonly left: readonly string[] }> {
  const provider = new MemorySandboxProvider({ clock: createFixedClock() });
  const sandbox = await provider.create(testMachine());
  fill(sandbox.files);
  const dir = await mkdtemp(join(tmpdir(), "ale-collect-"));
  try {
    const artifacts = await collectOutputs(sandbox, outputs, join(dir, "artifacts"));
    const entries = await readdir(join(dir, "artifacts"), { recursive: true });
    const isFile = await Promise.all(
      entries.map(async (name) => (await stat(join(dir, "artifacts", name))).isFile()),
    );
    return { artifacts, left: entries.filter((_, index) => isFile[index]).sort() };
  } finally {
    await rm(dir, { recursive: true });
  }
}

describe("collectOutputs", () => {
  test("says in plain words what lies where a declared output should", async () => {
    const { artifacts } = await collect([output("x"), output("y/")], (files) => {
      files.folder("/home/agent/output/x");
      files.write("/home/agent/output/y", "1");
    });
    expect(artifacts).toMatchObject([
      { state: "refused", message: "is not a folder, as was declared, but a file" },
      { state: "refused", message: "is not a file, as was declared, but a folder" },
    ]);
  });

  test("takes declared files and folders with their digests, and nothing else", async () => {
    const { artifacts, left } = await collect([output("report.txt"), output("data/tables/")], (files) => {
      files.write("/home/agent/output/report.txt", "hello");
      files.write("/home/agent/output/data/tables/a/b.csv", "1");
      files.write("/home/agent/output/data/other.csv", "2");
      files.write("/home/agent/output/notes.txt", "3");
    });
    expect(left).toEqual(["data/tables/a/b.csv", "report.txt"]);
    expect(artifacts).toContainEqual({
      state: "taken",
      path: "report.txt",
      bytes: 5,
      digest: "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
      mode: 0o644,
    });
    expect(artifacts.map(({ state, path }) => [state, path])).toEqual([
      ["taken", "data/tables/a/b.csv"],
      ["taken", "report.txt"],
    ]);
  });

  test("names what is missing, required or not", async () => {
    const { artifacts } = await collect([output("a"), output("b", { required: false })], () => undefined);
    expect(artifacts).toEqual([
      { state: "missing", path: "a", required: true },
      { state: "missing", path: "b", required: false },
    ]);
  });

  test("takes a file declared inside a declared folder once", async () => {
    const { artifacts } = await collect([output("all/one.txt"), output("all/")], (files) =>
      files.write("/home/agent/output/all/one.txt", "x"),
    );
    expect(artifacts.map(({ path }) => path)).toEqual(["all/one.txt"]);
  });

  test.each<[string, string, (files: MemoryFiles) => void, Partial<OutputSpec>]>([
    ["link-out", "x", (files) => files.link("/home/agent/output/x", "/etc/passwd"), {}],
    ["link-out", "sub/x", (files) => files.link("/home/agent/output/sub", "/etc"), {}],
    [
      "link-out",
      "x",
      (files) => {
        files.remove("/home/agent/output");
        files.link("/home/agent/output", "/etc");
      },
      {},
    ],
    ["special-file", "x", (files) => files.folder("/home/agent/output/x"), {}],
    [
      "oversize",
      "x",
      (files) => files.write("/home/agent/output/x", "12345678901"),
      { max_mb: 10 / 1024 ** 2 },
    ],
    [
      "archive-bomb",
      "x.zip",
      (files) => {
        const zeros = new Uint8Array(32 * 1024 * 1024);
        files.write("/home/agent/output/x.zip", zipSync({ zeros }, { level: 9 }));
      },
      {},
    ],
    [
      "unsafe-name",
      "x.zip",
      (files) => {
        files.write("/home/agent/output/x.zip", zipSync({ "../evil": new Uint8Array(3) }));
      },
      {},
    ],
  ])("refuses with %s, and leaves nothing of it", async (code, path, fill, more) => {
    const { artifacts, left } = await collect([output(path, more)], fill);
    expect(artifacts).toEqual([{ state: "refused", path, code, message: expect.any(String) }]);
    expect(left).toEqual([]);
  });

  test("leaves a damaged archive to the grader", async () => {
    const { artifacts } = await collect([output("x.xlsx")], (files) =>
      files.write("/home/agent/output/x.xlsx", "PK\x03\x04 and no more"),
    );
    expect(artifacts[0]?.state).toBe("taken");
  });
});
