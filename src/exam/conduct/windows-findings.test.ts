import { expect, test } from "vitest";
import { examFileSchema } from "../../contract/exam-file.ts";
import type { Finding } from "../../contract/finding.ts";
import { createAleAgent } from "../../harness/ale-agent/create-ale-agent.ts";
import { baselineHarnesses } from "../../harness/baselines/baseline-harnesses.ts";
import type { Harness } from "../../harness/harness.ts";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { createMemoryTask } from "../../testing/memory-task.ts";
import { planExam } from "../plan/plan-exam.ts";
import { windowsFindings } from "./windows-findings.ts";

/** What is said of a program of others, our own loop and the oracle, who sit one task in Windows or Linux. */
function findings(sandbox: Readonly<Record<string, unknown>>): readonly Finding[] {
  const task = createMemoryTask({ dir: "/none", manifest: { sandbox } });
  const contestants = ["others", "ale-agent", "oracle"].map((harness) => ({ name: harness, harness }));
  const exam = { schema: "ale/exam@1", name: "e", contestants, tasks: { include: ["*/*"] } };
  const plan = planExam({ file: examFileSchema.parse(exam), packages: [task], clock: createFixedClock() });
  const [oracle] = baselineHarnesses("1").values();
  if (oracle === undefined) throw new RangeError("there is an oracle");
  const others: Harness = { ...oracle, name: "others", runsOn: ["linux"] };
  const harnesses = new Map(baselineHarnesses("1"));
  for (const harness of [others, createAleAgent("1")]) harnesses.set(harness.name, harness);
  return windowsFindings(plan, [task], harnesses);
}

test("programs that are started on Linux only are refused a task in Windows; loops outside and baselines are not", () => {
  expect(findings({ os: "windows" })).toMatchObject([
    {
      severity: "error",
      code: "harness-not-for-windows",
      message: expect.stringContaining("others") as string,
    },
  ]);
  expect(findings({ os: "linux", packages: ["bwa"] })).toEqual([]);
});

test("a task in Windows that names Debian packages is refused", () => {
  const codes = findings({ os: "windows", packages: ["bwa"] }).map(({ code }) => code);
  expect(codes).toEqual(["packages-not-for-windows", "harness-not-for-windows"]);
});
