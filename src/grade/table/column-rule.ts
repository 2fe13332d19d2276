import type { Tolerance } from "../number/tolerance.ts";
import type { TextNormalisation } from "../text/normalise-text.ts";

/**
 * When a cell is right. Under every rule, cells with the same text are equal; an empty cell equals only an empty one.
 * - `exact`: the same characters. A typed number is its shortest decimal form, a date its ISO form.
 * - `text`: the same once normalised (default: Unicode NFKC, white space collapsed; add `letterCase: "fold"`).
 * - `number`: both are numbers, as their files write them, within the tolerance (any bound met suffices).
 * - `date`: both are the same instant, at most `toleranceSeconds` apart. Each is ISO 8601, or in one of `formats`, made
 *   of `YYYY MM M DD D MMM HH mm ss` and literal characters (`DD.MM.YYYY`, `D MMM YYYY`); without a zone it is UTC.
 * - `ignore`: the column is neither needed nor compared.
 */
export type ColumnRule =
  | "exact"
  | "text"
  | "number"
  | "date"
  | "ignore"
  | ({ readonly kind: "text" } & TextNormalisation)
  | ({ readonly kind: "number" } & Tolerance)
  | { readonly kind: "date"; readonly formats?: readonly string[]; readonly toleranceSeconds?: number };
