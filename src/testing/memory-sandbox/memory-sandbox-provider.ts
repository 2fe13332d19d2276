import type { Clock } from "../../contract/clock.ts";
import type { Finding } from "../../contract/finding.ts";
import type { ReapOptions, SandboxListing, SandboxProvider, SandboxSpec } from "../../sandbox/provider.ts";
import type { Screen } from "../../sandbox/screen.ts";
import { type MemoryFault, MemoryFaults } from "./memory-faults.ts";
import type { MemoryProgram } from "./memory-program.ts";
import { MemorySandbox, type RecordedCall } from "./memory-sandbox.ts";

export interface MemorySandboxProviderOptions {
  readonly clock: Clock;
  /** By the first word of the argument vector; any other command is refused as not found. */
  readonly programs?: Readonly<Record<string, MemoryProgram>>;
  readonly faults?: readonly MemoryFault[];
  readonly findings?: readonly Finding[];
  /** The screen of every sandbox; default: they have none. */
  readonly screen?: Screen;
}

/** A public double: sandboxes in memory, for tests of everything above a provider. */
export class MemorySandboxProvider implements SandboxProvider {
  readonly name = "memory";
  /** Every call any of its sandboxes has had, in order. */
  readonly calls: RecordedCall[] = [];
  /** Every sandbox ever made. */
  readonly sandboxes: MemorySandbox[] = [];
  readonly #options: MemorySandboxProviderOptions;
  readonly #programs: ReadonlyMap<string, MemoryProgram>;
  readonly #faults: MemoryFaults;
  readonly #live = new Map<string, SandboxListing>();
  #made = 0;
  #mostLive = 0;

  constructor(options: MemorySandboxProviderOptions) {
    this.#options = options;
    this.#programs = new Map(Object.entries(options.programs ?? {}));
    this.#faults = new MemoryFaults(options.faults ?? []);
  }

  /** The largest number of sandboxes that lived at once. */
  get mostLive(): number {
    return this.#mostLive;
  }

  async preflight(): Promise<readonly Finding[]> {
    return this.#options.findings ?? [];
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<MemorySandbox> {
    const id = `memory-${++this.#made}`;
    this.calls.push({ sandbox: id, role: spec.labels.role, method: "create", detail: "" });
    await this.#faults.meet("create", spec.labels.role, signal);
    signal?.throwIfAborted();
    const { clock, screen } = this.#options;
    const sandbox = new MemorySandbox({
      id,
      spec,
      programs: this.#programs,
      faults: this.#faults,
      clock,
      ...(screen === undefined ? {} : { screen }),
      record: (call) => this.calls.push(call),
      onDispose: () => this.#live.delete(id),
    });
    const createdAt = clock.now();
    const leaseUntil = createdAt + spec.leaseSeconds * 1000;
    this.#live.set(id, {
      id,
      provider: this.name,
      labels: spec.labels,
      createdAt,
      leaseUntil,
      ownerAlive: true,
    });
    this.#mostLive = Math.max(this.#mostLive, this.#live.size);
    this.sandboxes.push(sandbox);
    return sandbox;
  }

  async list(): Promise<readonly SandboxListing[]> {
    return [...this.#live.values()];
  }

  async reap(options: ReapOptions = {}): Promise<readonly SandboxListing[]> {
    const now = this.#options.clock.now();
    const doomed = [...this.#live.values()].filter(
      ({ labels, leaseUntil }) =>
        (options.run === undefined || labels.run === options.run) &&
        (options.force === true || leaseUntil < now),
    );
    for (const { id } of doomed) this.#live.delete(id);
    return doomed;
  }
}
