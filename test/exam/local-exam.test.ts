import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSystemClock } from "../../src/cli/system-clock.ts";
import { known } from "../../src/contract/absence.ts";
import { examFileSchema } from "../../src/contract/exam-file.ts";
import type { TrialEvent } from "../../src/contract/trial-event.ts";
import type { TrialResult } from "../../src/contract/trial-result.ts";
import { conductExam } from "../../src/exam/conduct/conduct-exam.ts";
import { preflightExam } from "../../src/exam/conduct/preflight-exam.ts";
import { buildLock } from "../../src/exam/plan/build-lock.ts";
import { planExam } from "../../src/exam/plan/plan-exam.ts";
import { baselineHarnesses } from "../../src/harness/baselines/baseline-harnesses.ts";
import { createRun } from "../../src/record/create-run.ts";
import { createLocalProvider } from "../../src/sandbox/local/local-provider.ts";
import type { SandboxProvider } from "../../src/sandbox/provider.ts";
import { findTasks } from "../../src/task/find-tasks.ts";
import { nativeFormat } from "../../src/task/native/native-format.ts";
import { createCheckoutBench } from "../support/checkout-bench.ts";

const manifest = `
schema: ale/task@1
id: computing_math/guest_book
title: Sign the guest book
summary: A task with a setup, a service and a trusted collect step, for the tests of the exam.
taxonomy: { subfield: "9.1", soc: [15-2051] }
tier: near-term
interface: [shell]
sandbox: { cpus: 1, memory_mb: 512, disk_mb: 256, packages: [bash, no-such-package-of-debian] }
limits: { wall_minutes: 1 }
grader: { programs: [sh] }
services:
  - name: book
    argv: [bash, -c, "mkdir -p /srv/book; touch /srv/book/open; chmod 777 /srv/book; exec sleep 1000"]
    ready: [test, -f, /srv/book/open]
outputs: [{ path: book.txt, kind: txt }, { path: mine.txt, kind: txt }]
instances: [{ variant: base }]
provenance: { authors: [A. Tester], human_minutes: 1 }
canary: ale-canary-guest-book-5d1f0c72
`;

const program = `
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "ale/grade/rubric/check";
import { weightedRubric } from "ale/grade/rubric/weighted-rubric";
import { defineTask } from "ale/task";

export default defineTask({
  setup({ home }) {
    writeFileSync(join(home, "from-setup"), String(process.getuid?.()));
  },
  collect({ output }) {
    copyFileSync("/srv/book/page", join(output, "book.txt"));
  },
  grade({ artifacts }) {
    const text = (name: string) =>
      existsSync(join(artifacts, name)) ? readFileSync(join(artifacts, name), "utf8") : "";
    const right = text("book.txt") === "signed\\n" && text("mine.txt") === "root was here: 0\\n";
    return weightedRubric([
      check({ id: "signed", stage: "book", outcome: { score: right ? 1 : 0, message: text("mine.txt") } }),
    ]);
  },
  solve() {},
});
`;

const script = [
  "echo signed > /srv/book/page",
  'echo "root was here: $(cat ~/from-setup)" > ~/output/mine.txt',
  "find / -name main.ts -not -path '/proc/*' -not -path '/ale/runtime/*' 2>/dev/null",
  "ls /ale/runtime/tasks/task 2>/dev/null",
  "touch ~/input/x ~/output/.probe 2>/dev/null",
  "test $ALE_BUDGET_FILE -nt /nowhere && echo budget",
].join("; ");

let dir: string;
let provider: SandboxProvider;
let result: TrialResult;
let events: readonly TrialEvent[];
let said: string;
let findings: readonly { readonly code: string; readonly message: string }[];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "ale-local-exam-"));
  const clock = createSystemClock();
  const taskDir = join(dir, "tasks", "computing_math", "guest_book");
  await mkdir(join(taskDir, "input"), { recursive: true });
  await writeFile(join(taskDir, "task.yaml"), manifest);
  await writeFile(join(taskDir, "instruction.md"), "Sign the book and write `mine.txt` and `book.txt`.\n");
  await writeFile(join(taskDir, "main.ts"), program);
  provider = createLocalProvider({
    stateDir: join(dir, "state"),
    clock,
    ids: randomUUID,
    ownerPid: process.pid,
  });
  const { packages, malformed } = await findTasks([join(dir, "tasks")], [nativeFormat]);
  expect(malformed).toEqual([]);
  const bench = createCheckoutBench({ provider, clock, dir, run: "local-exam" });
  const file = examFileSchema.parse({
    schema: "ale/exam@1",
    name: "local",
    contestants: [{ harness: "command", settings: { argv: ["bash", "-c", script] } }],
    retry: { attempts: 1 },
  });
  const plan = planExam({ file, packages, clock });
  const harnesses = baselineHarnesses("0.0.0");
  const capacity = { trials: 1 };
  const preflight = await preflightExam({ plan, tasks: packages, bench, harnesses, capacity });
  ({ findings } = preflight);
  const lock = buildLock({
    plan,
    packages,
    provider: { name: provider.name, details: null },
    programs: preflight.programs,
    harnesses: preflight.harnesses,
    ale: { version: "0.0.0" },
    invocation: [],
  });
  const run = await createRun({ root: join(dir, "runs"), plan, lock, clock });
  await conductExam({ run, tasks: packages, bench, harnesses, capacity });
  const [attempt] = await run.attempts();
  if (attempt?.result === undefined) throw new RangeError("nothing was recorded");
  ({ result } = attempt);
  expect(result.reason).toBe("");
  events = await Array.fromAsync(attempt.events());
  said = await readFile(join(attempt.dir, "logs", "agent.stdout.log"), "utf8");
});

afterAll(() => rm(dir, { recursive: true, force: true }));

describe("a trial in a real sandbox", () => {
  test("was set up as root, served, collected from outside and graded", () => {
    expect(result).toMatchObject({ status: "completed", reason: "", score: known(1), fullPass: known(true) });
  });

  test("showed the agent its budget, and neither package nor program", () => {
    expect(said).toBe("budget\n");
  });

  test("noted what the agent changed outside its output, and left out what setup did", () => {
    const quiesced = events.find((event) => event.type === "quiesced");
    expect(quiesced?.changed).toContain("/srv/book/page");
    expect(quiesced?.changed).not.toContain("/home/agent/from-setup");
  });

  test("left no sandbox and no temporary folder behind", async () => {
    expect(await provider.list()).toEqual([]);
  });

  test("was told before of a package that is not installed, and of nothing else", () => {
    const errors = findings.filter(
      ({ code }) => code === "packages-missing" || code === "grader-programs-missing",
    );
    expect(errors.map(({ message }) => message)).toEqual([
      "computing_math/guest_book needs the Debian packages no-such-package-of-debian",
    ]);
  });
});
