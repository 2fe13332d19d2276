import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { createSystemClock } from "../src/cli/system-clock.ts";
import type { SandboxSpec } from "../src/sandbox/provider.ts";
import { createVmProvider } from "../src/sandbox/vm/vm-provider.ts";
import type { Bench } from "./main.ts";

const spec: SandboxSpec = {
  labels: { run: "bench", trial: "vm", attempt: 1, role: "test" },
  leaseSeconds: 3600,
  cpus: 1,
  memoryMb: 512,
  diskMb: 256,
  maxProcesses: 256,
  network: "off",
  mounts: [],
  env: {},
};

/** A shell that starts ten programs, one after the other, and no more. */
const startTen = "for n in 0 1 2 3 4 5 6 7 8 9; do /bin/true; done";

/**
 * A machine from its snapshot to its first command, beside the cold boot that made the snapshot; and commands one after
 * the other, beside what a request and the start of a program inside take. Arguments: how many of each (default 5). The
 * image vm-linux must have been built.
 */
export const bench: Bench = async ([count = "5"]) => {
  const rounds = Number(count);
  const clock = createSystemClock();
  const work = await mkdtemp(join(tmpdir(), "ale-bench-vm-"));
  // A cold boot is what the first machine of a shape costs: beside the images here there are no snapshots.
  const images = join(process.env["ALE_CACHE_DIR"] ?? join(homedir(), ".cache", "ale"), "vm", "images");
  await mkdir(join(work, "cache", "vm"), { recursive: true });
  await symlink(images, join(work, "cache", "vm", "images"));
  let made = 0;
  const provider = createVmProvider({
    stateDir: join(work, "state"),
    cacheDir: join(work, "cache"),
    clock,
    ids: () => `bench-${process.pid}-${made++}`,
    ownerPid: process.pid,
  });
  const timed = async (act: () => Promise<unknown>): Promise<number> => {
    const began = clock.monotonic();
    await act();
    return clock.monotonic() - began;
  };
  const ready = (): Promise<number> =>
    timed(async () => {
      await using sandbox = await provider.create(spec);
      await sandbox.exec(["true"]);
    });
  try {
    const cold = await ready();
    const restored: number[] = [];
    for (let round = 0; round < rounds; round++) restored.push(await ready());
    await using sandbox = await provider.create(spec);
    const commands: number[] = [];
    const requests: number[] = [];
    const starts: number[] = [];
    for (let round = 0; round < rounds * 10; round++) {
      const command = await timed(() => sandbox.exec(["true"]));
      commands.push(command);
      requests.push(await timed(() => sandbox.stat("/etc/passwd")));
      starts.push(((await timed(() => sandbox.exec(["sh", "-c", startTen]))) - command) / 10);
    }
    const floor = median(requests) + median(starts);
    const [accelerator] = await provider.preflight();
    return [
      accelerator?.message ?? "",
      `floor: cold boot to the end of a first command: ${(cold / 1000).toFixed(1)} s`,
      `from the snapshot to the same: median ${(median(restored) / 1000).toFixed(2)} s, ${(cold / median(restored)).toFixed(1)} × faster`,
      `floor: a request alone ${median(requests).toFixed(1)} ms, a program started by a shell inside ${median(starts).toFixed(1)} ms`,
      `a command there and back: median ${median(commands).toFixed(0)} ms, best ${Math.min(...commands).toFixed(0)} ms, ${(median(commands) / floor).toFixed(1)} × the floor`,
    ];
  } finally {
    await provider.reap({ force: true });
    await rm(work, { recursive: true, force: true });
  }
};

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
