/** What a snapshot cannot be restored without: the same machine around it. */
export interface MachineShape {
  readonly accelerator: "kvm" | "tcg";
  readonly cpus: number;
  readonly memoryMb: number;
}

/**
 * The machine for a task's needs: whole processors, and memory in steps, so that few snapshots serve all tasks. The task's
 * exact limits are held inside.
 *
 * @param systemMb what the guest's own system takes of its memory, in MiB.
 */
export function shapeFor(
  accelerator: MachineShape["accelerator"],
  needs: { readonly cpus: number; readonly memoryMb: number },
  systemMb: number,
): MachineShape {
  const step = needs.memoryMb <= 4096 ? 512 : 2048;
  return {
    accelerator,
    cpus: Math.max(1, Math.ceil(needs.cpus)),
    memoryMb: Math.ceil((needs.memoryMb + systemMb) / step) * step,
  };
}
