import { existsSync } from "node:fs";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { Finding } from "../../contract/finding.ts";
import { findingOf } from "../../contract/finding-of.ts";
import { noWindows } from "../no-windows.ts";
import { identifyProcess } from "../process-identity.ts";
import type { ReapOptions, SandboxListing, SandboxProvider, SandboxSpec } from "../provider.ts";
import type { Sandbox } from "../sandbox.ts";
import { type Lease, LeaseBook, listingOf } from "../served/lease-book.ts";
import { withoutScreenDriver } from "../without-screen-driver.ts";
import { withoutWayIn } from "../without-way-in.ts";
import type { AttachedMachine } from "./attached-machine.ts";
import type { AttachedProviderOptions } from "./attached-options.ts";
import { describeMachine } from "./describe-machine.ts";
import { type Held, MachineLease } from "./machine-lease.ts";
import { openTransport } from "./open-transport.ts";

/**
 * Machines that already run, each lent to one trial at a time. They keep their own system, memory and processors: of a
 * machine's limits only those its kernel lets root set are held.
 */
export function createAttachedProvider(options: AttachedProviderOptions): SandboxProvider {
  return new AttachedProvider(options);
}

const usualWaitMs = 600_000;

class AttachedProvider implements SandboxProvider {
  readonly name = "attached";
  readonly #options: AttachedProviderOptions;
  readonly #book: LeaseBook;

  constructor(options: AttachedProviderOptions) {
    this.#options = options;
    this.#book = new LeaseBook(join(options.stateDir, "attached"));
  }

  async preflight(spec?: SandboxSpec): Promise<readonly Finding[]> {
    const { trusted, clock } = this.#options;
    if (spec !== undefined && trusted !== undefined && isTrusted(spec)) return trusted.preflight(spec);
    if (spec?.os === "windows") return [noWindows("attached machines")];
    let machines: readonly AttachedMachine[];
    try {
      machines = spec === undefined ? this.#options.machines() : this.#fitting(spec);
    } catch (error) {
      return [findingOf(error)];
    }
    const findings: Finding[] = machines.length === 0 ? [this.#noMachine(spec)] : [];
    for (const machine of machines) findings.push(...(await describeMachine(machine, clock)));
    return findings;
  }

  async create(wanted: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    const { trusted, clock } = this.#options;
    signal?.throwIfAborted();
    if (trusted !== undefined && isTrusted(wanted)) return trusted.create(wanted, signal);
    const spec = withoutWayIn(wanted);
    if (spec.os === "windows") {
      const { message, remedy = "" } = noWindows("attached machines");
      throw cannot(message, remedy);
    }
    const absent = spec.mounts.find((mount) => !existsSync(mount.source));
    if (absent !== undefined)
      throw cannot(`${absent.source}, to be shown as ${absent.target}, does not exist.`);
    const fitting = this.#fitting(spec);
    if (fitting.length === 0) {
      const { message, remedy = "" } = this.#noMachine(spec);
      throw cannot(message, remedy);
    }
    const end = clock.monotonic() + (this.#options.waitMs ?? usualWaitMs);
    for (;;) {
      const holders: string[] = [];
      for (const machine of fitting) {
        const outcome = await this.#tryMachine(machine, spec, signal);
        if (outcome.kind === "sandbox") return outcome.sandbox;
        holders.push(`${machine.name} is ${outcome.holder}`);
      }
      if (clock.monotonic() >= end) {
        throw new AleError({
          code: "sandbox-create",
          message: `Every machine that fits is taken: ${holders.join("; ")}.`,
          remedy:
            "Wait for that exam, or add machines to machines.yaml; ale sandboxes reap frees those of dead runs.",
        });
      }
      await clock.sleep(1000, signal);
    }
  }

  async list(): Promise<readonly SandboxListing[]> {
    return (await this.#book.all()).map((lease) => listingOf(lease, this.name));
  }

  async reap(options: ReapOptions = {}): Promise<readonly SandboxListing[]> {
    const removed: SandboxListing[] = [];
    for (const lease of await this.#book.over(options, this.#options.clock.now())) {
      await this.#free(lease);
      removed.push(listingOf(lease, this.name));
    }
    return removed;
  }

  async #free(lease: Lease): Promise<void> {
    const machine = this.#options.machines().find((one) => one.name === lease.machine);
    if (machine !== undefined) {
      await using transport = openTransport(machine, this.#options.clock);
      await MachineLease.free(transport, lease.id);
    }
    await this.#book.remove(lease.id);
  }

  async #tryMachine(
    machine: AttachedMachine,
    spec: SandboxSpec,
    signal: AbortSignal | undefined,
  ): Promise<{ kind: "sandbox"; sandbox: Sandbox } | Held> {
    const options = this.#options;
    const owner = identifyProcess(options.ownerPid);
    if (owner === undefined) throw cannot(`The owner given, process ${options.ownerPid}, is not running.`);
    const now = options.clock.now();
    const lease: Lease = {
      id: options.ids(),
      labels: spec.labels,
      owner,
      createdAt: now,
      leaseUntil: now + spec.leaseSeconds * 1000,
      machine: machine.name,
      processes: [],
    };
    const asked = machine.kind === "cua" ? withoutScreenDriver(spec) : spec;
    const taking = new MachineLease({ machine, spec: asked, lease, book: this.#book, clock: options.clock });
    try {
      return await taking.take(signal);
    } catch (error) {
      await taking.release();
      signal?.throwIfAborted();
      if (AleError.isInstance(error) && error.code === "sandbox-create") throw error;
      throw new AleError({
        code: "sandbox-create",
        message: `The machine ${machine.name} could not be made ready: ${(error as Error).message}`,
        remedy: (AleError.isInstance(error) ? error.remedy : undefined) ?? "ale sandboxes doctor",
        cause: error,
        fields: { machine: machine.name },
      });
    }
  }

  /** The same to every task where there are no machines at all. */
  #noMachine(spec: SandboxSpec | undefined): Finding {
    const { machines, machinesFiles } = this.#options;
    const files = machinesFiles.join(" and, where that is not there, ");
    const wanted = spec?.image === undefined ? "serves tasks without an image" : `is the image ${spec.image}`;
    return {
      severity: "error",
      code: "no-machine",
      message:
        machines().length === 0
          ? `No attached machine is known: they are read from ${files}.`
          : `None of the attached machines ${wanted}: they are read from ${files}.`,
      remedy: "Name one in either file: docs/guide/machines.md shows how.",
    };
  }

  #fitting(spec: SandboxSpec): readonly AttachedMachine[] {
    return this.#options.machines().filter((machine) => machine.image === spec.image);
  }
}

function isTrusted(spec: SandboxSpec): boolean {
  return spec.labels.role === "verifier" || spec.labels.role === "generator";
}

function cannot(message: string, remedy?: string): AleError {
  return new AleError({ code: "sandbox-create", message, ...(remedy === undefined ? {} : { remedy }) });
}
