import type { Hono } from "hono";
import { AleError } from "../../contract/ale-error.ts";
import type { ScreenView } from "../../contract/screen-view.ts";
import { wantsDesktop } from "../../contract/wants-desktop.ts";
import type { ScreenStanding } from "../api/screen-standing.ts";
import type { AppOptions } from "../app-options.ts";
import { attemptEnded } from "../attempt-ended.ts";
import { attemptPath, createAttemptFinder, type FoundAttempt } from "../attempt-finder.ts";
import { screenOver, sendFrame } from "../send-frame.ts";
import { taskOf } from "../trial-view.ts";

/** The screen of an attempt that is going on, to look at. There is no way to act on it. */
export function addScreenRoutes(app: Hono, options: AppOptions): void {
  const finder = createAttemptFinder(options);
  /** By the attempt's folder, while frames are asked for. */
  const views = new Map<string, ScreenView>();

  async function viewOf({ run, attempt }: FoundAttempt): Promise<ScreenView | undefined> {
    const known = views.get(attempt.dir);
    if (known !== undefined) return known;
    const live = await options.live(run.dir);
    const view = live?.here === true ? await live.screen(attempt.trial, attempt.attempt) : undefined;
    if (view !== undefined) views.set(attempt.dir, view);
    return view;
  }

  async function standing({ run, attempt }: FoundAttempt): Promise<ScreenStanding> {
    const now = options.clock.now();
    const live = await options.live(run.dir);
    // Asked for afterwards: a conductor that is gone by then has left the result behind.
    if (await attemptEnded(attempt.dir)) return { now, state: "ended" };
    if (live === undefined) return { now, state: "lost" };
    if (!live.here) return { now, state: "elsewhere", host: live.host };
    const view = await live.screen(attempt.trial, attempt.attempt);
    if (view !== undefined) return { now, state: "shown", width: view.width, height: view.height };
    const trial = run.trials.find((one) => one.trial === attempt.trial);
    const task = taskOf(await options.tasks(), trial?.instance ?? "");
    return { now, state: task === undefined || wantsDesktop(task.manifest) ? "away" : "none" };
  }

  app.get(`${attemptPath}/screen`, async (context) => {
    const found = await finder.open(context);
    try {
      return context.json(await standing(found));
    } catch (error) {
      if (!isGone(error)) throw error;
      return context.json({ now: options.clock.now(), state: "lost" } satisfies ScreenStanding);
    }
  });
  app.get(`${attemptPath}/screen/frame`, async (context) => {
    const found = await finder.open(context);
    try {
      const view = await viewOf(found);
      if (view === undefined) return screenOver(context);
      return await sendFrame(context, view);
    } catch (error) {
      views.delete(found.attempt.dir);
      if (!isGone(error)) throw error;
      return screenOver(context);
    }
  });
}

function isGone(error: unknown): boolean {
  return AleError.isInstance(error) && error.code === "screen-gone";
}
