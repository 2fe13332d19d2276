import type { Clock } from "../../contract/clock.ts";

export interface ReadyPoolOptions<T> {
  /** Most that stand ready at once, one of each kind. */
  readonly size: number;
  readonly clock: Clock;
  /** Until when one that stands ready may, in milliseconds since the Unix epoch; it is let go of then. */
  readonly until: (ready: T) => number;
  /** Whether it has ended by itself. */
  readonly isGone: (ready: T) => boolean;
  /** Ends one that nobody has taken. */
  readonly discard: (ready: T) => Promise<void>;
}

interface Place<T> {
  /** `undefined` while it is made. */
  ready: T | undefined;
  made: Promise<void>;
  /** Aborted when it is taken or let go of. */
  readonly over: AbortController;
}

/** What a daemon that hangs has not let go of by then ends by itself: nobody is at the other end of it any more. */
const patienceMs = 10_000;

/**
 * Things made ahead, one of each kind. A kind that is asked for the first time gets a place only while there is one; from the
 * second time on it takes that of the kind not asked for longest. So what is never asked for twice costs next to nothing.
 */
export class ReadyPool<T> implements AsyncDisposable {
  readonly #options: ReadyPoolOptions<T>;
  /** By kind, the one not asked for longest first. */
  readonly #places: Map<string, Place<T>> = new Map();
  readonly #asked: Set<string> = new Set();
  readonly #work: Set<Promise<void>> = new Set();
  #closed = false;

  constructor(options: ReadyPoolOptions<T>) {
    this.#options = options;
  }

  /** One of the kind, when one stands ready; it is the taker's, and given to nobody else. */
  take(kind: string): T | undefined {
    const place = this.#places.get(kind);
    if (place === undefined) return undefined;
    this.#places.delete(kind);
    const { ready } = place;
    if (ready === undefined) {
      this.#places.set(kind, place);
      return undefined;
    }
    place.over.abort();
    const { clock, until, isGone } = this.#options;
    if (!isGone(ready) && until(ready) > clock.now()) return ready;
    this.#discard(ready);
    return undefined;
  }

  /**
   * Has one of the kind made in the background, unless one stands ready. Resolves when it stands, or could not be made:
   * what cannot be made ahead will fail where it is asked for.
   */
  async keep(kind: string, make: (signal: AbortSignal) => Promise<T>): Promise<void> {
    if (this.#closed || this.#options.size === 0) return;
    const known = this.#asked.has(kind);
    this.#asked.add(kind);
    const standing = this.#places.get(kind);
    if (standing !== undefined) return standing.made;
    if (this.#places.size >= this.#options.size) {
      if (!known) return;
      this.#letGo(this.#places.keys().next().value ?? "");
    }
    const place: Place<T> = { ready: undefined, over: new AbortController(), made: Promise.resolve() };
    this.#places.set(kind, place);
    place.made = this.#track(this.#make(kind, place, make));
    await place.made;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const kind of [...this.#places.keys()]) this.#letGo(kind);
    const waiting = new AbortController();
    const late = this.#options.clock.sleep(patienceMs, waiting.signal).catch(() => undefined);
    await Promise.race([Promise.all(this.#work), late]);
    waiting.abort();
  }

  async #make(kind: string, place: Place<T>, make: (signal: AbortSignal) => Promise<T>): Promise<void> {
    const { clock, until, discard } = this.#options;
    const { signal } = place.over;
    try {
      const ready = await make(signal);
      if (signal.aborted) return await discard(ready);
      place.ready = ready;
      clock.sleep(until(ready) - clock.now(), signal).then(
        () => this.#letGo(kind),
        () => undefined,
      );
    } catch {
      if (this.#places.get(kind) === place) this.#places.delete(kind);
    }
  }

  #letGo(kind: string): void {
    const place = this.#places.get(kind);
    this.#places.delete(kind);
    place?.over.abort();
    if (place?.ready !== undefined) this.#discard(place.ready);
  }

  #discard(ready: T): void {
    this.#track(this.#options.discard(ready));
  }

  /** What cannot be ended here is left to `reap`. */
  #track(work: Promise<void>): Promise<void> {
    const settled: Promise<void> = work
      .catch(() => undefined)
      .then(() => {
        this.#work.delete(settled);
      });
    this.#work.add(settled);
    return settled;
  }
}
