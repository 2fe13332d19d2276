import { describe, expect, test } from "vitest";
import { known, unknown } from "../../contract/absence.ts";
import { noUsage } from "../../contract/usage.ts";
import type { AgentEnd } from "./agent-end.ts";
import { type PhaseFailure, resolveStatus } from "./resolve-status.ts";

const quiet = { usage: known(noUsage), costUsd: known(0), claim: unknown("silent") } as const;
const completed: AgentEnd = { kind: "returned", outcome: { kind: "completed", ...quiet } };
const timeout: AgentEnd = { kind: "timeout", clock: "wall", limitMs: 90_000, outcome: undefined };
const crash: PhaseFailure = { phase: "verify", status: "verifier_error", reason: "the grader crashed" };
const lost: PhaseFailure = { phase: "collect", status: "env_error", reason: "the machine was lost" };

describe("resolveStatus", () => {
  test("completed work has no reason and no failed phase", () => {
    expect(resolveStatus({ cancelled: undefined, failures: [], agent: completed })).toEqual({
      status: "completed",
      reason: "",
    });
  });

  test("a limit says which clock and how long", () => {
    const { status, reason } = resolveStatus({ cancelled: undefined, failures: [], agent: timeout });
    expect([status, reason]).toEqual(["timeout", "the wall time of 1.5 min was over"]);
  });

  test("a budget says which", () => {
    const agent: AgentEnd = { kind: "budget", limit: "tokens", outcome: undefined };
    expect(resolveStatus({ cancelled: undefined, failures: [], agent })).toMatchObject({
      status: "budget_exceeded",
      reason: "the limit on tokens was reached",
    });
  });

  test.each([
    ["refused", "refused"],
    ["agent-error", "agent_error"],
    ["env-error", "env_error"],
  ] as const)("a harness that ends with %s is %s", (kind, status) => {
    const agent: AgentEnd = { kind: "returned", outcome: { kind, reason: "because", ...quiet } };
    const resolved = resolveStatus({ cancelled: undefined, failures: [], agent });
    expect(resolved).toEqual({ status, reason: "because", failedPhase: "agent" });
  });

  test("a failure of the house comes before the contestant's own end", () => {
    for (const agent of [completed, timeout]) {
      const resolved = resolveStatus({ cancelled: undefined, failures: [crash], agent });
      expect(resolved).toEqual({
        status: "verifier_error",
        reason: "the grader crashed",
        failedPhase: "verify",
      });
    }
  });

  test("of several failures the first counts", () => {
    const resolved = resolveStatus({ cancelled: undefined, failures: [lost, crash], agent: completed });
    expect(resolved).toMatchObject({ status: "env_error", failedPhase: "collect" });
  });

  test("a cancel comes before everything", () => {
    const resolved = resolveStatus({ cancelled: "verify", failures: [crash], agent: timeout });
    expect(resolved).toEqual({
      status: "cancelled",
      reason: "cancelled during verify",
      failedPhase: "verify",
    });
  });

  test("an agent that was never launched is the house's failure", () => {
    expect(resolveStatus({ cancelled: undefined, failures: [], agent: undefined }).status).toBe("env_error");
  });
});
