import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { countTrials } from "../board/counted-trial.ts";
import type { FailureCase } from "../board/failures/failure-case.ts";
import { type AttemptJudgement, judgeAttempt } from "../board/failures/judge-attempt.ts";
import { readTrace } from "../board/failures/read-trace.ts";
import { AleError } from "../contract/ale-error.ts";
import { type FailureScheme, failureSchemeSchema } from "../contract/failure-label.ts";
import type { Finding } from "../contract/finding.ts";
import { type Limits, limitsSchema } from "../contract/limits.ts";
import { orAbsent } from "../files/or-absent.ts";
import { readLabels } from "../record/label-log.ts";
import { readJsonFile } from "../record/read-json-file.ts";
import type { RunRecord } from "../record/run-record.ts";
import { packageRoot } from "./package-info.ts";
import { packagesOfRuns } from "./packages-of-runs.ts";

/** The label scheme of this package, or of a file. Throws `malformed-file`. */
export async function readFailureScheme(path?: string): Promise<FailureScheme> {
  const file = await readJsonFile(
    path ?? join(packageRoot, "data", "failure-labels.json"),
    failureSchemeSchema,
  );
  if (file.kind === "value") return file.value;
  throw new AleError({
    code: "malformed-file",
    message: file.kind === "absent" ? `there is no label scheme at ${path}` : file.finding.message,
    remedy: "data/failure-labels.json is one that works",
  });
}

/** A judged attempt with what it was judged by. */
export interface JudgedCase {
  readonly failure: FailureCase;
  readonly judgement: AttemptJudgement;
  /** Labels that could not be read. */
  readonly problems: readonly Finding[];
}

/** Judges the attempt that counts of every trial, one after the other: their trajectories may be large. */
export async function* judgeRun(run: RunRecord): AsyncGenerator<JudgedCase> {
  const attempts = await run.attempts();
  const dirs = new Map(attempts.map((attempt) => [`${attempt.trial}/${attempt.attempt}`, attempt.dir]));
  const tasks = await readTasksOf(run);
  for (const { counted, workflow, instance } of countTrials(attempts, run.plan.trials)) {
    const dir =
      counted === undefined ? undefined : dirs.get(`${counted.result.trial}/${counted.result.attempt}`);
    if (counted === undefined || dir === undefined) continue;
    const { labels, problems } = await readLabels(dir);
    const [limits, task] = [limitsOf(run, instance), tasks.get(instance)];
    const failure = {
      ...counted,
      trace: await readTrace({ dir }),
      ...(limits === undefined ? {} : { limits }),
      ...(task === undefined ? {} : { task }),
    };
    const canaryIn = task === undefined ? [] : await filesHolding(dir, task.canary);
    yield { failure, judgement: judgeAttempt(failure, { dir, workflow, labels, canaryIn }), problems };
  }
}

/** What {@link judgeRun} finds, without what it was found in. */
export async function readFailures(
  run: RunRecord,
): Promise<{ readonly judgements: readonly AttemptJudgement[]; readonly problems: readonly Finding[] }> {
  const judgements: AttemptJudgement[] = [];
  const problems: Finding[] = [];
  for await (const judged of judgeRun(run)) {
    judgements.push(judged.judgement);
    problems.push(...judged.problems);
  }
  return { judgements, problems };
}

function limitsOf(run: RunRecord, instance: string): Limits | undefined {
  const locked = run.lock.instances.find((candidate) => candidate.instance === instance);
  const parsed = limitsSchema.safeParse(locked?.comparability["limits"]);
  return parsed.success ? parsed.data : undefined;
}

type TaskOfCase = NonNullable<Parameters<typeof judgeAttempt>[0]["task"]>;

async function readTasksOf(run: RunRecord): Promise<ReadonlyMap<string, TaskOfCase>> {
  const packages = await packagesOfRuns([run]);
  return new Map(
    packages.flatMap(({ manifest, instances }) => {
      const { software, canary, interface: channels, required_channel } = manifest;
      const task = {
        software,
        canary,
        channels,
        ...(required_channel === undefined ? {} : { requiredChannel: required_channel }),
      };
      return instances.map((instance) => [instance.id, task] as const);
    }),
  );
}

/** Files of an attempt that hold a text: what was logged of the agent, not of the grader, which may quote the task. */
async function filesHolding(dir: string, text: string): Promise<readonly string[]> {
  const logs = (await orAbsent(readdir(join(dir, "logs"), { withFileTypes: true }))) ?? [];
  const names = logs
    .filter((entry) => entry.isFile() && !entry.name.startsWith("grader."))
    .map((entry) => `logs/${entry.name}`);
  const found: string[] = [];
  for (const name of ["events.jsonl", "calls.jsonl", ...names]) {
    const path = join(dir, name);
    if ((await orAbsent(stat(path))) !== undefined && (await holds(path, text))) found.push(name);
  }
  return found;
}

/** Streams, for logs may be large; what a chunk ends with is looked at again with the next. */
async function holds(path: string, text: string): Promise<boolean> {
  let tail = "";
  for await (const chunk of createReadStream(path, "utf8")) {
    const joined = tail + String(chunk);
    if (joined.includes(text)) return true;
    tail = joined.slice(-text.length);
  }
  return false;
}
