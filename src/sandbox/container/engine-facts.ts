import type Docker from "dockerode";
import { cdiGpus } from "./cdi-gpus.ts";

/** What the daemon says of itself. */
export interface EngineFacts {
  readonly name: "docker" | "podman";
  readonly version: string;
  readonly apiVersion: string;
  readonly rootless: boolean;
  readonly storageDriver: string;
  readonly memoryBytes: number;
  readonly cpus: number;
  readonly limits: EngineLimits;
  /** A bridge of its own that machines with an open network join; without one they use the host's network. */
  readonly hasBridge: boolean;
  /** A machine without network can join the bridge while it runs. */
  readonly lendsBridge: boolean;
  readonly gpus: EngineGpus;
}

/** Which limits it can hold a machine to. */
export interface EngineLimits {
  readonly memory: boolean;
  readonly cpu: boolean;
  readonly pids: boolean;
}

/**
 * How graphics processors are asked for: by number, of a runtime that knows which there are; or by their names after the
 * Container Device Interface; or there are none.
 */
export type EngineGpus =
  | { readonly kind: "runtime" }
  | { readonly kind: "named"; readonly names: readonly string[] }
  | { readonly kind: "none" };

/** Where Podman looks for such names; Docker tells. */
const usualCdiFolders = ["/etc/cdi", "/var/run/cdi"];

/** Asks the daemon for all that machines depend on. */
export async function engineFacts(docker: Docker): Promise<EngineFacts> {
  const [info, version, networks] = await Promise.all([
    docker.info() as Promise<EngineInfo>,
    docker.version() as unknown as Promise<EngineVersion>,
    docker.listNetworks(),
  ]);
  const podman = version.Components?.some((part) => part.Name.startsWith("Podman")) === true;
  const hasBridge = networks.some((network) => network.Driver === "bridge");
  const told = info.SecurityOptions?.some((option) => option.includes("rootless")) === true;
  const rootless = told || info.Rootless === true;
  return {
    name: podman ? "podman" : "docker",
    version: version.Version,
    apiVersion: version.ApiVersion,
    rootless,
    storageDriver: info.Driver,
    memoryBytes: info.MemTotal,
    cpus: info.NCPU,
    limits: podman ? await podmanLimits(docker, rootless) : dockerLimits(info),
    hasBridge,
    // Podman lets no container without network join one.
    lendsBridge: hasBridge && !podman,
    gpus: await gpusOf(podman, info),
  };
}

function dockerLimits(info: EngineInfo): EngineLimits {
  return {
    memory: info.MemoryLimit !== false,
    cpu: info.CpuCfsQuota !== false,
    pids: info.PidsLimit !== false,
  };
}

/** To Docker's question Podman says what the host can; its own answer says what was delegated to this user. */
async function podmanLimits(docker: Docker, rootless: boolean): Promise<EngineLimits> {
  const controllers = await podmanControllers(docker);
  const has = (name: string): boolean => (controllers === undefined ? !rootless : controllers.includes(name));
  return { memory: has("memory"), cpu: has("cpu"), pids: has("pids") };
}

/** `undefined` where it does not say. */
async function podmanControllers(docker: Docker): Promise<readonly string[] | undefined> {
  const call = { path: "/v4.0.0/libpod/info", method: "GET", statusCodes: { 200: true } };
  const answer = await new Promise<PodmanInfo | undefined>((resolve) => {
    docker.modem.dial(call, (error: unknown, data: unknown) =>
      resolve(error ? undefined : (data as PodmanInfo)),
    );
  });
  return answer?.host?.cgroupControllers;
}

async function gpusOf(podman: boolean, info: EngineInfo): Promise<EngineGpus> {
  // Podman names runtimes that it does not have, and asks none of them for devices.
  if (!podman && info.Runtimes?.["nvidia"] !== undefined) return { kind: "runtime" };
  const names = await cdiGpus(podman ? usualCdiFolders : (info.CDISpecDirs ?? []));
  return names.length === 0 ? { kind: "none" } : { kind: "named", names };
}

interface EngineInfo {
  readonly SecurityOptions?: readonly string[];
  /** Podman's. */
  readonly Rootless?: boolean;
  readonly Driver: string;
  readonly MemTotal: number;
  readonly NCPU: number;
  readonly MemoryLimit?: boolean;
  readonly CpuCfsQuota?: boolean;
  readonly PidsLimit?: boolean;
  readonly Runtimes?: Readonly<Record<string, unknown>>;
  readonly CDISpecDirs?: readonly string[] | null;
}

interface PodmanInfo {
  readonly host?: { readonly cgroupControllers?: readonly string[] };
}

interface EngineVersion {
  readonly Version: string;
  readonly ApiVersion: string;
  readonly Components?: readonly { readonly Name: string }[];
}
