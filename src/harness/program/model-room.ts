import { AleError } from "../../contract/ale-error.ts";
import type { Contestant, SettingValue } from "../../contract/contestant.ts";

/** How much a model takes and gives in one call, in tokens. */
export interface ModelRoom {
  readonly context: number;
  readonly output: number;
}

/** Settings by which a contestant tells its model's room to a harness that has to be told. */
export const modelRoomSettings: readonly string[] = ["context_tokens", "output_tokens"];

/** What the current models of every large provider have at the least. */
const usual: ModelRoom = { context: 200_000, output: 32_000 };

/** The room of a contestant's model. Throws an `AleError` coded `bad-setting` for what is not a whole number above 0. */
export function modelRoom({ name, settings }: Contestant): ModelRoom {
  const count = (setting: string, value: SettingValue | undefined, fallback: number): number => {
    if (value === undefined) return fallback;
    if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
    throw new AleError({
      code: "bad-setting",
      message: `${name}: ${setting} is ${JSON.stringify(value)}, not a number of tokens`,
      remedy: `write a whole number above 0, such as ${fallback}, or leave ${setting} out`,
    });
  };
  return {
    context: count("context_tokens", settings["context_tokens"], usual.context),
    output: count("output_tokens", settings["output_tokens"], usual.output),
  };
}
