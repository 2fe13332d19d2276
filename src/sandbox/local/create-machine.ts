import { chownSync, existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { identifyProcess } from "../process-identity.ts";
import type { SandboxSpec } from "../provider.ts";
import type { Sandbox } from "../sandbox.ts";
import { buildBase } from "./base-tree.ts";
import { diskTemplate, layerName } from "./disk-template.ts";
import type { HostUids } from "./host-uids.ts";
import type { LabelStore, MachineLabel } from "./label-store.ts";
import type { LocalHost } from "./local-host.ts";
import type { LocalProviderOptions } from "./local-options.ts";
import { LocalSandbox } from "./local-sandbox.ts";
import { Machine } from "./machine.ts";
import { MachineCgroup } from "./machine-cgroup.ts";
import { MachineCommands } from "./machine-commands.ts";
import { machineFingerprint } from "./machine-fingerprint.ts";
import { PipePool } from "./pipe-pool.ts";
import { removeMachine } from "./remove-machine.ts";
import { freeSpareDisk } from "./spare-disk.ts";
import type { Layer } from "./tree-changes.ts";

export interface CreateContext {
  readonly options: LocalProviderOptions;
  readonly host: LocalHost;
  readonly labels: LabelStore;
  readonly uids: HostUids;
}

/** Makes a machine, or rejects and leaves nothing of it behind. */
export async function createMachine(
  context: CreateContext,
  spec: SandboxSpec,
  signal: AbortSignal | undefined,
): Promise<Sandbox> {
  const { options, labels, uids } = context;
  signal?.throwIfAborted();
  const label = newLabel(context, spec);
  let agentUid: number | undefined;
  const remove = (latest: MachineLabel): Promise<void> =>
    removeMachine({ label: latest, labels, uids, agentUid, clock: options.clock });
  try {
    // The label comes first: whatever is made after it can be found and removed.
    const folder = await labels.add(label);
    if (context.host.abilities.privileged) agentUid = await uids.claim(label.id);
    return await assemble(context, spec, signal, label, folder, agentUid, remove);
  } catch (error) {
    await remove(label);
    signal?.throwIfAborted();
    if (AleError.isInstance(error)) throw error;
    throw new AleError({
      code: "sandbox-create",
      message: `The local sandbox could not be made: ${(error as Error).message}`,
      remedy: "ale sandboxes doctor",
      cause: error,
    });
  }
}

async function assemble(
  context: CreateContext,
  spec: SandboxSpec,
  signal: AbortSignal | undefined,
  label: MachineLabel,
  folder: string,
  agentUid: number | undefined,
  remove: (label: MachineLabel) => Promise<void>,
): Promise<Sandbox> {
  const { options, host, labels } = context;
  const { stateDir, clock, root } = options;
  const { tools, abilities, base } = host;
  await buildBase(root, join(stateDir, "bases", base.key), `.new-${label.id}`);
  const cgroup = MachineCgroup.create(abilities.cgroups, label.id, spec);
  const template =
    abilities.disk === "image"
      ? await diskTemplate(join(stateDir, "disks"), spec.diskMb, base.overlays, tools, `.new-${label.id}`)
      : undefined;
  const machine = await Machine.start(
    { folder, spec, base, root, tools, groups: cgroup.machineFolders, agentUid, diskTemplate: template },
    signal,
  );
  try {
    if (agentUid !== undefined) giveHome(machine, agentUid);
    const processes = [machine.monitorPid, machine.initPid].map(identifyProcess);
    const started = { ...label, processes: processes.filter((process) => process !== undefined) };
    await labels.update(started);
    const pipes = new PipePool(join(folder, "pipes"), tools);
    const privileged = agentUid !== undefined;
    const commands = new MachineCommands({
      tools,
      machine,
      privileged,
      sharesNetwork: spec.network === "open",
      processLimit: cgroup.enforced.has("pids") ? undefined : spec.maxProcesses,
      env: spec.env,
      cgroup,
      pipes,
      clock,
    });
    return new LocalSandbox({
      machine,
      commands,
      labels,
      label: started,
      clock,
      treeRoot: privileged ? `/proc/${machine.initPid}/root` : `${outerSide(machine, folder)}/root`,
      layers: layersOf(context, folder, machine),
      owners: agentUid === undefined ? undefined : { agent: agentUid, root: 0 },
      fingerprint: machineFingerprint(host, spec, root, cgroup.enforced),
      freeSpare: () => freeSpareDisk(join(outerSide(machine, folder), "disk")),
      dispose: async () => {
        await machine.kill();
        commands.close();
        await remove(started);
      },
    });
  } catch (error) {
    await machine.kill();
    throw error;
  }
}

function newLabel(context: CreateContext, spec: SandboxSpec): MachineLabel {
  const { options, host } = context;
  const id = options.ids();
  const owner = identifyProcess(options.ownerPid);
  if (owner === undefined) {
    throw new AleError({
      code: "sandbox-create",
      message: `The owner given for the sandbox, process ${options.ownerPid}, is not running.`,
    });
  }
  const now = options.clock.now();
  return {
    id,
    labels: spec.labels,
    owner,
    createdAt: now,
    leaseUntil: now + spec.leaseSeconds * 1000,
    base: host.base.key,
    processes: [],
    cgroups: MachineCgroup.foldersOf(host.abilities.cgroups, id),
  };
}

/** The home in the base belongs to the administrator: bases are shared. */
function giveHome(machine: Machine, agentUid: number): void {
  // Nothing but our first process has run yet: no path here can be anybody's trap.
  for (const path of [sandboxLayout.home, sandboxLayout.input, sandboxLayout.output]) {
    chownSync(`/proc/${machine.initPid}/root${path}`, agentUid, agentUid);
  }
}

function layersOf(context: CreateContext, folder: string, machine: Machine): readonly Layer[] {
  const { options, host } = context;
  const disk = join(outerSide(machine, folder), "disk");
  const base = join(options.stateDir, "bases", host.base.key);
  const rootLowers = options.root === undefined ? [base] : [base, options.root];
  return [
    { mountPoint: "/", upper: join(disk, `${layerName("/")}-upper`), lowers: rootLowers },
    ...host.base.overlays.map((path) => ({
      mountPoint: path,
      upper: join(disk, `${layerName(path)}-upper`),
      lowers: [path],
    })),
  ];
}

/** The machine's folder with its mounts, which exist only in namespaces: the monitor sees their writable side. */
function outerSide(machine: Machine, folder: string): string {
  return `/proc/${machine.monitorPid}/root${folder}`;
}

/** The provider's folders, private to its user. */
export async function prepareStateFolder(stateDir: string): Promise<void> {
  if (existsSync(join(stateDir, "bases"))) return;
  await mkdir(join(stateDir, "machines"), { recursive: true, mode: 0o700 });
  await mkdir(join(stateDir, "bases"), { recursive: true, mode: 0o700 });
}
