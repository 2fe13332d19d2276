import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createRandom } from "../../src/contract/random.ts";
import { nativeFormat } from "../../src/task/native/native-format.ts";
import { ownWorkbench } from "../../src/task/native/own-workbench.ts";
import { ScratchFolder } from "../../src/task/native/scratch-folder.ts";
import { checkInstance } from "../../src/task/qc/check-instance.ts";

const run = promisify(execFile);

/** Which of these programs are not on this machine's PATH. */
async function missingPrograms(programs: readonly string[]): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const program of programs) {
    const found = await run("which", [program]).then(
      () => true,
      () => false,
    );
    if (!found) missing.push(program);
  }
  return missing;
}

/**
 * Registers one test per instance of a native task: nothing handed in scores 0, the oracle 1, every probe in its
 * range, everything twice to the same bytes. Skipped, with the reason in its name, where a program that the oracle
 * needs is absent.
 * @param dir the package's folder.
 */
export async function proveTask(dir: string, programs: readonly string[] = []): Promise<void> {
  const outcome = await nativeFormat.read(dir);
  if (outcome.kind === "malformed")
    throw new Error(`${dir} is malformed: ${JSON.stringify(outcome.findings)}`);
  const { task } = outcome;
  const missing = await missingPrograms(programs);
  const reason = missing.length === 0 ? "" : ` (skipped: no ${missing.join(", ")} on this machine)`;
  for (const instance of task.instances) {
    test.skipIf(missing.length > 0)(`${instance.id} proves its grader${reason}`, async () => {
      await using work = await ScratchFolder.make();
      await using bench = await ScratchFolder.make();
      const clock = { now: () => 0, monotonic: () => 0, sleep: () => Promise.resolve() };
      const options = { clock, random: createRandom(instance.seed), work: work.path, mutations: 8 };
      const report = await checkInstance(task, instance, ownWorkbench(bench.path), options);
      expect(report.findings.filter(({ severity }) => severity !== "note")).toEqual([]);
      expect(report).toMatchObject({ ok: true, untouched: 0, oracle: 1, deterministic: true });
    });
  }
}
