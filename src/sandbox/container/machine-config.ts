import type Docker from "dockerode";
import { sandboxLayout } from "../../contract/sandbox-layout.ts";
import type { SandboxSpec } from "../provider.ts";
import type { EngineFacts } from "./engine-facts.ts";
import { stewardProgram } from "./steward-program.ts";

/** What a trusted command keeps of the administrator's powers: the same as on a local machine. */
const capabilities = [
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "SETGID",
  "SETUID",
  "NET_BIND_SERVICE",
  "SYS_CHROOT",
];

/** The steward and the parents of commands count as processes, too. */
const ownProcesses = 16;
/** As many files as a disk of 4 KiB blocks could hold: empty ones take room, too. */
const filesPerMebibyte = 256;
const mebibyte = 1024 * 1024;

/** Where a machine's disk is: in memory of its size, or on the daemon's disk, where nothing holds it to a size. */
export type DiskKind = "memory" | "unlimited";

/** A disk in memory takes it from the machine's host: more than half of that is too much. */
export function diskKind(spec: SandboxSpec, facts: EngineFacts): DiskKind {
  return spec.diskMb * mebibyte > facts.memoryBytes / 2 ? "unlimited" : "memory";
}

/** What an open network is here: the daemon's own bridge, or else the host's. */
export function networkMode(spec: SandboxSpec, facts: EngineFacts): string {
  if (spec.network !== "open") return "none";
  return facts.hasBridge ? "bridge" : "host";
}

/** Paths nobody inside can move: something is mounted there. */
export function mountPoints(spec: SandboxSpec): ReadonlySet<string> {
  return new Set([sandboxLayout.input, ...spec.mounts.map((mount) => mount.target)]);
}

/** The Engine API's description of the machine. */
export function machineConfig(
  spec: SandboxSpec,
  imageId: string,
  facts: EngineFacts,
  labels: Readonly<Record<string, string>>,
  name: string,
): Docker.ContainerCreateOptions {
  const disk = diskKind(spec, facts);
  const memory = Math.round(spec.memoryMb + (disk === "memory" ? spec.diskMb : 0)) * mebibyte;
  const sharesTmp =
    disk === "memory" && !spec.mounts.some((mount) => /^\/(var\/)?tmp(\/|$)/.test(mount.target));
  const home = `rw,exec,nosuid,nodev,mode=755,size=${spec.diskMb}m`;
  const mode = networkMode(spec, facts);
  return {
    name,
    Image: imageId,
    ...(mode === "host" ? {} : { Hostname: "ale" }),
    User: "0:0",
    WorkingDir: "/",
    Env: [],
    Entrypoint: stewardCommand(sharesTmp),
    Cmd: [],
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    Labels: { ...labels },
    HostConfig: {
      // Its first process ends with our connection, and the machine with that.
      AutoRemove: true,
      NetworkMode: mode,
      Memory: memory,
      MemorySwap: memory,
      NanoCpus: Math.round(spec.cpus * 1e9),
      PidsLimit: spec.maxProcesses + ownProcesses,
      ShmSize: Math.round((spec.memoryMb / 2) * mebibyte),
      IpcMode: "private",
      Sysctls: lastingMemory(spec),
      CapDrop: ["ALL"],
      CapAdd: capabilities,
      SecurityOpt: ["no-new-privileges"],
      LogConfig: { Type: "none", Config: {} },
      ...(disk === "memory" ? { Tmpfs: { "/home": `${home}${inodes(spec, facts)}` } } : {}),
      Mounts: [
        { Type: "volume", Source: "", Target: sandboxLayout.input },
        ...spec.mounts.map((mount) => ({
          Type: "bind" as const,
          Source: mount.source,
          Target: mount.target,
          ReadOnly: true,
        })),
      ],
      ...gpuRequest(spec.gpus ?? 0, facts),
    },
  };
}

/** Where there are none, the daemon refuses it, or `checkGpus` does. */
function gpuRequest(count: number, { gpus }: EngineFacts): Pick<Docker.HostConfig, "DeviceRequests"> {
  if (count === 0) return {};
  return gpus.kind === "named"
    ? { DeviceRequests: [{ Driver: "cdi", DeviceIDs: gpus.names.slice(0, count), Capabilities: [["gpu"]] }] }
    : { DeviceRequests: [{ Driver: "", Count: count, Capabilities: [["gpu"]] }] };
}

/**
 * Bounds what no process holds and none gives back by ending, in pages, messages and semaphores: with `/dev/shm` and the
 * disk full too, a quarter of the memory is left. Else the kernel, finding nobody else, would end the steward.
 */
function lastingMemory({ memoryMb }: SandboxSpec): Readonly<Record<string, string>> {
  const shared = Math.round((memoryMb / 4) * mebibyte);
  return {
    "kernel.shmmax": String(shared),
    "kernel.shmall": String(Math.floor(shared / 4096)),
    "kernel.msgmnb": "16384",
    "kernel.msgmni": "64",
    "kernel.sem": "250 8000 100 128",
  };
}

/** `env -i`: whatever the daemon puts into the environment of a first process stays out of sight. */
function stewardCommand(sharesTmp: boolean): string[] {
  const { agentUid, home, input, output } = sandboxLayout;
  const words = [String(agentUid), home, input, output, sharesTmp ? "1" : ""];
  return ["/usr/bin/env", "-i", "/usr/bin/perl", "-e", stewardProgram(), "--", ...words];
}

/** Podman takes no such option. */
function inodes(spec: SandboxSpec, facts: EngineFacts): string {
  return facts.name === "docker" ? `,nr_inodes=${spec.diskMb * filesPerMebibyte}` : "";
}
