import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { anthropic, ask, chat, openai } from "../../test/support/gateway-clients.ts";
import { createFixedClock } from "../testing/fixed-clock.ts";
import { createScriptedModel } from "../testing/scripted-model/scripted-model.ts";
import { alwaysSays } from "../testing/scripted-model/scripts.ts";
import { canaryKey, modelsAt, startGateway } from "./test-support/gateway-bench.ts";

const clock = createFixedClock();

describe("the gateway", () => {
  test("replays a recording without a server, and says where a conversation leaves it", async () => {
    await using bench = await startGateway(modelsAt("http://127.0.0.1:9"), clock);
    const record = join(bench.folder, "calls");
    {
      await using model = await createScriptedModel({ script: alwaysSays("recorded"), clock });
      await using live = await startGateway(modelsAt(model.origin), clock);
      await using trial = live.openTrial({ record });
      await anthropic(trial).messages.stream(ask).finalMessage();
      await openai(trial).chat.completions.create(chat);
    }
    await using trial = bench.openTrial({ replay: record });
    const first = await anthropic(trial).messages.stream(ask).finalMessage();
    expect(first.content).toMatchObject([{ text: "recorded" }]);
    const second = await openai(trial).chat.completions.create(chat);
    expect(second.choices[0]?.message.content).toBe("recorded");
    expect(trial.meter().usage).toMatchObject({ calls: 2, input: 3000, output: 120 });
    await expect(anthropic(trial).messages.create(ask)).rejects.toThrow(/ends after 2/);
    expect(trial.meter().divergence).toMatch(/call 3 is not in the recording/);
    await using other = bench.openTrial({ replay: record });
    await expect(anthropic(other).messages.create(ask)).rejects.toThrow(
      /call 1: stream was true when recorded, is false now/,
    );
  });

  test("answers the contestant's own model from a recording of another, and says what of it is missing", async () => {
    await using bench = await startGateway(
      modelsAt("http://127.0.0.1:9", {}, { other: { upstream: "plain" } }),
      clock,
    );
    const record = join(bench.folder, "calls");
    {
      await using model = await createScriptedModel({ script: alwaysSays("recorded"), clock });
      await using live = await startGateway(modelsAt(model.origin), clock);
      await using trial = live.openTrial({ record });
      await anthropic(trial).messages.create(ask);
    }
    const other = { ...ask, model: "other" };
    await using trial = bench.openTrial({ replay: record, model: "other" });
    expect((await anthropic(trial).messages.create(other)).content).toMatchObject([{ text: "recorded" }]);
    expect(trial.meter()).toMatchObject({ divergence: undefined, substitutions: [] });
    await using strange = bench.openTrial({ replay: record });
    await expect(anthropic(strange).messages.create(other)).rejects.toThrow(/model was .*scripted/);

    await rm(join(record, "bodies"), { recursive: true });
    for (const [replay, message] of [
      [record, /an answer of the recording is not there/],
      [join(bench.folder, "nowhere"), /there is no recording/],
    ] as const) {
      const lost = bench.openTrial({ replay });
      await expect(anthropic(lost).messages.create(ask, { maxRetries: 0 })).rejects.toThrow();
      await expect(lost.close()).rejects.toMatchObject({
        code: "bad-recording",
        message: expect.stringMatching(message),
      });
      await expect(lost[Symbol.asyncDispose]()).resolves.toBeUndefined();
    }
  });

  test("writes neither the key nor the token nor who the user is", async () => {
    await using model = await createScriptedModel({
      script: () => ({ kind: "answer", text: `the key is ${canaryKey}` }),
      clock,
    });
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
});
