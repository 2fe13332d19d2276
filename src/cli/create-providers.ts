import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { AleError } from "../contract/ale-error.ts";
import { createLocalProvider } from "../sandbox/local/local-provider.ts";
import type { SandboxProvider } from "../sandbox/provider.ts";
import type { CliContext } from "./cli-context.ts";

/** Every provider this program has, by name. */
export function createProviders(context: CliContext): ReadonlyMap<string, SandboxProvider> {
  const local = createLocalProvider({
    stateDir: join(context.folders.state, "sandboxes"),
    clock: context.clock,
    ids: () => randomUUID().slice(0, 13),
    ownerPid: context.pid,
  });
  return new Map([[local.name, local]]);
}

/** The provider an exam names; `auto` is the local one. Throws `unknown-provider`. */
export function chooseProvider(context: CliContext, name: string): SandboxProvider {
  const providers = createProviders(context);
  const provider = providers.get(name === "auto" ? "local" : name);
  if (provider !== undefined) return provider;
  throw new AleError({
    code: "unknown-provider",
    message: `there is no sandbox provider called ${name}`,
    remedy: `take one of: auto, ${[...providers.keys()].join(", ")}`,
  });
}
