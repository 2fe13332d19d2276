import type { TrialStatus } from "../../contract/trial-status.ts";

/** A trial's share of the exam's budget, held while it sits. */
export interface BudgetShare extends Disposable {
  /** What is held back for it, in US dollars. */
  readonly reservedUsd: number;
}

export interface BudgetGate {
  /**
   * Waits until the trial's expected cost fits beside what is spent and held; `undefined` when it no longer can. Rejects
   * with the signal's reason when that is aborted first.
   */
  admit(contestant: string, signal: AbortSignal): Promise<BudgetShare | undefined>;
  /** An attempt has ended. @param costUsd known costs only. @param status absent for one that was cut off. */
  spend(contestant: string, costUsd: number, status: TrialStatus | undefined): void;
  /** A trial has been turned away, or nothing is left: no further one is admitted. */
  readonly isClosed: boolean;
}

interface Waiting {
  readonly contestant: string;
  readonly decide: (share: BudgetShare | undefined) => void;
}

/** Such attempts were broken off, perhaps before their first call: they do not tell what one costs. */
const brokenOff: ReadonlySet<TrialStatus | undefined> = new Set([
  "env_error",
  "task_error",
  "cancelled",
  undefined,
]);

/**
 * Admission by an exam's budget. A contestant's expected cost is the mean of its whole attempts so far; before the first
 * has ended it is the most a trial may cost, where that is limited, else its trials are admitted one at a time.
 * @param mostUsd the limit on one trial's cost; absent = none.
 */
export function createBudgetGate(budgetUsd: number | undefined, mostUsd: number | undefined): BudgetGate {
  const history = new Map<string, { attempts: number; costUsd: number }>();
  const held = new Set<{ readonly contestant: string; readonly reservedUsd: number }>();
  let waiting: Waiting[] = [];
  let spentUsd = 0;
  let closed = false;
  const budget = budgetUsd ?? Number.POSITIVE_INFINITY;

  function expected(contestant: string): number | undefined {
    const past = history.get(contestant);
    return past === undefined ? mostUsd : past.costUsd / past.attempts;
  }

  function share(contestant: string, reservedUsd: number): BudgetShare {
    const entry = { contestant, reservedUsd };
    held.add(entry);
    return {
      reservedUsd,
      [Symbol.dispose]() {
        if (held.delete(entry)) decideWaiting();
      },
    };
  }

  /** `wait` = perhaps later, once something that is held comes free. */
  function decide(contestant: string): BudgetShare | "wait" | undefined {
    if (closed || spentUsd >= budget) return undefined;
    const cost = expected(contestant);
    const alone = ![...held].some((entry) => entry.contestant === contestant);
    if (cost === undefined && !alone && budget !== Number.POSITIVE_INFINITY) return "wait";
    const reserved = [...held].reduce((sum, entry) => sum + entry.reservedUsd, 0);
    if (spentUsd + reserved + (cost ?? 0) <= budget) return share(contestant, cost ?? 0);
    if (held.size > 0) return "wait";
    closed = true;
    return undefined;
  }

  function decideWaiting(): void {
    const before = waiting;
    waiting = [];
    for (const entry of before) {
      const decision = decide(entry.contestant);
      if (decision === "wait") waiting.push(entry);
      else entry.decide(decision);
    }
  }

  return {
    async admit(contestant, signal) {
      signal.throwIfAborted();
      const decision = decide(contestant);
      if (decision !== "wait") return decision;
      return await new Promise((resolve, reject) => {
        const entry: Waiting = {
          contestant,
          decide(decided) {
            signal.removeEventListener("abort", giveUp);
            resolve(decided);
          },
        };
        const giveUp = (): void => {
          waiting = waiting.filter((other) => other !== entry);
          reject(signal.reason);
        };
        signal.addEventListener("abort", giveUp, { once: true });
        waiting.push(entry);
      });
    },
    spend(contestant, costUsd, status) {
      spentUsd += costUsd;
      if (brokenOff.has(status)) return;
      const past = history.get(contestant) ?? { attempts: 0, costUsd: 0 };
      history.set(contestant, { attempts: past.attempts + 1, costUsd: past.costUsd + costUsd });
    },
    get isClosed() {
      return closed || spentUsd >= budget;
    },
  };
}
