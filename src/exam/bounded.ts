import type { Clock } from "../contract/clock.ts";

export interface BoundedOptions {
  readonly clock: Clock;
  /** Milliseconds; absent = no limit. */
  readonly limitMs: number | undefined;
  /** How long the work may still take to return once its signal is aborted, in milliseconds. */
  readonly graceMs: number;
  readonly cancel: AbortSignal;
}

/** What became of the work itself; `lost` when it had not returned by the end of the grace. */
export type WorkEnd<T> =
  | { readonly kind: "returned"; readonly value: T }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "lost" };

/** Why waiting ended: the work was done, its time was over, or it was cancelled. */
export interface BoundedEnd<T> {
  readonly by: "itself" | "limit" | "cancel";
  readonly work: WorkEnd<T>;
}

/**
 * Runs work under a limit and a cancel signal. Never rejects, and never outlasts limit + grace: work that
 * ignores its signal is left behind.
 */
export async function bounded<T>(
  options: BoundedOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<BoundedEnd<T>> {
  const { clock, limitMs, graceMs, cancel } = options;
  const stop = new AbortController();
  const awake = new AbortController();
  const signal = AbortSignal.any([stop.signal, cancel]);

  const working: Promise<WorkEnd<T>> = Promise.resolve()
    .then(() => {
      signal.throwIfAborted();
      return work(signal);
    })
    .then(
      (value) => ({ kind: "returned", value }),
      (error: unknown) => ({ kind: "threw", error }),
    );
  const contenders: Promise<"itself" | "limit" | "cancel">[] = [working.then(() => "itself")];
  const abandoned = Promise.withResolvers<"cancel">();
  const onCancel = (): void => abandoned.resolve("cancel");
  cancel.addEventListener("abort", onCancel, { once: true });
  contenders.push(abandoned.promise);
  if (limitMs !== undefined) contenders.push(rings(clock, limitMs, awake.signal).then(() => "limit"));

  const by = cancel.aborted ? "cancel" : await Promise.race(contenders);
  if (by === "limit") stop.abort(new DOMException("the time is over", "TimeoutError"));
  const grace = by === "itself" ? undefined : rings(clock, graceMs, awake.signal);
  const late = grace?.then((): WorkEnd<T> => ({ kind: "lost" }));
  const end = await (late === undefined ? working : Promise.race([working, late]));
  awake.abort();
  cancel.removeEventListener("abort", onCancel);
  return { by, work: end };
}

/** Resolves after `ms`; never once the signal is aborted. */
function rings(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    clock.sleep(ms, signal).then(resolve, (error: unknown) => {
      if (!signal.aborted) reject(error);
    });
  });
}
