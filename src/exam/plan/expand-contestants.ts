import { AleError } from "../../contract/ale-error.ts";
import type { Contestant } from "../../contract/contestant.ts";
import type { ContestantSpec } from "../../contract/exam-file.ts";

/**
 * Multiplies models and efforts out. A given name that stands for several contestants gets `:model` and
 * `:effort` behind it, for what varies. Throws an `AleError` coded `contestant-name-twice`.
 */
export function expandContestants(specs: readonly ContestantSpec[]): readonly Contestant[] {
  const contestants = specs.flatMap(expand);
  const seen = new Set<string>();
  for (const { name } of contestants) {
    if (!seen.has(name)) {
      seen.add(name);
      continue;
    }
    throw new AleError({
      code: "contestant-name-twice",
      message: `two contestants are called ${name}`,
      remedy: "Give each a `name` of its own under `contestants` in the exam file.",
      fields: { name },
    });
  }
  return contestants;
}

function expand(spec: ContestantSpec): readonly Contestant[] {
  const models = listOf(spec.model);
  const efforts = listOf(spec.effort);
  return models.flatMap((model) =>
    efforts.map((effort) => {
      const parts =
        spec.name === undefined
          ? [spec.harness, model, effort]
          : [spec.name, models.length > 1 ? model : undefined, efforts.length > 1 ? effort : undefined];
      return {
        name: parts.filter((part) => part !== undefined).join(":"),
        harness: spec.harness,
        ...(model === undefined ? {} : { model }),
        ...(effort === undefined ? {} : { effort }),
        settings: spec.settings,
      };
    }),
  );
}

function listOf<T extends string>(value: T | readonly T[] | undefined): readonly (T | undefined)[] {
  if (value === undefined) return [undefined];
  return typeof value === "string" ? [value] : value;
}
