import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import type { AttachedMachine } from "../sandbox/attached/attached-machine.ts";
import { createAttachedProvider } from "../sandbox/attached/attached-provider.ts";
import { createChoosingProvider } from "../sandbox/choose-provider.ts";
import type { ContainerProviderOptions } from "../sandbox/container/container-options.ts";
import { createContainerProvider } from "../sandbox/container/container-provider.ts";
import { dockerContextHost } from "../sandbox/container/docker-context.ts";
import { credentialFiles } from "../sandbox/container/registry/credential-files.ts";
import { usualSockets } from "../sandbox/container/usual-sockets.ts";
import { createLocalProvider } from "../sandbox/local/local-provider.ts";
import type { SandboxProvider } from "../sandbox/provider.ts";
import { createVmProvider } from "../sandbox/vm/vm-provider.ts";
import type { CliContext } from "./cli-context.ts";
import { friendlyPath } from "./friendly-path.ts";
import { machinesFiles, readMachines } from "./read-machines.ts";

export interface ProvidersOptions {
  /** Containers kept started ahead at most; default none. */
  readonly containersReady?: number;
}

/** Every provider this program has, by name, the preferred first. They are disposed of when the command is over. */
export function createProviders(
  context: CliContext,
  options: ProvidersOptions = {},
): ReadonlyMap<string, SandboxProvider> {
  const local = createLocalProvider({
    stateDir: join(context.folders.state, "sandboxes"),
    clock: context.clock,
    ids: newId,
    ownerPid: context.pid,
  });
  const container = context.closing.use(
    createContainerProvider({ ...containerOptions(context), pool: options.containersReady ?? 0 }),
  );
  const common = {
    stateDir: join(context.folders.state, "sandboxes"),
    clock: context.clock,
    ids: newId,
    ownerPid: context.pid,
    // Graders stay here, away from the agent's machine and faster.
    trusted: local,
  };
  const vm = createVmProvider({
    ...common,
    cacheDir: context.folders.cache,
    onNote: (note) => void context.err.write(`${note}\n`),
  });
  let machines: readonly AttachedMachine[] | undefined;
  const attached = createAttachedProvider({
    ...common,
    // Who needs none is not kept by a file that is broken.
    machines: () => (machines ??= readMachines(context)),
    machinesFiles: machinesFiles(context).map((path) => friendlyPath(path, context.cwd)),
  });
  return new Map<string, SandboxProvider>([
    [local.name, local],
    [container.name, container],
    [vm.name, vm],
    [attached.name, attached],
  ]);
}

/** The daemon is looked for where this user's environment says. */
export function containerOptions(context: CliContext): ContainerProviderOptions {
  let told = -1;
  return {
    stateDir: join(context.folders.state, "sandboxes"),
    clock: context.clock,
    ids: newId,
    ownerPid: context.pid,
    sockets: containerSockets(context),
    credentialFiles: credentialFiles({
      dockerConfig: context.environment["DOCKER_CONFIG"],
      authFile: context.environment["REGISTRY_AUTH_FILE"],
      runtimeDir: context.environment["XDG_RUNTIME_DIR"],
      configHome: context.environment["XDG_CONFIG_HOME"],
      home: homedir(),
    }),
    onPull({ image, bytes, totalBytes }) {
      const tenth = Math.floor((bytes / totalBytes) * 10);
      if (tenth === told) return;
      told = tenth;
      context.err.write(`fetching ${image}: ${tenth * 10} % of ${Math.round(totalBytes / 1e6)} MB\n`);
    },
  };
}

export function containerSockets({ environment }: CliContext): readonly string[] {
  const settings = environment["DOCKER_CONFIG"] ?? join(homedir(), ".docker");
  return usualSockets({
    dockerHost: environment["DOCKER_HOST"],
    containerHost: environment["CONTAINER_HOST"],
    contextHost: dockerContextHost(settings, environment["DOCKER_CONTEXT"]),
    // Where one logs in without a session, as for a scheduled exam, the variable is not set.
    runtimeDir: environment["XDG_RUNTIME_DIR"] ?? `/run/user/${process.getuid?.()}`,
    home: homedir(),
  });
}

/** Kinds of machines that an exam asks for in turn are few: its contestants' and its graders'. */
const usuallyReady = 4;

/** Containers kept ready, as this user's environment says. Throws `usage`. */
function containersReady(context: CliContext): number {
  const set = context.environment["ALE_CONTAINERS_READY"];
  if (set === undefined) return usuallyReady;
  if (/^\d{1,3}$/.test(set)) return Number(set);
  throw new AleError({
    code: "usage",
    message: `ALE_CONTAINERS_READY is a number of containers, not ${JSON.stringify(set)}`,
    remedy: "0 keeps none ready",
  });
}

/** The provider an exam names; `auto` chooses for each machine, and says so. Throws `unknown-provider`. */
export function chooseProvider(context: CliContext, name: string): SandboxProvider {
  const providers = createProviders(context, { containersReady: containersReady(context) });
  if (name === "auto") {
    return createChoosingProvider({
      providers,
      onChoice({ provider, reason }) {
        // What everybody has needs no words.
        if (provider.name !== "local") context.err.write(`machines by ${provider.name}: ${reason}\n`);
      },
    });
  }
  const provider = providers.get(name);
  if (provider !== undefined) return provider;
  throw new AleError({
    code: "unknown-provider",
    message: `there is no sandbox provider called ${name}`,
    remedy: `take one of: auto, ${[...providers.keys()].join(", ")}`,
  });
}

function newId(): string {
  return randomUUID().slice(0, 13);
}
