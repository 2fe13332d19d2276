import { Command } from "commander";
import { AleError } from "../../contract/ale-error.ts";
import { lookUpPrograms } from "../../exam/conduct/look-up-programs.ts";
import { comparabilityFields, comparabilityKey } from "../../exam/plan/comparability.ts";
import { regradeAttempt } from "../../exam/regrade/regrade-attempt.ts";
import { openRun } from "../../record/open-run.ts";
import type { AttemptRecord } from "../../record/run-record.ts";
import type { CliContext } from "../cli-context.ts";
import { createBench } from "../create-bench.ts";
import { chooseProvider } from "../create-providers.ts";
import { defaultRunsDir, findRun } from "../find-run.ts";
import { printJson } from "../output/print-json.ts";
import { prepareFolders } from "../prepare-folders.ts";
import { chooseInstances, readTasks } from "../read-tasks.ts";
import { collectOption } from "./collect-option.ts";

interface RegradeOptions {
  readonly because: string;
  readonly trial?: string;
  readonly tasksRoot?: readonly string[];
  readonly identity?: string;
  readonly runsDir: string;
  readonly json?: boolean;
}

/** `ale results regrade` */
export function resultsRegradeCommand(context: CliContext): Command {
  return new Command("regrade")
    .description(
      "Grade stored artifacts again with the tasks as they are now. First verdicts stay beside the new.",
    )
    .argument("[run]", "run directory or its name; the newest run by default")
    .requiredOption("--because <reason>", "why, for the record")
    .option("--trial <id>", "only this trial")
    .option("--tasks-root <dir>", "look for packages here, not where the run found them", collectOption)
    .option("--identity <file>", "age identity that opens sealed packages")
    .option("--runs-dir <dir>", "where runs are kept", defaultRunsDir)
    .option("--json", "print JSON")
    .addHelpText("after", '\nExample: npx ale results regrade --because "tolerance of totals was too tight"')
    .action((run: string | undefined, options: RegradeOptions) => regrade(context, run, options));
}

async function regrade(
  context: CliContext,
  name: string | undefined,
  options: RegradeOptions,
): Promise<void> {
  const dir = await findRun(name, options.runsDir, context.cwd);
  const run = await openRun(dir);
  const found = await readTasks(context, options.tasksRoot ?? run.plan.file.tasks.roots);
  await prepareFolders(context);
  const provider = chooseProvider(context, run.plan.file.provider);
  const bench = await createBench(context, { provider, run: "regrade", identityFile: options.identity });
  const { programs } = await lookUpPrograms(bench, found.packages);
  const graded = [];
  for (const attempt of lastAttempts(await run.attempts(), options.trial)) {
    const instanceId = attempt.result?.instance ?? "";
    const [chosen] = chooseInstances(found, { include: [instanceId], exclude: [] });
    if (chosen === undefined) continue;
    const key = comparabilityKey(
      comparabilityFields({
        task: chosen.task,
        instance: instanceId,
        plan: run.plan,
        provider: provider.name,
        programs,
      }),
    );
    const {
      status,
      verdict,
      regrade: number,
    } = await regradeAttempt({
      attempt,
      ...chosen,
      bench,
      comparabilityKey: key,
      because: options.because,
      secrets: Object.values(context.secrets),
    });
    const before = attempt.result?.score.known === true ? attempt.result.score.value : null;
    graded.push({
      trial: attempt.trial,
      attempt: attempt.attempt,
      regrade: number,
      status,
      before,
      score: verdict?.score ?? null,
    });
    if (options.json !== true) {
      context.out.write(`${attempt.trial}  ${before ?? "no score"} → ${verdict?.score ?? status}\n`);
    }
  }
  if (graded.some((item) => item.score === null)) context.setExitStatus(1);
  if (options.json === true) printJson(graded, context.out);
}

/** The last finished attempt of each trial, or of the one named. */
function lastAttempts(
  attempts: readonly AttemptRecord[],
  trial: string | undefined,
): readonly AttemptRecord[] {
  const last = new Map<string, AttemptRecord>();
  for (const attempt of attempts) {
    if (attempt.result !== undefined && (trial === undefined || attempt.trial === trial))
      last.set(attempt.trial, attempt);
  }
  if (last.size > 0) return [...last.values()];
  throw new AleError({
    code: "usage",
    message:
      trial === undefined ? "no attempt of this run was finished" : `no attempt of ${trial} was finished`,
    remedy: "npx ale results ls lists the finished ones",
  });
}
