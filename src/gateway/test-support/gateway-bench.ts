import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../contract/clock.ts";
import type { Effort } from "../../contract/contestant.ts";
import type { Limits } from "../../contract/limits.ts";
import { type ModelsFile, modelsFileSchema } from "../../contract/models-file.ts";
import { createRandom } from "../../contract/random.ts";
import { wireNames } from "../../contract/wire.ts";
import { createGateway } from "../create-gateway.ts";
import type { Gateway, GatewayOptions, TrialGrant, TrialGrantOptions } from "../gateway.ts";

/** Stands for a real key; must be found nowhere but in what the upstream is sent. */
export const canaryKey = "sk-canary-0123456789abcdef0123456789";

/** Models whose upstream is at the origin, one per wire and one without a price. */
export function modelsAt(
  origin: string,
  upstream: { readonly rate?: object; readonly retry?: object } = {},
  models: Readonly<Record<string, object>> = {},
): ModelsFile {
  const server = { key_env: "UPSTREAM_KEY", wires: wireNames, ...upstream };
  const price = { input: 1, cached: 0.1, cache_write: 2, output: 10 };
  return modelsFileSchema.parse({
    schema: "ale/models@1",
    upstreams: { plain: { ...server, base_url: origin }, openai: { ...server, base_url: `${origin}/v1` } },
    models: {
      scripted: { upstream: "plain", prices: [price] },
      gpt: { upstream: "openai", id: "scripted", prices: [price] },
      unpriced: { upstream: "openai" },
      ...models,
    },
  });
}

export interface GatewayBench extends AsyncDisposable {
  readonly gateway: Gateway;
  /** A folder of its own. */
  readonly folder: string;
  /** Waits that are going on and that have been. */
  readonly waits: { open: number; total: number };
  readonly exceeded: string[];
  openTrial(
    options?: { readonly limits?: Limits; readonly effort?: Effort; readonly model?: string } & Pick<
      TrialGrantOptions,
      "record" | "replay" | "mcp"
    >,
  ): TrialGrant;
}

export async function startGateway(
  models: ModelsFile,
  clock: Clock,
  more: Partial<GatewayOptions> = {},
): Promise<GatewayBench> {
  const folder = await mkdtemp(join(tmpdir(), "ale-gateway-"));
  let serial = 0;
  const gateway = await createGateway({
    models,
    keys: { UPSTREAM_KEY: canaryKey },
    clock,
    random: createRandom(7),
    token: () => `ale-trial-token-${serial++}`,
    ...more,
  });
  const waits = { open: 0, total: 0 };
  const exceeded: string[] = [];
  return {
    gateway,
    folder,
    waits,
    exceeded,
    openTrial({ limits = {}, effort, model = "scripted", ...rest } = {}) {
      const contestant = { name: "tester", harness: "test", model, settings: {} };
      return gateway.openTrial({
        trial: "trial-1",
        contestant: effort === undefined ? contestant : { ...contestant, effort },
        limits,
        onWait() {
          waits.open++;
          waits.total++;
          return { [Symbol.dispose]: () => void waits.open-- };
        },
        onExceeded: (limit) => exceeded.push(limit),
        ...rest,
      });
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
