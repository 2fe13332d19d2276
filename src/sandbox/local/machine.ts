import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { AleError } from "../../contract/ale-error.ts";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import { signalProcess } from "../process-identity.ts";
import type { SandboxSpec } from "../provider.ts";
import type { BaseTree } from "./base-tree.ts";
import { layerFolders } from "./disk-template.ts";
import type { HostTools } from "./host-tools.ts";
import {
  bubblewrapArguments,
  machineMounts,
  readyMark,
  startInMemory,
  startOnImage,
} from "./machine-arguments.ts";
import { hostEnvironment } from "./run-host-program.ts";
import { spareDisk } from "./spare-disk.ts";

/** As many as a file system of 4 KiB blocks could hold non-empty files: empty ones take memory, too. */
const inodesPerMebibyte = 256;

export interface MachineParts {
  /** The machine's state folder; `../../bases/<key>` is its base. */
  readonly folder: string;
  readonly spec: SandboxSpec;
  readonly base: BaseTree;
  readonly root: string | undefined;
  readonly tools: HostTools;
  /** Groups its own processes join. */
  readonly groups: readonly string[];
  /** The host user number of the agent; `undefined`: the caller's own. */
  readonly agentUid: number | undefined;
  /** The image to copy, or `undefined` for a disk in memory. */
  readonly diskTemplate: string | undefined;
}

/** A set of namespaces with a file tree, held by its first process. */
export class Machine {
  /** bubblewrap outside the machine: its parent's death ends it, and its death ends the machine. */
  readonly monitorPid: number;
  /** The machine's process 1, by its number on the host. */
  readonly initPid: number;
  readonly #monitor: ChildProcess;
  readonly #ended: Promise<void>;
  #gone = false;

  private constructor(monitor: ChildProcess, initPid: number, ended: Promise<void>) {
    this.#monitor = monitor;
    this.monitorPid = monitor.pid ?? 0;
    this.initPid = initPid;
    this.#ended = ended.then(() => {
      this.#gone = true;
    });
  }

  /** True once the machine has ended, by us or by accident. */
  get gone(): boolean {
    return this.#gone;
  }

  /** Makes the mounts and namespaces, and resolves when the first process runs. */
  static async start(parts: MachineParts, signal: AbortSignal | undefined): Promise<Machine> {
    signal?.throwIfAborted();
    prepareFolder(parts);
    const monitor = spawn(parts.tools.path("unshare"), startArguments(parts), {
      cwd: parts.folder,
      env: hostEnvironment,
      stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
    });
    const kill = (): void => {
      monitor.kill("SIGKILL");
    };
    signal?.addEventListener("abort", kill, { once: true });
    const releaseMonitor = monitor.stdio[4] as Writable;
    // A monitor that dies, or need not wait, resets it; its end tells what there is to tell.
    releaseMonitor.on("error", () => releaseMonitor.destroy());
    const errors: Buffer[] = [];
    monitor.stderr?.on("data", (chunk: Buffer) => errors.push(chunk));
    const ended = new Promise<void>((resolve) => {
      monitor.once("exit", () => resolve());
      monitor.once("error", () => resolve());
    });
    const failed = ended.then(() => {
      signal?.throwIfAborted();
      throw new AleError({
        code: "sandbox-create",
        message: `The machine could not be started: ${Buffer.concat(errors).toString().trim() || "it ended at once"}`,
        remedy: "ale sandboxes doctor",
      });
    });
    try {
      const initPid = await Promise.race([readInitPid(monitor.stdio[3] as Readable), failed]);
      if (parts.agentUid !== undefined) mapUsers(initPid, parts.agentUid);
      releaseMonitor.end("x");
      await Promise.race([readUntil(monitor.stdio[1] as Readable, readyMark), failed]);
      failed.catch(() => undefined);
      for (const stream of [1, 2, 3, 4]) (monitor.stdio[stream] as Readable).destroy();
      monitor.unref();
      return new Machine(monitor, initPid, ended);
    } catch (error) {
      kill();
      await ended;
      throw error;
    } finally {
      signal?.removeEventListener("abort", kill);
    }
  }

  /** Ends every process of the machine and with them its mounts. */
  async kill(): Promise<void> {
    if (this.#gone) return;
    this.#monitor.ref();
    signalProcess(this.initPid, "SIGKILL");
    await this.#ended;
  }
}

function prepareFolder(parts: MachineParts): void {
  mkdirSync(join(parts.folder, "disk"));
  mkdirSync(join(parts.folder, "root"));
  const { folder, base, root, agentUid, diskTemplate } = parts;
  const mounts = machineMounts(folder, base, root, agentUid !== undefined, diskTemplate !== undefined);
  writeFileSync(join(folder, "fstab"), mounts);
}

function startArguments(parts: MachineParts): readonly string[] {
  const { tools, folder, spec, base, diskTemplate, agentUid } = parts;
  const privileged = agentUid !== undefined;
  const disk =
    diskTemplate === undefined
      ? [`${memoryDiskSize(spec.diskMb)},mode=755,nosuid,nodev`, ...layerFolders(base.overlays), "--"]
      : [diskTemplate];
  return [
    ...(privileged ? [] : ["--user", "--map-root-user"]),
    ...["--mount", "--propagation", "private"],
    // From here until bubblewrap sees to it: no control group would tell whose it is once we are dead.
    ...(parts.groups.length > 0 ? [] : [tools.path("setpriv"), "--pdeathsig", "KILL"]),
    ...[tools.path("sh"), "-c", diskTemplate === undefined ? startInMemory : startOnImage, "ale"],
    ...parts.groups,
    "--",
    ...disk,
    tools.path("bwrap"),
    ...bubblewrapArguments(folder, spec, base, privileged),
  ];
}

/**
 * System users keep their numbers, the agent gets one of its own. Without the root option's own files in
 * mind: whatever the host's people own stays nobody's inside.
 */
function mapUsers(pid: number, agentUid: number): void {
  const map = `0 0 1000\n${sandboxLayout.agentUid} ${agentUid} 1\n65534 65534 1\n`;
  writeFileSync(`/proc/${pid}/uid_map`, map);
  writeFileSync(`/proc/${pid}/gid_map`, map);
}

async function readInitPid(stream: Readable): Promise<number> {
  const text = await readUntil(stream, "}");
  const info: unknown = JSON.parse(text);
  const pid = (info as Readonly<Record<string, unknown>>)["child-pid"];
  if (typeof pid === "number" && existsSync(`/proc/${pid}`)) return pid;
  throw new AleError({
    code: "sandbox-create",
    message: "bubblewrap did not say which process it started.",
    remedy: "apt-get install --only-upgrade bubblewrap",
  });
}

/** Reads until the text holds the mark. Never resolves when the stream ends before: the process's end tells. */
function readUntil(stream: Readable, mark: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const take = (chunk: Buffer): void => {
      text += chunk.toString();
      if (!text.includes(mark)) return;
      stream.off("data", take);
      resolve(text);
    };
    stream.on("data", take);
    stream.on("error", () => undefined);
  });
}

/** Size of a disk in memory, as options of tmpfs; its spare part also takes two folders' and one file's inodes. */
function memoryDiskSize(diskMb: number): string {
  const files = diskMb * inodesPerMebibyte + spareDisk.files + 3;
  return `size=${diskMb + spareDisk.memoryMb}m,nr_inodes=${files}`;
}
