import type { Finding } from "../../contract/finding.ts";
import type { SandboxSpec } from "../../sandbox/provider.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import type { TaskPackage } from "../../task/task-package.ts";
import { wholePackage } from "../../task/whole-package.ts";
import { benchTeardown } from "../bench/bench-teardown.ts";
import { fixedEnvironment } from "../bench/fixed-environment.ts";
import { leaseSeconds, maxProcesses } from "../bench/open-sandbox.ts";
import type { TaskBench } from "../bench/task-bench.ts";

/** What was found of the programs and packages that tasks name. */
export interface ProgramLookup {
  readonly findings: readonly Finding[];
  /** First line of each program's `--version`, or `present`. */
  readonly programs: Readonly<Record<string, string>>;
}

/** A fixed script; the names are its arguments, never part of it. */
const missingProgramsScript =
  'for name in "$@"; do command -v -- "$name" >/dev/null || printf "%s\\n" "$name"; done';

const commandLimitMs = 30_000;
const longestVersion = 200;

/** Looks inside a machine of each image for the programs graders name and the Debian packages tasks need. */
export async function lookUpPrograms(
  bench: TaskBench,
  tasks: readonly TaskPackage[],
): Promise<ProgramLookup> {
  const findings: Finding[] = [];
  const programs: Record<string, string> = {};
  const byImage = Map.groupBy(tasks, graderImage);
  for (const [image, group] of byImage) {
    const names = unique(group.flatMap((task) => task.manifest.grader.programs));
    // Debian's packages are no use to a machine of another system, which preflight says.
    const debian = group.filter((task) => task.manifest.sandbox.os === "linux");
    const packages = unique(debian.flatMap((task) => task.manifest.sandbox.packages));
    if (names.length + packages.length === 0) continue;
    await using teardown = benchTeardown(bench);
    const { value: sandbox } = await teardown.acquire("preflight sandbox", () =>
      bench.provider.create(lookupMachine(bench, image)),
    );
    const missing = new Set(await missingPrograms(sandbox, names));
    const absent = new Set(await missingPackages(sandbox, packages));
    for (const task of group) findings.push(...missingFindings(task, missing, absent));
    for (const name of names) {
      if (!missing.has(name)) programs[name] = await versionOf(sandbox, name);
    }
  }
  return { findings, programs };
}

/** A task's own programs run on Linux, whatever the agent's machine is. */
function graderImage(task: TaskPackage): string | undefined {
  const { image, os } = task.manifest.sandbox;
  return os === "linux" ? image : undefined;
}

function lookupMachine(bench: TaskBench, image: string | undefined): SandboxSpec {
  return {
    labels: { run: bench.run, trial: "preflight", attempt: 1, role: "verifier" },
    leaseSeconds,
    ...(image === undefined ? {} : { image }),
    cpus: 1,
    memoryMb: 1024,
    diskMb: 256,
    maxProcesses,
    network: "off",
    mounts: [],
    env: fixedEnvironment,
  };
}

async function missingPrograms(sandbox: Sandbox, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const argv = ["sh", "-c", missingProgramsScript, "ale-lookup", ...names];
  const result = await sandbox.exec(argv, { timeoutMs: commandLimitMs });
  return lines(result.stdout);
}

async function missingPackages(sandbox: Sandbox, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const asked = unique([...names, ...names.map(wholePackage)]);
  const argv = ["dpkg-query", "--show", "--showformat=${db:Status-Abbrev} ${Package}\\n", ...asked];
  const result = await sandbox.exec(argv, { timeoutMs: commandLimitMs });
  const installed = lines(result.stdout)
    .filter((line) => line.startsWith("ii"))
    .map((line) => line.split(/\s+/).at(-1));
  return names.filter((name) => !installed.includes(name) && !installed.includes(wholePackage(name)));
}

async function versionOf(sandbox: Sandbox, program: string): Promise<string> {
  const result = await sandbox.exec([program, "--version"], { timeoutMs: commandLimitMs });
  const [first = ""] = result.end.kind === "exited" && result.end.code === 0 ? lines(result.stdout) : [];
  return first === "" ? "present" : first.slice(0, longestVersion);
}

function missingFindings(
  task: TaskPackage,
  missing: ReadonlySet<string>,
  absent: ReadonlySet<string>,
): readonly Finding[] {
  const { id, grader, sandbox } = task.manifest;
  const programs = grader.programs.filter((name) => missing.has(name));
  const packages = sandbox.packages.filter((name) => absent.has(name));
  const findings: Finding[] = [];
  if (programs.length > 0) {
    findings.push({
      severity: "error",
      code: "grader-programs-missing",
      message: `the grader of ${id} needs ${programs.join(", ")}, not found on the grading machine`,
      remedy: "Install the programs, or leave the task out with `tasks.exclude`.",
      path: task.dir,
    });
  }
  if (packages.length > 0) {
    findings.push({
      severity: "error",
      code: "packages-missing",
      message: `${id} needs the Debian packages ${packages.join(", ")}`,
      remedy: `apt-get install -y ${packages.join(" ")}`,
      path: task.dir,
    });
  }
  return findings;
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}

function lines(bytes: Uint8Array): readonly string[] {
  return Buffer.from(bytes)
    .toString("utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
