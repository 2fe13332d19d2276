import type { FoundImage } from "../find-image.ts";

interface Known {
  readonly image: Promise<FoundImage>;
  readonly over: AbortController;
  waiting: number;
}

/**
 * Images by name, each looked for or fetched once: a name that is given to another image meanwhile means the first one to the
 * end. Who gives up ends the fetching only when nobody else waits for it.
 */
export class KnownImages {
  readonly #get: (name: string, signal: AbortSignal) => Promise<FoundImage>;
  readonly #known: Map<string, Known> = new Map();

  constructor(get: (name: string, signal: AbortSignal) => Promise<FoundImage>) {
    this.#get = get;
  }

  /** Rejects as getting it does, or with the signal's reason. What was not got is tried again by the next who asks. */
  async get(name: string, signal?: AbortSignal): Promise<FoundImage> {
    signal?.throwIfAborted();
    const known = this.#known.get(name) ?? this.#begin(name);
    known.waiting++;
    let abort = (): void => undefined;
    const given = new Promise<void>((resolve) => {
      abort = () => resolve();
      signal?.addEventListener("abort", abort, { once: true });
    });
    try {
      await Promise.race([known.image, given]);
      if (!signal?.aborted) return await known.image;
      if (known.waiting > 1) signal.throwIfAborted();
      this.#forget(name, known);
      known.over.abort(signal.reason);
      throw signal.reason;
    } finally {
      known.waiting--;
      signal?.removeEventListener("abort", abort);
    }
  }

  #begin(name: string): Known {
    const over = new AbortController();
    const known: Known = { image: this.#get(name, over.signal), over, waiting: 0 };
    this.#known.set(name, known);
    known.image.catch(() => this.#forget(name, known));
    return known;
  }

  #forget(name: string, known: Known): void {
    if (this.#known.get(name) === known) this.#known.delete(name);
  }
}
