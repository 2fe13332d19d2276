import { type BaseTree, describeBase } from "./base-tree.ts";
import { findHostAbilities, type HostAbilities } from "./host-abilities.ts";
import { HostTools } from "./host-tools.ts";

/** What the provider found on this host. Looked up once per process: it costs some 20 ms. */
export interface LocalHost {
  readonly tools: HostTools;
  readonly abilities: HostAbilities;
  readonly base: BaseTree;
}

/** Looks at the host; `root` is the file system machines stand on, the host's own by default. */
export function inspectHost(root: string | undefined): LocalHost {
  const tools = HostTools.find();
  return { tools, abilities: findHostAbilities(tools), base: describeBase(root) };
}
