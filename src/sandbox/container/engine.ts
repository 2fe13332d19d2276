import { existsSync } from "node:fs";
import type Docker from "dockerode";
import { AleError } from "../../contract/ale-error.ts";

/** What the daemon says of itself. */
export interface EngineFacts {
  readonly name: "docker" | "podman";
  readonly version: string;
  readonly apiVersion: string;
  readonly rootless: boolean;
  readonly storageDriver: string;
  readonly memoryBytes: number;
  readonly cpus: number;
  readonly limits: { readonly memory: boolean; readonly cpu: boolean; readonly pids: boolean };
  /** A bridge of its own that machines with an open network join; without one they use the host's network. */
  readonly hasBridge: boolean;
  /** A machine without network can join the bridge while it runs. */
  readonly lendsBridge: boolean;
  readonly runtimes: readonly string[];
}

/** A daemon that answers. */
export interface Engine {
  readonly docker: Docker;
  readonly socket: string;
  readonly facts: EngineFacts;
}

/** Connects to the first of the sockets that answers. Throws an `AleError` coded `no-container-daemon`. */
export async function connectEngine(sockets: readonly string[]): Promise<Engine> {
  const { default: Engine } = await import("dockerode");
  const failures: string[] = [];
  for (const socket of sockets.filter((path) => existsSync(path))) {
    const docker = new Engine({ socketPath: socket });
    try {
      return { docker, socket, facts: await factsOf(docker) };
    } catch (error) {
      failures.push(`${socket}: ${reason(error)}`);
    }
  }
  const denied = failures.some((failure) => failure.includes("EACCES"));
  throw new AleError({
    code: "no-container-daemon",
    message:
      failures.length > 0
        ? `no Docker or Podman daemon answers: ${failures.join("; ")}`
        : `there is no socket of Docker or Podman${sockets.length === 0 ? "" : `: ${sockets.join(", ")}`}`,
    remedy: denied
      ? "add this user to the group docker, or use rootless Podman: systemctl --user start podman.socket"
      : "start Docker, or systemctl --user start podman.socket; or name the socket in DOCKER_HOST as unix:///path",
  });
}

async function factsOf(docker: Docker): Promise<EngineFacts> {
  const [info, version, networks] = await Promise.all([
    docker.info() as Promise<EngineInfo>,
    docker.version() as unknown as Promise<EngineVersion>,
    docker.listNetworks(),
  ]);
  const podman = version.Components?.some((part) => part.Name.startsWith("Podman")) === true;
  const hasBridge = networks.some((network) => network.Driver === "bridge");
  return {
    name: podman ? "podman" : "docker",
    version: version.Version,
    apiVersion: version.ApiVersion,
    rootless: info.SecurityOptions?.some((option) => option.includes("rootless")) === true,
    storageDriver: info.Driver,
    memoryBytes: info.MemTotal,
    cpus: info.NCPU,
    limits: {
      memory: info.MemoryLimit !== false,
      cpu: info.CpuCfsQuota !== false,
      pids: info.PidsLimit !== false,
    },
    hasBridge,
    // Podman lets no container without network join one.
    lendsBridge: hasBridge && !podman,
    runtimes: Object.keys(info.Runtimes ?? {}),
  };
}

/** What a failed call says, without the client's own preamble. */
export function reason(error: unknown): string {
  const told = (error as { readonly json?: { readonly message?: string } }).json?.message;
  return told ?? (error as Error).message;
}

/** The status of a refused call; `undefined` for other errors. */
export function statusOf(error: unknown): number | undefined {
  return (error as { readonly statusCode?: number }).statusCode;
}

interface EngineInfo {
  readonly SecurityOptions?: readonly string[];
  readonly Driver: string;
  readonly MemTotal: number;
  readonly NCPU: number;
  readonly MemoryLimit?: boolean;
  readonly CpuCfsQuota?: boolean;
  readonly PidsLimit?: boolean;
  readonly Runtimes?: Readonly<Record<string, unknown>>;
}

interface EngineVersion {
  readonly Version: string;
  readonly ApiVersion: string;
  readonly Components?: readonly { readonly Name: string }[];
}
