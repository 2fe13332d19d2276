import { once } from "node:events";
import { basename, resolve } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import { type ExamFile, examFileSchema } from "../contract/exam-file.ts";
import { conductExam } from "../exam/conduct/conduct-exam.ts";
import { createHuman } from "../harness/human/create-human.ts";
import { humanHarness } from "../harness/human/uncalled-human.ts";
import { countedGrade } from "../record/counted-grade.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { SitResult } from "../server/api/sit-view.ts";
import { serveApp } from "../server/serve-app.ts";
import { createSitApp } from "../server/sit/create-sit-app.ts";
import { createSitRoom } from "../server/sit/sit-room.ts";
import type { CliContext } from "./cli-context.ts";
import { createBench } from "./create-bench.ts";
import { createStore } from "./create-store.ts";
import { examCapacity } from "./exam-capacity.ts";
import { findDefaultTasks } from "./find-default-tasks.ts";
import { packageVersion } from "./package-info.ts";
import { newPageSecrets } from "./page-secrets.ts";
import { parsePort } from "./parse-port.ts";
import { chooseInstances, readTasks } from "./read-tasks.ts";
import { reportRun } from "./report-run.ts";
import { startRun } from "./start-run.ts";
import { findWebClient } from "./web-client.ts";

/** What `ale sit` takes on the command line, as typed. */
export interface SitOptions {
  readonly name: string;
  readonly tasksRoot?: readonly string[];
  readonly minutes?: string;
  readonly provider?: string;
  readonly runsDir: string;
  readonly identity?: string;
  readonly port: string;
  readonly json?: boolean;
}

/**
 * Has a person sit one instance on a page of this machine: an exam of one contestant and one trial. Returns when they have
 * left the page or the command is interrupted.
 */
export async function sitInstance(context: CliContext, pattern: string, options: SitOptions): Promise<void> {
  const port = parsePort(options.port);
  const found = await readTasks(context, options.tasksRoot);
  const [chosen] = chooseInstances(found, { include: [pattern], exclude: [] });
  if (chosen === undefined) return;
  const { task, instance } = chosen;
  const { clock } = context;
  const contestant = contestantName(options.name);
  const roots = options.tasksRoot?.map((root) => resolve(context.cwd, root)) ?? [
    await findDefaultTasks(context.cwd),
  ];
  const file = examOf(instance.id, contestant, roots, options);
  const room = createSitRoom({ instance: instance.id, title: task.manifest.title, contestant, clock });
  const harnesses = new Map([[humanHarness, createHuman(packageVersion(), room)]]);
  const secrets = newPageSecrets();
  const { served } = await findWebClient(context);
  await using server = await serveApp({ app: createSitApp({ room, secrets }), webDir: served, port });
  const {
    record,
    provider,
    room: models,
    programs,
  } = await startRun(context, {
    ...{ file, packages: found.packages, runsDir: options.runsDir, identityFile: options.identity },
    ...{ harnesses, store: createStore(context, []), install: false, models: undefined, script: undefined },
  });
  await using _programs = programs;
  // Nobody asks a model here, but the task's own hosts are reached the same way.
  await using _models = models;
  const bench = await createBench(context, {
    provider,
    run: basename(record.dir),
    identityFile: options.identity,
  });
  context.err.write(`${instance.id} for ${contestant}: open this address, which is good once\n\n`);
  context.err.write(`  ${server.url}#/sit/${secrets.token}\n\n`);
  const summary = await conductExam({
    ...{ run: record, tasks: found.packages, bench, harnesses, capacity: examCapacity(file.concurrency) },
    lines: models.lines,
    ...{ stop: context.interrupted, atOnce: context.atOnce },
  });
  const result = await resultOf(record);
  if (result === undefined) room.fail("the trial was not finished");
  else room.settle(result);
  await reportRun(context, record, summary, options.json === true);
  if (context.interrupted.aborted) return;
  context.err.write("\nThe page shows the verdict until you finish there, or press Ctrl-C here.\n");
  await Promise.race([room.left, once(context.interrupted, "abort")]);
}

function examOf(
  instance: string,
  contestant: string,
  roots: readonly string[],
  options: SitOptions,
): ExamFile {
  const { minutes, provider } = options;
  const limit = Number(minutes ?? 1);
  if (!(limit > 0)) {
    throw new AleError({
      code: "usage",
      message: `--minutes takes a number above 0, not ${JSON.stringify(minutes)}`,
      remedy: "for example: --minutes 45",
    });
  }
  return examFileSchema.parse({
    schema: "ale/exam@1",
    name: `sit-${instance.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`,
    contestants: [{ name: contestant, harness: humanHarness }],
    tasks: { roots, include: [instance] },
    // Nobody is asked to do their work again because a machine or a grader failed: a regrade mends the one.
    retry: { attempts: 1 },
    ...(minutes === undefined ? {} : { limits: { wall_minutes: limit } }),
    ...(provider === undefined ? {} : { provider }),
  });
}

function contestantName(name: string): string {
  const plain = name.trim();
  if (plain !== "" && plain.length <= 60 && !/[\p{Cc}:]/u.test(plain)) return `human:${plain}`;
  throw new AleError({
    code: "usage",
    message: `--name takes one to sixty characters without a colon, not ${JSON.stringify(name)}`,
    remedy: "for example: --name ada",
  });
}

/** What the page shows of the one attempt: evidence of checks stays with the record. */
async function resultOf(record: RunRecord): Promise<SitResult | undefined> {
  const attempt = (await record.attempts()).at(-1);
  const result = attempt?.result;
  if (attempt === undefined || result === undefined) return undefined;
  const { status, score, fullPass, verdict } = countedGrade({ ...attempt, result });
  const checks = verdict?.checks.map(({ evidence: _, ...check }) => check);
  return {
    status,
    reason: result.reason,
    score: score.known ? score.value : null,
    fullPass: fullPass.known ? fullPass.value : null,
    workMs: result.phases.find(({ phase }) => phase === "agent")?.wallMs ?? 0,
    ...(verdict === undefined || checks === undefined ? {} : { verdict: { ...verdict, checks } }),
    run: basename(record.dir),
  };
}
