import { describe, expect, test } from "vitest";
import { laterStanding, needsAttempt } from "./trial-standing.ts";

describe("where a trial stands", () => {
  test.each([
    [undefined, "env_error", "env_error"],
    ["env_error", "completed", "completed"],
    ["cancelled", "timeout", "timeout"],
    ["completed", "env_error", "completed"],
    ["completed", "cancelled", "completed"],
    ["timeout", "completed", "completed"],
    ["env_error", "cancelled", "cancelled"],
  ] as const)("after %s and then %s it is %s", (before, now, standing) => {
    expect(laterStanding(before, now)).toBe(standing);
  });

  test("a trial is sat again when it never finished, was stopped, or the house failed, or on request", () => {
    expect(needsAttempt(undefined, [])).toBe(true);
    for (const status of ["env_error", "task_error", "verifier_error", "cancelled"] as const) {
      expect(needsAttempt(status, [])).toBe(true);
    }
    for (const status of ["completed", "timeout", "budget_exceeded", "refused", "agent_error"] as const) {
      expect(needsAttempt(status, [])).toBe(false);
      expect(needsAttempt(status, [status])).toBe(true);
    }
  });
});
