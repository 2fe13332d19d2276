import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, test } from "vitest";
import { anthropic, ask, chat, gemini, openai } from "../../test/support/gateway-clients.ts";
import { known } from "../contract/absence.ts";
import { createFixedClock, type FixedClock } from "../testing/fixed-clock.ts";
import type { Script } from "../testing/scripted-model/script.ts";
import { createScriptedModel } from "../testing/scripted-model/scripted-model.ts";
import { alwaysSays, inOrder, storm, withFaults } from "../testing/scripted-model/scripts.ts";
import { readCalls } from "./record/replay.ts";
import { modelsAt, startGateway } from "./test-support/gateway-bench.ts";

const clock = createFixedClock();

/** Moves the clock on, a second at a time, until the work is done. */
async function advanceUntil(time: FixedClock, work: Promise<unknown>): Promise<void> {
  let over = false;
  const end = (): void => {
    over = true;
  };
  work.then(end, end);
  while (!over) await time.advance(1000);
}

describe("the gateway", () => {
  test("turns calls away at a limit in the provider's own form, and tells the trial once", async () => {
    await using model = await createScriptedModel({ script: alwaysSays("hello"), clock });
    await using bench = await startGateway(modelsAt(model.origin), clock);
    await using calls = bench.openTrial({ limits: { calls: 1 } });
    await anthropic(calls).messages.create(ask);
    await expect(anthropic(calls).messages.create(ask)).rejects.toThrow(/limit on calls/);
    await expect(anthropic(calls).messages.create(ask)).rejects.toThrow(/billing_error/);
    expect(bench.exceeded).toEqual(["calls"]);
    await using tokens = bench.openTrial({ limits: { tokens: 1000 } });
    await openai(tokens).chat.completions.create(chat);
    const failure = await openai(tokens)
      .chat.completions.create(chat)
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
    expect(bench.waits.open).toBe(0);
    // One before each new try; a try that took time was a wait too.
    expect(bench.waits.total).toBeGreaterThanOrEqual(4);
    expect(meter).toMatchObject({ usage: { calls: 1 }, failures: [] });
    // Twice at least the five seconds that the server asked for.
    expect(meter.waitedMs).toBeGreaterThan(10_000);
    const [call] = await readCalls(join(bench.folder, "calls"));
    expect(call?.retries.map(({ reason }) => reason)).toEqual(["429", "429", "503", "529"]);
    expect(call?.wallMs).toBeGreaterThanOrEqual(meter.waitedMs);
  });

  test("passes the last error on when every try has failed, and counts it as the house's", async () => {
    await using model = await createScriptedModel({
      script: () => ({ kind: "error", status: 500, message: "burning" }),
      clock,
    });
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
    const [call] = await readCalls(record);
    expect(call).toMatchObject({ clientLeft: true, outcome: { kind: "answered", stop: "end_turn" } });
  });

  test("notices a cut stream, an answer that is not JSON, a refusal and another model", async () => {
    await using model = await createScriptedModel({
      script: inOrder([
        { kind: "answer", text: "one two three", cutAfter: 3 },
        { kind: "malformed" },
        { kind: "refusal", text: "I will not." },
        { kind: "answer", text: "hello", served: "smaller-model" },
        { kind: "answer", text: "hello", served: "scripted-2026-01-31" },
      ]),
      clock,
    });
    await using bench = await startGateway(modelsAt(model.origin), clock);
    const record = join(bench.folder, "calls");
    await using trial = bench.openTrial({ record });
    const client = openai(trial);
    await expect(anthropic(trial).messages.stream(ask).finalMessage()).rejects.toThrow();
    await expect(client.chat.completions.create(chat)).rejects.toThrow();
    await client.chat.completions.create(chat);
    await client.chat.completions.create(chat);
    await client.chat.completions.create(chat);
    const meter = await trial.close();
    expect(meter.refusals).toEqual(["I will not."]);
    expect(meter.substitutions).toEqual([{ asked: "gpt", served: "smaller-model" }]);
    expect(meter.failures).toHaveLength(2);
    // The stream told its input before it broke; half a document told nothing.
    expect(meter.unmetered).toBe(1);
    expect(meter.costUsd.known).toBe(false);
    const calls = await readCalls(record);
    expect(calls.map(({ outcome }) => outcome.kind)).toEqual([
      "cut",
      "cut",
      "refused",
      "answered",
      "answered",
    ]);
    expect(calls.map(({ asAsked }) => asAsked)).toEqual([true, true, true, false, true]);
  });
});
