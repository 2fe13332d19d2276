import { isAbsolute, join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { Finding } from "../../contract/finding.ts";
import type { ReapOptions, SandboxListing, SandboxProvider, SandboxSpec } from "../provider.ts";
import type { Sandbox } from "../sandbox.ts";
import { removeUnusedBases } from "./base-tree.ts";
import { createMachine, prepareStateFolder } from "./create-machine.ts";
import { HostUids } from "./host-uids.ts";
import { LabelStore, type MachineLabel, ownerAlive } from "./label-store.ts";
import { inspectHost, type LocalHost } from "./local-host.ts";
import type { LocalProviderOptions } from "./local-options.ts";
import { preflightLocal } from "./preflight.ts";
import { removeMachine } from "./remove-machine.ts";

/**
 * The embedded provider: bubblewrap over overlays of this host (or of a root folder), no daemon. Works for
 * the administrator and, with fewer limits enforced, for any user. The host is inspected on first use.
 */
export function createLocalProvider(options: LocalProviderOptions): SandboxProvider {
  return new LocalProvider(options);
}

class LocalProvider implements SandboxProvider {
  readonly name = "local";
  readonly #options: LocalProviderOptions;
  readonly #labels: LabelStore;
  readonly #uids: HostUids;
  #host: LocalHost | undefined;

  constructor(options: LocalProviderOptions) {
    for (const path of [options.stateDir, options.root ?? "/"]) {
      if (isAbsolute(path)) continue;
      throw new AleError({ code: "local-options", message: `${path} is not an absolute path.` });
    }
    this.#options = options;
    this.#labels = new LabelStore(options.stateDir);
    this.#uids = new HostUids(options.stateDir);
  }

  async preflight(spec?: SandboxSpec): Promise<readonly Finding[]> {
    return preflightLocal(this.#inspected(), this.#options, spec);
  }

  async create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    if (isBeyondLocal(spec)) {
      const error = (await this.preflight(spec)).find((finding) => finding.severity === "error");
      throw new AleError({
        code: "sandbox-create",
        message: error?.message ?? "The local provider cannot make such a machine.",
        ...(error?.remedy === undefined ? {} : { remedy: error.remedy }),
      });
    }
    await prepareStateFolder(this.#options.stateDir);
    const context = {
      options: this.#options,
      host: this.#inspected(),
      labels: this.#labels,
      uids: this.#uids,
    };
    return createMachine(context, spec, signal);
  }

  async list(): Promise<readonly SandboxListing[]> {
    return (await this.#labels.all()).map(listingOf);
  }

  async reap(options: ReapOptions = {}): Promise<readonly SandboxListing[]> {
    const now = this.#options.clock.now();
    const labels = await this.#labels.all();
    const removed: SandboxListing[] = [];
    for (const label of labels) {
      if (options.run !== undefined && label.labels.run !== options.run) continue;
      if (!options.force && ownerAlive(label) && label.leaseUntil > now) continue;
      removed.push(listingOf(label));
      await removeMachine({
        label,
        labels: this.#labels,
        uids: this.#uids,
        agentUid: undefined,
        clock: this.#options.clock,
      });
    }
    await this.#labels.removeDeadDrafts();
    await this.#uids.releaseAllBut(async () => new Set((await this.#labels.all()).map((label) => label.id)));
    await this.#removeOldBases();
    return removed;
  }

  async #removeOldBases(): Promise<void> {
    const used = new Set((await this.#labels.all()).map((label) => label.base));
    used.add(this.#inspected().base.key);
    await removeUnusedBases(join(this.#options.stateDir, "bases"), used);
  }

  #inspected(): LocalHost {
    this.#host ??= inspectHost(this.#options.root);
    return this.#host;
  }
}

function isBeyondLocal(spec: SandboxSpec): boolean {
  return spec.image !== undefined || spec.os === "windows" || (spec.gpus ?? 0) > 0;
}

function listingOf(label: MachineLabel): SandboxListing {
  const { id, labels, createdAt, leaseUntil } = label;
  return { id, provider: "local", labels, createdAt, leaseUntil, ownerAlive: ownerAlive(label) };
}
