import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../contract/clock.ts";
import { isAlive, signalProcess } from "../process-identity.ts";
import { killGroup, removeGroup } from "./cgroup-end.ts";
import type { HostUids } from "./host-uids.ts";
import type { LabelStore, MachineLabel } from "./label-store.ts";
import { processesNaming } from "./process-tree.ts";

export interface RemoveParts {
  readonly label: MachineLabel;
  readonly labels: LabelStore;
  readonly uids: HostUids;
  /** Given back when known; else {@link HostUids.releaseAllBut} finds it. */
  readonly agentUid: number | undefined;
  readonly clock: Clock;
}

/** Removes everything a machine has on the host, in whatever state it is. Safe to repeat. */
export async function removeMachine(parts: RemoveParts): Promise<void> {
  const { label, labels, uids, agentUid, clock } = parts;
  // 1. Its processes; with the last of them go its mounts and its loop device.
  for (const process of label.processes) if (isAlive(process)) signalProcess(process.pid, "SIGKILL");
  for (const folder of label.cgroups) await killGroup(folder, clock);
  if (label.cgroups.length === 0) {
    // bubblewrap cut off at its start waits for ever for its other half; only its arguments tell whose it is.
    for (const pid of processesNaming(join(labels.machineFolder(label.id), "root")))
      signalProcess(pid, "SIGKILL");
  }
  while (label.processes.some(isAlive)) await clock.sleep(1);
  // 2. Its control groups.
  for (const folder of label.cgroups) await removeGroup(folder, clock);
  // 3. Its files, the label last of all with the folder.
  await rm(labels.machineFolder(label.id), { recursive: true, force: true, maxRetries: 5 });
  if (agentUid !== undefined) await uids.release(agentUid);
}
