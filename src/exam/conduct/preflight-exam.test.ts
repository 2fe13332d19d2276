import { expect, test } from "vitest";
import { createExamRig, type ExamRig, type ExamRigOptions } from "../../../test/support/exam-rig.ts";
import { AleError } from "../../contract/ale-error.ts";
import { baselineHarnesses } from "../../harness/baselines/baseline-harnesses.ts";
import type { SandboxProvider } from "../../sandbox/provider.ts";
import type { MemoryProgram } from "../../testing/memory-sandbox/memory-program.ts";
import { type Preflight, preflightExam } from "./preflight-exam.ts";

/** Knows some programs and some Debian packages. */
function hostWith(
  programs: readonly string[],
  packages: readonly string[],
): Readonly<Record<string, MemoryProgram>> {
  const versions = programs.map((name) => [name, () => ({ stdout: `${name} 1.2\nmore\n` })] as const);
  return {
    ...Object.fromEntries(versions),
    sh: ({ argv }) => ({
      stdout: argv
        .slice(4)
        .filter((name) => !programs.includes(name))
        .join("\n"),
    }),
    "dpkg-query": ({ argv }) => ({
      exit: 1,
      stdout: argv
        .slice(3)
        .filter((name) => packages.includes(name))
        .map((name) => `ii  ${name}\n`)
        .join(""),
    }),
  };
}

async function preflight(
  options: ExamRigOptions,
  memory = 4096,
): Promise<Preflight & { readonly rig: ExamRig }> {
  const rig = await createExamRig(options);
  await using _rig = rig;
  const { plan, tasks, bench } = rig;
  const harnesses = baselineHarnesses("1.0.0");
  const capacity = { trials: 1, cpus: 1, memory_mb: memory };
  return { ...(await preflightExam({ plan, tasks, bench, harnesses, capacity })), rig };
}

const needy = {
  manifest: { grader: { programs: ["bcftools"] }, sandbox: { cpus: 1, packages: ["bwa", "samtools"] } },
};

test("finds nothing when all is there, and the versions for the lock", async () => {
  const programs = hostWith(["bcftools"], ["bwa", "samtools"]);
  const { findings, programs: found, harnesses, rig } = await preflight({ task: needy, programs });
  expect(findings).toEqual([]);
  expect(found).toEqual({ bcftools: "bcftools 1.2" });
  expect(harnesses).toEqual({ oracle: "1.0.0" });
  expect(await rig.provider.list()).toEqual([]);
});

test("names missing grading programs and packages together, with the command that brings them", async () => {
  const { findings } = await preflight({ task: needy, programs: hostWith([], ["bwa"]) });
  expect(findings).toMatchObject([
    { severity: "error", code: "grader-programs-missing", message: expect.stringContaining("bcftools") },
    { severity: "error", code: "packages-missing", remedy: "apt-get install -y samtools" },
  ]);
});

test("names every contestant that cannot run", async () => {
  const contestants = [{ harness: "nobody" }, { harness: "command" }];
  const { findings } = await preflight({ exam: { contestants } });
  expect(findings.map((finding) => finding.code)).toEqual(
    expect.arrayContaining(["unknown-harness", "command-without-argv"]),
  );
});

test("a mistyped harness is told with the nearest one's name", async () => {
  const { findings } = await preflight({ exam: { contestants: [{ harness: "comand" }] } });
  const found = findings.find(({ code }) => code === "unknown-harness");
  expect(found?.remedy).toMatch(/^Did you mean command\? Take one of: /);
});

test("refuses a task that needs more memory than there is, and warns of one that wants more processors", async () => {
  const { findings } = await preflight({ task: { manifest: { sandbox: { cpus: 8 } } } }, 1024);
  expect(findings).toMatchObject([{ code: "memory-above-capacity" }, { code: "cpus-above-capacity" }]);
});

test("refuses a sealed task that the key given does not open", async () => {
  await using rig = await createExamRig({ task: { sealed: true, manifest: { sandbox: { cpus: 1 } } } });
  const { plan, tasks } = rig;
  const unseal = async (): Promise<never> => {
    throw new AleError({ code: "wrong-key", message: "not sealed for this key", remedy: "use another" });
  };
  const harnesses = baselineHarnesses("1.0.0");
  const capacity = { trials: 1, cpus: 1, memory_mb: 4096 };
  const { findings } = await preflightExam({
    plan,
    tasks,
    bench: { ...rig.bench, unseal },
    harnesses,
    capacity,
  });
  expect(findings).toMatchObject([{ severity: "error", code: "wrong-key", remedy: "use another" }]);
});

test("refuses a sealed task without a key, and a task without a grader", async () => {
  const sealed = await preflight({ task: { sealed: true, manifest: { sandbox: { cpus: 1 } } } });
  expect(sealed.findings).toMatchObject([{ code: "sealed-without-key" }]);
  const ungraded = await preflight({ task: { verbs: ["solve"], manifest: { sandbox: { cpus: 1 } } } });
  expect(ungraded.findings).toMatchObject([{ code: "task-without-grader" }]);
});

test("what stops a task is not told again as a warning to all", async () => {
  await using rig = await createExamRig({ task: { manifest: { sandbox: { cpus: 1 } } } });
  const { plan, tasks, provider } = rig;
  const missing = { code: "no-image", message: "no image base", remedy: "ale sandboxes build base" } as const;
  const general = { ...missing, severity: "warning", message: "no image base, which some need" } as const;
  const other = { severity: "warning", code: "no-bridge", message: "no bridge" } as const;
  const told: SandboxProvider = {
    name: "told",
    preflight: async (spec) =>
      spec === undefined ? [general, other] : [{ ...missing, severity: "error" }, other],
    create: (...args) => provider.create(...args),
    list: () => provider.list(),
    reap: (...args) => provider.reap(...args),
  };
  const harnesses = baselineHarnesses("1.0.0");
  const capacity = { trials: 1, cpus: 1, memory_mb: 4096 };
  const bench = { ...rig.bench, provider: told };
  const { findings } = await preflightExam({ plan, tasks, bench, harnesses, capacity });
  expect(findings).toEqual([{ ...missing, severity: "error" }, other]);
});
