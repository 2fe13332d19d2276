import type { Contestant } from "../contract/contestant.ts";
import type { Finding } from "../contract/finding.ts";
import type { Limits } from "../contract/limits.ts";
import type { ModelsFile } from "../contract/models-file.ts";
import type { PriceBook } from "./money/price-book.ts";

const oneOfEach = { calls: 1, input: 3, cached: 1, cacheWrite: 1, output: 1, reasoning: 0 };

/** What stands in the way of this contestant before its first trial. */
export function checkContestant(
  models: ModelsFile,
  keys: Readonly<Record<string, string>>,
  prices: PriceBook,
  now: number,
  contestant: Contestant,
  limits: Limits,
): readonly Finding[] {
  const { model: name } = contestant;
  if (name === undefined) return [];
  const model = Object.hasOwn(models.models, name) ? models.models[name] : undefined;
  if (model === undefined) {
    const known = Object.keys(models.models);
    return [
      {
        severity: "error",
        code: "unknown-model",
        message: `${contestant.name}: the model ${name} is not in models.yaml`,
        remedy:
          known.length === 0
            ? "write a models.yaml with npx ale models init and name it there, or try --model scripted"
            : `add it under models, or take one of: ${known.join(", ")}`,
      },
    ];
  }
  const variable = models.upstreams[model.upstream]?.key_env;
  const findings: Finding[] = [];
  if (variable !== undefined && (keys[variable] ?? "") === "") {
    findings.push({
      severity: "error",
      code: "no-key",
      message: `${contestant.name}: the key of ${model.upstream} is not in ${variable}`,
      remedy: `export ${variable}=<your key>`,
    });
  }
  const { costUsd } = prices.price(name, oneOfEach, now);
  if (!costUsd.known) {
    const isLimited = limits.cost_usd !== undefined;
    findings.push({
      severity: isLimited ? "error" : "warning",
      code: "no-price",
      message: isLimited
        ? `${contestant.name}: a limit on cost cannot hold, since ${costUsd.reason}`
        : `${contestant.name}: its cost will be unknown, since ${costUsd.reason}`,
      remedy: `give models.${name}.prices in models.yaml`,
    });
  }
  return findings;
}
