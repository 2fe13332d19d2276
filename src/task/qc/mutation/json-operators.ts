import type { JsonValue } from "../../../contract/json-value.ts";
import type { Random } from "../../../contract/random.ts";
import { changeValue } from "./change-value.ts";
import { type MutationOperator, overText } from "./operator.ts";

type Path = readonly (string | number)[];

interface Spot {
  readonly path: Path;
  readonly value: JsonValue;
}

type Change = (
  spots: readonly Spot[],
  random: Random,
) => { readonly what: string; readonly path: Path; readonly put: readonly JsonValue[] } | undefined;

const changes: readonly Change[] = [
  (spots, random) => {
    const leaves = spots.filter(({ value }) => typeof value !== "object");
    if (leaves.length === 0) return undefined;
    const { path, value } = random.pick(leaves);
    const changed = changeLeaf(value, random);
    return {
      what: `${dotted(path)}: ${JSON.stringify(value)} made ${JSON.stringify(changed)}`,
      path,
      put: [changed],
    };
  },
  (spots, random) => {
    const parts = spots.filter(({ path }) => path.length > 0);
    if (parts.length === 0) return undefined;
    const { path } = random.pick(parts);
    return { what: `${dotted(path)} removed`, path, put: [] };
  },
  (spots, random) => {
    const items = spots.filter(({ path }) => typeof path.at(-1) === "number");
    if (items.length === 0) return undefined;
    const { path, value } = random.pick(items);
    return { what: `${dotted(path)} repeated`, path, put: [value, value] };
  },
];

/** For JSON: leaves changed, keys and items removed, items repeated. */
export const jsonOperators: readonly MutationOperator[] = changes.map((change) =>
  overText((text, random) => {
    const value = readJson(text);
    if (value === undefined) return undefined;
    const changed = change(spotsOf(value), random);
    if (changed === undefined) return undefined;
    const { what, path, put } = changed;
    return { what, text: `${JSON.stringify(replace(value, path, put), null, 2)}\n` };
  }),
);

function changeLeaf(value: JsonValue, random: Random): JsonValue {
  if (typeof value === "number") return Number(changeValue(String(value), random));
  if (typeof value === "boolean") return !value;
  return typeof value === "string" ? changeValue(value, random) : 1;
}

function spotsOf(value: JsonValue, path: Path = []): readonly Spot[] {
  const own: Spot = { path, value };
  if (Array.isArray(value)) {
    return [own, ...value.flatMap((item: JsonValue, index) => spotsOf(item, [...path, index]))];
  }
  if (typeof value !== "object" || value === null) return [own];
  return [own, ...Object.entries(value).flatMap(([key, item]) => spotsOf(item as JsonValue, [...path, key]))];
}

/** The value with what stands at `path` replaced: removed by none, repeated by two. */
function replace(value: JsonValue, path: Path, put: readonly JsonValue[]): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) return put[0] ?? null;
  if (Array.isArray(value)) {
    const index = key as number;
    const items = rest.length === 0 ? put : [replace(value[index] as JsonValue, rest, put)];
    return (value as JsonValue[]).toSpliced(index, 1, ...items);
  }
  const entries = Object.entries(value as { readonly [name: string]: JsonValue });
  return Object.fromEntries(
    entries.flatMap(([name, item]): [string, JsonValue][] => {
      if (name !== key) return [[name, item]];
      if (rest.length > 0) return [[name, replace(item, rest, put)]];
      return put.length === 0 ? [] : [[name, put[0] as JsonValue]];
    }),
  );
}

function readJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function dotted(path: Path): string {
  return path.length === 0 ? "the whole" : path.map(String).join(".");
}
