import { LineCounter, parseDocument, type YAMLError } from "yaml";
import type { z } from "zod";
import type { Finding } from "../contract/finding.ts";
import { explainIssues } from "./explain-issue.ts";
import { YamlPlaces } from "./yaml-places.ts";

export interface YamlSource<T> {
  /** Named in the findings; not read. */
  readonly path: string;
  readonly text: string;
  readonly schema: z.ZodType<T>;
}

export type ParsedYaml<T> =
  | { readonly kind: "ok"; readonly value: T; readonly places: YamlPlaces }
  | { readonly kind: "malformed"; readonly findings: readonly Finding[] };

/** One broken bracket can make hundreds; the first ones tell. */
const mostFaults = 10;

/**
 * Reads one YAML 1.2 document strictly: no duplicate keys, no tabs as indentation, no unknown tag, no key the
 * schema does not know. Every fault is a finding with line, column, the value, and the nearest valid word.
 * `places` finds the line of any part of the value, for checks that come after.
 */
export function parseYamlFile<T>(source: YamlSource<T>): ParsedYaml<T> {
  const lines = new LineCounter();
  const document = parseDocument(source.text, { lineCounter: lines, prettyErrors: false, logLevel: "error" });
  const faults = [...document.errors, ...document.warnings].slice(0, mostFaults);
  if (faults.length > 0) {
    return { kind: "malformed", findings: faults.map((fault) => syntaxFinding(fault, source.path, lines)) };
  }
  const places = new YamlPlaces(source.path, document, lines);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    // The library refuses aliases that multiply beyond the limit.
    const message = `cannot be read: ${(error as Error).message}`;
    return {
      kind: "malformed",
      findings: [{ severity: "error", code: "yaml-syntax", message, ...places.find([]) }],
    };
  }
  const parsed = source.schema.safeParse(value, { reportInput: true });
  if (parsed.success) return { kind: "ok", value: parsed.data, places };
  return { kind: "malformed", findings: explainIssues(parsed.error.issues, source.schema, value, places) };
}

const syntaxCodes: Readonly<Record<string, { readonly code: string; readonly remedy: string }>> = {
  DUPLICATE_KEY: { code: "duplicate-key", remedy: "keep one of the two" },
  TAB_AS_INDENT: { code: "tab-indent", remedy: "indent with spaces" },
  TAG_RESOLVE_FAILED: { code: "unknown-tag", remedy: "write the value without a tag" },
  MULTIPLE_DOCS: { code: "yaml-syntax", remedy: "keep one document per file: remove the lines with ---" },
};

function syntaxFinding(fault: YAMLError, path: string, lines: LineCounter): Finding {
  const { line, col } = lines.linePos(fault.pos[0]);
  const known = syntaxCodes[fault.code];
  return {
    severity: "error",
    code: known?.code ?? "yaml-syntax",
    message: fault.message.split("\n")[0] as string,
    ...(known === undefined ? {} : { remedy: known.remedy }),
    path,
    line: Math.max(1, line),
    column: Math.max(1, col),
  };
}
