import { AleError } from "../contract/ale-error.ts";
import { createAleAgent } from "../harness/ale-agent/create-ale-agent.ts";
import { baselineHarnesses } from "../harness/baselines/baseline-harnesses.ts";
import { createDeclarativeProgram } from "../harness/declarative/create-declarative-program.ts";
import type { Harness } from "../harness/harness.ts";
import { uncalledHuman } from "../harness/human/uncalled-human.ts";
import type { HarnessStore } from "../harness/install/harness-store.ts";
import type { CliProgram } from "../harness/program/cli-program.ts";
import { createCliHarness } from "../harness/program/create-cli-harness.ts";
import type { CliContext } from "./cli-context.ts";
import { cliPrograms } from "./cli-programs.ts";
import { createStore } from "./create-store.ts";
import { packageVersion } from "./package-info.ts";
import { type FoundHarnessFile, readHarnessFiles } from "./read-harness-files.ts";

/** Everyone who can sit an exam from here. */
export interface Harnesses {
  readonly byName: ReadonlyMap<string, Harness>;
  /** Those of {@link byName} that are command line programs. */
  readonly programs: ReadonlyMap<string, CliProgram>;
  /** Where their programs are installed. */
  readonly store: HarnessStore;
}

/**
 * Every harness this program has: the baselines, our own loop, people, who sit only by a command of their own, the command
 * line harnesses, and those that are declared in files, the user's and the shipped ones. Throws `harness-name-taken` for a file that would stand in for one with code.
 */
export async function createHarnesses(
  context: CliContext,
  files: readonly string[] = [],
): Promise<Harnesses> {
  const version = packageVersion();
  const declared = await readHarnessFiles(context, files);
  const store = createStore(
    context,
    declared.map(({ file }) => file),
  );
  const coded = [...baselineHarnesses(version).values(), createAleAgent(version), uncalledHuman(version)];
  refuseTaken(declared, [...coded, ...cliPrograms]);
  const programs = [...cliPrograms, ...declared.map(({ file }) => createDeclarativeProgram(file))];
  const harnesses = [
    ...coded,
    ...programs.map((program) => createCliHarness({ program, store, nodeBinary: context.nodeBinary })),
  ];
  return {
    byName: new Map(harnesses.map((harness) => [harness.name, harness])),
    programs: new Map(programs.map((program) => [program.name, program])),
    store,
  };
}

function refuseTaken(
  declared: readonly FoundHarnessFile[],
  coded: readonly { readonly name: string }[],
): void {
  const taken = new Set(coded.map(({ name }) => name));
  const clash = declared.find(({ file }) => taken.has(file.name));
  if (clash === undefined) return;
  throw new AleError({
    code: "harness-name-taken",
    message: `${clash.path}: ${clash.file.name} is the name of a harness that is built in`,
    remedy: `give it another name, such as ${clash.file.name}-declared`,
    fields: { path: clash.path, harness: clash.file.name },
  });
}
