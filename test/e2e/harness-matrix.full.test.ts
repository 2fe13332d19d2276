import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { trajectoryProblems } from "../../src/contract/trajectory-problems.ts";
import type { TrialResult } from "../../src/contract/trial-result.ts";
import { scanForSecrets } from "../../src/record/scan-for-secrets.ts";
import { createFixedClock } from "../../src/testing/fixed-clock.ts";
import type { Script } from "../../src/testing/scripted-model/script.ts";
import { scriptFromFile } from "../../src/testing/scripted-model/script-from-file.ts";
import { createScriptedModel } from "../../src/testing/scripted-model/scripted-model.ts";
import { runsCommands } from "../../src/testing/scripted-model/scripts.ts";
import { readScriptFile } from "../../src/testing/scripted-model/start-scripted-model.ts";
import { repositoryRoot } from "../source-imports.ts";
import { createWorkplace } from "./run-ale.ts";
import { results } from "./worker-model.ts";

/** Stands for the real key: it may be nowhere but in what the provider is sent. */
const canary = "sk-canary-5f0c1b9e77d24a6fb1";

/** Looks for the key wherever a program of the trial could, its processes' environments included; never says it whole. */
const search = `key=sk-canary; grep -lsa "$key-5f0c1b9e" -r /proc/[0-9]*/environ /home /tmp /run /var/tmp /etc > output/evidence.txt; true`;
const solve = `awk -F, 'NR > 1 { sum += $NF } END { printf "{\\"total\\": %.2f}\\n", sum }' input/amounts.csv > output/total.json; mkdir -p output/evidence; mv output/evidence.txt output/evidence/`;

const harnesses = ["claude-code", "codex", "gemini-cli", "opencode", "pi"];

test("five real harnesses work two workflows out: right verdicts, valid trajectories, tokens as sent, no key anywhere", {
  timeout: 1_500_000,
}, async () => {
  const demonstration = scriptFromFile(
    await readScriptFile(join(repositoryRoot, "data", "scripts", "demonstration.yaml")),
  );
  const simple = runsCommands([search, solve], "Done.\n\nCLAIM: done\n- total.json: done");
  const script: Script = (turn) => (turn.said.includes("amounts.csv") ? simple(turn) : demonstration(turn));
  await using model = await createScriptedModel({ script, clock: createFixedClock() });
  await using place = await createWorkplace();
  await writeFile(
    join(place.dir, "models.yaml"),
    `schema: ale/models@1
upstreams:
  house:
    base_url: ${model.origin}
    base_urls: { openai-chat: ${model.origin}/v1, openai-responses: ${model.origin}/v1 }
    wires: [anthropic-messages, openai-chat, openai-responses, gemini]
    key_env: HOUSE_KEY
models:
  worker: { upstream: house, prices: [{ input: 3, cached: 0.3, cache_write: 3.75, output: 15 }] }
`,
  );
  // Programs of harnesses are installed once for the user, not for each test.
  const cache = process.env["ALE_CACHE_DIR"] ?? join(homedir(), ".cache", "ale");
  const store = join(cache, "harnesses");
  await mkdir(store, { recursive: true });
  const { stdout, stderr } = await place
    .with({ HOUSE_KEY: canary, ALE_CACHE_DIR: cache })
    .ale(
      "run",
      ...harnesses.flatMap((name) => ["--agent", name]),
      ...["--model", "worker", "--json", "--concurrency", "2"],
      ...[
        "--tasks-root",
        join(repositoryRoot, "tasks"),
        "--tasks-root",
        join(repositoryRoot, "test", "tasks"),
      ],
      ...["--task", "agriculture_env/ndvi_zonal_statistics@highveld"],
      ...["--task", "computing_math/sum_column@small"],
    );
  expect(stdout, stderr).not.toBe("");
  const { contestants, statuses, dir } = JSON.parse(stdout);
  const attempts = await results(place);
  const failed = attempts.filter(({ status }) => status !== "completed");
  expect(failed.map(({ trial, status, reason }) => ({ trial, status, reason }))).toEqual([]);
  expect(statuses).toEqual({ completed: 10 });
  for (const { contestant, fullPass } of contestants) {
    expect([contestant, fullPass.passes, fullPass.n]).toEqual([contestant, 2, 2]);
  }

  const run = resolve(place.dir, dir);
  const names = await readdir(run, { recursive: true });
  const sums = { input: 0, cached: 0, cacheWrite: 0, output: 0 };
  for (const name of names.filter((path) => path.endsWith("result.json"))) {
    const result = JSON.parse(await readFile(join(run, name), "utf8")) as TrialResult;
    const { usage, cost } = { usage: result.accounts?.gateway.usage, cost: result.costUsd };
    if (usage === undefined || !cost.known) throw new RangeError(`${name} is not metered`);
    for (const part of ["input", "cached", "cacheWrite", "output"] as const) sums[part] += usage[part];
    const { input, cached, cacheWrite, output } = usage;
    const priced = (input - cached - cacheWrite) * 3 + cached * 0.3 + cacheWrite * 3.75 + output * 15;
    expect(cost.value).toBeCloseTo(priced / 1e6, 9);
    const trajectory = JSON.parse(
      await readFile(join(run, name.replace("result.json", "trajectory.json")), "utf8"),
    );
    expect(trajectoryProblems(trajectory)).toEqual([]);
  }
  const sent = { input: 0, cached: 0, cacheWrite: 0, output: 0 };
  for (const { usage } of model.calls) {
    for (const part of ["input", "cached", "cacheWrite", "output"] as const) sent[part] += usage?.[part] ?? 0;
  }
  expect(sums).toEqual(sent);
  expect(model.calls.some(({ headers }) => JSON.stringify(headers).includes(canary))).toBe(true);

  const evidence = names.filter((path) => path.endsWith("evidence/evidence.txt"));
  expect(evidence).toHaveLength(harnesses.length);
  for (const name of evidence) expect(await readFile(join(run, name), "utf8")).toBe("");
  const scan = await scanForSecrets(place.dir, { values: { HOUSE_KEY: canary }, patterns: [] });
  expect(scan.hits).toEqual([]);
});
