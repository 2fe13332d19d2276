import { createAleAgent } from "../harness/ale-agent/create-ale-agent.ts";
import { baselineHarnesses } from "../harness/baselines/baseline-harnesses.ts";
import type { Harness } from "../harness/harness.ts";
import { createCliHarness } from "../harness/program/create-cli-harness.ts";
import type { CliContext } from "./cli-context.ts";
import { cliPrograms } from "./cli-programs.ts";
import { createStore } from "./create-store.ts";
import { packageVersion } from "./package-info.ts";
import { readDeclaredPrograms } from "./read-declared-programs.ts";

/**
 * Every harness this program has, by name: the baselines, our own loop, the command line harnesses, and those that are
 * declared in files, the user's and the shipped ones.
 */
export async function createHarnesses(
  context: CliContext,
  files: readonly string[] = [],
): Promise<ReadonlyMap<string, Harness>> {
  const version = packageVersion();
  const store = createStore(context);
  const harnesses = [
    ...baselineHarnesses(version).values(),
    createAleAgent(version),
    ...[...cliPrograms, ...(await readDeclaredPrograms(context, files))].map((program) =>
      createCliHarness({ program, store, nodeBinary: context.nodeBinary }),
    ),
  ];
  return new Map(harnesses.map((harness) => [harness.name, harness]));
}
