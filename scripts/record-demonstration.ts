// Records the replayed contestants of exams/demonstration.yaml: sits them with the scripted model, and keeps of every
// trial what the gateway needs to answer again. Takes some minutes; run it when ale-agent's tools or prompts change.
//   node scripts/record-demonstration.ts
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { known } from "../src/contract/absence.ts";
import type { ModelCall } from "../src/contract/model-call.ts";
import { trialResultSchema } from "../src/contract/trial-result.ts";
import { readCalls } from "../src/gateway/record/replay.ts";

const root = join(import.meta.dirname, "..");

/** Each contestant with the script that its model follows. */
const contestants = [
  { name: "solver", script: "demonstration" },
  { name: "bluffer", script: "bluff" },
] as const;

for (const { name, script } of contestants) {
  const target = join("data", "replays", name);
  const runs = await mkdtemp(join(tmpdir(), "ale-record-"));
  try {
    sit(runs, join(root, "data", "scripts", `${script}.yaml`));
    await rm(join(root, target), { recursive: true, force: true });
    for (const attempt of await attemptsIn(runs)) await keep(attempt, target);
  } finally {
    await rm(runs, { recursive: true, force: true });
  }
}

function sit(runs: string, script: string): void {
  const model = ["--agent", "ale-agent", "--model", "scripted", "--script", script];
  const argv = ["run", join(root, "exams", "demonstration.yaml"), ...model, "--runs-dir", runs];
  const { status } = spawnSync(process.execPath, [join(root, "bin", "ale.mjs"), ...argv], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) throw new TypeError(`ale ${argv.join(" ")} ended with ${status}`);
}

async function attemptsIn(runs: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const run of await readdir(runs)) {
    const trials = join(runs, run, "trials");
    for (const trial of await readdir(trials)) {
      const attempts = (await readdir(join(trials, trial, "attempts"))).sort(
        (first, second) => Number(first) - Number(second),
      );
      found.push(join(trials, trial, "attempts", attempts.at(-1) ?? "1"));
    }
  }
  return found;
}

/** Answers alone, under the replay's name: what was asked is not needed to answer again, and holds every earlier answer once more. */
async function keep(attempt: string, target: string): Promise<void> {
  const result = trialResultSchema.parse(JSON.parse(await readFile(join(attempt, "result.json"), "utf8")));
  const folder = join(root, target, result.instance);
  await mkdir(join(folder, "bodies"), { recursive: true });
  const model = `replay:${target}`;
  const lines: string[] = [];
  for (const call of await readCalls(attempt)) {
    if (!call.response.known) continue;
    const recorded = call.response.value.slice("sha256:".length);
    const body = (await readFile(join(attempt, "bodies", recorded), "utf8")).replaceAll(
      '"model":"scripted"',
      `"model":${JSON.stringify(model)}`,
    );
    const hex = createHash("sha256").update(body).digest("hex");
    await writeFile(join(folder, "bodies", hex), body);
    const kept: ModelCall = {
      ...call,
      asked: model,
      sent: model,
      served: known(model),
      shape: { ...call.shape, model },
      response: known(`sha256:${hex}`),
    };
    lines.push(JSON.stringify(kept));
  }
  await writeFile(join(folder, "calls.jsonl"), `${lines.join("\n")}\n`);
}
