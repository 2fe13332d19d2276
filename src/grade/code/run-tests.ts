import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { Outcome } from "../outcome.ts";
import { bad, type Read } from "../rubric/read.ts";
import { readText } from "../rubric/read-artifact.ts";
import { type CommandRun, runCommand } from "./run-command.ts";
import { parseTestReport, type ReportFormat, type TestResults } from "./test-report.ts";

export interface TestRun {
  /** The hidden test command. `{report}` in an argument stands for the file it must write. */
  readonly argv: readonly string[];
  /** Where it runs; may hold the agent's work. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Beside `PATH`, `HOME`, `LANG` and `TZ`, which are fixed. */
  readonly env?: Readonly<Record<string, string>>;
  /** Folder for the report, default the system's temporary one; never within `cwd`. */
  readonly scratch?: string;
  /** `exit-code`: one test, passed by exit status 0. Else the format of the report. */
  readonly results: ReportFormat | "exit-code";
  /** Names of the tests that must pass, as the report calls them; not for `exit-code`. */
  readonly expected?: readonly string[];
}

/**
 * Runs hidden tests on an agent's code and gives the share of the expected tests that passed: absent and skipped
 * ones count as failed, others are ignored. Without a readable report the score is 0.
 *
 * What the tested code prints cannot win: results are only read from a file with an unguessable name in a fresh
 * folder outside `cwd`, after the run's process group has been ended. Code that is loaded *into* the test process
 * can still reach it, so let hidden tests start the agent's program as a process of its own where that matters.
 * Run this within the grader's sandbox: it gives the code no walls itself.
 *
 * Throws an `AleError` coded `test-run-misuse` when no tests are named, the report's place is not in the command, the
 * scratch folder lies within `cwd`, or the command cannot be started.
 */
export async function runTests(run: TestRun): Promise<Outcome> {
  requireSense(run);
  const scratch = await realpath(run.scratch ?? tmpdir());
  const cwd = await realpath(run.cwd);
  if (`${scratch}${sep}`.startsWith(`${cwd}${sep}`))
    throw misuse("the scratch folder lies within the agent's");
  const folder = await mkdtemp(join(scratch, "tests-"));
  // Of its own, so that HOME does not give the report's place away.
  const home = await mkdtemp(join(scratch, "home-"));
  try {
    const report = join(folder, "report");
    const ended = await runCommand({
      argv: run.argv.map((argument) => argument.replaceAll("{report}", report)),
      cwd,
      timeoutMs: run.timeoutMs,
      env: {
        PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        HOME: home,
        LANG: "C.UTF-8",
        TZ: "UTC",
        ...run.env,
      },
    });
    if (ended.end === "not-started") throw misuse(`"${run.argv[0]}" cannot be started: ${ended.detail}`);
    if (run.results === "exit-code") return gradeExit(ended);
    return gradeReport(await readReport(folder, run.results), run.expected ?? [], ended);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await rm(home, { recursive: true, force: true });
  }
}

function requireSense({ argv, results, expected = [] }: TestRun): void {
  if (argv.length === 0) throw misuse("the command is empty");
  if (results === "exit-code") return;
  if (expected.length === 0) throw misuse("no test is named");
  if (!argv.some((argument) => argument.includes("{report}"))) {
    throw misuse("no argument says {report}, so results would come from a place that the agent knows");
  }
}

async function readReport(folder: string, format: ReportFormat): Promise<Read<TestResults>> {
  const text = await readText(folder, "report");
  if (text.kind === "bad") return bad("The tests wrote no report that can be read.");
  return parseTestReport(text.value, format);
}

function gradeExit(ended: CommandRun): Outcome {
  const message = `The tests ended with: ${ended.end} ${ended.detail}.`;
  return ended.success ? { score: 1, message } : { score: 0, message, evidence: { output: ended.output } };
}

function gradeReport(report: Read<TestResults>, expected: readonly string[], ended: CommandRun): Outcome {
  const wanted = [...new Set(expected)];
  const end = `${ended.end} ${ended.detail}`;
  if (report.kind === "bad") {
    const message = `${report.outcome.message} The run ended with: ${end}.`;
    return { score: 0, message, evidence: { output: ended.output } };
  }
  const lost = wanted
    .map((name) => ({ name, result: report.value.get(name) ?? "absent" }))
    .filter(({ result }) => result !== "passed");
  const passed = wanted.length - lost.length;
  const message = `${passed} of ${wanted.length} tests passed.`;
  if (lost.length === 0) return { score: 1, message };
  return { score: passed / wanted.length, message, evidence: { end, lost: lost.slice(0, 30) } };
}

function misuse(problem: string): AleError {
  return new AleError({
    code: "test-run-misuse",
    message: `The hidden tests cannot be run: ${problem}.`,
    remedy: "Repair the call in the task's grader, and declare the programs it needs in the manifest.",
  });
}
