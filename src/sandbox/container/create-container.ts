import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { AleError } from "../../contract/ale-error.ts";
import { identifyProcess } from "../process-identity.ts";
import type { SandboxLabels, SandboxSpec } from "../provider.ts";
import type { Sandbox } from "../sandbox.ts";
import { containerFingerprint, packagesDigest, packagesLabel } from "./container-fingerprint.ts";
import { type ContainerLabel, type ContainerLabels, readableLabels } from "./container-labels.ts";
import type { ContainerProviderOptions } from "./container-options.ts";
import { ContainerSandbox } from "./container-sandbox.ts";
import { type Engine, reason } from "./engine.ts";
import type { FoundImage } from "./find-image.ts";
import { HostNetwork } from "./host-network.ts";
import { machineConfig, mountPoints, networkMode } from "./machine-config.ts";
import { removeContainer, type StartedContainer, startContainer } from "./start-container.ts";
import { StewardFiles } from "./steward-files.ts";

export interface CreateContext {
  readonly options: ContainerProviderOptions;
  readonly engine: Engine;
  readonly labels: ContainerLabels;
  readonly image: FoundImage;
}

/** A container that stands ready and belongs to nobody yet. */
export interface ReadyContainer {
  readonly started: StartedContainer;
  readonly label: ContainerLabel;
  readonly packages: string;
}

/** Starts a machine of the kind, or rejects with `sandbox-create` and leaves nothing behind. */
export async function makeReady(
  context: CreateContext,
  spec: SandboxSpec,
  signal: AbortSignal | undefined,
): Promise<ReadyContainer> {
  const { options, engine, image } = context;
  checkMounts(spec);
  const label = newLabel(options, spec.labels, spec.leaseSeconds);
  const config = machineConfig(spec, image.id, engine.facts, readableLabels(label), `ale-${label.id}`);
  try {
    const started = await startContainer(engine, config, options.clock, signal);
    try {
      if ((spec.gpus ?? 0) > 0) await checkGpus(engine, started);
      return { started, label, packages: await packagesOf(image, started) };
    } catch (error) {
      started.link.close();
      await removeContainer(engine, started.containerId, options.clock);
      throw error;
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (AleError.isInstance(error) && error.code === "sandbox-create") throw error;
    throw new AleError({
      code: "sandbox-create",
      message: `The container could not be made: ${reason(error)}`,
      remedy: "ale sandboxes doctor",
      cause: error,
    });
  }
}

/** Hands a ready container over to who asked for the machine. */
export async function claim(
  context: CreateContext,
  spec: SandboxSpec,
  ready: ReadyContainer,
): Promise<Sandbox> {
  const { options, engine, labels, image } = context;
  const { started, packages } = ready;
  const { containerId, link } = started;
  const leaseUntil = options.clock.now() + spec.leaseSeconds * 1000;
  const label = { ...ready.label, labels: spec.labels, leaseUntil };
  await labels.write(label);
  return new ContainerSandbox({
    engine,
    containerId,
    link,
    labels,
    label,
    clock: options.clock,
    env: { ...withoutIdentity(image.env), ...spec.env },
    mountPoints: mountPoints(spec),
    network: canLend(engine, spec) ? new HostNetwork(engine, containerId) : undefined,
    fingerprint: containerFingerprint(spec, image, packages, started.system, engine.facts),
    dispose: async () => {
      link.close();
      await removeContainer(engine, containerId, options.clock);
      await labels.remove(label.id);
    },
  });
}

/**
 * Hands over one that has been made ahead, with a copy of what is the machine's own. `undefined` where that fails, as when it
 * has just ended, or the signal aborts: it is discarded.
 */
export async function claimMadeAhead(
  context: CreateContext,
  spec: SandboxSpec,
  ready: ReadyContainer,
  signal: AbortSignal | undefined,
): Promise<Sandbox | undefined> {
  const { link } = ready.started;
  const abort = (): void => link.close();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    signal?.throwIfAborted();
    const files = new StewardFiles(link, mountPoints(spec));
    for (const { source, target, own } of spec.mounts) {
      if (own === true) await files.upload(source, target, "root", true);
    }
    // Changes count from here, as on a machine that is made now.
    await link.ask("F", ["mark"]);
    return await claim(context, spec, ready);
  } catch {
    // What the daemon does not let go of is left to `reap`; whether it still makes machines is seen next.
    await discard(context, ready).catch(() => undefined);
    return undefined;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** Ends a container nobody asked for. */
export async function discard(context: CreateContext, ready: ReadyContainer): Promise<void> {
  ready.started.link.close();
  await removeContainer(context.engine, ready.started.containerId, context.options.clock);
  await context.labels.remove(ready.label.id);
}

/** Podman would make a folder there. */
function checkMounts(spec: SandboxSpec): void {
  const absent = spec.mounts.find((mount) => !existsSync(mount.source));
  if (absent === undefined) return;
  throw new AleError({
    code: "sandbox-create",
    message: `${absent.source}, to be shown as ${absent.target}, does not exist.`,
    remedy: "Create it, or correct the path.",
  });
}

function newLabel(
  options: ContainerProviderOptions,
  labels: SandboxLabels,
  leaseSeconds: number,
): ContainerLabel {
  const owner = identifyProcess(options.ownerPid);
  if (owner === undefined) {
    throw new AleError({
      code: "sandbox-create",
      message: `The owner given for the sandbox, process ${options.ownerPid}, is not running.`,
    });
  }
  const now = options.clock.now();
  const leaseUntil = now + leaseSeconds * 1000;
  return { id: options.ids(), labels, owner, host: hostname(), createdAt: now, leaseUntil };
}

/** What a driver shows of a processor: NVIDIA's, also under Windows and on small boards, and AMD's. */
const gpuDevice = /^(nvidia\d+|dxg|nvhost-gpu|nvgpu|kfd)$/;

/** Podman 4 takes such a request and forgets it: a contestant would be blamed for what is not there. */
async function checkGpus({ facts }: Engine, { link }: StartedContainer): Promise<void> {
  const devices = await new StewardFiles(link, new Set()).list("/dev");
  if (devices.some((name) => gpuDevice.test(name))) return;
  throw new AleError({
    code: "sandbox-create",
    message: `${facts.name} ${facts.version} made the machine without the graphics processor that was asked for.`,
    remedy:
      "Look whether nvidia-smi runs in an image of nvidia/cuda with this daemon; take a newer Podman, or Docker.",
  });
}

/** Not every daemon has one to lend: the preflight has said so. */
function canLend({ facts }: Engine, spec: SandboxSpec): boolean {
  return facts.lendsBridge && networkMode(spec, facts) === "none";
}

/** An image of ours carries the digest; another's list is read once per machine. */
async function packagesOf(image: FoundImage, started: StartedContainer): Promise<string> {
  const labelled = image.labels[packagesLabel];
  if (labelled !== undefined) return labelled;
  const [list = Buffer.alloc(0)] = await started.link.ask("F", ["packages"]);
  return packagesDigest(list.toString());
}

/** Who one is, and where one's home is, is the machine's to say. */
function withoutIdentity(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { HOME: _home, USER: _user, HOSTNAME: _name, ...rest } = env;
  return rest;
}
