import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { createRandom } from "../../contract/random.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { copyWritable } from "../copy-writable.ts";
import type { Probe, TaskDefinition, TaskParams } from "../task-definition.ts";

interface About {
  readonly instance: string;
  readonly params: TaskParams;
  readonly seed: number;
}

interface ProbeFolders {
  /** Outputs of the oracle, the start of every probe. */
  readonly oracle: string;
  readonly input: string;
  readonly reference: string;
  /** Receives `probes/<name>/` and `probes.json`. */
  readonly result: string;
}

/** Makes the outputs of all probes, each from a fresh copy of the oracle's, and their list beside them. */
export async function makeProbes(
  definition: TaskDefinition,
  about: About,
  folders: ProbeFolders,
): Promise<void> {
  const probes = definition.probes ?? [];
  checkProbes(probes);
  await makeFolder(join(folders.result, "probes"));
  for (const probe of probes) {
    const output = join(folders.result, "probes", probe.name);
    await copyWritable(folders.oracle, output);
    const random = createRandom(about.seed).fork(`probe/${probe.name}`);
    await probe.make({
      ...about,
      input: folders.input,
      reference: folders.reference,
      output,
      random,
    });
  }
  const list = probes.map(({ name, kind, expected, because }) => ({ name, kind, expected, because }));
  await writeFile(join(folders.result, "probes.json"), `${JSON.stringify(list, null, 2)}\n`);
}

function checkProbes(probes: readonly Probe<TaskParams>[]): void {
  const names = new Set<string>();
  for (const { name, kind, expected } of probes) {
    const [low, high] = typeof expected === "number" ? [expected, expected] : expected;
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) throw badProbe(name, "its name is not kebab-case");
    if (names.has(name)) throw badProbe(name, "another probe has the same name");
    if (!(low >= 0 && low <= high && high <= 1)) throw badProbe(name, "expected is no range within 0 to 1");
    if (kind === "valid-alternative" && low !== 1) throw badProbe(name, "a valid alternative must expect 1");
    names.add(name);
  }
}

function badProbe(name: string, fault: string): AleError {
  return new AleError({
    code: "bad-probe",
    message: `probe ${JSON.stringify(name)}: ${fault}`,
    remedy: "correct the probe in main.ts",
  });
}
