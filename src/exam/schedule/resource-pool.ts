/** Amounts by kind of resource, such as `cpus`, `memory_mb`, `trials`. */
export type Amounts = Readonly<Record<string, number>>;

/** What a holder has; given back once, by disposing. */
export interface Lease extends Disposable {
  readonly amounts: Amounts;
}

interface Waiter {
  readonly amounts: Amounts;
  /** Others that came later and were served first. */
  passed: number;
  readonly admit: (lease: Lease) => void;
}

/** Times a waiter may be overtaken before nobody behind it is served any more. */
const patience = 16;

/**
 * Resources of several kinds, each with its own limit. Served in order of arrival; a smaller need may overtake one
 * that does not fit yet, but only a bounded number of times, so big ones never starve. A need above the whole
 * capacity counts as the whole capacity. Kinds without a limit are free.
 */
export class ResourcePool {
  readonly #capacity: Amounts;
  readonly #used = new Map<string, number>();
  readonly #waiters: Waiter[] = [];

  constructor(capacity: Amounts) {
    this.#capacity = capacity;
  }

  /** Held now, by kind. */
  get used(): Amounts {
    return Object.fromEntries(this.#used);
  }

  get waiting(): number {
    return this.#waiters.length;
  }

  /** Resolves when the amounts are held; rejects with the signal's reason when it aborts first. */
  acquire(wanted: Amounts, signal?: AbortSignal): Promise<Lease> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const amounts = this.#clamp(wanted);
      const leave = (): void => {
        const place = this.#waiters.indexOf(waiter);
        if (place >= 0) this.#waiters.splice(place, 1);
        reject(signal?.reason);
        this.#serve();
      };
      const waiter: Waiter = {
        amounts,
        passed: 0,
        admit: (lease) => {
          signal?.removeEventListener("abort", leave);
          resolve(lease);
        },
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiters.push(waiter);
      this.#serve();
    });
  }

  #clamp(wanted: Amounts): Amounts {
    const limited = Object.entries(wanted).filter(([kind]) => this.#capacity[kind] !== undefined);
    return Object.fromEntries(
      limited.map(([kind, amount]) => [kind, Math.min(amount, this.#capacity[kind] ?? amount)]),
    );
  }

  #fits(amounts: Amounts): boolean {
    return Object.entries(amounts).every(
      ([kind, amount]) => (this.#used.get(kind) ?? 0) + amount <= (this.#capacity[kind] ?? 0) + tolerance,
    );
  }

  #serve(): void {
    const passedOver: Waiter[] = [];
    for (let place = 0; place < this.#waiters.length; ) {
      const waiter = this.#waiters[place] as Waiter;
      if (!this.#fits(waiter.amounts)) {
        if (waiter.passed >= patience) return;
        passedOver.push(waiter);
        place++;
        continue;
      }
      this.#waiters.splice(place, 1);
      for (const other of passedOver) other.passed++;
      waiter.admit(this.#take(waiter.amounts));
      if (passedOver.some((other) => other.passed >= patience)) return;
    }
  }

  #take(amounts: Amounts): Lease {
    this.#add(amounts, 1);
    let held = true;
    return {
      amounts,
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.#add(amounts, -1);
        this.#serve();
      },
    };
  }

  #add(amounts: Amounts, sign: 1 | -1): void {
    for (const [kind, amount] of Object.entries(amounts)) {
      this.#used.set(kind, (this.#used.get(kind) ?? 0) + sign * amount);
    }
  }
}

/** Sums of fractional shares of a processor are not exact. */
const tolerance = 1e-9;
