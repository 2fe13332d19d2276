import { canonicalJson } from "../../contract/canonical-json.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { parseQuantity } from "../number/parse-quantity.ts";
import { withinTolerance } from "../number/tolerance.ts";
import type { Outcome } from "../outcome.ts";
import { quote } from "../quote.ts";
import { normaliseText } from "../text/normalise-text.ts";
import { formatPath } from "./path-pattern.ts";
import { compileRules, type RuleOf, type StructureRule } from "./structure-rule.ts";

/** A place where the artifact is not as expected. */
export interface StructureDifference {
  readonly path: string;
  readonly problem: "missing" | "extra" | "differs";
  readonly expected?: string;
  readonly actual?: string;
}

type JsonObject = { readonly [key: string]: JsonValue };

const maxDifferences = 30;

/**
 * Compares plain values (of JSON, YAML or XML) leaf by leaf: score = right leaves / (expected leaves + extra
 * leaves), where a leaf is a scalar or an empty list or object. 1 only when nothing differs under the rules. Types
 * matter: `"1"` is not `1`, and absent is not `null`. Differences are listed by path in the evidence.
 *
 * @param actual as `parseJson`, `parseYaml` and `parseXml` give it: of bounded depth.
 */
export function compareStructure(
  actual: JsonValue,
  expected: JsonValue,
  rules: readonly StructureRule[] = [],
): Outcome {
  const comparison = new StructureComparison(compileRules(rules));
  comparison.compare(actual, expected, []);
  const { right, wrong, missing, extra, differences } = comparison;
  const total = right + wrong + missing + extra;
  const score = total === 0 ? 1 : right / total;
  if (right === total) return { score, message: `All ${total} values are as expected.` };
  return {
    score,
    message: `${right} of ${right + wrong + missing} expected values are right: ${wrong} differ, ${missing} are missing, ${extra} are extra.`,
    evidence: {
      right,
      wrong,
      missing,
      extra,
      differences: differences.map((difference) => ({ ...difference })),
    },
  };
}

class StructureComparison {
  right = 0;
  wrong = 0;
  missing = 0;
  extra = 0;
  readonly differences: StructureDifference[] = [];
  readonly #ruleOf: RuleOf;

  constructor(ruleOf: RuleOf) {
    this.#ruleOf = ruleOf;
  }

  compare(actual: JsonValue, expected: JsonValue, path: readonly string[]): void {
    const rule = this.#ruleOf(path);
    if (rule.ignore === true) return;
    if (Array.isArray(expected) && Array.isArray(actual)) {
      if (this.#bothEmpty(actual.length, expected.length)) return;
      if (rule.unordered === undefined)
        this.#compareInOrder(actual, expected, path, rule.allowExtra === true);
      else this.#compareUnordered(actual, expected, path, rule);
    } else if (isObject(expected) && isObject(actual)) {
      this.#compareObjects(actual, expected, path, rule.allowExtra === true);
    } else if (sameScalar(actual, expected, rule)) {
      this.right++;
    } else {
      const leaves = this.#leaves(expected, path);
      this.wrong += leaves;
      if (leaves > 0) this.#note({ path: formatPath(path), problem: "differs", ...shown(expected, actual) });
    }
  }

  #bothEmpty(actual: number, expected: number): boolean {
    if (expected > 0) return false;
    if (actual === 0) this.right++;
    return actual === 0;
  }

  #compareObjects(
    actual: JsonObject,
    expected: JsonObject,
    path: readonly string[],
    allowExtra: boolean,
  ): void {
    const wanted = Object.keys(expected);
    const found = Object.keys(actual);
    if (this.#bothEmpty(allowExtra ? 0 : found.length, wanted.length)) return;
    for (const key of wanted) {
      const below = [...path, key];
      if (Object.hasOwn(actual, key))
        this.compare(actual[key] as JsonValue, expected[key] as JsonValue, below);
      else this.#lacks(expected[key] as JsonValue, below);
    }
    if (allowExtra) return;
    for (const key of found) {
      if (!Object.hasOwn(expected, key)) this.#exceeds(actual[key] as JsonValue, [...path, key]);
    }
  }

  #compareInOrder(
    actual: readonly JsonValue[],
    expected: readonly JsonValue[],
    path: readonly string[],
    allowExtra: boolean,
  ): void {
    for (const [index, item] of expected.entries()) {
      const below = [...path, String(index)];
      if (index < actual.length) this.compare(actual[index] as JsonValue, item, below);
      else this.#lacks(item, below);
    }
    if (allowExtra) return;
    for (let index = expected.length; index < actual.length; index++) {
      this.#exceeds(actual[index] as JsonValue, [...path, String(index)]);
    }
  }

  #compareUnordered(
    actual: readonly JsonValue[],
    expected: readonly JsonValue[],
    path: readonly string[],
    rule: Omit<StructureRule, "path">,
  ): void {
    const keyOf = (item: JsonValue): string | undefined =>
      typeof rule.unordered === "object" ? fieldsKey(item, rule.unordered.by) : canonicalJson(item);
    const open = new Map<string | undefined, JsonValue[]>();
    for (const item of actual) {
      const key = keyOf(item);
      const group = open.get(key);
      if (group === undefined) open.set(key, [item]);
      else group.push(item);
    }
    for (const group of open.values()) group.reverse();
    for (const item of expected) {
      const key = keyOf(item);
      const partner = key === undefined ? undefined : open.get(key)?.pop();
      const below = [...path, label(key)];
      if (partner === undefined) this.#lacks(item, below);
      else this.compare(partner, item, below);
    }
    if (rule.allowExtra === true) return;
    for (const [key, group] of open) for (const item of group) this.#exceeds(item, [...path, label(key)]);
  }

  #lacks(expected: JsonValue, path: readonly string[]): void {
    if (this.#ruleOf(path).optional === true) return;
    const leaves = this.#leaves(expected, path);
    this.missing += leaves;
    if (leaves > 0) this.#note({ path: formatPath(path), problem: "missing", expected: show(expected) });
  }

  #exceeds(actual: JsonValue, path: readonly string[]): void {
    const leaves = this.#leaves(actual, path);
    this.extra += leaves;
    if (leaves > 0) this.#note({ path: formatPath(path), problem: "extra", actual: show(actual) });
  }

  #leaves(value: JsonValue, path: readonly string[]): number {
    if (this.#ruleOf(path).ignore === true) return 0;
    if (value === null || typeof value !== "object") return 1;
    const entries = Object.entries(value);
    if (entries.length === 0) return 1;
    return entries.reduce((sum, [key, item]) => sum + this.#leaves(item as JsonValue, [...path, key]), 0);
  }

  #note(difference: StructureDifference): void {
    if (this.differences.length < maxDifferences) this.differences.push(difference);
  }
}

function sameScalar(actual: JsonValue, expected: JsonValue, rule: Omit<StructureRule, "path">): boolean {
  if (actual === expected) return true;
  if (typeof actual === "number" && typeof expected === "number") {
    return rule.tolerance !== undefined && withinTolerance(actual, expected, rule.tolerance);
  }
  if (typeof actual !== "string" || typeof expected !== "string") return false;
  if (rule.tolerance !== undefined) {
    const [found, wanted] = [parseQuantity(actual), parseQuantity(expected)];
    if (found.kind === "ok" && wanted.kind === "ok" && found.value.unit === "" && wanted.value.unit === "") {
      return withinTolerance(found.value.value, wanted.value.value, rule.tolerance);
    }
  }
  return rule.text !== undefined && normaliseText(actual, rule.text) === normaliseText(expected, rule.text);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `undefined` for an item that lacks one of the fields. */
function fieldsKey(item: JsonValue, fields: readonly string[]): string | undefined {
  if (!isObject(item) || !fields.every((field) => Object.hasOwn(item, field))) return undefined;
  return canonicalJson(fields.map((field) => item[field] as JsonValue));
}

function label(key: string | undefined): string {
  return key === undefined ? "(no key)" : key.length > 60 ? `${key.slice(0, 60)}…` : key;
}

function shown(
  expected: JsonValue,
  actual: JsonValue,
): { readonly expected: string; readonly actual: string } {
  return { expected: show(expected), actual: show(actual) };
}

/** A value in a few words; large ones are not written out. */
function show(value: JsonValue): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return isObject(value) ? `an object of ${Object.keys(value).length}` : String(value);
}
