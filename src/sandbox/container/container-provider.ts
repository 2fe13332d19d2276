import { hostname } from "node:os";
import { isAbsolute } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { Finding } from "../../contract/finding.ts";
import { findingOf } from "../../contract/finding-of.ts";
import { noWindows } from "../no-windows.ts";
import type { ReapOptions, SandboxListing, SandboxProvider, SandboxSpec } from "../provider.ts";
import type { Sandbox } from "../sandbox.ts";
import { withoutWayIn } from "../without-way-in.ts";
import { ContainerLabels, labelKey, listingOf } from "./container-labels.ts";
import type { ContainerProviderOptions } from "./container-options.ts";
import { preflightContainer } from "./container-preflight.ts";
import {
  type CreateContext,
  claim,
  claimMadeAhead,
  discard,
  makeReady,
  type ReadyContainer,
} from "./create-container.ts";
import { connectEngine, type Engine, reason } from "./engine.ts";
import { getImage } from "./find-image.ts";
import { isSoonCopied, machineKind, sharedSpec } from "./machine-kind.ts";
import { ReadyPool } from "./ready-pool.ts";
import { KnownImages } from "./registry/known-images.ts";
import { removeContainer } from "./start-container.ts";

/** A provider that keeps a connection and, with a pool, machines: dispose of it when done. */
export interface ContainerProvider extends SandboxProvider, AsyncDisposable {
  /** Makes a machine of the kind ahead where the pool has a place for it; resolves when it stands, or could not be made. */
  warm(spec: SandboxSpec): Promise<void>;
}

interface MadeAhead {
  readonly context: CreateContext;
  readonly ready: ReadyContainer;
}

/** Machines by Docker or Podman, through the Engine API. The daemon is looked for on first use. */
export function createContainerProvider(options: ContainerProviderOptions): ContainerProvider {
  return new EngineProvider(options);
}

class EngineProvider implements ContainerProvider {
  readonly name = "container";
  readonly #options: ContainerProviderOptions;
  readonly #labels: ContainerLabels;
  readonly #pool: ReadyPool<MadeAhead>;
  readonly #images: KnownImages;
  #engine: Promise<Engine> | undefined;

  constructor(options: ContainerProviderOptions) {
    if (!isAbsolute(options.stateDir)) {
      throw new AleError({
        code: "container-options",
        message: `${options.stateDir} is not an absolute path.`,
      });
    }
    this.#options = options;
    this.#labels = new ContainerLabels(options.stateDir);
    const { credentialFiles = [], onPull = () => undefined } = options;
    this.#images = new KnownImages(async (image, signal) =>
      getImage(await this.#connected(), { image, credentialFiles, onPull, signal }),
    );
    this.#pool = new ReadyPool({
      size: options.pool ?? 0,
      clock: options.clock,
      until: ({ ready }) => ready.label.leaseUntil,
      isGone: ({ ready }) => ready.started.link.gone,
      discard: ({ context, ready }) => discard(context, ready),
    });
  }

  async preflight(spec?: SandboxSpec): Promise<readonly Finding[]> {
    // Whether there is a daemon, and which image it has, is nothing to who cannot be served.
    if (spec?.os === "windows") return [noWindows("containers")];
    let engine: Engine;
    try {
      engine = await this.#connected();
    } catch (error) {
      return [findingOf(error)];
    }
    const { clock, credentialFiles = [] } = this.#options;
    return preflightContainer(engine, {
      image: this.#imageName(spec),
      spec: spec && withoutWayIn(spec),
      credentialFiles,
      clock,
    });
  }

  async create(wanted: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    signal?.throwIfAborted();
    const spec = withoutWayIn(wanted);
    const context = await this.#context(spec, signal);
    const kind = kindOf(context, spec);
    const sandbox =
      (await this.#takeMadeAhead(context, spec, kind, signal)) ??
      (await claim(context, spec, await makeReady(context, spec, signal)));
    // In the background, and only now: it would hold up the one that is wanted.
    this.#keepReady(context, spec, kind);
    if (!signal?.aborted) return sandbox;
    await sandbox[Symbol.asyncDispose]();
    throw signal.reason;
  }

  async warm(wanted: SandboxSpec): Promise<void> {
    const spec = withoutWayIn(wanted);
    const context = await this.#context(spec);
    await this.#keepReady(context, spec, kindOf(context, spec));
  }

  async list(): Promise<readonly SandboxListing[]> {
    const engine = await this.#connected().catch(() => undefined);
    if (engine === undefined) return [];
    return (await this.#labelled(engine)).map(({ listing }) => listing);
  }

  async reap(options: ReapOptions = {}): Promise<readonly SandboxListing[]> {
    const engine = await this.#connected().catch(() => undefined);
    if (engine === undefined) return [];
    const now = this.#options.clock.now();
    const removed: SandboxListing[] = [];
    for (const { containerId, listing } of await this.#labelled(engine)) {
      if (options.run !== undefined && listing.labels.run !== options.run) continue;
      if (!options.force && listing.ownerAlive && listing.leaseUntil > now) continue;
      await removeContainer(engine, containerId, this.#options.clock);
      await this.#labels.remove(listing.id);
      removed.push(listing);
    }
    return removed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }

  async #takeMadeAhead(
    context: CreateContext,
    spec: SandboxSpec,
    kind: string,
    signal: AbortSignal | undefined,
  ): Promise<Sandbox | undefined> {
    if (!(await isSoonCopied(spec.mounts))) return undefined;
    const taken = this.#pool.take(kind);
    return taken === undefined ? undefined : claimMadeAhead(context, spec, taken.ready, signal);
  }

  /** Whose the next one will be is not known yet. */
  #keepReady(context: CreateContext, spec: SandboxSpec, kind: string): Promise<void> {
    const labels = { ...spec.labels, trial: "ready", attempt: 1 };
    const ahead = { ...sharedSpec(spec), labels };
    return this.#pool.keep(kind, async (signal) => ({
      context,
      ready: await makeReady(context, ahead, signal),
    }));
  }

  async #context(spec: SandboxSpec, signal?: AbortSignal): Promise<CreateContext> {
    if (spec.os === "windows") {
      const { message, remedy = "" } = noWindows("containers");
      throw new AleError({ code: "sandbox-create", message, remedy });
    }
    try {
      const engine = await this.#connected();
      const image = await this.#images.get(this.#imageName(spec), signal);
      return { options: this.#options, engine, labels: this.#labels, image };
    } catch (error) {
      signal?.throwIfAborted();
      const remedy = AleError.isInstance(error) ? error.remedy : undefined;
      throw new AleError({
        code: "sandbox-create",
        message: `The container could not be made: ${reason(error)}`,
        ...(remedy === undefined ? {} : { remedy }),
        cause: error,
      });
    }
  }

  #imageName(spec: SandboxSpec | undefined): string {
    return spec?.image ?? this.#options.defaultImage ?? "base";
  }

  #connected(): Promise<Engine> {
    if (this.#engine === undefined) {
      this.#engine = connectEngine(this.#options.sockets);
      this.#engine.catch(() => {
        this.#engine = undefined;
      });
    }
    return this.#engine;
  }

  async #labelled(
    engine: Engine,
  ): Promise<readonly { readonly containerId: string; readonly listing: SandboxListing }[]> {
    const containers = await engine.docker.listContainers({ all: true, filters: { label: [labelKey] } });
    const found = [];
    for (const { Id, Labels } of containers) {
      const label = await this.#labels.read(Labels[labelKey] ?? "");
      if (label !== undefined) found.push({ containerId: Id, listing: listingOf(label, hostname()) });
    }
    return found;
  }
}

function kindOf({ image, engine }: CreateContext, spec: SandboxSpec): string {
  return machineKind(sharedSpec(spec), image.id, engine.facts);
}
