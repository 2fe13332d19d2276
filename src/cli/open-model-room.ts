import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Contestant } from "../contract/contestant.ts";
import { createRandom } from "../contract/random.ts";
import { createGatewayLines } from "../exam/line/create-gateway-lines.ts";
import type { LineOpener } from "../exam/line/trial-line.ts";
import { createGateway } from "../gateway/create-gateway.ts";
import type { Gateway } from "../gateway/gateway.ts";
import { startScriptedModel } from "../testing/scripted-model/start-scripted-model.ts";
import { withBuiltInModels } from "./built-in-models.ts";
import type { CliContext } from "./cli-context.ts";
import { packageRoot, packageVersion } from "./package-info.ts";
import { readModels, scriptedModel } from "./read-models.ts";
import { replayFolder } from "./replay-folder.ts";

export interface ModelRoomOptions {
  readonly contestants: readonly Contestant[];
  /** The models file that was named. */
  readonly models?: string | undefined;
  /** The script of the scripted model; default the one that ships. */
  readonly script?: string | undefined;
}

/** Everything an exam needs to reach models: the gateway, the servers behind it that are ours, lines for trials. */
export interface ModelRoom extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly lines: LineOpener;
  /** The keys it holds; to be kept out of every record. */
  readonly secrets: readonly string[];
}

const shippedScript = join(packageRoot, "data", "scripts", "demonstration.yaml");

export async function openModelRoom(context: CliContext, options: ModelRoomOptions): Promise<ModelRoom> {
  const { contestants } = options;
  await using opening = new AsyncDisposableStack();
  const { models: file, keys } = await readModels(context, options.models);
  const names = contestants.flatMap(({ model }) => model ?? []);
  const scripted =
    names.includes(scriptedModel) && file.models[scriptedModel] === undefined
      ? opening.use(
          await startScriptedModel(
            options.script === undefined ? shippedScript : resolve(context.cwd, options.script),
            context.clock,
          ),
        )
      : undefined;
  const folder = await mkdtemp(join(tmpdir(), "ale-"));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const gateway = opening.use(
    await createGateway({
      models: withBuiltInModels(file, names, scripted?.origin),
      keys,
      clock: context.clock,
      random: createRandom(randomBytes(4).readUInt32LE()),
      token: () => `ale-${randomUUID()}`,
    }),
  );
  const lines = createGatewayLines({
    gateway,
    clock: context.clock,
    tempDir: folder,
    nodeBinary: context.nodeBinary,
    version: packageVersion(),
    replayOf: ({ contestant, trial }) => {
      const root = replayFolder(context, contestant);
      return root === undefined ? undefined : join(root, trial.instance);
    },
  });
  const held = opening.move();
  return {
    gateway,
    lines,
    secrets: Object.values(keys),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
