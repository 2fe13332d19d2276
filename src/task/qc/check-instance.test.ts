import { describe, expect, test } from "vitest";
import { createRandom } from "../../contract/random.ts";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { type SampleOptions, sampleMain, writeSampleTask } from "../../testing/sample-task.ts";
import { nativeFormat } from "../native/native-format.ts";
import { ownWorkbench } from "../native/own-workbench.ts";
import { ScratchFolder } from "../native/scratch-folder.ts";
import { attacks } from "./attack/attacks.ts";
import { checkInstance } from "./check-instance.ts";
import { type InstanceReport, instanceReportSchema } from "./instance-report.ts";

/** All attacks where `mutations` are asked for, else the two cheapest. */
async function check(options: SampleOptions, mutations = 0): Promise<InstanceReport> {
  await using sample = await writeSampleTask(options);
  await using work = await ScratchFolder.make();
  await using bench = await ScratchFolder.make();
  const outcome = await nativeFormat.read(sample.dir);
  if (outcome.kind === "malformed") throw new RangeError(JSON.stringify(outcome.findings));
  const [instance] = outcome.task.instances;
  return await checkInstance(outcome.task, instance as never, ownWorkbench(bench.path), {
    clock: createFixedClock(),
    random: createRandom(1),
    work: work.path,
    mutations,
    attacks:
      mutations > 0 ? attacks : attacks.filter(({ name }) => /^(links-out|prompt-injection)$/.test(name)),
    concurrency: 2,
  });
}

function codes(report: InstanceReport): readonly string[] {
  return [
    ...new Set(report.findings.filter((finding) => finding.severity === "error").map(({ code }) => code)),
  ];
}

const oracleWrites = 'solve({ input, output }) {\n    writeFileSync(join(output, "total.csv"), ';
const changed = (from: string | RegExp, to: string): SampleOptions => ({
  main: sampleMain.replace(from, () => to),
});

describe("checking an instance", () => {
  test("a good task is proved: nothing scores 0, the oracle 1, probes and attacks as they must, mutations caught", async () => {
    const report = await check({}, 12);
    expect(report.findings.filter(({ severity }) => severity !== "note")).toEqual([]);
    expect(report).toMatchObject({ ok: true, untouched: 0, oracle: 1, deterministic: true, killRate: 1 });
    expect(report.mutations.tried).toBe(12);
    expect(report.probes).toEqual([
      { name: "empty-file", kind: "empty", expected: 0, score: 0, ok: true },
      { name: "reordered", kind: "valid-alternative", expected: 1, score: 1, ok: true },
    ]);
    expect(report.attacks.length).toBeGreaterThan(8);
    expect(report.attacks.every(({ ok }) => ok)).toBe(true);
    expect(instanceReportSchema.parse(report)).toEqual(report);
  });

  test.each<[string, SampleOptions, readonly string[]]>([
    [
      "gives points for nothing",
      changed("const score = exact ? 1 : 0;", "const score = exact ? 1 : 0.1;"),
      ["untouched-scores", "probe-out-of-range", "attack-scored"],
    ],
    ["has an oracle that is wrong", changed(oracleWrites, `${oracleWrites}"x" + `), ["oracle-not-full"]],
    [
      "has an oracle that throws",
      changed("solve({ input, output }) {", "solve({ input, output }) { throw new TypeError('lost');"),
      ["oracle-failed"],
    ],
    [
      "has an oracle that writes elsewhere",
      changed(oracleWrites, oracleWrites.replace("total.csv", "totals.csv")),
      ["oracle-output", "oracle-not-full"],
    ],
    [
      "generates by the clock",
      changed(
        'const lines = ["account,amount"];',
        'const lines = ["account,amount", "A1," + (Number(process.hrtime.bigint() % 99991n) / 100).toFixed(2)];',
      ),
      ["generate-not-deterministic"],
    ],
    [
      "grades by the clock",
      changed('message: "matched "', 'message: process.hrtime.bigint() + "matched "'),
      ["grader-not-deterministic"],
    ],
    [
      "crashes on what it does not know",
      changed("const text = existsSync(path) ?", "const text = true ?"),
      ["grader-crashed"],
    ],
    [
      "leaks its reference",
      changed(
        'writeFileSync(join(reference, "total.csv")',
        'writeFileSync(join(input, "x.txt"), "see " + totals(join(input, "ledger.csv"))); writeFileSync(join(reference, "total.csv")',
      ),
      ["reference-in-input"],
    ],
    [
      "leaks its canary",
      changed(
        "writeFileSync(join(reference",
        'writeFileSync(join(input, "x.md"), "ale-canary-5a0c2f0e-demo"); writeFileSync(join(reference',
      ),
      ["canary-in-input"],
    ],
    [
      "cannot be generated",
      changed(
        "generate({ input, reference, random }) {",
        "generate({ input, reference, random }) { throw new TypeError('no');",
      ),
      ["generate-failed"],
    ],
    [
      "has an unfair probe",
      changed('"valid-alternative", expected: 1', '"near-miss", expected: [0, 0.5]'),
      ["probe-out-of-range"],
    ],
  ])("a task that %s is found out", async (_fault, options, expected) => {
    const report = await check(options);
    expect(report.ok).toBe(false);
    expect(codes(report)).toEqual(expect.arrayContaining([...expected]));
  });

  test("mutations that lose no points are listed and counted", async () => {
    const report = await check(
      changed("const score = exact ? 1 : 0;", "const score = lines.length === want.size ? 1 : 0;"),
      18,
    );
    expect(report.killRate).toBeLessThan(0.8);
    expect(report.mutations.survivors[0]).toEqual({ path: "total.csv", what: expect.any(String) as unknown });
    expect(report.findings).toContainEqual(
      expect.objectContaining({ severity: "warning", code: "mutations-survive" }),
    );
  });

  test("names that the agent is told nowhere are warned of", async () => {
    const main = sampleMain.replaceAll("account,total", "acct,total").replace('=== "account"', '=== "acct"');
    const report = await check({ main });
    expect(report.findings).toContainEqual(
      expect.objectContaining({
        code: "name-not-stated",
        message: expect.stringContaining("told nowhere: acct") as unknown,
      }),
    );
  });

  test("an absent score has its reason", async () => {
    const report = await check(
      changed(
        "grade({ artifacts, reference }) {",
        "grade({ artifacts, reference }) { throw new TypeError('broken');",
      ),
    );
    expect(report).toMatchObject({ untouched: null, oracle: null, killRate: null, deterministic: false });
    expect(report.oracleReason).toContain("TypeError: broken");
    expect(report.killRateReason).toContain("no full pass");
  });
});
