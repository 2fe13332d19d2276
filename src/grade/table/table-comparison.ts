import type { Outcome } from "../outcome.ts";

/** What came of comparing two tables. `bad`: the actual one could not be read or joined. */
export type TableComparison = ComparedTables | { readonly kind: "bad"; readonly outcome: Outcome };

export interface ComparedTables {
  readonly kind: "compared";
  readonly expectedRows: number;
  readonly actualRows: number;
  /** Pairs of an expected and an actual row with the same key. */
  readonly matchedRows: number;
  /** Matched rows of which every compared cell is right. */
  readonly rightRows: number;
  /** Expected rows without a partner. */
  readonly missingRows: number;
  /** Actual rows without a partner. */
  readonly extraRows: number;
  /** Keys that stand more than once, on each side. */
  readonly duplicateKeys: { readonly expected: number; readonly actual: number };
  /** Expected names that the actual table lacks. */
  readonly missingColumns: readonly string[];
  /** Actual names that the reference lacks. */
  readonly extraColumns: readonly string[];
  /** Compared columns, without the key; how many matched rows are right in each. */
  readonly columns: readonly ColumnResult[];
  /**
   * Matched rows that stand in the reference's order: the longest common subsequence. Equal to `matchedRows` when
   * order was not asked for.
   */
  readonly rowsInOrder: number;
  readonly orderRequired: boolean;
  /** The first differences, at most 24. */
  readonly differences: readonly TableDifference[];
}

export interface ColumnResult {
  readonly name: string;
  readonly right: number;
  readonly wrong: number;
}

export interface TableDifference {
  /** The key cells, as the side that has the row writes them in normal form; a row number when joined by position. */
  readonly row: string;
  readonly problem: "missing-row" | "extra-row" | "wrong-cell";
  readonly column?: string;
  readonly expected?: string;
  readonly actual?: string;
}
