import { resolve } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import type { ExamFile } from "../contract/exam-file.ts";
import { chosenProviders } from "../exam/bench/chosen-providers.ts";
import { preflightExam } from "../exam/conduct/preflight-exam.ts";
import { buildLock } from "../exam/plan/build-lock.ts";
import { planExam } from "../exam/plan/plan-exam.ts";
import { wantedInstances } from "../exam/plan/wanted-instances.ts";
import type { Harness } from "../harness/harness.ts";
import type { HarnessStore } from "../harness/install/harness-store.ts";
import { createRun } from "../record/create-run.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { SandboxProvider } from "../sandbox/provider.ts";
import type { TaskPackage } from "../task/task-package.ts";
import type { CliContext } from "./cli-context.ts";
import { createBench } from "./create-bench.ts";
import { chooseProvider } from "./create-providers.ts";
import { examCapacity } from "./exam-capacity.ts";
import { installHarnesses } from "./install-harnesses.ts";
import { modelFindings } from "./model-findings.ts";
import { type ModelRoom, openModelRoom } from "./open-model-room.ts";
import { printFindings } from "./output/print-findings.ts";
import { packageVersion } from "./package-info.ts";
import { prepareFolders } from "./prepare-folders.ts";

export interface StartRunOptions {
  readonly file: ExamFile;
  /** What lies below the exam's roots. */
  readonly packages: readonly TaskPackage[];
  readonly runsDir: string;
  readonly identityFile?: string | undefined;
  readonly harnesses: ReadonlyMap<string, Harness>;
  readonly store: HarnessStore;
  /** Missing harness programs are installed; false = they are an error. */
  readonly install: boolean;
  readonly models: string | undefined;
  readonly script: string | undefined;
}

/** A run that may be conducted. */
export interface StartedRun {
  readonly record: RunRecord;
  readonly provider: SandboxProvider;
  /** Open; whoever conducts the run disposes of it. */
  readonly room: ModelRoom;
  /** Keeps the programs of its harnesses on this host; whoever conducts the run disposes of it. */
  readonly programs: AsyncDisposable;
}

/**
 * Plans an exam, looks whether it can be sat here, and makes its run directory. Findings are printed; an error among
 * them throws `preflight`, or `unknown-harness`, before anything is made.
 */
export async function startRun(context: CliContext, options: StartRunOptions): Promise<StartedRun> {
  const { file, packages, harnesses } = options;
  const plan = planExam({ file, packages, clock: context.clock });
  await prepareFolders(context);
  const provider = chooseProvider(context, file.provider);
  const bench = await createBench(context, {
    provider,
    run: "preflight",
    identityFile: options.identityFile,
  });
  const { contestants } = plan;
  await using opening = new AsyncDisposableStack();
  const room = opening.use(await openModelRoom(context, { ...options, contestants }));
  if (options.install) await installHarnesses(context, options.store, contestants);
  const programs = opening.use(await options.store.hold(contestants.map(({ harness }) => harness)));
  const preflight = await preflightExam({
    plan,
    tasks: packages,
    bench,
    harnesses,
    capacity: examCapacity(file.concurrency),
  });
  const findings = [
    ...wantedInstances(packages, file.tasks).findings,
    // A budget of the exam holds by the same prices as a limit of its trials.
    ...modelFindings(context, room.gateway, harnesses, contestants, { ...file.budget, ...file.limits }),
    ...preflight.findings,
  ];
  printFindings(
    findings.filter((finding) => finding.severity !== "note"),
    context.err,
    context.cwd,
  );
  if (findings.some((finding) => finding.severity === "error")) {
    const isMistyped = findings.some((finding) => finding.code === "unknown-harness");
    throw new AleError({
      // A wrong name is wrong usage, whatever the machine is like.
      code: isMistyped ? "unknown-harness" : "preflight",
      message: "the exam cannot be sat on this machine: nothing was started",
      remedy: "mend what is listed above; a task that cannot be sat here is left out with --exclude",
    });
  }
  const chosen = await chosenProviders(bench, plan, packages);
  const lock = buildLock({
    plan,
    packages,
    provider: { name: provider.name, details: chosen },
    chosen,
    programs: preflight.programs,
    harnesses: preflight.harnesses,
    ale: { version: packageVersion() },
    invocation: context.invocation,
  });
  const record = await createRun({
    root: resolve(context.cwd, options.runsDir),
    plan,
    lock,
    clock: context.clock,
    secrets: [...Object.values(context.secrets), ...room.secrets],
  });
  opening.move();
  return { record, provider, room, programs };
}
