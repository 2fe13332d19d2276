import { readFileSync } from "node:fs";
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
    const earlier = new Set(children());
    await using sandbox = await provider.create(spec);
    const [pid = ""] = children().filter((child) => !earlier.has(child));
    const measure = async (tally: Tally, times: number, act: () => Promise<unknown>): Promise<void> => {
      const before = processorMs(pid);
      for (let time = 0; time < times; time++) tally.wall.push(await timed(act));
      tally.processor += processorMs(pid) - before;
    };
    const command: Tally = { wall: [], processor: 0 };
    const request: Tally = { wall: [], processor: 0 };
    const tenMore: Tally = { wall: [], processor: 0 };
    for (let round = 0; round < rounds; round++) {
      await measure(command, 10, () => sandbox.exec(["true"]));
      await measure(request, 10, () => sandbox.stat("/etc/passwd"));
      await measure(tenMore, 10, () => sandbox.exec(["sh", "-c", startTen]));
    }
    const start = (median(tenMore.wall) - median(command.wall)) / 10;
    const floor = median(request.wall) + start;
    const spent = (tally: Tally): number => tally.processor / tally.wall.length;
    const spentOnStart = (spent(tenMore) - spent(command)) / 10;
    const spentOnFloor = spent(request) + spentOnStart;
    const [accelerator] = await provider.preflight();
    return [
      accelerator?.message ?? "",
      `floor: cold boot to the end of a first command: ${(cold / 1000).toFixed(1)} s`,
      `from the snapshot to the same: median ${(median(restored) / 1000).toFixed(2)} s, ${(cold / median(restored)).toFixed(1)} × faster`,
      `floor: a request alone ${median(request.wall).toFixed(1)} ms, a program started by a shell inside ${start.toFixed(1)} ms`,
      `a command there and back: median ${median(command.wall).toFixed(0)} ms, best ${Math.min(...command.wall).toFixed(0)} ms, ${(median(command.wall) / floor).toFixed(1)} × the floor`,
      `QEMU's processor time: ${spent(command).toFixed(0)} ms a command, ${(spent(command) / spentOnFloor).toFixed(1)} × the floor of ${spent(request).toFixed(1)} and ${spentOnStart.toFixed(1)} ms`,
    ];
  } finally {
    await provider.reap({ force: true });
    await rm(work, { recursive: true, force: true });
  }
};

interface Tally {
  readonly wall: number[];
  /** Of QEMU, in milliseconds, for all of them. */
  processor: number;
}

function children(): readonly string[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");
}

/** What a process has used of the host's processors, which another's load changes little. */
function processorMs(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
