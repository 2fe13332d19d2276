import type { z } from "zod";
import type { Finding } from "../contract/finding.ts";
import { nearest } from "./nearest.ts";
import { keysAt } from "./schema-shape.ts";
import type { YamlPlaces } from "./yaml-places.ts";

type Issue = z.core.$ZodIssue;

/** What the schema said of a YAML value, as findings with place, value and remedy, in the order of the file. */
export function explainIssues(
  issues: readonly Issue[],
  schema: z.ZodType,
  value: unknown,
  places: YamlPlaces,
): readonly Finding[] {
  const flat = issues.flatMap((issue) => choose(issue));
  const misspelt = new Set<string>();
  const findings: Finding[] = [];
  for (const issue of flat) {
    if (issue.code !== "unrecognized_keys") continue;
    const present = valueAt(value, issue.path);
    const valid = keysAt(schema, issue.path);
    for (const key of issue.keys) {
      const free = valid.filter((other) => !Object.hasOwn(Object(present), other));
      const meant = nearest(key, free) ?? nearest(key, valid);
      if (meant !== undefined) misspelt.add(dotted([...issue.path, meant]));
      findings.push({
        severity: "error",
        code: "unknown-key",
        message: `${dotted([...issue.path, key])} is not a key that belongs here`,
        remedy:
          meant === undefined
            ? `the keys that may stand here: ${valid.join(", ")}`
            : `did you mean ${meant}?`,
        ...places.findKey(issue.path, key),
      });
    }
  }
  for (const issue of flat) {
    if (issue.code === "unrecognized_keys") continue;
    const here = valueAt(value, issue.path);
    // A misspelt key is one mistake, not a wrong key and a missing one.
    if (here === undefined && misspelt.has(dotted(issue.path))) continue;
    findings.push({ ...explain(issue, here, places), ...places.find(issue.path) });
  }
  return findings.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** Of a union that matched nowhere, the issues of the option that was meant: the one that got furthest in. */
function choose(issue: Issue, prefix: readonly PropertyKey[] = []): readonly Issue[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "invalid_key") {
    const message = `its name ${issue.issues.map(demand).join(", ")}`;
    return [{ code: "custom", path, input: issue.input, message }];
  }
  if (issue.code !== "invalid_union") return [{ ...issue, path }];
  if (issue.errors.length === 0) {
    const words = "options" in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
    if (words.length === 0) return [{ ...issue, path }];
    const message = `must be ${orList(words)}`;
    return [{ code: "custom", path, input: issue.input, message, params: { words } }];
  }
  const deeper = issue.errors.filter(
    (errors) =>
      errors.length > 0 &&
      errors.every((error) => error.path.length > 0 || error.code === "unrecognized_keys"),
  );
  const [meant] = [...deeper].sort((a, b) => a.length - b.length);
  if (meant !== undefined) return meant.flatMap((error) => choose(error, path));
  const inner = issue.errors.flat();
  const words = inner.flatMap((error) => (error.code === "invalid_value" ? error.values.map(String) : []));
  const kinds = inner.filter((error) => error.code !== "invalid_value").map(expectation);
  const message = `must be ${orList([...words, ...kinds])}`;
  return [{ code: "custom", path, input: issue.input, message, params: { words } }];
}

function explain(issue: Issue, value: unknown, places: YamlPlaces): Finding {
  const name = dotted(issue.path) || "the file";
  if (value === undefined && issue.code !== "custom") {
    return {
      severity: "error",
      code: "missing-key",
      message: `${name} is missing; it must be ${expectation(issue)}`,
      remedy: `add ${String(issue.path.at(-1) ?? "the content")}`,
    };
  }
  const written = places.written(issue.path);
  const shown =
    value === null
      ? "empty"
      : typeof value === "string" && issue.code === "invalid_type"
        ? `${shorten(JSON.stringify(value))} (a string)`
        : written || shorten(JSON.stringify(value) ?? String(value));
  const finding = {
    severity: "error",
    code: issue.code === "invalid_type" ? "wrong-type" : "invalid-value",
    message: `${name} is ${shown}, but ${demand(issue)}`,
  } as const;
  if (issue.code === "invalid_type" && issue.expected === "string" && written !== undefined) {
    return { ...finding, remedy: `put it in quotes: "${written}"` };
  }
  if (typeof value === "string") {
    const meant = nearest(value, wordsOf(issue));
    if (meant !== undefined) return { ...finding, remedy: `did you mean ${meant}?` };
  }
  return finding;
}

/** The words of which one was wanted. */
function wordsOf(issue: Issue): readonly string[] {
  if (issue.code === "invalid_value") return issue.values.map(String);
  return issue.code === "custom" ? ((issue.params?.["words"] as readonly string[] | undefined) ?? []) : [];
}

function demand(issue: Issue): string {
  if (issue.code === "custom") return issue.message;
  const said = issue.message;
  const own = !/^(Invalid|Too|Unrecognized)/.test(said);
  return own ? said : `must be ${expectation(issue)}`;
}

/** What the schema wanted, as words that follow "must be". */
function expectation(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return kindNames[issue.expected] ?? issue.expected;
    case "invalid_value":
      return orList(issue.values.map(String));
    case "too_small":
      return `${unit(issue.origin, issue.inclusive === false ? "more than" : "at least")} ${issue.minimum}${counted(issue.origin, issue.minimum)}`;
    case "too_big":
      return `${unit(issue.origin, issue.inclusive === false ? "less than" : "at most")} ${issue.maximum}${counted(issue.origin, issue.maximum)}`;
    case "invalid_format":
      return issue.message.replace(/^must be /, "").replace(/^Invalid /, "a valid ");
    default:
      return issue.message.replace(/^must be /, "");
  }
}

const kindNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map of keys",
  record: "a map of keys",
};

function unit(origin: string, bound: string): string {
  return origin === "array" ? `a list of ${bound}` : origin === "string" ? `text of ${bound}` : bound;
}

function counted(origin: string, count: number | bigint): string {
  const noun = origin === "array" ? " item" : origin === "string" ? " character" : "";
  return noun === "" || Number(count) === 1 ? noun : `${noun}s`;
}

function orList(words: readonly string[]): string {
  const unique = [...new Set(words)];
  return unique.length < 2 ? (unique[0] ?? "") : `${unique.slice(0, -1).join(", ")} or ${unique.at(-1)}`;
}

function dotted(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`,
    )
    .join("");
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const part of path) {
    if (typeof here !== "object" || here === null) return undefined;
    here = (here as Readonly<Record<PropertyKey, unknown>>)[part];
  }
  return here;
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
