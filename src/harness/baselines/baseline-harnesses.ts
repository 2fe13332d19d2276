import type { Harness } from "../harness.ts";
import { createBluffer } from "./bluffer.ts";
import { createCommand } from "./command.ts";
import { createNop } from "./nop.ts";
import { createOracle } from "./oracle.ts";

/** The contestants that need no key, by name. @param version of this package. */
export function baselineHarnesses(version: string): ReadonlyMap<string, Harness> {
  const baselines = [createOracle, createNop, createCommand, createBluffer].map((create) => create(version));
  return new Map(baselines.map((harness) => [harness.name, harness]));
}
