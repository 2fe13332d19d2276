import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { known } from "../contract/absence.ts";
import type { ModelCall } from "../contract/model-call.ts";
import { createFixedClock, type FixedClock } from "../testing/fixed-clock.ts";
import type { Script } from "../testing/scripted-model/script.ts";
import { createScriptedModel, type ScriptedModel } from "../testing/scripted-model/scripted-model.ts";
import { alwaysSays, inOrder, storm, withFaults } from "../testing/scripted-model/scripts.ts";
import type { TrialGrant } from "./gateway.ts";
import { readCalls } from "./record/replay.ts";
import { canaryKey, modelsAt, startGateway } from "./test-support/gateway-bench.ts";

const clock = createFixedClock();
const question = [{ role: "user" as const, content: "Say it." }];

function scripted(script: Script): Promise<ScriptedModel> {
  return createScriptedModel({ script, clock });
}

function anthropic({ token, endpoints }: TrialGrant): Anthropic {
  return new Anthropic({ apiKey: token, baseURL: endpoints["anthropic-messages"] });
}

function openai({ token, endpoints }: TrialGrant): OpenAI {
  return new OpenAI({ apiKey: token, baseURL: endpoints["openai-chat"] });
}

function gemini({ token, endpoints }: TrialGrant, verb: string): Promise<Response> {
  return fetch(`${endpoints.gemini}/v1beta/models/scripted:${verb}`, {
    method: "POST",
    headers: { "x-goog-api-key": token },
    body: JSON.stringify({ contents: [{ role: "user", parts: [{ text: "Say it." }] }] }),
  });
}

async function callsOf(folder: string): Promise<readonly ModelCall[]> {
  return await readCalls(folder);
}

/** Moves the clock on, a second at a time, until the work is done. */
async function advanceUntil(time: FixedClock, work: Promise<unknown>): Promise<void> {
  let over = false;
  const end = (): void => {
    over = true;
  };
  work.then(end, end);
  while (!over) await time.advance(1000);
}

const ask = { model: "scripted", max_tokens: 64, messages: question };

describe("the gateway", () => {
  test("meters every wire, streamed or whole, as the upstream says it", async () => {
    await using model = await scripted(alwaysSays("one two three"));
    await using bench = await startGateway(modelsAt(model.origin), clock);
    await using trial = bench.openTrial();
    await anthropic(trial).messages.create(ask);
    await anthropic(trial).messages.stream(ask).finalMessage();
    const chat = { model: "gpt", messages: question };
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
    await using model = await scripted(alwaysSays("same"));
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
    await using model = await scripted(alwaysSays("hello"));
    await using bench = await startGateway(modelsAt(model.origin), clock);
    const trial = bench.openTrial();
    const client = anthropic(trial);
    await client.messages.create(ask);
    await trial.close();
    await expect(client.messages.create(ask)).rejects.toThrow(Anthropic.AuthenticationError);
    const stranger = new OpenAI({ apiKey: "guess", baseURL: `${bench.gateway.origin}/v1`, maxRetries: 0 });
    await expect(stranger.chat.completions.create({ model: "gpt", messages: question })).rejects.toThrow(
      OpenAI.AuthenticationError,
    );
    expect(model.calls).toHaveLength(1);
  });

  test("turns calls away at a limit in the provider's own form, and tells the trial once", async () => {
    await using model = await scripted(alwaysSays("hello"));
    await using bench = await startGateway(modelsAt(model.origin), clock);
    await using calls = bench.openTrial({ limits: { calls: 1 } });
    await anthropic(calls).messages.create(ask);
    await expect(anthropic(calls).messages.create(ask)).rejects.toThrow(/limit on calls/);
    await expect(anthropic(calls).messages.create(ask)).rejects.toThrow(/billing_error/);
    expect(bench.exceeded).toEqual(["calls"]);
    await using tokens = bench.openTrial({ limits: { tokens: 1000 } });
    await openai(tokens).chat.completions.create({ model: "gpt", messages: question });
    const failure = await openai(tokens)
      .chat.completions.create({ model: "gpt", messages: question })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 429, code: "insufficient_quota" });
    await using cost = bench.openTrial({ limits: { cost_usd: 0.001 } });
    await (await gemini(cost, "generateContent")).text();
    const refused = await gemini(cost, "generateContent");
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { error: { status: "RESOURCE_EXHAUSTED" } },
    ]);
    expect(bench.exceeded).toEqual(["calls", "tokens", "cost_usd"]);
    expect(model.calls).toHaveLength(3);
  });

  test("waits out a storm of 429 and 5xx, with the waits told, and the harness sees only the answer", async () => {
    const time = createFixedClock();
    const faults = [storm(2, 429, 5), storm(3, 503), storm(4, 529)];
    const script = withFaults(alwaysSays("calm"), (turn) => faults.map((fault) => fault(turn)).find(Boolean));
    await using model = await createScriptedModel({ script, clock: time });
    await using bench = await startGateway(modelsAt(model.origin), time);
    await using trial = bench.openTrial({ record: join(bench.folder, "calls") });
    const answer = anthropic(trial).messages.create(ask);
    await advanceUntil(time, answer);
    expect((await answer).content).toMatchObject([{ text: "calm" }]);
    const meter = await trial.close();
    expect(bench.waits).toEqual({ open: 0, total: 4 });
    expect(meter).toMatchObject({ usage: { calls: 1 }, failures: [] });
    // Twice at least the five seconds that the server asked for.
    expect(meter.waitedMs).toBeGreaterThan(10_000);
    const [call] = await callsOf(join(bench.folder, "calls"));
    expect(call?.retries.map(({ reason }) => reason)).toEqual(["429", "429", "503", "529"]);
    expect(call?.wallMs).toBeGreaterThanOrEqual(meter.waitedMs);
  });

  test("passes the last error on when every try has failed, and counts it as the house's", async () => {
    await using model = await scripted(() => ({ kind: "error", status: 500, message: "burning" }));
    await using bench = await startGateway(modelsAt(model.origin, { retry: { attempts: 1 } }), clock);
    await using trial = bench.openTrial();
    await expect(anthropic(trial).messages.create(ask)).rejects.toThrow(/burning/);
    const meter = await trial.close();
    expect(meter.failures).toEqual([{ model: "scripted", status: 500, message: "burning" }]);
    expect(meter.costUsd).toEqual(known(0));
    expect(model.calls).toHaveLength(1);
  });

  test("reads a stream to its end for its usage when the client has gone", async () => {
    const time = createFixedClock();
    const script: Script = () => ({ kind: "answer", text: "a b c", eventEveryMs: 1000 });
    await using model = await createScriptedModel({ script, clock: time });
    await using bench = await startGateway(modelsAt(model.origin), time, { drainMs: 1e9 });
    const record = join(bench.folder, "calls");
    await using trial = bench.openTrial({ record });
    const stream = anthropic(trial).messages.stream(ask);
    const aborted = expect(stream.finalMessage()).rejects.toThrow(Anthropic.APIUserAbortError);
    await time.untilSleeping(1);
    await new Promise<void>((resolve) => {
      stream.on("streamEvent", () => resolve());
    });
    stream.abort();
    await aborted;
    const closing = trial.close();
    await advanceUntil(time, closing);
    expect((await closing).usage).toMatchObject({ calls: 1, input: 1500, output: 60 });
    const [call] = await callsOf(record);
    expect(call).toMatchObject({ clientLeft: true, outcome: { kind: "answered", stop: "end_turn" } });
  });

  test("notices a cut stream, an answer that is not JSON, a refusal and another model", async () => {
    await using model = await scripted(
      inOrder([
        { kind: "answer", text: "one two three", cutAfter: 3 },
        { kind: "malformed" },
        { kind: "refusal", text: "I will not." },
        { kind: "answer", text: "hello", served: "smaller-model" },
        { kind: "answer", text: "hello", served: "scripted-2026-01-31" },
      ]),
    );
    await using bench = await startGateway(modelsAt(model.origin), clock);
    const record = join(bench.folder, "calls");
    await using trial = bench.openTrial({ record });
    const chat = { model: "gpt", messages: question };
    const client = openai(trial);
    await expect(anthropic(trial).messages.stream(ask).finalMessage()).rejects.toThrow();
    await expect(client.chat.completions.create(chat)).rejects.toThrow();
    await client.chat.completions.create(chat);
    await client.chat.completions.create(chat);
    await client.chat.completions.create(chat);
    const meter = await trial.close();
    expect(meter.refusals).toEqual(["I will not."]);
    expect(meter.substitutions).toEqual(["gpt → smaller-model"]);
    expect(meter.failures).toHaveLength(2);
    // The stream told its input before it broke; half a document told nothing.
    expect(meter.unmetered).toBe(1);
    expect(meter.costUsd.known).toBe(false);
    const calls = await callsOf(record);
    expect(calls.map(({ outcome }) => outcome.kind)).toEqual([
      "cut",
      "cut",
      "refused",
      "answered",
      "answered",
    ]);
    expect(calls.map(({ asAsked }) => asAsked)).toEqual([true, true, true, false, true]);
  });

  test("puts the contestant's effort where a request says none, in the provider's words", async () => {
    await using model = await scripted(alwaysSays("hello"));
    await using bench = await startGateway(modelsAt(model.origin), clock);
    const record = join(bench.folder, "calls");
    await using trial = bench.openTrial({ effort: "max", record });
    await anthropic(trial).messages.create(ask);
    await openai(trial).chat.completions.create({ model: "gpt", messages: question });
    await openai(trial).responses.create({ model: "gpt", input: "?", reasoning: { effort: "low" } });
    await (await gemini(trial, "generateContent")).text();
    expect(model.calls.map(({ body }) => body)).toMatchObject([
      { output_config: { effort: "max" } },
      { reasoning_effort: "xhigh" },
      { reasoning: { effort: "low" } },
      { generationConfig: { thinkingConfig: { thinkingLevel: "high" } } },
    ]);
    await trial.close();
    const calls = await callsOf(record);
    expect(calls.map(({ effort }) => effort.known)).toEqual([false, false, true, false]);
    expect(calls[2]?.effort).toEqual(known("low"));
  });

  test("answers for a model that is not in the file as the provider would, and writes it down", async () => {
    await using model = await scripted(alwaysSays("hello"));
    await using bench = await startGateway(modelsAt(model.origin), clock);
    const record = join(bench.folder, "calls");
    await using trial = bench.openTrial({ record });
    await expect(anthropic(trial).messages.create({ ...ask, model: "other" })).rejects.toThrow(
      Anthropic.NotFoundError,
    );
    expect(model.calls).toEqual([]);
    const reason = "the model other is not in models.yaml";
    expect((await trial.close()).rejected).toEqual([reason]);
    expect((await callsOf(record)).map(({ outcome }) => outcome)).toEqual([{ kind: "rejected", reason }]);
  });

  test("replays a recording without a server, and says where a conversation leaves it", async () => {
    await using bench = await startGateway(modelsAt("http://127.0.0.1:9"), clock);
    const record = join(bench.folder, "calls");
    {
      await using model = await scripted(alwaysSays("recorded"));
      await using live = await startGateway(modelsAt(model.origin), clock);
      await using trial = live.openTrial({ record });
      await anthropic(trial).messages.stream(ask).finalMessage();
      await openai(trial).chat.completions.create({ model: "gpt", messages: question });
    }
    await using trial = bench.openTrial({ replay: record });
    const first = await anthropic(trial).messages.stream(ask).finalMessage();
    expect(first.content).toMatchObject([{ text: "recorded" }]);
    const second = await openai(trial).chat.completions.create({ model: "gpt", messages: question });
    expect(second.choices[0]?.message.content).toBe("recorded");
    expect(trial.meter().usage).toMatchObject({ calls: 2, input: 3000, output: 120 });
    await expect(anthropic(trial).messages.create(ask)).rejects.toThrow(/ends after 2/);
    expect(trial.meter().divergence).toMatch(/call 3 is not in the recording/);
    await using other = bench.openTrial({ replay: record });
    await expect(anthropic(other).messages.create(ask)).rejects.toThrow(
      /call 1: stream was true when recorded, is false now/,
    );
  });

  test("writes neither the key nor the token nor who the user is", async () => {
    await using model = await scripted(() => ({ kind: "answer", text: `the key is ${canaryKey}` }));
    await using bench = await startGateway(modelsAt(model.origin), clock);
    const record = join(bench.folder, "calls");
    await using trial = bench.openTrial({ record });
    const content = `my token is ${trial.token}`;
    await anthropic(trial).messages.create({
      ...ask,
      messages: [{ role: "user", content }],
      metadata: { user_id: "jane-at-example" },
    });
    await trial.close();
    const names = await readdir(record, { recursive: true });
    const texts = await Promise.all(
      names.filter((name) => name !== "bodies").map((name) => readFile(join(record, name), "utf8")),
    );
    expect(texts).toHaveLength(3);
    for (const text of texts) {
      expect(text).not.toContain(canaryKey);
      expect(text).not.toContain(trial.token);
      expect(text).not.toContain("jane-at-example");
    }
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
