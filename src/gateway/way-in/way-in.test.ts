import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../contract/json-value.ts";
import { providerIn } from "../../sandbox/local/test-support/conformance-target.ts";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import { createScriptedModel } from "../../testing/scripted-model/scripted-model.ts";
import { alwaysSays } from "../../testing/scripted-model/scripts.ts";
import { canaryKey, modelsAt, startGateway } from "../test-support/gateway-bench.ts";
import { sandboxWayIn } from "./sandbox-way-in.ts";

const clock = createFixedClock();
const isRoot = process.getuid?.() === 0;
const node = "/ale/node/bin/node";

const client = `
fetch(process.argv[1] + "/v1/messages", {
  method: "POST",
  headers: { "x-api-key": process.argv[2] },
  body: JSON.stringify({ model: "scripted", max_tokens: 9, stream: true, messages: [] }),
}).then(async (answer) => console.log(answer.status, await answer.text()));
`;

describe.skipIf(!isRoot)("the way in", () => {
  test("a sandbox without a network reaches its model through the gateway, and nothing else", async () => {
    await using cleanup = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), "ale-way-in-"));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const model = cleanup.use(await createScriptedModel({ script: alwaysSays("from outside"), clock }));
    const socketPath = join(folder, "gateway.sock");
    const bench = cleanup.use(await startGateway(modelsAt(model.origin), clock));
    cleanup.use(await bench.gateway.listenOn(socketPath));
    const trial = cleanup.use(bench.openTrial());
    const way = sandboxWayIn({ gatewaySocket: socketPath, node });
    const sandbox = cleanup.use(
      await providerIn(join(folder, "state")).create({
        labels: { run: "run", trial: "trial", attempt: 1, role: "test" },
        leaseSeconds: 120,
        cpus: 1,
        memoryMb: 512,
        diskMb: 256,
        maxProcesses: 64,
        network: "off",
        mounts: [...way.mounts, { source: process.execPath, target: node }],
        env: {},
      }),
    );
    const forwarder = await sandbox.spawn(way.argv, { user: "root" });
    cleanup.defer(() => forwarder.stop());
    const [line] = (await once(forwarder.stdout, "data")) as [Buffer];
    const origin = way.origins(line.toString("utf8"))?.gateway ?? "";
    const run = async (url: string): Promise<string> => {
      const { stdout, stderr } = await sandbox.exec([node, "-e", client, url, trial.token], {
        timeoutMs: 60_000,
      });
      return Buffer.concat([stdout, stderr]).toString("utf8");
    };
    expect(await run(origin)).toMatch(/^200 [\s\S]*outside[\s\S]*message_stop/);
    expect(await run(bench.gateway.origin)).toMatch(/ECONNREFUSED|fetch failed/);
    expect(trial.meter().usage).toMatchObject({ calls: 1, input: 1500 });
    expect(model.calls[0]?.headers["x-api-key"]).toBe(canaryKey);
  });
});

test("the forwarder carries a large request and a streamed answer whole", async () => {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "ale-way-in-"));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const model = cleanup.use(await createScriptedModel({ script: alwaysSays("word ".repeat(5000)), clock }));
  const socketPath = join(folder, "gateway.sock");
  const bench = cleanup.use(await startGateway(modelsAt(model.origin), clock));
  cleanup.use(await bench.gateway.listenOn(socketPath));
  const trial = cleanup.use(bench.openTrial());
  const way = sandboxWayIn({ gatewaySocket: socketPath, node: process.execPath });
  const [command = "", ...words] = way.argv;
  const forwarder = spawn(command, [...words.slice(0, -1), socketPath], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  cleanup.defer(() => void forwarder.kill());
  const [line] = (await once(forwarder.stdout, "data")) as [Buffer];
  const content = "x".repeat(3_000_000);
  const body = { model: "gpt", stream: true, messages: [{ role: "user", content }] } satisfies JsonValue;
  const answer = await fetch(`${way.origins(line.toString("utf8"))?.gateway}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${trial.token}` },
    body: JSON.stringify(body),
  });
  expect((await answer.text()).match(/"content":"[^"]*word *"/g)).toHaveLength(5000);
  expect(model.calls[0]?.turn.prompt).toHaveLength(3_000_000);
});
