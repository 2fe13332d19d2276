import type { Tolerance } from "../number/tolerance.ts";
import type { TextNormalisation } from "../text/normalise-text.ts";
import { type PathPattern, pathPattern } from "./path-pattern.ts";

/** How values at some paths are compared. */
export interface StructureRule {
  /** Path pattern: `/total`, `/lines/*\/amount`, `/**\/id`; see `pathPattern`. */
  readonly path: string;
  /** Neither value counts, whatever is below. */
  readonly ignore?: boolean;
  /** For numbers, and for texts that are both plain numbers with a decimal point (as in XML). */
  readonly tolerance?: Tolerance;
  /** For texts: compared after this. */
  readonly text?: TextNormalisation;
  /**
   * For lists, which are else compared place by place. `by-value`: a multiset of whole items, which must be
   * equal exactly. `{by}`: objects that belong together have equal values of these fields.
   */
  readonly unordered?: "by-value" | { readonly by: readonly string[] };
  /** For objects and lists: members that are not expected cost nothing. */
  readonly allowExtra?: boolean;
  /** The value may be missing. */
  readonly optional?: boolean;
}

export type RuleOf = (path: readonly string[]) => Omit<StructureRule, "path">;

/** Joins all rules that fit a path, field by field; of two that set the same field the later wins. */
export function compileRules(rules: readonly StructureRule[]): RuleOf {
  const compiled: { readonly fits: PathPattern; readonly rule: Omit<StructureRule, "path"> }[] = rules.map(
    ({ path, ...rule }) => ({ fits: pathPattern(path), rule }),
  );
  return (path) => {
    let result: Omit<StructureRule, "path"> = {};
    for (const { fits, rule } of compiled) if (fits(path)) result = { ...result, ...rule };
    return result;
  };
}
