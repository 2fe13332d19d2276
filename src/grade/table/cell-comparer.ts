import { AleError } from "../../contract/ale-error.ts";
import { type NumberFormat, parseQuantity } from "../number/parse-quantity.ts";
import { allowedDeviation, withinTolerance } from "../number/tolerance.ts";
import { normaliseText } from "../text/normalise-text.ts";
import type { ColumnRule } from "./column-rule.ts";
import { dateParser } from "./parse-date.ts";

/** A rule made ready: whether texts of the two sides agree, and each side's form as part of a key. */
export interface CellComparer {
  readonly same: (actual: string, expected: string) => boolean;
  readonly actualKey: (text: string) => string;
  readonly expectedKey: (text: string) => string;
}

export interface SideFormats {
  readonly actual: NumberFormat;
  readonly expected: NumberFormat;
}

/** Throws an `AleError` for a bad tolerance or date format. */
export function cellComparer(rule: ColumnRule, formats: SideFormats): CellComparer {
  const resolved = resolveRule(rule);
  switch (resolved.kind) {
    case "exact":
    case "ignore":
      return keyed((text) => text);
    case "text":
      return keyed((text) => normaliseText(text, resolved));
    case "number": {
      allowedDeviation(1, resolved);
      const parseActual = numberParser(formats.actual);
      const parseExpected = numberParser(formats.expected);
      return {
        same: (actual, expected) => {
          const wanted = parseExpected(expected);
          const found = parseActual(actual);
          return wanted !== undefined && found !== undefined && withinTolerance(found, wanted, resolved);
        },
        actualKey: (text) => String(parseActual(text) ?? text),
        expectedKey: (text) => String(parseExpected(text) ?? text),
      };
    }
    case "date": {
      const parse = dateParser(resolved.formats);
      const slack = resolved.toleranceSeconds ?? 0;
      const key = (text: string): string => String(parse(text) ?? text);
      return {
        same: (actual, expected) => {
          const [found, wanted] = [parse(actual), parse(expected)];
          return found !== undefined && wanted !== undefined && Math.abs(found - wanted) <= slack;
        },
        actualKey: key,
        expectedKey: key,
      };
    }
  }
}

/** Throws an `AleError` coded `table-misuse` for a rule by which rows cannot be joined. */
export function assertKeyRule(column: string, rule: ColumnRule): void {
  const loose =
    typeof rule === "object" &&
    ((rule.kind === "number" && (rule.absolute ?? rule.relative ?? rule.significantDigits) !== undefined) ||
      (rule.kind === "date" && (rule.toleranceSeconds ?? 0) !== 0));
  if (rule !== "ignore" && !loose) return;
  throw new AleError({
    code: "table-misuse",
    message: `The key column "${column}" has a rule that cannot join rows: it is ignored or has a tolerance.`,
    remedy: "Give it exact, text, number or date without tolerance.",
    fields: { column },
  });
}

type ResolvedRule = Exclude<ColumnRule, string> | { readonly kind: "exact" | "ignore" };

function resolveRule(rule: ColumnRule): ResolvedRule {
  if (typeof rule !== "string") return rule;
  return rule === "exact" || rule === "ignore" ? { kind: rule } : { kind: rule };
}

function keyed(key: (text: string) => string): CellComparer {
  return { same: (actual, expected) => key(actual) === key(expected), actualKey: key, expectedKey: key };
}

const plainNumber = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

function numberParser(format: NumberFormat): (text: string) => number | undefined {
  const plain = (format.decimal ?? ".") === "." && format.thousands === undefined;
  return (text) => {
    if (plain && text.length < 40 && plainNumber.test(text)) {
      const value = Number(text);
      return Number.isFinite(value) ? value + 0 : undefined;
    }
    const read = parseQuantity(text, format);
    return read.kind === "ok" && read.value.unit === "" ? read.value.value + 0 : undefined;
  };
}
