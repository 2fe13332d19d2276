import type { Clock } from "../contract/clock.ts";

/** Something torn down badly: what, and why. Never hides a result. */
export interface TeardownFailure {
  readonly what: string;
  readonly message: string;
}

interface Entry {
  readonly what: string;
  /** Runs the teardown at the first call; every call gets the same promise. */
  readonly close: () => Promise<void>;
}

/**
 * What must be undone, in reverse order. Each teardown is registered before the thing it undoes exists and
 * runs exactly once: early through the function {@link add} returns, or in {@link unwind}.
 */
export class TeardownStack implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  readonly #entries: Entry[] = [];

  /** @param deadlineMs for the whole of {@link unwind}, apart from any deadline that has passed by then. */
  constructor(clock: Clock, deadlineMs: number) {
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
  }

  /** Registers a teardown; the returned function runs it early. */
  add(what: string, teardown: () => Promise<void>): () => Promise<void> {
    let closing: Promise<void> | undefined;
    const entry: Entry = {
      what,
      close: () => {
        closing ??= teardown();
        return closing;
      },
    };
    this.#entries.push(entry);
    return async () => {
      await entry.close();
      const place = this.#entries.indexOf(entry);
      if (place >= 0) this.#entries.splice(place, 1);
    };
  }

  /**
   * Registers the disposal of something before it is made. Should the making settle only after the unwind has
   * given up on it, it is still disposed of then.
   */
  async acquire<T extends AsyncDisposable>(
    what: string,
    make: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly close: () => Promise<void> }> {
    const making = Promise.withResolvers<T | undefined>();
    const close = this.add(what, async () => {
      await (await making.promise)?.[Symbol.asyncDispose]();
    });
    try {
      const value = await make();
      making.resolve(value);
      return { value, close };
    } catch (error) {
      making.resolve(undefined);
      throw error;
    }
  }

  /** Tears everything down, last registered first, whatever fails on the way. */
  async unwind(): Promise<readonly TeardownFailure[]> {
    const failures: TeardownFailure[] = [];
    const awake = new AbortController();
    const deadline = this.#clock.sleep(this.#deadlineMs, awake.signal).then(
      () => "late" as const,
      () => "late" as const,
    );
    for (let entry = this.#entries.pop(); entry !== undefined; entry = this.#entries.pop()) {
      const { what, close } = entry;
      const closed = close().then(
        () => undefined,
        (error: unknown) => ({ what, message: error instanceof Error ? error.message : String(error) }),
      );
      const ended = await Promise.race([closed, deadline]);
      if (ended === "late")
        failures.push({ what, message: `not torn down within ${this.#deadlineMs / 1000} s` });
      else if (ended !== undefined) failures.push(ended);
    }
    awake.abort();
    return failures;
  }

  /** Unwinds for callers without a record to note failures in; they are left to the provider's reaper. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.unwind();
  }
}
