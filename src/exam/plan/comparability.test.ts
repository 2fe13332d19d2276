import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { examFileSchema } from "../../contract/exam-file.ts";
import { examLockSchema } from "../../contract/exam-lock.ts";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { createMemoryTask, type MemoryTaskOptions } from "../../testing/memory-task.ts";
import { buildLock } from "./build-lock.ts";
import { type ComparabilityFields, comparabilityKey } from "./comparability.ts";
import { planExam } from "./plan-exam.ts";

interface Change {
  readonly exam?: Readonly<Record<string, unknown>>;
  readonly task?: Partial<MemoryTaskOptions>;
  readonly provider?: string;
  readonly programs?: Readonly<Record<string, string>>;
}

function fieldsOf(change: Change = {}): ComparabilityFields {
  const file = examFileSchema.parse({
    schema: "ale/exam@1",
    name: "x",
    contestants: [{ harness: "nop" }],
    ...change.exam,
  });
  const manifest = { grader: { programs: ["bcftools"] } };
  const packages = [createMemoryTask({ dir: "/t", manifest, ...change.task })];
  const lock = buildLock({
    plan: planExam({ file, packages, clock: createFixedClock() }),
    packages,
    provider: { name: change.provider ?? "local", details: {} },
    programs: change.programs ?? { bcftools: "bcftools 1.16" },
    harnesses: { nop: "1" },
    ale: { version: "0.1.0" },
    invocation: ["ale"],
  });
  expect(examLockSchema.parse(JSON.parse(JSON.stringify(lock)))).toEqual(lock);
  const [locked] = lock.instances;
  expect(locked?.comparabilityKey).toBe(comparabilityKey(locked?.comparability ?? {}));
  return locked?.comparability ?? {};
}

const programs = { grader: { programs: ["bcftools"] } };

test.each<[string, Change, readonly string[]]>([
  ["nothing", {}, []],
  ["the contestants", { exam: { contestants: [{ harness: "oracle" }] } }, []],
  ["repeats and seed", { exam: { repeats: 9, seed: 4 } }, []],
  ["the package's content", { task: { contentHash: `sha256:${"1".repeat(64)}` } }, ["content"]],
  ["the provider", { provider: "container" }, ["provider"]],
  ["the image", { task: { manifest: { ...programs, sandbox: { image: "office" } } } }, ["image"]],
  ["the memory", { task: { manifest: { ...programs, sandbox: { memory_mb: 512 } } } }, ["machine"]],
  ["the network", { task: { manifest: { ...programs, network: "open" } } }, ["network"]],
  ["a tighter limit", { exam: { limits: { wall_minutes: 5 } } }, ["limits"]],
  ["a limit that is looser than the task's", { exam: { limits: { wall_minutes: 500 } } }, []],
  ["the scoring policy", { exam: { scoring: "ale-missing-zero" } }, ["scoring"]],
  ["a grading program's version", { programs: { bcftools: "bcftools 1.20" } }, ["grader"]],
])("a change of %s moves exactly the fields it should, and the key with them", (_name, change, fields) => {
  const [before, after] = [fieldsOf(), fieldsOf(change)];
  const differing = Object.keys(before).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  expect(differing).toEqual(fields);
  expect(comparabilityKey(before) === comparabilityKey(after)).toBe(fields.length === 0);
});
