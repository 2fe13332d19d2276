import { calcPrice } from "@pydantic/genai-prices";
import { known, type Maybe, unknown } from "../../contract/absence.ts";
import type { ModelPriceSpec, ModelsFile } from "../../contract/models-file.ts";
import type { Usage } from "../../contract/usage.ts";

/** What a call cost, and by whose prices. */
export interface Priced {
  readonly costUsd: Maybe<number>;
  readonly source: string;
}

export interface PriceBook {
  /**
   * @param model as contestants name it.
   * @param at milliseconds since the epoch: prices hold by date.
   */
  price(model: string, usage: Usage, at: number): Priced;
}

/** The user's own prices first, then those of the price library that comes with this package; it never asks the network. */
export function createPriceBook(models: ModelsFile): PriceBook {
  return {
    price(name, usage, at) {
      const spec = Object.hasOwn(models.models, name) ? models.models[name] : undefined;
      if (spec === undefined) return { costUsd: unknown(`there is no model ${name}`), source: "none" };
      const own = priceAt(spec.prices, at);
      if (own !== undefined) return { costUsd: known(costAt(own, usage)), source: "models.yaml" };
      return libraryPrice(spec.id ?? name, models.upstreams[spec.upstream]?.prices, usage, at);
    },
  };
}

/** The latest price that began no later than the call. */
function priceAt(prices: readonly ModelPriceSpec[], at: number): ModelPriceSpec | undefined {
  const day = new Date(at).toISOString().slice(0, "2026-01-01".length);
  return prices
    .filter((price) => (price.since ?? "") <= day)
    .sort((first, second) => ((first.since ?? "") < (second.since ?? "") ? -1 : 1))
    .at(-1);
}

function costAt(price: ModelPriceSpec, usage: Usage): number {
  // Some servers leave out of the input what was cached.
  const plain = Math.max(0, usage.input - usage.cached - usage.cacheWrite);
  const dollars =
    plain * price.input +
    usage.cached * (price.cached ?? price.input) +
    usage.cacheWrite * (price.cache_write ?? price.input) +
    usage.output * price.output;
  return dollars / 1e6;
}

const library = "@pydantic/genai-prices";

function libraryPrice(model: string, provider: string | undefined, usage: Usage, at: number): Priced {
  try {
    const found = calcPrice(
      {
        input_tokens: usage.input,
        cache_read_tokens: usage.cached,
        cache_write_tokens: usage.cacheWrite,
        output_tokens: usage.output,
      },
      model,
      { timestamp: new Date(at), ...(provider === undefined ? {} : { providerId: provider }) },
    );
    if (found !== null) return { costUsd: known(found.total_price), source: library };
    return { costUsd: unknown(`the model ${model} has no price`), source: "none" };
  } catch (error) {
    // The library refuses usage that its provider has no rate for.
    const why = error instanceof Error ? error.message : String(error);
    return { costUsd: unknown(`the price of ${model} could not be worked out: ${why}`), source: "none" };
  }
}
