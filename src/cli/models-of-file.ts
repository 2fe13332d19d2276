import { known, type Maybe } from "../contract/absence.ts";
import type { WireName } from "../contract/wire.ts";
import { wireNames } from "../contract/wire.ts";
import { createPriceBook } from "../gateway/money/price-book.ts";
import { type Models, scriptedModel } from "./read-models.ts";

/** A model as `ale models ls` shows it. */
export interface ListedModel {
  readonly model: string;
  /** Of the models file; `built in` for the scripted one. */
  readonly server: string;
  readonly wires: readonly WireName[];
  /** US dollars per million tokens. */
  readonly price: Maybe<{ readonly input: number; readonly output: number }>;
  readonly key: "set" | "missing" | "not needed";
  /** Variable of its key. */
  readonly variable?: string;
}

/** Tokens that are priced: few, for some prices rise with the length of a request. */
const sample = 1000;
const perMillion = 1e6 / sample;
const nothing = { calls: 1, input: 0, cached: 0, cacheWrite: 0, output: 0, reasoning: 0 };

/** Every model that contestants may name here. @param now milliseconds since the epoch: prices hold by date. */
export function listModels({ models, keys }: Models, now: number): readonly ListedModel[] {
  const book = createPriceBook(models);
  const listed = Object.entries(models.models).map(([model, { upstream }]): ListedModel => {
    const { wires = [], key_env: variable } = models.upstreams[upstream] ?? {};
    const input = book.price(model, { ...nothing, input: sample }, now).costUsd;
    const output = book.price(model, { ...nothing, output: sample }, now).costUsd;
    const key = variable === undefined ? "not needed" : keys[variable] === undefined ? "missing" : "set";
    return {
      model,
      server: upstream,
      wires,
      price: !input.known
        ? input
        : !output.known
          ? output
          : known({ input: input.value * perMillion, output: output.value * perMillion }),
      key,
      ...(variable === undefined ? {} : { variable }),
    };
  });
  if (models.models[scriptedModel] !== undefined) return listed;
  const scripted: ListedModel = {
    model: scriptedModel,
    server: "built in",
    wires: wireNames,
    price: known({ input: 0, output: 0 }),
    key: "not needed",
  };
  return [...listed, scripted];
}
