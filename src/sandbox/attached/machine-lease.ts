import { hostname } from "node:os";
import { AleError } from "../../contract/ale-error.ts";
import type { Clock } from "../../contract/clock.ts";
import { numberAt, objectAt, textAt } from "../../contract/json-fields.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { describeEnd, succeeded } from "../command.ts";
import { runHostProgram } from "../local/run-host-program.ts";
import type { SandboxSpec } from "../provider.ts";
import type { Sandbox } from "../sandbox.ts";
import type { Lease, LeaseBook } from "../served/lease-book.ts";
import { MachineClient, type MachineRequest } from "../served/machine-client.ts";
import { ServedCommands } from "../served/served-commands.ts";
import { ServedFiles } from "../served/served-files.ts";
import { ServedSandbox } from "../served/served-sandbox.ts";
import { AttachedLink } from "./attached-link.ts";
import type { AttachedMachine, MachineTransport, ResetCommand } from "./attached-machine.ts";
import { openTransport } from "./open-transport.ts";

/** The machine is another's; `holder` says whose, for people. */
export interface Held {
  readonly kind: "held";
  readonly holder: string;
}

export interface MachineLeaseParts {
  readonly machine: AttachedMachine;
  readonly spec: SandboxSpec;
  readonly lease: Lease;
  readonly book: LeaseBook;
  readonly clock: Clock;
}

/** One machine for one trial: from taking it to giving it back. */
export class MachineLease {
  readonly #parts: MachineLeaseParts;
  readonly #transport: MachineTransport;
  #lease: Lease;
  #link: AttachedLink | undefined;
  #taken = false;

  constructor(parts: MachineLeaseParts) {
    this.#parts = parts;
    this.#lease = parts.lease;
    this.#transport = openTransport(parts.machine, parts.clock);
  }

  /** Frees what a dead owner left on a machine. A machine that cannot be reached keeps its lease until that runs out. */
  static async free(transport: MachineTransport, id: string): Promise<void> {
    let client: MachineClient;
    try {
      client = await MachineClient.open(await transport.link());
    } catch (error) {
      if (AleError.isInstance(error)) return;
      throw error;
    }
    const request = { op: "lease", id, holder: "a clean-up" };
    // Taken again first, so that nobody else's machine is cleaned.
    const taken = await client.request({ ...request, seconds: 300 });
    if (taken["heldBy"] === undefined) {
      await client.request({ op: "release" });
      await client.request({ ...request, seconds: -1 });
    }
    client.close();
  }

  async take(signal?: AbortSignal): Promise<{ kind: "sandbox"; sandbox: Sandbox } | Held> {
    const { machine, spec, book, clock } = this.#parts;
    const client = await MachineClient.open(await this.#transport.link(signal));
    const answer = await client.request(this.#leaseRequest(spec.leaseSeconds));
    const held = objectAt(answer, "heldBy");
    if (held !== undefined) {
      client.close();
      await this.#transport[Symbol.asyncDispose]();
      const until = new Date((numberAt(held, "until") ?? 0) * 1000).toISOString();
      return { kind: "held", holder: `lent to ${textAt(held, "holder") ?? "another"} until ${until}` };
    }
    this.#taken = true;
    await book.write(this.#lease);
    const prepare = this.#prepareRequest();
    const prepared = await client.request({ ...prepare, clean: true });
    this.#link = new AttachedLink(this.#transport, clock, client, [
      this.#leaseRequest(spec.leaseSeconds),
      prepare,
    ]);
    const link = this.#link;
    signal?.throwIfAborted();
    if (machine.reset !== undefined) await this.#reset(machine.reset);
    const files = new ServedFiles(() => link.client());
    for (const { source, target } of spec.mounts) {
      signal?.throwIfAborted();
      await files.upload(source, target, "root");
      await files.seal(target);
    }
    const described = await (await link.client()).request({ op: "describe" });
    const sandbox = new ServedSandbox({
      id: this.#lease.id,
      provider: "attached",
      clock,
      env: spec.env,
      client: () => link.client(),
      ...(this.#transport.screen === undefined ? {} : { screen: this.#transport.screen }),
      fingerprint: fingerprintOf(machine, spec, described, prepared["group"] === true),
      renewLease: (seconds) => this.#renew(seconds),
      dispose: () => this.release(),
    });
    return { kind: "sandbox", sandbox };
  }

  /** Gives the machine back, clean. Idempotent. */
  async release(): Promise<void> {
    try {
      if (this.#taken) {
        this.#taken = false;
        const client = await this.#link?.client();
        try {
          await client?.request({ op: "release" });
        } finally {
          // Not clean is no reason to keep it: whoever takes it next cleans it first.
          await client?.request({ ...this.#leaseRequest(0), seconds: -1 });
        }
      }
    } catch (error) {
      // Lost, or given to another already: then there is nothing of ours to give back.
      if (!AleError.isInstance(error)) throw error;
    } finally {
      this.#link?.close();
      await this.#transport[Symbol.asyncDispose]();
      await this.#parts.book.remove(this.#lease.id);
    }
  }

  async #renew(seconds: number): Promise<void> {
    const { clock, book } = this.#parts;
    await (await this.#link?.client())?.request(this.#leaseRequest(seconds));
    this.#lease = { ...this.#lease, leaseUntil: clock.now() + seconds * 1000 };
    await book.write(this.#lease);
  }

  async #reset({ on, argv, limitMs }: ResetCommand): Promise<void> {
    const { machine, clock } = this.#parts;
    const fail = (why: string): never => {
      throw new AleError({
        code: "machine-reset",
        message: `The reset of ${machine.name}, ${argv.join(" ")}, failed: ${why}.`,
        remedy: "Run it by hand, and correct reset in machines.yaml.",
        fields: { machine: machine.name },
      });
    };
    if (on === "here") {
      const result = await runHostProgram(argv);
      if (result.code !== 0) fail(`exit ${result.code}: ${result.stderr.trim().slice(-500)}`);
      return;
    }
    const link = this.#link as AttachedLink;
    const commands = new ServedCommands({ client: () => link.client(), clock, env: {} });
    const options = { user: "root", network: "host", timeoutMs: limitMs, cwd: "/" } as const;
    const result = await commands.exec(argv, options);
    if (succeeded(result)) return;
    fail(`${describeEnd(result.end)}: ${Buffer.from(result.stderr).toString("utf8").trim().slice(-500)}`);
  }

  #leaseRequest(seconds: number): MachineRequest {
    const { run, trial } = this.#lease.labels;
    const holder = `${run}, trial ${trial}, on ${hostname()}`;
    return { op: "lease", id: this.#lease.id, seconds, holder };
  }

  #prepareRequest(): MachineRequest {
    const { cpus, memoryMb, maxProcesses, network } = this.#parts.spec;
    return {
      op: "prepare",
      clean: false,
      cpus,
      memoryMb,
      maxProcesses,
      ownNetwork: network !== "open",
    };
  }
}

function fingerprintOf(
  machine: AttachedMachine,
  spec: SandboxSpec,
  described: Readonly<Record<string, JsonValue>>,
  grouped: boolean,
): JsonValue {
  const { ok: _ok, root: _root, ...system } = described;
  return {
    provider: "attached",
    machine: machine.name,
    kind: machine.kind,
    image: machine.image ?? null,
    ...system,
    network: typeof spec.network === "string" ? spec.network : { allow: [...spec.network.allow] },
    limits: {
      cpus: { value: spec.cpus, enforced: grouped },
      memoryMb: { value: spec.memoryMb, enforced: grouped },
      maxProcesses: { value: spec.maxProcesses, enforced: true },
      diskMb: { value: spec.diskMb, enforced: false },
    },
  };
}
