import { AleError } from "../contract/ale-error.ts";
import type { Finding } from "../contract/finding.ts";
import { parseYamlFile, type YamlSource } from "./parse-yaml-file.ts";
import type { YamlPlaces } from "./yaml-places.ts";

export interface RequiredYaml<T> extends YamlSource<T> {
  /** Code of the error. */
  readonly code: string;
  readonly remedy: string;
  /** What the schema cannot say; each is a fault too. */
  readonly check?: (value: T, places: YamlPlaces) => readonly Finding[];
}

/** As {@link parseYamlFile}, for a file that nothing goes on without: throws an `AleError` that names every fault and its place. */
export function requireYaml<T>(source: RequiredYaml<T>): T {
  const parsed = parseYamlFile(source);
  const findings =
    parsed.kind === "ok" ? (source.check?.(parsed.value, parsed.places) ?? []) : parsed.findings;
  if (parsed.kind === "ok" && findings.length === 0) return parsed.value;
  const { code, path, remedy } = source;
  const problems = findings.map((finding) => told(finding));
  throw new AleError({ code, message: problems.join("\n"), remedy, fields: { path, problems } });
}

function told({ path, line, column, message, remedy }: Finding): string {
  const place = [path, line, column].filter((part) => part !== undefined).join(":");
  return `${place}: ${message}${remedy === undefined ? "" : ` (${remedy})`}`;
}
