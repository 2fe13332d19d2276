import { AleError } from "../../contract/ale-error.ts";

/** Methods of a sandbox, and `create` of its provider, that a fault can hit. */
export type FaultPoint =
  | "create"
  | "exec"
  | "spawn"
  | "readFile"
  | "writeFile"
  | "upload"
  | "download"
  | "stat"
  | "list"
  | "remove"
  | "markBaseline"
  | "changes"
  | "quiesce"
  | "fingerprint"
  | "renewLease"
  | "dispose";

/** What to do at a call. `hang` waits for `release`, or for the call's signal where it has one. */
export interface MemoryFault {
  readonly at: FaultPoint;
  /** Only in sandboxes of this role. */
  readonly role?: string;
  /** The n-th such call, 1-based; default every one. */
  readonly nth?: number;
  readonly kind: "gone" | "throw" | "hang";
  /** Called when a hang begins. */
  readonly onHang?: () => void;
}

/** What a fault of kind `throw` throws: an error nobody expects. */
export class InjectedFailure extends Error {
  constructor(at: FaultPoint) {
    super(`injected failure at ${at}`);
    this.name = "InjectedFailure";
  }
}

/** Counts calls and applies the faults that fit. */
export class MemoryFaults {
  readonly #faults: readonly MemoryFault[];
  readonly #counts = new Map<MemoryFault, number>();

  constructor(faults: readonly MemoryFault[]) {
    this.#faults = faults;
  }

  async meet(at: FaultPoint, role: string, signal?: AbortSignal): Promise<void> {
    for (const fault of this.#faults) {
      if (fault.at !== at || (fault.role !== undefined && fault.role !== role)) continue;
      const count = (this.#counts.get(fault) ?? 0) + 1;
      this.#counts.set(fault, count);
      if (fault.nth !== undefined && fault.nth !== count) continue;
      if (fault.kind === "throw") throw new InjectedFailure(at);
      if (fault.kind === "gone") {
        const code = at === "create" ? "sandbox-create" : "sandbox-gone";
        throw new AleError({ code, message: `injected loss of the machine at ${at}` });
      }
      await new Promise<void>((_resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
        fault.onHang?.();
      });
    }
  }
}
