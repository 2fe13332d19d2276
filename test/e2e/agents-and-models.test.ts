import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSystemClock } from "../../src/cli/system-clock.ts";
import { createScriptedModel } from "../../src/testing/scripted-model/scripted-model.ts";
import { createWorkplace } from "./run-ale.ts";

const harness = `schema: ale/harness@1
name: mine
summary: a harness of mine
wires: [gemini]
command: [mine, "{{prompt}}"]
log: { format: text }
`;

test("agents are listed and shown, a declared one with them", async () => {
  await using place = await createWorkplace();
  await writeFile(join(place.dir, "mine.yaml"), harness);
  const listed = await place.ale("agents", "ls", "--harness-file", "mine.yaml", "--json");
  expect(listed.status).toBe(0);
  const rows = JSON.parse(listed.stdout) as { name: string; program: { kind: string } }[];
  const kinds = Object.fromEntries(rows.map(({ name, program }) => [name, program.kind]));
  expect(kinds).toMatchObject({
    oracle: "built-in",
    "claude-code": "not-installed",
    continue: "not-installed",
    mine: "in-image",
  });
  const shown = await place.ale("agents", "show", "claude-cod");
  expect(shown).toMatchObject({ status: 2, stderr: expect.stringContaining("did you mean claude-code?") });
  const json = await place.ale("agents", "show", "codex", "--json");
  expect(JSON.parse(json.stdout)).toMatchObject({ package: "@openai/codex", wires: ["openai-responses"] });
});

test("a declared harness that is malformed, or takes the name of another, is refused with its place", async () => {
  await using place = await createWorkplace();
  await writeFile(join(place.dir, "mine.yaml"), harness.replace("{{prompt}}", "{{promt}}"));
  const malformed = await place.ale("agents", "ls", "--harness-file", "mine.yaml");
  expect(malformed.status).toBe(2);
  expect(malformed.stderr).toMatch(/mine\.yaml:5:17: .*did you mean \{\{prompt\}\}/);
  await writeFile(join(place.dir, "mine.yaml"), harness.replace("name: mine", "name: codex"));
  const taken = await place.ale("agents", "ls", "--harness-file", "mine.yaml");
  expect(taken).toMatchObject({ status: 2, stderr: expect.stringContaining("codex-declared") });
});

test("the doctor is content with what is merely not set up, and not when it is named", async () => {
  await using place = await createWorkplace();
  const all = await place.ale("agents", "doctor", "--json");
  expect(all.status).toBe(0);
  const { ready, agents } = JSON.parse(all.stdout) as {
    readonly ready: boolean;
    readonly agents: readonly { readonly name: string; readonly drives: readonly string[] }[];
  };
  expect(ready).toBe(true);
  for (const { drives } of agents) expect(drives).toEqual(["scripted"]);
  const named = await place.ale("agents", "doctor", "codex");
  expect(named.status).toBe(1);
  expect(named.stdout).toMatch(/error: codex .* is not installed.*\n {2}npx ale agents install codex/);
});

test("a models file is written once, and its models are asked with the keys that are set", async () => {
  await using place = await createWorkplace();
  expect(await place.ale("models", "init")).toMatchObject({ status: 0 });
  const path = join(place.dir, "models.yaml");
  const written = await readFile(path, "utf8");
  expect(await place.ale("models", "init")).toMatchObject({ status: 2 });
  expect(await readFile(path, "utf8")).toBe(written);

  await using server = await createScriptedModel({
    script: () => ({ kind: "answer", text: "ok" }),
    clock: createSystemClock(),
  });
  await writeFile(
    path,
    `schema: ale/models@1
upstreams:
  up: { base_url: '${server.origin}/v1', wires: [openai-chat] }
  locked: { base_url: '${server.origin}', wires: [gemini], key_env: ALE_TEST_UNSET_KEY }
models: { here: { upstream: up, prices: [{ input: 1, output: 2 }] }, there: { upstream: locked } }
`,
  );
  const cost = { costUsd: expect.any(Number) };
  const checked = await place.ale("models", "check", "--json");
  expect(checked.status).toBe(0);
  expect(JSON.parse(checked.stdout)).toMatchObject([
    { model: "here", wire: "openai-chat", outcome: { kind: "answers", ...cost }, inputUsd: 1, outputUsd: 2 },
    { model: "there", outcome: { kind: "no-key", variable: "ALE_TEST_UNSET_KEY" }, inputUsd: null },
  ]);
  const named = await place.ale("models", "check", "there");
  expect(named).toMatchObject({ status: 1, stdout: expect.stringContaining("export ALE_TEST_UNSET_KEY=") });
  const mistyped = await place.ale("models", "check", "hera");
  expect(mistyped).toMatchObject({ status: 2, stderr: expect.stringContaining("did you mean here?") });
});
