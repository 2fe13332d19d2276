import { expect, test } from "vitest";
import { known, unknown } from "../../contract/absence.ts";
import { noUsage } from "../../contract/usage.ts";
import type { TrialMeter } from "../../gateway/gateway.ts";
import type { HarnessOutcome } from "../../harness/harness.ts";
import { reconcile } from "./reconcile.ts";
import { settleOutcome } from "./settle-outcome.ts";

const meter: TrialMeter = {
  usage: { ...noUsage, calls: 3, input: 1000, cached: 200, output: 50 },
  unmetered: 0,
  underWay: 0,
  costUsd: known(0.02),
  knownCostUsd: 0.02,
  providerCostUsd: unknown("it does not say"),
  lastEnd: { kind: "answered", status: 200 },
  waitedMs: 0,
  refusals: [],
  rejected: [],
  substitutions: [],
  failures: [],
  exceeded: undefined,
  divergence: undefined,
};

const told = { usage: known(meter.usage), costUsd: known(0.02), claim: unknown("none") };
const completed: HarnessOutcome = { kind: "completed", ...told };
const failed: HarnessOutcome = { kind: "agent-error", reason: "exit 1", ...told };
const lost = { model: "m", status: 503, message: "overloaded" };

test("a harness that did its work is believed, be it after calls that were lost on the way", () => {
  expect(settleOutcome(completed, meter)).toEqual(completed);
  expect(settleOutcome(completed, { ...meter, failures: [lost] })).toEqual(completed);
  expect(settleOutcome(failed, undefined)).toEqual(failed);
});

test.each([
  ["failed", { kind: "failed", status: 503, message: "overloaded" }, lost],
  ["cut", { kind: "cut", message: "reset" }, { ...lost, status: 0 }],
  ["unreachable", { kind: "unreachable", message: "refused" }, { ...lost, status: 0 }],
] as const)(
  "a last call that %s is the upstream's fault, also where the harness says it is done",
  (_, lastEnd, loss) => {
    for (const outcome of [completed, failed]) {
      expect(settleOutcome(outcome, { ...meter, lastEnd, failures: [loss] })).toMatchObject({
        kind: "env-error",
      });
    }
  },
);

test("an error that the harness's own request deserved stays the harness's", () => {
  const lastEnd = { kind: "failed", status: 400, message: "bad tool" } as const;
  expect(settleOutcome(failed, { ...meter, lastEnd })).toEqual(failed);
  expect(settleOutcome(failed, { ...meter, lastEnd, failures: [lost] })).toEqual(failed);
});

test("a refusal that ended the work is a refusal, whatever the harness made of it", () => {
  const lastEnd = { kind: "refused", status: 200, reason: "unsafe" } as const;
  expect(settleOutcome(completed, { ...meter, lastEnd })).toMatchObject({
    kind: "refused",
    reason: "unsafe",
  });
});

test("a harness that is done without a call to its model has failed", () => {
  const quiet = { ...meter, usage: noUsage, lastEnd: undefined, rejected: ["no such model"] };
  expect(settleOutcome(completed, quiet)).toMatchObject({
    kind: "agent-error",
    reason: expect.stringContaining("no such model"),
  });
});

test("a replay that left its recording is the house's failure", () => {
  expect(settleOutcome(completed, { ...meter, divergence: "another turn" }).kind).toBe("env-error");
});

test("accounts that agree within a hundredth have no differences; others are named with both figures", () => {
  const near = { ...told, usage: known({ ...meter.usage, input: 1009 }) };
  expect(reconcile(meter, near).differences).toEqual([]);
  const far = { ...told, usage: known({ ...meter.usage, input: 900 }), costUsd: known(0.03) };
  expect(reconcile({ ...meter, providerCostUsd: known(0.05) }, far).differences).toEqual([
    "input tokens: the gateway 1000, the harness 900",
    "cost: the price table $0.020000, the harness $0.030000",
    "cost: the price table $0.020000, the provider $0.050000",
  ]);
});

test("what nobody says is no difference", () => {
  expect(reconcile(meter, undefined).differences).toEqual([]);
  const silent = { usage: unknown("silent"), costUsd: unknown("silent") };
  expect(reconcile({ ...meter, costUsd: unknown("no price") }, silent).differences).toEqual([]);
});
