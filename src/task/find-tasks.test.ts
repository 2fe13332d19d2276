import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
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
