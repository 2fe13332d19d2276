import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { modelsFileSchema } from "../contract/models-file.ts";
import { createFixedClock } from "../testing/fixed-clock.ts";
import type { TrialGrant } from "./gateway.ts";
import { readCalls } from "./record/replay.ts";
import { canaryKey, modelsAt, startGateway } from "./test-support/gateway-bench.ts";

const clock = createFixedClock();

/** A server of models that does as it likes. */
async function startServer(answer: RequestListener): Promise<AsyncDisposable & { readonly origin: string }> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const json = { "content-type": "application/json" };

function completion(more: object = {}): string {
  const choices = [{ index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" }];
  const usage = { prompt_tokens: 10, completion_tokens: 5, cost: 0.5 };
  return JSON.stringify({ model: "scripted", choices, usage, ...more });
}

function ask(trial: TrialGrant, stream = false): Promise<Response> {
  return fetch(`${trial.endpoints["openai-chat"]}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${trial.token}` },
    body: JSON.stringify({ model: "gpt", stream, messages: [] }),
  });
}

/** Asks once, and gives what came and what the trial then knows. */
async function askOnce(answer: RequestListener): Promise<{
  readonly status: number;
  readonly text: string;
  readonly meter: ReturnType<TrialGrant["meter"]>;
}> {
  await using server = await startServer(answer);
  await using bench = await startGateway(modelsAt(server.origin, { retry: { attempts: 1 } }), clock);
  await using trial = bench.openTrial();
  const response = await ask(trial);
  const text = await response.text();
  return { status: response.status, text, meter: await trial.close() };
}

describe("the gateway, before a strange upstream", () => {
  test("reads a packed answer, and gives it on unpacked", async () => {
    const { text, meter } = await askOnce((_, response) => {
      const packed = gzipSync(completion());
      response.writeHead(200, { ...json, "content-encoding": "gzip", "content-length": packed.length });
      response.end(packed);
    });
    expect(JSON.parse(text)).toMatchObject({ choices: [{ message: { content: "ok" } }] });
    expect(meter).toMatchObject({ usage: { calls: 1, input: 10, output: 5 }, failures: [] });
  });

  test("puts the path of a call before what its base URL asks for itself", async () => {
    const paths: (string | undefined)[] = [];
    await using server = await startServer(({ url }, response) => {
      paths.push(url);
      response.writeHead(200, json).end(completion());
    });
    const upstream = { base_url: `${server.origin}/v1//?api-version=2`, wires: ["openai-chat"] };
    const models = {
      schema: "ale/models@1",
      upstreams: { here: upstream },
      models: { gpt: { upstream: "here" } },
    };
    await using bench = await startGateway(modelsFileSchema.parse(models), clock);
    await using trial = bench.openTrial();
    await (await ask(trial)).text();
    expect(paths).toEqual(["/v1/chat/completions?api-version=2"]);
  });

  test.each<[string, RegExp, RequestListener]>([
    [
      "another protocol",
      /another protocol/,
      ({ socket }) => socket.write("HTTP/1.1 101 x\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    ],
    [
      "another place",
      /http:\/\/elsewhere/,
      (_, response) => response.writeHead(302, { location: "http://elsewhere" }).end(),
    ],
    [
      "a packing of its own",
      /packed as secret/,
      (_, response) => response.writeHead(200, { ...json, "content-encoding": "secret" }).end(completion()),
    ],
    ["a status of its own", /status 999/, (_, response) => response.writeHead(999).end("{}")],
  ])("takes an answer of %s for none", async (_, message, answer) => {
    const { status, meter } = await askOnce(answer);
    expect(status).toBe(503);
    expect(meter.lastEnd?.kind).toBe("unreachable");
    expect(meter.failures).toMatchObject([{ status: 0, message: expect.stringMatching(message) }]);
  });

  test.each<[string, RequestListener]>([
    [
      "an answer",
      ({ headers }, response) => response.writeHead(200, json).end(completion({ id: headers.authorization })),
    ],
    [
      "a packed one",
      ({ headers }, response) => {
        const packed = gzipSync(completion({ id: headers.authorization }));
        response.writeHead(200, { ...json, "content-encoding": "gzip" }).end(packed);
      },
    ],
    [
      "a header",
      ({ headers }, response) =>
        response.writeHead(200, { ...json, "x-you": headers.authorization }).end(completion()),
    ],
    [
      "an error's header",
      ({ headers }, response) => response.writeHead(400, { "x-you": headers.authorization }).end("{}"),
    ],
  ])("overwrites the key when %s repeats it, and says so in the record", async (_, answer) => {
    await using server = await startServer(answer);
    await using bench = await startGateway(modelsAt(server.origin), clock);
    const record = join(bench.folder, "calls");
    await using trial = bench.openTrial({ record });
    const response = await ask(trial);
    const got = `${await response.text()} ${JSON.stringify([...response.headers])}`;
    expect(got).toContain(`Bearer ${"*".repeat(canaryKey.length)}`);
    expect(got).not.toContain(canaryKey);
    await trial.close();
    expect((await readCalls(record)).map(({ toldKey }) => toldKey)).toEqual([true]);
  });

  test("overwrites the key in a stream wherever its pieces end, byte for byte in length", async () => {
    const event = `data: ${completion({ id: canaryKey })}\n\n`;
    await using server = await startServer(async (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-length": 2 * event.length });
      for (const character of event) await new Promise((resolve) => response.write(character, resolve));
      response.end(event);
    });
    await using bench = await startGateway(modelsAt(server.origin), clock);
    await using trial = bench.openTrial();
    const text = await (await ask(trial, true)).text();
    expect(text).toBe(`${event}${event}`.replaceAll(canaryKey, "*".repeat(canaryKey.length)));
    expect((await trial.close()).failures).toEqual([]);
  });

  test("keeps the key from the contestant when an error tells it, and only the head of a long error", async () => {
    const { text, meter } = await askOnce(({ headers }, response) => {
      response.writeHead(401, json).end(`{"error":{"message":"not ${headers.authorization}"}}`);
    });
    expect(text).toContain("not Bearer [redacted]");
    expect(JSON.stringify(meter)).not.toContain(canaryKey);
    const long = await askOnce((_, response) => {
      response.writeHead(400, json);
      const chunk = Buffer.alloc(64 * 1024, "x");
      const more = (): void => {
        if (response.write(chunk)) setImmediate(more);
        else response.once("drain", more);
      };
      more();
    });
    expect([long.status, long.text.length]).toEqual([400, 1024 * 1024]);
  });

  test.each<[string, object]>([
    ["negative", { prompt_tokens: -10, completion_tokens: -5, cost: -1 }],
    ["broken", { prompt_tokens: 1.5, completion_tokens: 5 }],
    ["absurd", { prompt_tokens: 1e300, completion_tokens: 1 }],
    ["texts", { prompt_tokens: "10", completion_tokens: "5" }],
    ["none", {}],
  ])("takes numbers that are %s for not told", async (_, usage) => {
    const { meter } = await askOnce((_request, response) => {
      response.writeHead(200, json).end(completion({ usage }));
    });
    expect(meter).toMatchObject({ usage: { calls: 1, input: 0, output: 0 }, unmetered: 1 });
    expect([meter.costUsd.known, meter.providerCostUsd.known]).toEqual([false, false]);
  });

  test("gives a long stream on to a slow reader without gathering listeners", async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): void => void warnings.push(name);
    process.on("warning", onWarning);
    const event = Buffer.from(`data: ${"x".repeat(1024 * 1024)}\n\n`);
    await using server = await startServer(async (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (let number = 0; number < 32; number++) response.write(event);
      response.end();
    });
    await using bench = await startGateway(modelsAt(server.origin), clock);
    await using trial = bench.openTrial();
    const response = await ask(trial, true);
    expect((await response.arrayBuffer()).byteLength).toBe(32 * event.length);
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });
});
