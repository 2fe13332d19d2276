import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { makePrivateFolder, sweepPrivateFolders } from "./private-folder.ts";

test("a private folder is its owner's alone, and a sweep takes only those whose process is gone", async () => {
  const parent = await mkdtemp(join(tmpdir(), "ale-sweep-"));
  try {
    await using own = await makePrivateFolder(parent, "mine");
    expect((await stat(own.dir)).mode & 0o777).toBe(0o700);
    const { pid: gone } = spawnSync(process.execPath, ["--version"]);
    const left = `ale-unsealed@${hostname()}@${gone}-abc123`;
    const elsewhere = `ale-unsealed@not-${hostname()}@${gone}-abc123`;
    for (const name of [left, elsewhere, "other"])
      await mkdir(join(parent, name, "deep"), { recursive: true });
    await sweepPrivateFolders(parent);
    expect((await readdir(parent)).sort()).toEqual([basename(own.dir), elsewhere, "other"].sort());
    await sweepPrivateFolders(join(parent, "no-such-folder"));
  } finally {
    await rm(parent, { recursive: true });
  }
});
