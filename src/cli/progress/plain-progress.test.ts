import { expect, test } from "vitest";
import { unknown } from "../../contract/absence.ts";
import type { TrialResult } from "../../contract/trial-result.ts";
import { describeResult } from "./plain-progress.ts";

function told(reason: string): string {
  const result = { trial: "oracle.sum", status: "task_error", score: unknown("none"), wallMs: 2000, reason };
  return describeResult(result as TrialResult);
}

test("a trial's end is told with its reason, in one line", () => {
  expect(told("")).toBe("task_error  no score  oracle.sum  2.0 s");
  expect(told("exit 1: no room\n")).toBe("task_error  no score  oracle.sum  2.0 s  (exit 1: no room)");
});

test("of a program's stack the error is told", () => {
  const stack = "/task/main.ts:3\n  throw x\n  ^\n\nError: no room\n    at f (main.ts:3)\n\nNode.js v24.21.0";
  expect(told(`the setup failed: exit 1: ${stack}`)).toMatch(
    /\(the setup failed: exit 1: \/task\/main\.ts:3 … Error: no room\)$/,
  );
});

test("a reason without end is cut, and keeps its last words", () => {
  const line = told(`exit 1: ${"x".repeat(5000)}\nno room`);
  expect(line.length).toBeLessThan(500);
  expect(line).toMatch(/^task_error .*\(exit 1: x+… … no room\)$/);
});
