import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Contestant } from "../contract/contestant.ts";
import type { Finding } from "../contract/finding.ts";
import type { Limits } from "../contract/limits.ts";
import { createRandom } from "../contract/random.ts";
import { createGatewayLines } from "../exam/line/create-gateway-lines.ts";
import type { LineOpener } from "../exam/line/trial-line.ts";
import { createGateway } from "../gateway/create-gateway.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { Harness } from "../harness/harness.ts";
import type { SandboxProvider } from "../sandbox/provider.ts";
import { startScriptedModel } from "../testing/scripted-model/start-scripted-model.ts";
import { replayPrefix, withBuiltInModels } from "./built-in-models.ts";
import type { CliContext } from "./cli-context.ts";
import { packageRoot, packageVersion } from "./package-info.ts";
import { readModels, scriptedModel } from "./read-models.ts";

export interface ModelRoomOptions {
  readonly contestants: readonly Contestant[];
  readonly provider: SandboxProvider;
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
  const { contestants, provider } = options;
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
      socketPath: join(folder, "gateway.sock"),
    }),
  );
  const lines = createGatewayLines({
    gateway,
    clock: context.clock,
    tempDir: folder,
    nodeBinary: context.nodeBinary,
    mountsSockets: provider.mountsSockets !== false,
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

/** Where a replayed contestant's recordings are: below here, or below this package. */
function replayFolder({ cwd }: CliContext, { model }: Contestant): string | undefined {
  if (model?.startsWith(replayPrefix) !== true) return undefined;
  const [here, shipped] = [cwd, packageRoot].map((base) => resolve(base, model.slice(replayPrefix.length)));
  return [here, shipped].find((folder) => folder !== undefined && existsSync(folder)) ?? here;
}

/** Recordings that are named and not there. */
function replayFindings(context: CliContext, contestants: readonly Contestant[]): readonly Finding[] {
  return contestants.flatMap((contestant): Finding[] => {
    const folder = replayFolder(context, contestant);
    if (folder === undefined || existsSync(folder)) return [];
    return [
      {
        severity: "error",
        code: "no-recording",
        message: `${contestant.name}: there is no folder of recordings at ${folder}`,
        remedy: "name one with model: replay:<folder>, relative to where ale is run",
      },
    ];
  });
}

/** What stands in the way of the contestants' models: unknown names, no key, no price, no wire in common. */
export function modelFindings(
  context: CliContext,
  gateway: Gateway,
  harnesses: ReadonlyMap<string, Harness>,
  contestants: readonly Contestant[],
  limits: Limits,
): readonly Finding[] {
  const driven = contestants.filter(({ harness, model }) => {
    return model !== undefined && harnesses.get(harness)?.wires !== undefined;
  });
  return [
    ...replayFindings(context, driven),
    ...driven.flatMap((contestant) => gateway.check(contestant, limits)),
    ...driven.flatMap((contestant): Finding[] => {
      const spoken = gateway.wiresOf(contestant);
      const wires = harnesses.get(contestant.harness)?.wires ?? [];
      if (spoken.length === 0 || wires.some((wire) => spoken.includes(wire))) return [];
      return [
        {
          severity: "error",
          code: "no-common-wire",
          message: `${contestant.name}: ${contestant.harness} speaks ${wires.join(", ")}; the server of ${contestant.model} speaks ${spoken.join(", ")}`,
          remedy: "take another harness, or add a server that speaks its wire to models.yaml",
        },
      ];
    }),
  ];
}
