import { AleError } from "../contract/ale-error.ts";
import type { Finding } from "../contract/finding.ts";
import { parseYamlFile, type YamlSource } from "./parse-yaml-file.ts";

export interface RequiredYaml<T> extends YamlSource<T> {
  /** Code of the error. */
  readonly code: string;
  readonly remedy: string;
}

/** As {@link parseYamlFile}, for a file that nothing goes on without: throws an `AleError` that names every fault and its place. */
export function requireYaml<T>(source: RequiredYaml<T>): T {
  const parsed = parseYamlFile(source);
  if (parsed.kind === "ok") return parsed.value;
  const { code, path, remedy } = source;
  const problems = parsed.findings.map((finding) => told(finding));
  throw new AleError({ code, message: problems.join("\n"), remedy, fields: { path, problems } });
}

function told({ path, line, column, message, remedy }: Finding): string {
  const place = [path, line, column].filter((part) => part !== undefined).join(":");
  return `${place}: ${message}${remedy === undefined ? "" : ` (${remedy})`}`;
}
