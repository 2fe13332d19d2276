import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import { createRandom } from "../../contract/random.ts";
import { makeFolder } from "../../files/make-folder.ts";
import type { TaskDefinition } from "../task-definition.ts";
import type { MachineCall, MachinePaths } from "./machine-arguments.ts";
import { makeProbes } from "./make-probes.ts";
import { ScratchFolder } from "./scratch-folder.ts";
import { serializeVerdict } from "./serialize-verdict.ts";

/**
 * Runs one part of a task on the folders of the call. A part the task does not define does nothing, except
 * that an oracle that is not there is an error. Rejects with whatever the task's own code throws.
 */
export async function runPart(definition: TaskDefinition, call: MachineCall): Promise<void> {
  const { instance, params, seed, paths } = call;
  const about = { instance, params, seed };
  switch (call.verb) {
    case "generate": {
      const result = need(paths, "result");
      const [input, reference] = [join(result, "input"), join(result, "reference")];
      await makeFolder(input);
      await makeFolder(reference);
      await definition.generate?.({ ...about, input, reference, random: createRandom(seed) });
      return;
    }
    case "setup":
      await definition.setup?.({ ...about, input: need(paths, "input"), home: need(paths, "home") });
      return;
    case "collect":
      await definition.collect?.({ ...about, output: need(paths, "output") });
      return;
    case "solve": {
      if (definition.solve === undefined) throw missingPart("solve", instance);
      await using scratch = await ScratchFolder.make();
      const folders = { input: need(paths, "input"), output: need(paths, "output"), scratch: scratch.path };
      await definition.solve({ ...about, ...folders });
      return;
    }
    case "grade": {
      await using scratch = await ScratchFolder.make();
      const verdict = await definition.grade({
        ...about,
        artifacts: need(paths, "artifacts"),
        input: need(paths, "input"),
        reference: need(paths, "reference"),
        scratch: scratch.path,
      });
      const result = need(paths, "result");
      await makeFolder(result);
      await writeFile(join(result, "verdict.json"), serializeVerdict(verdict));
      return;
    }
    case "probe":
      await makeProbes(definition, about, {
        oracle: need(paths, "artifacts"),
        input: need(paths, "input"),
        reference: need(paths, "reference"),
        result: need(paths, "result"),
      });
      return;
  }
}

function need(paths: MachinePaths, name: keyof MachinePaths): string {
  const path = paths[name];
  if (path === undefined) throw new AleError({ code: "usage", message: `--${name} is missing` });
  return path;
}

function missingPart(part: string, instance: string): AleError {
  return new AleError({
    code: "no-such-part",
    message: `${instance} has no ${part}`,
    remedy: `add ${part} to defineTask in main.ts`,
  });
}
