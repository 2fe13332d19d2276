import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { repositoryRoot } from "./source-imports.ts";

const setup = pathToFileURL(join(repositoryRoot, "scripts", "setup.mjs")).href;

/** Notes its beginning and its end in `<dir>/log`, far enough apart for another's to fall between. */
async function workAlone(dir: string): Promise<number | null> {
  const script = `
    import { appendFileSync } from "node:fs";
    import { alone } from ${JSON.stringify(setup)};
    alone(${JSON.stringify(join(dir, "lock"))}, () => {
      appendFileSync(${JSON.stringify(join(dir, "log"))}, "begin ");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      appendFileSync(${JSON.stringify(join(dir, "log"))}, "end ");
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
  return new Promise((resolve, reject) => child.once("error", reject).once("exit", resolve));
}

test("two processes never set a checkout up at the same time, and a dead one's lock is passed", async () => {
  const dir = await mkdtemp(join(tmpdir(), "ale-setup-"));
  try {
    // No process has this number: the kernel's highest is 2^22.
    await symlink("99999999", join(dir, "lock"));
    expect(await Promise.all([workAlone(dir), workAlone(dir), workAlone(dir)])).toEqual([0, 0, 0]);
    expect(await readFile(join(dir, "log"), "utf8")).toBe("begin end ".repeat(3));
    expect(await readdir(dir)).toEqual(["log"]);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
