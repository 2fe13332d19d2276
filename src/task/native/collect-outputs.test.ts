import { spawnSync } from "node:child_process";
import { mkdir, open, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { OutputSpec } from "../../contract/task-manifest.ts";
import { bombZip } from "../qc/attack/bomb-zip.ts";
import { collectOutputs } from "./collect-outputs.ts";
import { ScratchFolder } from "./scratch-folder.ts";

const spec = (path: string): OutputSpec => ({ path, kind: "any", required: true, max_mb: 20 });

async function collect(
  outputs: readonly OutputSpec[],
  fill: (dir: string) => Promise<unknown>,
): Promise<{ readonly states: readonly string[]; readonly names: readonly string[] }> {
  await using output = await ScratchFolder.make();
  await using into = await ScratchFolder.make();
  await fill(output.path);
  const artifacts = await collectOutputs(outputs, output.path, into.path);
  const states = artifacts.map(
    (artifact) => `${artifact.path} ${artifact.state === "refused" ? artifact.code : artifact.state}`,
  );
  const entries = await readdir(into.path, { recursive: true, withFileTypes: true });
  return {
    states,
    names: entries
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name)
      .sort(),
  };
}

describe("collecting on one's own machine", () => {
  test("takes what is declared and leaves the rest", async () => {
    const found = await collect([spec("a.txt"), spec("pages/"), spec("gone.csv")], async (dir) => {
      await mkdir(join(dir, "pages/deep"), { recursive: true });
      for (const name of ["a.txt", "verdict.json", "pages/1.md", "pages/deep/2.md"])
        await writeFile(join(dir, name), name);
    });
    expect(found).toEqual({
      states: ["a.txt taken", "pages/1.md taken", "pages/deep/2.md taken", "gone.csv missing"],
      names: ["1.md", "2.md", "a.txt"],
    });
  });

  test("refuses links out, pipes, holes, bombs and what is too large, each with its reason", async () => {
    const outputs = ["link", "pipe", "sparse", "bomb.xlsx", "large", "inner"].map(spec);
    const { states } = await collect(outputs, async (dir) => {
      await symlink("/etc/passwd", join(dir, "link"));
      spawnSync("mkfifo", [join(dir, "pipe")]);
      await using sparse = await open(join(dir, "sparse"), "w");
      await sparse.truncate(2 ** 40);
      await writeFile(join(dir, "bomb.xlsx"), bombZip());
      await writeFile(join(dir, "large"), Buffer.alloc(21 * 1024 * 1024, "x"));
      await writeFile(join(dir, "real"), "x");
      await symlink("real", join(dir, "inner"));
    });
    expect(states).toEqual([
      "link link-out",
      "pipe special-file",
      "sparse sparse",
      "bomb.xlsx archive-bomb",
      "large oversize",
      "inner taken",
    ]);
  });

  test("a folder that is a link out of the output gives nothing", async () => {
    const { states, names } = await collect([spec("etc/")], (dir) => symlink("/etc", join(dir, "etc")));
    expect(states).toEqual(["etc special-file"].map((state) => state.replace("special-file", "link-out")));
    expect(names).toEqual([]);
  });

  test("the bomb is an archive that an unzip program believes in", async () => {
    await using scratch = await ScratchFolder.make();
    const path = join(scratch.path, "bomb.zip");
    await writeFile(path, bombZip());
    const listing = spawnSync("python3", [
      "-c",
      "import sys,zipfile;z=zipfile.ZipFile(sys.argv[1]);print(len(z.read('xl/workbook.xml')),len(z.namelist()))",
      path,
    ]);
    expect(listing.stdout.toString()).toBe(`${8 * 1024 ** 2} 1024\n`);
    expect((await readFile(path)).length).toBeLessThan(20 * 1024 ** 2);
  });
});
