import { z } from "zod";
import { type Effort, effortSchema } from "./contestant.ts";
import { type WireName, wireNameSchema } from "./wire.ts";

/** How a server is told who is asking. */
export type UpstreamAuthentication = "bearer" | "x-api-key" | "x-goog-api-key" | "none";

/** A server that answers for models. */
export interface UpstreamSpec {
  /** As the wire's official client takes it: with `/v1` for the OpenAI wires, without a version for the others. */
  readonly base_url: string;
  /** For wires that this server speaks at another place. */
  readonly base_urls: Readonly<Partial<Record<WireName, string>>>;
  readonly wires: readonly WireName[];
  /** Name of the environment variable that holds the key. */
  readonly key_env?: string;
  /** Default: the wire's own; `none` without `key_env`. */
  readonly authentication?: UpstreamAuthentication;
  /** Sent with every request, such as an organisation; never a key. */
  readonly headers: Readonly<Record<string, string>>;
  /** The price library's name of this provider, such as `anthropic`; absent = looked up by model alone. */
  readonly prices?: string;
  readonly rate: {
    readonly requests_per_minute?: number;
    readonly tokens_per_minute?: number;
    /** Requests in flight at once. */
    readonly parallel?: number;
  };
  readonly retry: {
    /** The first included. */
    readonly attempts: number;
    readonly base_seconds: number;
    readonly max_seconds: number;
  };
  /** How long it may say nothing before it is given up. */
  readonly silence: {
    /** Until its answer begins; then the call is tried again. */
    readonly first_byte_seconds: number;
    /** Between two pieces of an answer, which is then lost. */
    readonly idle_seconds: number;
  };
}

/** US dollars per million tokens. */
export interface ModelPriceSpec {
  /** ISO date; the latest one not after the call holds. Absent = always. */
  readonly since?: string;
  /** Of input that is neither cached nor written to a cache. */
  readonly input: number;
  readonly output: number;
  /** Default: as `input`. */
  readonly cached?: number;
  /** Default: as `input`. */
  readonly cache_write?: number;
}

/** How a model takes its effort: by name, as a number of thinking tokens, or not at all. */
export type EffortStyle = "level" | "budget" | "none";

/** A model as contestants name it. */
export interface ModelSpec {
  readonly upstream: string;
  /** The upstream's own name for it; absent = the same name. */
  readonly id?: string;
  /** Names under which the upstream may answer, beside its own and dated forms of it. */
  readonly served_as: readonly string[];
  readonly prices: readonly ModelPriceSpec[];
  readonly effort: EffortStyle;
  /** Levels it knows; others are moved to the nearest of these. Empty = those of the wire. */
  readonly efforts: readonly Effort[];
}

/** `models.yaml`, schema `ale/models@1`, with every default filled in. */
export interface ModelsFile {
  readonly schema: "ale/models@1";
  readonly upstreams: Readonly<Record<string, UpstreamSpec>>;
  readonly models: Readonly<Record<string, ModelSpec>>;
}

const dollars = z.number().nonnegative();
const perMinute = z.number().positive().exactOptional();

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "must be the name of a header: letters, digits and -");

const address = z.url({ protocol: /^https?$/ });

const upstreamSchema = z.strictObject({
  base_url: address.describe("As the official client takes it: with /v1 for OpenAI wires, else without."),
  base_urls: z
    .partialRecord(wireNameSchema, address)
    .default({})
    .describe("By wire, where one of them is spoken at another place."),
  wires: z.array(wireNameSchema).min(1).describe("The protocols it speaks."),
  key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable, never a key")
    .exactOptional()
    .describe("Environment variable that holds the key."),
  authentication: z
    .enum(["bearer", "x-api-key", "x-goog-api-key", "none"])
    .exactOptional()
    .describe("Header that carries the key. Default: the wire's own."),
  headers: z
    .record(headerName, z.string().regex(/^[\t\x20-\x7e]*$/, "must be plain ASCII on one line"))
    .default({})
    .describe("Sent with every request; never a key."),
  prices: z.string().min(1).exactOptional().describe("Provider name in the price library."),
  rate: z
    .strictObject({
      requests_per_minute: perMinute.describe("Requests begun per minute, evenly spaced."),
      tokens_per_minute: perMinute.describe("Tokens per minute, counted after each answer."),
      parallel: z.int().positive().exactOptional().describe("Requests in flight at once."),
    })
    .default({})
    .describe("Limits the upstream sets on this key."),
  retry: z
    .strictObject({
      attempts: z.int().positive().default(8).describe("Tries per call, the first included."),
      base_seconds: z.number().positive().default(1).describe("Longest first wait; doubled each time."),
      max_seconds: z.number().positive().default(60).describe("Longest wait of our own choosing."),
    })
    .prefault({})
    .describe("What is done about 429, 5xx, silence and lost connections."),
  silence: z
    .strictObject({
      first_byte_seconds: z
        .number()
        .positive()
        .default(600)
        .describe("Longest time until an answer begins; then the call is tried again."),
      idle_seconds: z
        .number()
        .positive()
        .default(300)
        .describe("Longest time between two pieces of an answer; then it is lost."),
    })
    .prefault({})
    .describe("How long it may say nothing. That time is never counted as working."),
});

const priceSchema = z.strictObject({
  since: z.iso.date().exactOptional().describe("Holds from this date on."),
  input: dollars.describe("US dollars per million uncached input tokens."),
  output: dollars.describe("US dollars per million output tokens, reasoning included."),
  cached: dollars.exactOptional().describe("Per million tokens read from a cache. Default: as input."),
  cache_write: dollars.exactOptional().describe("Per million tokens written to a cache. Default: as input."),
});

const modelSchema = z.strictObject({
  upstream: z.string().min(1).describe("One of the upstreams above."),
  id: z.string().min(1).exactOptional().describe("The upstream's name for it. Default: the same."),
  served_as: z.array(z.string().min(1)).default([]).describe("Other names it may answer under."),
  prices: z.array(priceSchema).default([]).describe("Your own prices; they go before the library's."),
  effort: z
    .enum(["level", "budget", "none"])
    .default("level")
    .describe("Whether effort is sent by name, as a number of thinking tokens, or not at all."),
  efforts: z.array(effortSchema).default([]).describe("Levels it knows. Default: all of the wire."),
});

export const modelsFileSchema: z.ZodType<ModelsFile> = z
  .strictObject({
    schema: z.literal("ale/models@1").describe("The format of this file."),
    upstreams: z.record(z.string().min(1), upstreamSchema).describe("Servers, by a name of your choice."),
    models: z.record(z.string().min(1), modelSchema).describe("Models, by the name contestants give."),
  })
  .superRefine((file, context) => {
    for (const [name, model] of Object.entries(file.models)) {
      if (Object.hasOwn(file.upstreams, model.upstream)) continue;
      const known = Object.keys(file.upstreams).join(", ");
      context.addIssue({
        code: "custom",
        path: ["models", name, "upstream"],
        message: `there is no upstream ${model.upstream}; there are: ${known}`,
      });
    }
  });
