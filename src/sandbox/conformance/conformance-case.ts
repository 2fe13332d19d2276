import type { Clock } from "../../contract/clock.ts";
import type { SandboxProvider, SandboxSpec } from "../provider.ts";
import type { Sandbox } from "../sandbox.ts";

/** What a provider's suite is run against. */
export interface ConformanceTarget {
  readonly provider: SandboxProvider;
  readonly clock: Clock;
  /** An empty folder of the host, the suite's to fill. */
  readonly scratch: string;
  /** Makes a machine in another process, which is then killed with SIGKILL; gives the machine's id. */
  readonly abandon?: () => Promise<string>;
}

/** What a case works with. Machines it makes are disposed of when it is done. */
export interface CaseContext extends ConformanceTarget {
  /** A new machine: one processor, 256 MiB, 64 MiB of disk, 128 processes, no network, unless changed. */
  machine(changes?: Partial<SandboxSpec>): Promise<Sandbox>;
  spec(changes?: Partial<SandboxSpec>): SandboxSpec;
}

/** One behaviour every provider has. */
export interface ConformanceCase {
  /** A sentence, unique in the suite; skips name it. */
  readonly name: string;
  /** Throws on a violation, saying what was seen. */
  run(context: CaseContext): Promise<void>;
}

/** A behaviour and how it is shown. */
export function behaviour(name: string, run: ConformanceCase["run"]): ConformanceCase {
  return { name, run };
}

/** As {@link behaviour}, on a machine of its own with the usual limits. */
export function onMachine(
  name: string,
  run: (sandbox: Sandbox, context: CaseContext) => Promise<void>,
): ConformanceCase {
  return { name, run: async (context) => run(await context.machine(), context) };
}
