import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFixedClock } from "../testing/fixed-clock.ts";
import { createScriptedModel } from "../testing/scripted-model/scripted-model.ts";
import { alwaysSays } from "../testing/scripted-model/scripts.ts";
import type { TrialGrant } from "./gateway.ts";
import { createBodyRedaction } from "./record/body-redaction.ts";
import { modelsAt, startGateway } from "./test-support/gateway-bench.ts";

const clock = createFixedClock();

/** Sends bytes as they are and gives back what comes until the connection ends. */
async function sendRaw(origin: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  socket.end(text);
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

async function post(trial: TrialGrant, path: string, body: string): Promise<number> {
  const headers = { authorization: `Bearer ${trial.token}` };
  const url = `${trial.endpoints["anthropic-messages"]}${path}`;
  return (await fetch(url, { method: "POST", headers, body })).status;
}

/** The head of a request whose body never comes. */
function unfinished(trial: TrialGrant, path: string): string {
  return `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${trial.token}\r\ncontent-length: 9\r\n\r\n{`;
}

describe("the gateway, before a hostile sandbox", () => {
  test("answers what is no address, and lives on", async () => {
    await using model = await createScriptedModel({ script: alwaysSays("hello"), clock });
    await using bench = await startGateway(modelsAt(model.origin), clock);
    const { origin } = bench.gateway;
    for (const target of ["//", "//[", "http://[", "*", "/v1/models//"]) {
      const request = `GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;
      expect(await sendRaw(origin, request)).toMatch(/^HTTP\/1.1 4\d\d/);
    }
  });

  test("lets one sandbox take no connections from another's", async () => {
    await using model = await createScriptedModel({ script: alwaysSays("hello"), clock });
    await using bench = await startGateway(modelsAt(model.origin), clock);
    const [greedy, quiet] = [join(bench.folder, "greedy.sock"), join(bench.folder, "quiet.sock")];
    await using _greedy = await bench.gateway.listenOn(greedy);
    await using _quiet = await bench.gateway.listenOn(quiet);
    const sockets = Array.from({ length: 400 }, () => connect(greedy));
    const { promise: refused, resolve } = Promise.withResolvers<void>();
    let broken = 0;
    for (const socket of sockets) socket.resume().once("close", () => ++broken === 400 - 256 && resolve());
    await refused;
    const asked = connect(quiet);
    asked.write("GET /nothing HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    expect(String(await once(asked, "data"))).toContain("HTTP/1.1 4");
    expect(broken).toBe(400 - 256);
    for (const socket of sockets) socket.destroy();
  });

  test("turns down what is escaped wrongly, nested too deep or too large, which is no error of the house", async () => {
    await using model = await createScriptedModel({ script: alwaysSays("hello"), clock });
    await using bench = await startGateway(modelsAt(model.origin), clock);
    await using trial = bench.openTrial();
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const nested = `{"model":"gpt","stream":true,"reasoning_effort":${deep}}`;
    expect(await post(trial, "/v1beta/models/%E0%A4%A:generateContent", "{}")).toBe(404);
    expect(await post(trial, "/v1/chat/completions", nested)).toBe(400);
    expect(await post(trial, "/v1/chat/completions", " ".repeat(64 * 1024 * 1024 + 1))).toBe(400);
    const meter = await trial.close();
    expect(meter.failures).toEqual([]);
    expect(meter.rejected).toEqual([
      "the body is nested too deep",
      "the request is too large, alone or with the others that are under way",
    ]);
  });

  test("takes secrets out of texts that would exhaust a stack", () => {
    const redact = createBodyRedaction([]);
    const name = "\\u0061".repeat(4e6);
    expect(redact(`{"user": "${name}","a":"user","user":"b\\"c"}`)).toBe(
      '{"user": "[redacted]","a":"user","user":"[redacted]"}',
    );
    expect(redact(`{"user": "never closed`)).toBe(`{"user": "never closed`);
    expect(redact(`sk-${"a".repeat(20e6)}`).length).toBeLessThan(20e6);
  });

  test("does not wait for requests that never come whole when the trial is closed", async () => {
    await using model = await createScriptedModel({ script: alwaysSays("hello"), clock });
    await using bench = await startGateway(modelsAt(model.origin), clock);
    const arrived = Promise.withResolvers<void>();
    await using trial = bench.openTrial({
      mcp: {
        async slow(request) {
          arrived.resolve();
          for await (const _ of request);
        },
      },
    });
    const port = Number(new URL(bench.gateway.origin).port);
    const sockets = ["/v1/chat/completions", "/mcp/slow"].map((path) => {
      const socket = connect(port, "127.0.0.1");
      socket.write(unfinished(trial, path));
      return socket.on("error", () => undefined);
    });
    await arrived.promise;
    expect((await trial.close()).failures).toEqual([]);
    for (const socket of sockets) socket.destroy();
  });

  test("breaks off what outlasts the trial, as no loss of the upstream's", async () => {
    const time = createFixedClock();
    const script = () => ({ kind: "answer", text: "a b c d e f", eventEveryMs: 60_000 }) as const;
    await using model = await createScriptedModel({ script, clock: time });
    await using bench = await startGateway(modelsAt(model.origin), time);
    await using trial = bench.openTrial();
    const body = JSON.stringify({ model: "gpt", stream: true, messages: [] });
    const answer = await fetch(`${trial.endpoints["openai-chat"]}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${trial.token}` },
      body,
    });
    const read = expect(answer.text()).rejects.toThrow();
    await time.untilSleeping(1);
    const closing = trial.close();
    await time.untilSleeping(2);
    await time.advance(30_000);
    const meter = await closing;
    await read;
    expect(meter).toMatchObject({ failures: [], lastEnd: undefined, unmetered: 1 });
    expect(meter.costUsd.known).toBe(false);
  });
});
