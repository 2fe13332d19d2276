import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { anthropic, ask, chat, gemini, openai } from "../../test/support/gateway-clients.ts";
import { known } from "../contract/absence.ts";
import { createFixedClock } from "../testing/fixed-clock.ts";
import { createScriptedModel } from "../testing/scripted-model/scripted-model.ts";
import { alwaysSays } from "../testing/scripted-model/scripts.ts";
import { readCalls } from "./record/replay.ts";
import { canaryKey, modelsAt, startGateway } from "./test-support/gateway-bench.ts";

const clock = createFixedClock();

describe("the gateway", () => {
  test("meters every wire, streamed or whole, as the upstream says it", async () => {
    await using model = await createScriptedModel({ script: alwaysSays("one two three"), clock });
    await using bench = await startGateway(modelsAt(model.origin), clock);
    await using trial = bench.openTrial();
    await anthropic(trial).messages.create(ask);
    await anthropic(trial).messages.stream(ask).finalMessage();
    await openai(trial).chat.completions.create(chat);
    const streamed = await openai(trial).chat.completions.create({ ...chat, stream: true });
    for await (const chunk of streamed) expect(chunk.choices).toHaveLength(1);
    await openai(trial).responses.create({ model: "gpt", input: "Say it." });
    await openai(trial).responses.stream({ model: "gpt", input: "Say it." }).finalResponse();
    await (await gemini(trial, "generateContent")).text();
    await (await gemini(trial, "streamGenerateContent?alt=sse")).text();
    const meter = await trial.close();
    const told = model.calls.flatMap((call) => (call.usage === undefined ? [] : [call.usage]));
    expect(told).toHaveLength(8);
    const sum = (key: "input" | "cached" | "cacheWrite" | "output" | "reasoning"): number =>
      told.reduce((total, usage) => total + usage[key], 0);
    expect(meter).toMatchObject({
      usage: {
        calls: 8,
        input: sum("input"),
        cached: sum("cached"),
        cacheWrite: sum("cacheWrite"),
        output: sum("output"),
        reasoning: sum("reasoning"),
      },
      unmetered: 0,
      substitutions: [],
      failures: [],
    });
    // Twice 800 + 300 written (Anthropic), six times 1100 plain; 400 cached and 60 out in all of them.
    const dollars = (2 * (800 + 2 * 300) + 6 * 1100 + 8 * 40 + 8 * 600) / 1e6;
    expect(meter.costUsd.known && meter.costUsd.value).toBeCloseTo(dollars, 12);
  });

  test("passes request and answer on byte for byte, with the real key in place of the token", async () => {
    await using model = await createScriptedModel({ script: alwaysSays("same"), clock });
    await using bench = await startGateway(modelsAt(model.origin), clock);
    await using trial = bench.openTrial();
    const body = '{ "model":"scripted",  "max_tokens":1, "stream":true, "odd": 1.0, "messages":[] }';
    const send = (origin: string, key: string): Promise<Response> =>
      fetch(`${origin}/v1/messages?beta=true`, {
        method: "POST",
        headers: { "x-api-key": key, "anthropic-beta": "some-beta" },
        body,
      });
    const through = await (await send(bench.gateway.origin, trial.token)).text();
    const [call] = model.calls;
    expect(call?.headers).toMatchObject({
      "x-api-key": canaryKey,
      "anthropic-beta": "some-beta",
      "content-length": String(body.length),
    });
    expect(call?.url).toBe("/v1/messages?beta=true");
    const direct = await (await send(model.origin, "any")).text();
    expect(through).toBe(direct.replaceAll("msg_2", "msg_1"));
  });

  test("lets nobody in without the token of an open trial", async () => {
    await using model = await createScriptedModel({ script: alwaysSays("hello"), clock });
    await using bench = await startGateway(modelsAt(model.origin), clock);
    const trial = bench.openTrial();
    const client = anthropic(trial);
    await client.messages.create(ask);
    await trial.close();
    await expect(client.messages.create(ask)).rejects.toThrow(Anthropic.AuthenticationError);
    const stranger = new OpenAI({ apiKey: "guess", baseURL: `${bench.gateway.origin}/v1`, maxRetries: 0 });
    await expect(stranger.chat.completions.create(chat)).rejects.toThrow(OpenAI.AuthenticationError);
    expect(model.calls).toHaveLength(1);
  });

  test("puts the contestant's effort where a request says none, in the provider's words", async () => {
    await using model = await createScriptedModel({ script: alwaysSays("hello"), clock });
    await using bench = await startGateway(modelsAt(model.origin), clock);
    const record = join(bench.folder, "calls");
    await using trial = bench.openTrial({ effort: "max", record });
    await anthropic(trial).messages.create(ask);
    await openai(trial).chat.completions.create(chat);
    await openai(trial).responses.create({ model: "gpt", input: "?", reasoning: { effort: "low" } });
    await (await gemini(trial, "generateContent")).text();
    expect(model.calls.map(({ body }) => body)).toMatchObject([
      { output_config: { effort: "max" } },
      { reasoning_effort: "xhigh" },
      { reasoning: { effort: "low" } },
      { generationConfig: { thinkingConfig: { thinkingLevel: "high" } } },
    ]);
    await trial.close();
    const calls = await readCalls(record);
    expect(calls.map(({ effort }) => effort.known)).toEqual([false, false, true, false]);
    expect(calls[2]?.effort).toEqual(known("low"));
  });

  test("answers for a model that is not in the file as the provider would, and writes it down", async () => {
    await using model = await createScriptedModel({ script: alwaysSays("hello"), clock });
    await using bench = await startGateway(modelsAt(model.origin), clock);
    const record = join(bench.folder, "calls");
    await using trial = bench.openTrial({ record });
    await expect(anthropic(trial).messages.create({ ...ask, model: "other" })).rejects.toThrow(
      Anthropic.NotFoundError,
    );
    expect(model.calls).toEqual([]);
    const reason = "the model other is not in models.yaml";
    expect((await trial.close()).rejected).toEqual([reason]);
    expect((await readCalls(record)).map(({ outcome }) => outcome)).toEqual([{ kind: "rejected", reason }]);
  });

  test("tells before the first trial what is missing for a contestant", async () => {
    await using bench = await startGateway(modelsAt("http://127.0.0.1:9"), clock, { keys: {} });
    const contestant = { name: "c", harness: "h", settings: {} };
    const check = (model: string, limits = {}): readonly string[] =>
      bench.gateway
        .check({ ...contestant, model }, limits)
        .map(({ severity, code }) => `${severity} ${code}`);
    expect(check("nowhere")).toEqual(["error unknown-model"]);
    expect(check("unpriced")).toEqual(["error no-key", "warning no-price"]);
    expect(check("unpriced", { cost_usd: 1 })).toEqual(["error no-key", "error no-price"]);
    expect(check("scripted", { cost_usd: 1 })).toEqual(["error no-key"]);
  });
});
