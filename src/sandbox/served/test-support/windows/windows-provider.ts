import { existsSync } from "node:fs";
import { AleError } from "../../../../contract/ale-error.ts";
import { hostClock } from "../../../local/test-support/host-clock.ts";
import type { SandboxListing, SandboxProvider, SandboxSpec } from "../../../provider.ts";
import type { Sandbox } from "../../../sandbox.ts";
import { ServedFiles } from "../../served-files.ts";
import { ServedSandbox } from "../../served-sandbox.ts";
import { WindowsMachine } from "./windows-machine.ts";
import type { WinePrefixes } from "./wine-prefixes.ts";

/** A public double of a provider: machines are Wines, known to this process alone. */
export class WindowsProvider implements SandboxProvider {
  readonly name = "windows";
  readonly #prefixes: WinePrefixes;
  readonly #program: string;
  readonly #machines: Map<string, { listing: SandboxListing; readonly sandbox: Sandbox }> = new Map();
  #made = 0;

  /** @param program the path of the program on this host. */
  constructor(prefixes: WinePrefixes, program: string) {
    this.#prefixes = prefixes;
    this.#program = program;
  }

  async preflight(): Promise<readonly []> {
    return [];
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    signal?.throwIfAborted();
    const absent = spec.mounts.find((mount) => !existsSync(mount.source));
    if (absent !== undefined) {
      throw new AleError({ code: "sandbox-create", message: `${absent.source} does not exist.` });
    }
    await using cleanup = new AsyncDisposableStack();
    const prefix = await this.#prefixes.take();
    cleanup.defer(() => this.#prefixes.release(prefix));
    const machine = cleanup.use(await WindowsMachine.start(prefix, this.#program));
    const { cpus, memoryMb, maxProcesses } = spec;
    await machine.client.request({
      op: "prepare",
      clean: true,
      cpus,
      memoryMb,
      maxProcesses,
      ownNetwork: true,
    });
    const files = new ServedFiles(async () => machine.client);
    for (const { source, target } of spec.mounts) {
      await files.upload(source, target, "root");
      await files.seal(target);
      cleanup.defer(() => files.remove(target));
    }
    signal?.throwIfAborted();
    return this.#add(spec, machine, cleanup.move());
  }

  async list(): Promise<readonly SandboxListing[]> {
    return [...this.#machines.values()].map(({ listing }) => listing);
  }

  async reap({
    run,
    force,
  }: {
    readonly run?: string;
    readonly force?: boolean;
  } = {}): Promise<readonly SandboxListing[]> {
    const over = [...this.#machines.values()].filter(({ listing }) => {
      if (run !== undefined && listing.labels.run !== run) return false;
      return force === true || listing.leaseUntil <= hostClock.now();
    });
    for (const { sandbox } of over) await sandbox[Symbol.asyncDispose]();
    return over.map(({ listing }) => listing);
  }

  #add(spec: SandboxSpec, machine: WindowsMachine, held: AsyncDisposableStack): Sandbox {
    const id = `windows-${this.#made++}`;
    const createdAt = hostClock.now();
    const leaseUntil = createdAt + spec.leaseSeconds * 1000;
    const sandbox = new ServedSandbox({
      id,
      provider: this.name,
      clock: hostClock,
      env: spec.env,
      client: async () => machine.client,
      fingerprint: { provider: this.name },
      renewLease: async (seconds) => {
        const found = this.#machines.get(id);
        if (found === undefined) return;
        found.listing = { ...found.listing, leaseUntil: hostClock.now() + seconds * 1000 };
      },
      dispose: async () => {
        this.#machines.delete(id);
        await held.disposeAsync();
      },
    });
    const { labels } = spec;
    const listing = { id, provider: this.name, labels, createdAt, leaseUntil, ownerAlive: true };
    this.#machines.set(id, { listing, sandbox });
    return sandbox;
  }
}
