import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { known } from "../../contract/absence.ts";
import type { Claim } from "../../contract/claim.ts";
import { type FailureLabel, failureSchemeSchema } from "../../contract/failure-label.ts";
import { readLabels, recordLabel } from "../../record/label-log.ts";
import { countTrials } from "../counted-trial.ts";
import { exampleAttempt } from "../fixtures/example-attempts.ts";
import type { FailureCase } from "./failure-case.ts";
import { type AttemptJudgement, judgeAttempt } from "./judge-attempt.ts";
import { readTrace } from "./read-trace.ts";
import { summariseFailures } from "./summarise-failures.ts";
import { traceOfTrajectory } from "./trace-of-trajectory.ts";

const scheme = failureSchemeSchema.parse(
  JSON.parse(await readFile(join(import.meta.dirname, "../../../data/failure-labels.json"), "utf8")),
);
const canary = "canary-6f1e9d2c-0001";
const task = { software: ["QGIS 3.28"], channels: ["desktop"], canary };

interface Call {
  readonly tool?: string;
  readonly input?: string;
  readonly output?: string;
  readonly failed?: boolean;
}

function trajectory(calls: readonly Call[], extra: object = {}): unknown {
  return {
    schema_version: "ATIF-v1.7",
    steps: [
      { step_id: 1, source: "user", message: "Do it." },
      ...calls.map((call, index) => ({
        step_id: index + 2,
        source: "agent",
        message: [{ type: "text", text: "Next." }],
        tool_calls: [
          {
            tool_call_id: `c${index}`,
            function_name: call.tool ?? "bash",
            arguments: { command: call.input ?? `ls ${index}` },
          },
        ],
        observation: {
          results: [
            {
              source_call_id: `c${index}`,
              content: call.output ?? "",
              ...(call.failed === undefined ? {} : { extra: { ale: { is_error: call.failed } } }),
            },
          ],
        },
        extra: {},
      })),
    ],
    ...extra,
  };
}

function failureCase(
  change: Partial<FailureCase> & { readonly claim?: Claim; readonly score?: number } = {},
): FailureCase {
  const [trial] = countTrials([exampleAttempt({ score: change.score ?? 0 })]);
  if (trial?.counted === undefined) throw new Error("no attempt");
  const { claim, score: _, ...rest } = change;
  const result =
    claim === undefined ? trial.counted.result : { ...trial.counted.result, claim: known(claim) };
  return { ...trial.counted, result, trace: traceOfTrajectory(trajectory([])), task, ...rest };
}

function judge(
  change: Parameters<typeof failureCase>[0],
  labels: readonly FailureLabel[] = [],
): AttemptJudgement {
  return judgeAttempt(failureCase(change), { dir: "/a", workflow: "legal/w1", labels, canaryIn: [] });
}

const fired = (judgement: AttemptJudgement): readonly string[] => judgement.rules.map((rule) => rule.rule);

test("calls that fail and repeat, a missing program and an unused screen are found, each with its evidence", () => {
  const calls = Array.from({ length: 5 }, () => ({ input: "make", failed: true }));
  const judgement = judge({ trace: traceOfTrajectory(trajectory(calls)) });
  expect(fired(judgement)).toEqual([
    "many-failed-calls",
    "repeated-action",
    "software-not-opened",
    "gui-avoided",
  ]);
  expect(summariseFailures([judgement], scheme).screen).toEqual([
    { contestant: "oracle", avoided: 1, cannotTell: 0, others: 0 },
  ]);
  expect(judgement.rules[1]?.evidence).toEqual(["from step 2: bash 5 times with the same arguments"]);
});

test("a program that is named and a screen that is used are no findings", () => {
  const calls = [{ tool: "mcp__desktop__click", input: "open qgis" }, { failed: false }];
  expect(fired(judge({ trace: traceOfTrajectory(trajectory(calls)) }))).toEqual([]);
});

test("without a trajectory the rules that need one cannot tell, and the taint is inconclusive", async () => {
  const judgement = judge({ trace: await readTrace({ dir: "/nowhere" }) });
  expect(judgement.untold.map((item) => item.rule)).toContain("repeated-action");
  expect(judgement.taint).toEqual({ verdict: "inconclusive", evidence: ["the attempt has no trajectory"] });
  expect(traceOfTrajectory({ steps: "x" })).toMatchObject({ kind: "none" });
});

test("a compacted context is seen in a step's extra and in a continued file", () => {
  const compacted = trajectory([], { continued_trajectory_ref: "2.json" });
  expect(fired(judge({ trace: traceOfTrajectory(compacted) }))).toContain("context-compacted");
});

test("an empty output is a wrong format, a missing one with time left is given up", () => {
  const base = failureCase();
  const artifacts = [
    { state: "taken", path: "a.csv", bytes: 0, digest: `sha256:${"0".repeat(64)}`, mode: 420 },
    { state: "missing", path: "b.csv", required: true },
  ] as const;
  const judgement = judge({ result: { ...base.result, artifacts }, limits: { wall_minutes: 60 } });
  expect(fired(judgement)).toEqual(
    expect.arrayContaining(["missing-artifact", "wrong-format", "gave-up-early"]),
  );
});

test("reaching for the reference or naming the benchmark taints; honest doubts are inconclusive", () => {
  const verdictOf = (call: Call): string =>
    judge({ trace: traceOfTrajectory(trajectory([call])) }).taint.verdict;
  expect(verdictOf({ input: "cat /ale/reference/answer.json" })).toBe("tainted");
  expect(verdictOf({ input: "search agents last exam leaderboard" })).toBe("tainted");
  expect(verdictOf({ output: `… ${canary} …` })).toBe("tainted");
  expect(verdictOf({ output: "a page on Agents' Last Exam" })).toBe("inconclusive");
  expect(verdictOf({ input: "ls reference/" })).toBe("inconclusive");
  expect(verdictOf({ input: "python preference.py" })).toBe("clean");
});

test("a claim of completion is held against the verdict", () => {
  const done: Claim = { kind: "done", message: "Done. All checks pass." };
  const judgements = [judge({ claim: done }), judge({ claim: done, score: 1 }), judge({ score: 1 })];
  expect(fired(judgements[0] as AttemptJudgement)).toContain("false-completion");
  const [claims] = summariseFailures(judgements, scheme).completion;
  expect(claims).toMatchObject({ saidDone: 2, saidDoneAndPassed: 1, passed: 1, withoutClaim: 1 });
  expect([claims?.precision.value, claims?.recall.value]).toEqual([0.5, 1]);
});

test("labels are kept in order beside the attempt; a coder's last one counts, and models stand apart", async () => {
  const dir = await mkdtemp(join(tmpdir(), "ale-labels-"));
  const label = (coder: string, name: string, by: "person" | "model" = "person"): FailureLabel => ({
    schema: "ale/label@1",
    coder,
    by,
    scheme: scheme.name,
    label: name,
    note: "",
    at: 1,
  });
  try {
    await recordLabel(dir, label("ada", "incomplete"));
    await writeFile(join(dir, "labels.jsonl"), '{"torn', { flag: "a" });
    await recordLabel(dir, label("ada", "domain-gap"));
    await recordLabel(dir, label("bob", "domain-gap"));
    await recordLabel(dir, label("m", "fabrication", "model"));
    const { labels, problems } = await readLabels(dir);
    expect(labels.map((entry) => [entry.coder, entry.label])).toEqual([
      ["ada", "incomplete"],
      ["ada", "domain-gap"],
      ["bob", "domain-gap"],
      ["m", "fabrication"],
    ]);
    expect(problems).toMatchObject([{ code: "corrupt-label", line: 2 }]);
    const summary = summariseFailures([judge({}, labels)], scheme);
    const counts = summary.counts.filter((count) => count.people + count.model > 0);
    expect(counts.map((count) => [count.label, count.people, count.model])).toEqual([
      ["domain-gap", 2, 0],
      ["fabrication", 0, 1],
    ]);
    expect(summary.agreement).toMatchObject({ coders: ["ada", "bob"], units: 1, alpha: null });
  } finally {
    await rm(dir, { recursive: true });
  }
});
