import { expect, test } from "vitest";
import type { Finding } from "../../contract/finding.ts";
import { markFindings } from "../lint/mark-findings.ts";
import { nativeFormat } from "../native/native-format.ts";
import { ScratchFolder } from "../native/scratch-folder.ts";
import { scaffoldTask } from "../scaffold/scaffold-task.ts";
import type { TaskPackage } from "../task-package.ts";
import { findingsToTell } from "./findings-to-tell.ts";
import { formatReport } from "./format-report.ts";
import type { InstanceReport } from "./instance-report.ts";

async function draft(dir: string): Promise<TaskPackage> {
  const outcome = await nativeFormat.read(await scaffoldTask({ id: "trade/stock_take", dir }));
  if (outcome.kind === "malformed") throw new RangeError(JSON.stringify(outcome.findings));
  return outcome.task;
}

function reportOf(variant: string, findings: readonly Finding[]): InstanceReport {
  return {
    instance: `trade/stock_take@${variant}`,
    ok: false,
    untouched: 0,
    oracle: 1,
    probes: [],
    killRate: 1,
    mutations: { tried: 4, killed: 4, survivors: [] },
    attacks: [],
    deterministic: true,
    findings,
    wallMs: 1,
  };
}

test("what is wrong with the package is told once, what is wrong with an instance for each; errors come first", async () => {
  await using folder = await ScratchFolder.make();
  const task = await draft(folder.path);
  const marks = markFindings(task);
  const survived: Finding = { severity: "warning", code: "mutations-survive", message: "1 of 4 survive" };
  const toTell = findingsToTell(task);
  expect(toTell(reportOf("base", [survived, ...marks]))).toEqual([...marks, survived]);
  expect(toTell(reportOf("large", [...marks, survived]))).toEqual([survived]);
});

test("the line of an instance that fails only for places to fill in says so", async () => {
  await using folder = await ScratchFolder.make();
  const marks = markFindings(await draft(folder.path));
  expect(formatReport(reportOf("base", marks))).toMatch(
    /^FAIL {2}trade\/stock_take@base: 8 places still to fill in, untouched 0, oracle 1, /,
  );
  expect(formatReport(reportOf("base", marks.slice(0, 1)))).toContain(": 1 place still to fill in, ");
});
