import { randomUUID } from "node:crypto";
import type { Maybe } from "../contract/absence.ts";
import type { ModelsFile } from "../contract/models-file.ts";
import { createRandom } from "../contract/random.ts";
import type { WireName } from "../contract/wire.ts";
import { createGateway } from "../gateway/create-gateway.ts";
import type { Gateway, TrialMeter } from "../gateway/gateway.ts";
import { askModel } from "./ask-model.ts";
import type { CliContext } from "./cli-context.ts";
import type { Models } from "./read-models.ts";

/** A model by one of the wires that its server speaks. */
export interface AskedModel {
  readonly model: string;
  readonly wire: WireName;
}

export type ProbeOutcome =
  | ProbeAnswer
  /** Its variable is not set; nothing was asked. */
  | { readonly kind: "no-key"; readonly variable: string }
  | { readonly kind: "bad-key" | "unknown-model" | "unreachable" | "refused"; readonly message: string };

/** A model that is there, whatever it said. */
export interface ProbeAnswer {
  readonly kind: "answers";
  readonly wallMs: number;
  /** Another model's name, under which it answered. */
  readonly servedAs?: string;
  /** It declined the question, in the provider's or its own words. */
  readonly declined?: string;
  /** What the question cost. */
  readonly costUsd: Maybe<number>;
}

export interface ModelProbe extends AskedModel {
  readonly upstream: string;
  readonly outcome: ProbeOutcome;
}

/** Milliseconds a server has to answer the question. */
const answerMs = 20_000;

/** Every model of the file by every wire of its server, or those of them that are named. */
export function askedModels(models: ModelsFile, names?: readonly string[]): readonly AskedModel[] {
  return (names ?? Object.keys(models.models)).flatMap((model) => {
    const spec = models.models[model];
    return (models.upstreams[spec?.upstream ?? ""]?.wires ?? []).map((wire) => ({ model, wire }));
  });
}

/**
 * Puts one short question to each, by the way that an exam takes: what answers here answers there. A question costs a few
 * tokens. Servers whose key is not set are not asked. Nothing is asked twice.
 */
export async function probeModels(
  context: Pick<CliContext, "clock">,
  { models, keys }: Pick<Models, "models" | "keys">,
  asked: readonly AskedModel[],
): Promise<readonly ModelProbe[]> {
  const upstreams = Object.entries(models.upstreams).map(([name, spec]) => [
    name,
    { ...spec, retry: { ...spec.retry, attempts: 1 } },
  ]);
  await using gateway = await createGateway({
    models: { ...models, upstreams: Object.fromEntries(upstreams) },
    keys,
    clock: context.clock,
    random: createRandom(1),
    token: () => `ale-${randomUUID()}`,
    drainMs: 0,
  });
  return await Promise.all(
    asked.map(async ({ model, wire }) => {
      const upstream = models.models[model]?.upstream ?? "";
      const variable = models.upstreams[upstream]?.key_env;
      const outcome: ProbeOutcome =
        variable !== undefined && keys[variable] === undefined
          ? { kind: "no-key", variable }
          : await probe(context, gateway, { model, wire });
      return { model, wire, upstream, outcome };
    }),
  );
}

async function probe(
  { clock }: Pick<CliContext, "clock">,
  gateway: Gateway,
  { model, wire }: AskedModel,
): Promise<ProbeOutcome> {
  await using grant = gateway.openTrial({
    trial: `check ${model} ${wire}`,
    contestant: { name: model, harness: "check", model, settings: {} },
    limits: {},
    onWait: () => ({ [Symbol.dispose]: () => undefined }),
    onExceeded: () => undefined,
  });
  const from = clock.monotonic();
  // The least that every provider takes.
  const question = { model, system: "Be brief.", user: "Answer with the word ok.", maxTokens: 16 };
  try {
    await askModel(grant, wire, question, AbortSignal.timeout(answerMs));
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    const message = isLate ? `no answer within ${answerMs / 1000} s` : String(error);
    return { kind: "unreachable", message };
  }
  return outcomeOf(grant.meter(), clock.monotonic() - from);
}

function outcomeOf({ lastEnd: end, substitutions, costUsd }: TrialMeter, wallMs: number): ProbeOutcome {
  switch (end?.kind) {
    case "answered":
    case "refused": {
      const served = substitutions[0]?.served;
      return {
        kind: "answers",
        wallMs,
        ...(served === undefined ? {} : { servedAs: served }),
        ...(end.kind === "refused" ? { declined: end.reason } : {}),
        costUsd,
      };
    }
    case "failed": {
      const message = `HTTP ${end.status}: ${end.message}`;
      // Some providers call a key that they do not know a wrong request.
      if (end.status === 401 || end.status === 403 || /api[ _-]?key/i.test(end.message)) {
        return { kind: "bad-key", message };
      }
      if (end.status === 404 || /model/i.test(end.message)) return { kind: "unknown-model", message };
      return { kind: end.status >= 500 ? "unreachable" : "refused", message };
    }
    case "cut":
    case "unreachable":
      return { kind: "unreachable", message: end.message };
    default:
      return { kind: "refused", message: "the question was not sent on" };
  }
}
