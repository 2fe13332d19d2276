import type { ParameterValue } from "../../contract/task-manifest.ts";

const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** A `{{name}}` of an instruction, with where it stands. */
export interface Placeholder {
  readonly name: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
}

/** Every placeholder of a text, in order. */
export function findPlaceholders(text: string): readonly Placeholder[] {
  return [...text.matchAll(placeholder)].map((match) => {
    const before = text.slice(0, match.index).split("\n");
    return {
      name: match[1] as string,
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
    };
  });
}

/** Fills placeholders with the values as they are: a `{{…}}` within a value stays as it is. */
export function fillInstruction(text: string, params: Readonly<Record<string, ParameterValue>>): string {
  return text.replaceAll(placeholder, (whole, name: string) =>
    Object.hasOwn(params, name) ? String(params[name]) : whole,
  );
}
