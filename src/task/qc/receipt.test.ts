import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { writeSampleTask } from "../../testing/sample-task.ts";
import { nativeFormat } from "../native/native-format.ts";
import { ScratchFolder } from "../native/scratch-folder.ts";
import type { TaskPackage } from "../task-package.ts";
import type { InstanceReport } from "./instance-report.ts";
import { isProved, readReceipt, receiptPath, writeReceipt } from "./receipt.ts";

const clock = createFixedClock();

async function read(dir: string): Promise<TaskPackage> {
  const outcome = await nativeFormat.read(dir);
  if (outcome.kind === "malformed") throw new RangeError(JSON.stringify(outcome.findings));
  return outcome.task;
}

function report(variant: string, ok = true): InstanceReport {
  return {
    instance: `demo/ledger_total@${variant}`,
    ok,
    untouched: 0,
    oracle: 1,
    probes: [],
    killRate: null,
    killRateReason: "nothing to mutate",
    mutations: { tried: 0, killed: 0, survivors: [] },
    attacks: [],
    deterministic: true,
    findings: [],
    wallMs: 1,
  };
}

test("a receipt proves the instances it holds, and does not change the hash it is bound to", async () => {
  await using sample = await writeSampleTask();
  const task = await read(sample.dir);
  expect(await readReceipt(task)).toEqual({ kind: "absent" });
  await writeReceipt(task, [report("base")], { clock });
  await writeReceipt(task, [report("large", false)], { clock });
  const found = await readReceipt(await read(sample.dir));
  expect(found.kind).toBe("current");
  expect(isProved(found, "demo/ledger_total@base")).toBe(true);
  expect(isProved(found, "demo/ledger_total@large")).toBe(false);
  expect(isProved(found, "demo/ledger_total@other")).toBe(false);
});

test("a change that can move a score makes it stale, and a new receipt forgets the old reports", async () => {
  await using sample = await writeSampleTask();
  await writeReceipt(await read(sample.dir), [report("base"), report("large")], { clock });
  await appendFile(join(sample.dir, "main.ts"), "// stricter\n");
  const task = await read(sample.dir);
  const stale = await readReceipt(task);
  expect(stale.kind).toBe("stale");
  expect(isProved(stale, "demo/ledger_total@base")).toBe(false);
  await writeReceipt(task, [report("base")], { clock });
  expect(isProved(await readReceipt(task), "demo/ledger_total@large")).toBe(false);
});

test("receipts may lie in a folder of their own", async () => {
  await using sample = await writeSampleTask();
  await using receipts = await ScratchFolder.make();
  const task = await read(sample.dir);
  const path = await writeReceipt(task, [report("base")], { clock, dir: receipts.path });
  expect(path).toBe(join(receipts.path, "demo/ledger_total.json"));
  expect((await readReceipt(task, receipts.path)).kind).toBe("current");
  expect((await readReceipt(task)).kind).toBe("absent");
});

test("what is no receipt is said to be none", async () => {
  await using sample = await writeSampleTask();
  const task = await read(sample.dir);
  await writeReceipt(task, [report("base")], { clock });
  await writeFile(receiptPath(task), '{"schema":"ale/receipt@1"}');
  expect((await readReceipt(task)).kind).toBe("malformed");
});
