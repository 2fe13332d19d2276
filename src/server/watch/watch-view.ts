import type { AttemptRecord } from "../../record/run-record.ts";
import type { WatchedTrial, WatchView } from "../api/watch-view.ts";
import type { AppOptions } from "../app-options.ts";
import { attemptEnded } from "../attempt-ended.ts";
import { contentWithheld, taskOf } from "../trial-view.ts";

export interface WatchOptions {
  /** Id of the run on the shelf. */
  readonly run: string;
  /** Id of the trial that was asked for. */
  readonly asked?: string;
}

/** What goes on in a run now. */
export async function watchView(options: AppOptions, { run: id, asked }: WatchOptions): Promise<WatchView> {
  const { shelf, live, clock } = options;
  const run = await shelf.get(id);
  const conducted = (await live(run.dir)) !== undefined;
  const running: WatchedTrial[] = [];
  for (const { trial, contestant, instance } of conducted ? run.trials : []) {
    if (!run.active.has(trial)) continue;
    const attempt = run.attempts.findLast((one) => one.trial === trial);
    if (attempt === undefined || (await attemptEnded(attempt.dir))) continue;
    const title = await titleOf(options, instance);
    running.push({
      trial,
      attempt: attempt.attempt,
      contestant,
      instance,
      ...(title === undefined ? {} : { title }),
      startedAt: (await startOf(attempt)) ?? clock.now(),
    });
  }
  return {
    run: id,
    exam: run.plan.exam,
    planned: run.trials.length,
    finished: run.trials.filter(({ counted }) => counted !== undefined).length,
    conducted,
    now: clock.now(),
    running: running.sort((one, other) => one.startedAt - other.startedAt),
    ...(asked === undefined ? {} : { asked }),
  };
}

async function titleOf({ tasks, about }: AppOptions, instance: string): Promise<string | undefined> {
  const known = await tasks();
  if (contentWithheld(instance, known, about.maintainer) !== undefined) return undefined;
  return taskOf(known, instance)?.manifest.title;
}

async function startOf(attempt: AttemptRecord): Promise<number | undefined> {
  for await (const { at } of attempt.events()) return at;
  return undefined;
}
