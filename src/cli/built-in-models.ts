import { type ModelsFile, modelsFileSchema } from "../contract/models-file.ts";
import { wireNames } from "../contract/wire.ts";
import { scriptedModel } from "./read-models.ts";

/** What a contestant's model begins with when it is a recording: `replay:<folder>`. */
export const replayPrefix = "replay:";

/** Nothing is charged for what is scripted or recorded. */
const free = [{ input: 0, output: 0 }];

/** The user's models, with those that need no server of the user's. @param origin of the scripted model's server. */
export function withBuiltInModels(
  models: ModelsFile,
  names: readonly string[],
  origin: string | undefined,
): ModelsFile {
  const recorded = names.filter((name) => name.startsWith(replayPrefix));
  const scripted = origin === undefined || models.models[scriptedModel] !== undefined ? [] : [scriptedModel];
  const server = (url: string): object => ({
    base_url: url,
    base_urls: { "openai-chat": `${url}/v1`, "openai-responses": `${url}/v1` },
    wires: wireNames,
  });
  const added = modelsFileSchema.parse({
    schema: "ale/models@1",
    upstreams: {
      ...(scripted.length === 0 ? {} : { [scriptedModel]: server(origin ?? "") }),
      // Never asked: a replay answers before any server is reached.
      ...(recorded.length === 0 ? {} : { replay: server("http://127.0.0.1") }),
    },
    models: Object.fromEntries([
      ...scripted.map((name) => [name, { upstream: scriptedModel, prices: free }]),
      ...recorded.map((name) => [name, { upstream: "replay", prices: free }]),
    ]),
  });
  return {
    schema: models.schema,
    upstreams: { ...added.upstreams, ...models.upstreams },
    models: { ...added.models, ...models.models },
  };
}
