import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelsFile } from "../contract/models-file.ts";
import { wireNames } from "../contract/wire.ts";
import { parseModelsFile } from "../gateway/read-models-file.ts";
import type { Script } from "../testing/scripted-model/script.ts";
import { createScriptedModel } from "../testing/scripted-model/scripted-model.ts";
import { listModels } from "./models-of-file.ts";
import { packageRoot } from "./package-info.ts";
import { askedModels, type ProbeOutcome, probeModels } from "./probe-models.ts";
import { outcomeText, remedyFor } from "./probe-text.ts";
import { createSystemClock } from "./system-clock.ts";

const clock = createSystemClock();

function modelsAt(origin: string): ModelsFile {
  return parseModelsFile(
    `schema: ale/models@1
upstreams:
  four: { base_url: '${origin}', base_urls: { openai-chat: '${origin}/v1', openai-responses: '${origin}/v1' },
    wires: [anthropic-messages, openai-chat, openai-responses, gemini], key_env: FOUR_KEY }
models: { scripted-four: { upstream: four, prices: [{ input: 3, output: 15 }] }, other: { upstream: four } }
`,
    "models.yaml",
  );
}

/** What a server that always answers so is found to be. */
async function found(step: Parameters<typeof scriptOf>[0]): Promise<ProbeOutcome | undefined> {
  await using server = await createScriptedModel({ script: scriptOf(step), clock });
  const models = modelsAt(server.origin);
  const asked = [{ model: "other", wire: "openai-chat" }] as const;
  const [probe] = await probeModels({ clock }, { models, keys: { FOUR_KEY: "sk" } }, asked);
  expect(server.calls).toHaveLength(1);
  return probe?.outcome;
}

function scriptOf(step: { readonly status: number; readonly message: string }) {
  return () => ({ kind: "error", ...step }) as const;
}

test("a model that answers is found to, by every wire of its server, with its key", async () => {
  await using server = await createScriptedModel({ script: () => ({ kind: "answer", text: "ok" }), clock });
  const models = modelsAt(server.origin);
  const asked = askedModels(models, ["scripted-four"]);
  expect(asked.map(({ wire }) => wire).sort()).toEqual([...wireNames].sort());
  const probes = await probeModels({ clock }, { models, keys: { FOUR_KEY: "sk-real" } }, asked);
  expect(probes.map(({ outcome }) => outcome.kind)).toEqual(asked.map(() => "answers"));
  expect(server.calls).toHaveLength(4);
  for (const { headers } of server.calls) expect(JSON.stringify(headers)).toContain("sk-real");
});

test("another model than was asked for, a refusal and an unknown price are told of one that answers", async () => {
  const tell = async (script: Script) => {
    await using server = await createScriptedModel({ script, clock });
    const models = modelsAt(server.origin);
    const probes = await probeModels(
      { clock },
      { models, keys: { FOUR_KEY: "sk" } },
      askedModels(models, ["scripted-four", "other"]),
    );
    return probes.map((probe) => ({ ...probe, text: outcomeText(probe), remedy: remedyFor(probe) }));
  };
  for (const probe of await tell(() => ({ kind: "answer", text: "ok", served: "tiny-1" }))) {
    expect(probe.outcome).toMatchObject({
      kind: "answers",
      servedAs: "tiny-1",
      costUsd: probe.model === "other" ? { known: false } : { known: true },
    });
    expect(probe.text).toMatch(/^answers as another model, tiny-1, in \d/);
    expect(probe.remedy).toContain(`models.${probe.model}.served_as`);
  }
  for (const probe of await tell(() => ({ kind: "refusal", text: "I may not." }))) {
    expect(probe.outcome).toMatchObject({ kind: "answers", declined: expect.any(String) });
    expect(probe.outcome).not.toHaveProperty("servedAs");
    expect(probe.text).toMatch(/^declines the question in \d.* s: ./);
    expect(probe.remedy).toContain("count as refused");
  }
});

test("a server whose key is not set is not asked", async () => {
  const models = modelsAt("http://127.0.0.1:1");
  const probes = await probeModels({ clock }, { models, keys: {} }, askedModels(models, ["other"]));
  expect(probes[0]?.outcome).toEqual({ kind: "no-key", variable: "FOUR_KEY" });
});

test("a refused key, an unknown model and a server that is down are told apart, each asked once", async () => {
  expect(await found({ status: 401, message: "who are you" })).toMatchObject({ kind: "bad-key" });
  expect(await found({ status: 400, message: "API key not valid" })).toMatchObject({ kind: "bad-key" });
  expect(await found({ status: 404, message: "no such thing" })).toMatchObject({ kind: "unknown-model" });
  expect(await found({ status: 503, message: "later" })).toMatchObject({ kind: "unreachable" });
  expect(await found({ status: 402, message: "pay first" })).toEqual({
    kind: "refused",
    message: "HTTP 402: pay first",
  });
  const models = modelsAt("http://127.0.0.1:1");
  const asked = [{ model: "other", wire: "gemini" }] as const;
  const [probe] = await probeModels({ clock }, { models, keys: { FOUR_KEY: "sk" } }, asked);
  expect(probe?.outcome).toMatchObject({
    kind: "unreachable",
    message: expect.stringContaining("ECONNREFUSED"),
  });
});

test("models are listed with their prices and keys, the built-in one last", () => {
  const models = modelsAt("http://127.0.0.1:1");
  const rows = listModels({ models, keys: { FOUR_KEY: "sk" }, path: "models.yaml" }, Date.UTC(2026, 10, 29));
  expect(rows.map(({ model, key }) => [model, key])).toEqual([
    ["scripted-four", "set"],
    ["other", "set"],
    ["scripted", "not needed"],
  ]);
  expect(rows[0]?.price).toEqual({ known: true, value: { input: 3, output: 15 } });
  expect(rows[1]?.price.known).toBe(false);
});

test("the models file that ships as a start can be used, and every model in it has a price", async () => {
  const path = join(packageRoot, "data", "models.example.yaml");
  const models = parseModelsFile(await readFile(path, "utf8"), path);
  const rows = listModels({ models, keys: {}, path }, Date.UTC(2026, 10, 29));
  expect(rows.filter(({ price }) => !price.known)).toEqual([]);
  // What is commented out is right too.
  const all = (await readFile(path, "utf8")).replaceAll(/^( *)# (local:|qwen-local:| +\S)/gm, "$1$2");
  expect(Object.keys(parseModelsFile(all, path).models)).toContain("qwen-local");
});
