import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TrialResult } from "../../src/contract/trial-result.ts";
import type { Script } from "../../src/testing/scripted-model/script.ts";
import type { ScriptedModel } from "../../src/testing/scripted-model/scripted-model.ts";
import { runsCommands } from "../../src/testing/scripted-model/scripts.ts";
import { repositoryRoot } from "../source-imports.ts";
import { createWorkplace, type Workplace } from "./run-ale.ts";

/** The fixture task, of two instances. */
export const tasks: string = join(repositoryRoot, "test", "tasks");

/** Works the task out and says so. */
export const solves = (): Script =>
  runsCommands(
    [
      'awk -F, \'NR > 1 { sum += $NF } END { printf "{\\"total\\": %.2f}\\n", sum }\' input/amounts.csv > output/total.json',
    ],
    "It is done.\n\nCLAIM: done\n- total.json: done",
  );

/** A workplace whose models file names the scripted server's model, at a dollar for a thousand tokens of input. */
export async function withModel(model: ScriptedModel, attempts = 8): Promise<Workplace> {
  const place = await createWorkplace();
  await writeFile(
    join(place.dir, "models.yaml"),
    `schema: ale/models@1
upstreams:
  house:
    base_url: ${model.origin}
    wires: [anthropic-messages]
    retry: { attempts: ${attempts}, base_seconds: 0.05, max_seconds: 0.2 }
models:
  worker:
    upstream: house
    prices: [{ input: 1000, cached: 1000, cache_write: 1000, output: 0 }]
`,
  );
  return place;
}

/** Of every attempt of the only run. */
export async function results(place: Workplace): Promise<readonly TrialResult[]> {
  const runs = join(place.dir, "runs");
  const [run = ""] = await readdir(runs);
  const found: TrialResult[] = [];
  for (const name of await readdir(join(runs, run), { recursive: true })) {
    if (name.endsWith("result.json")) found.push(JSON.parse(await readFile(join(runs, run, name), "utf8")));
  }
  return found;
}

/** The reference harness over that model, on the fixture task. */
export const usual: readonly string[] = [
  "--agent",
  "ale-agent",
  "--model",
  "worker",
  "--tasks-root",
  tasks,
  "--json",
];
