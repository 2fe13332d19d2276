import { execFile } from "node:child_process";
import { cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { writeSampleTask } from "../testing/sample-task.ts";
import { findTasks } from "./find-tasks.ts";
import { nativeFormat } from "./native/native-format.ts";

test("a malformed package is reported and does not stop the others", async () => {
  await using sample = await writeSampleTask();
  const broken = join(sample.root, "demo", "broken");
  await mkdir(broken);
  await writeFile(join(broken, "task.yaml"), "schema: ale/task@1\nid: [\n");
  await mkdir(join(sample.root, "notes"));
  const { packages, malformed } = await findTasks([sample.root], [nativeFormat]);
  expect(packages.map((task) => task.manifest.id)).toEqual(["demo/ledger_total"]);
  expect(malformed).toMatchObject([{ dir: broken, findings: [{ code: "yaml-syntax", line: 3 }] }]);
});

test("a manifest that is a link or a pipe is refused unread, and nothing waits for it", async () => {
  await using sample = await writeSampleTask();
  for (const name of ["linked", "piped"]) {
    const dir = join(sample.root, "demo", name);
    await cp(sample.dir, dir, { recursive: true });
    await rm(join(dir, "task.yaml"));
  }
  await symlink("/etc/passwd", join(sample.root, "demo", "linked", "task.yaml"));
  await promisify(execFile)("mkfifo", [join(sample.root, "demo", "piped", "task.yaml")]);
  const { packages, malformed } = await findTasks([sample.root], [nativeFormat]);
  expect(packages.map((task) => task.dir)).toEqual([sample.dir]);
  expect(malformed.flatMap((broken) => broken.findings.map((finding) => finding.code))).toEqual([
    "not-a-plain-file",
    "not-a-plain-file",
  ]);
});

test("the same root twice, or a root within another, gives each package once", async () => {
  await using sample = await writeSampleTask();
  const { packages, malformed } = await findTasks([sample.root, sample.dir, sample.root], [nativeFormat]);
  expect([packages.length, malformed.length]).toEqual([1, 0]);
});

test("an id that two packages share keeps the first and reports the second", async () => {
  await using sample = await writeSampleTask();
  await cp(sample.dir, join(sample.root, "other", "demo", "ledger_total"), { recursive: true });
  const { packages, malformed } = await findTasks([sample.root], [nativeFormat]);
  expect(packages.map((task) => task.dir)).toEqual([sample.dir]);
  expect(malformed[0]?.findings[0]).toMatchObject({ code: "repeated-id" });
});

test("a root that is not there is the operator's mistake", async () => {
  await expect(findTasks(["/nowhere/at/all"], [nativeFormat])).rejects.toMatchObject({
    code: "no-such-folder",
  });
});
