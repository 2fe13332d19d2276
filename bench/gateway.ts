import { once } from "node:events";
import { request } from "node:http";
import { Worker } from "node:worker_threads";
import { createSystemClock } from "../src/cli/system-clock.ts";
import { modelsFileSchema } from "../src/contract/models-file.ts";
import { createRandom } from "../src/contract/random.ts";
import { createGateway } from "../src/gateway/create-gateway.ts";
import type { Bench } from "./main.ts";

const words = 2000;
const parallel = 64;

interface Target {
  readonly origin: string;
  readonly token: string;
}

/**
 * Time to the first byte, one call after the other (400, or as many as the first option says), and throughput with 64
 * streams at once, through the gateway and straight to the scripted model, which runs in a thread of its own. Rounds
 * of both take turns, so that both meet the same noise.
 */
export const bench: Bench = async ([count = "400"]) => {
  const clock = createSystemClock();
  const worker = new Worker(new URL("gateway-worker.ts", import.meta.url), { workerData: { words } });
  const [origin] = (await once(worker, "message")) as [string];
  const models = modelsFileSchema.parse({
    schema: "ale/models@1",
    upstreams: { here: { base_url: origin, wires: ["anthropic-messages"], key_env: "HERE_KEY" } },
    models: { scripted: { upstream: "here", prices: [{ input: 1, output: 1 }] } },
  });
  const gateway = await createGateway({
    models,
    // As long as providers make them: every answer is searched for it.
    keys: { HERE_KEY: `sk-bench-${"0123456789abcdef".repeat(6)}` },
    clock,
    random: createRandom(1),
    token: () => "bench",
  });
  const trial = gateway.openTrial({
    trial: "bench",
    contestant: { name: "bench", harness: "bench", settings: {} },
    limits: {},
    onWait: () => ({ [Symbol.dispose]: () => undefined }),
    onExceeded: () => undefined,
  });
  const through = { origin: gateway.origin, token: trial.token };
  const direct = { origin, token: "none" };
  const first = { direct: [] as number[], through: [] as number[] };
  await firstBytes(direct, 50);
  await firstBytes(through, 50);
  for (let round = 0; round < 4; round++) {
    first.direct.push(...(await firstBytes(direct, Number(count) / 4)));
    first.through.push(...(await firstBytes(through, Number(count) / 4)));
  }
  const rate = { direct: [] as number[], through: [] as number[] };
  for (let round = 0; round < 5; round++) {
    rate.direct.push(await streamRate(direct));
    rate.through.push(await streamRate(through));
  }
  await trial.close();
  await gateway[Symbol.asyncDispose]();
  await worker.terminate();
  const show = (name: string, times: readonly number[]): string =>
    `${name}: first byte p50 ${quantile(times, 0.5).toFixed(2)} ms, p95 ${quantile(times, 0.95).toFixed(2)} ms`;
  const added = quantile(first.through, 0.5) - quantile(first.direct, 0.5);
  const share = quantile(rate.through, 0.5) / quantile(rate.direct, 0.5);
  return [
    show("direct", first.direct),
    show("gateway", first.through),
    `added at the median: ${added.toFixed(2)} ms`,
    `${parallel} streams at once: direct ${quantile(rate.direct, 0.5).toFixed(1)} MB/s, gateway ${quantile(rate.through, 0.5).toFixed(1)} MB/s (${(100 * share).toFixed(0)}%)`,
  ];
};

async function firstBytes(target: Target, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let call = 0; call < count; call++) times.push((await stream(target, "one")).firstByteMs);
  return times;
}

/** Megabytes per second over all streams of one round. */
async function streamRate(target: Target): Promise<number> {
  const from = performance.now();
  const streams = await Promise.all(Array.from({ length: parallel }, () => stream(target, "many")));
  const bytes = streams.reduce((sum, { bytes }) => sum + bytes, 0);
  return bytes / 1e6 / ((performance.now() - from) / 1000);
}

function stream(
  target: Target,
  prompt: string,
): Promise<{ readonly firstByteMs: number; readonly bytes: number }> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({
      model: "scripted",
      max_tokens: 9,
      stream: true,
      messages: [{ role: "user", content: prompt }],
    });
    const from = performance.now();
    const asking = request(`${target.origin}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": target.token, "content-length": String(body.length) },
    });
    asking.on("error", reject);
    asking.on("response", (answer) => {
      let firstByteMs = 0;
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        if (bytes === 0) firstByteMs = performance.now() - from;
        bytes += chunk.byteLength;
      });
      answer.on("end", () => resolve({ firstByteMs, bytes }));
      answer.on("error", reject);
    });
    asking.end(body);
  });
}

function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((first, second) => first - second);
  return sorted[Math.floor(at * (sorted.length - 1))] ?? Number.NaN;
}
