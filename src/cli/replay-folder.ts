import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Contestant } from "../contract/contestant.ts";
import { replayPrefix } from "./built-in-models.ts";
import type { CliContext } from "./cli-context.ts";
import { packageRoot } from "./package-info.ts";

/** Where a replayed contestant's recordings are: below here, or below this package. */
export function replayFolder({ cwd }: Pick<CliContext, "cwd">, { model }: Contestant): string | undefined {
  if (model?.startsWith(replayPrefix) !== true) return undefined;
  const [here, shipped] = [cwd, packageRoot].map((base) => resolve(base, model.slice(replayPrefix.length)));
  return [here, shipped].find((folder) => folder !== undefined && existsSync(folder)) ?? here;
}
