import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AleError } from "../../contract/ale-error.ts";
import type { Read } from "../rubric/read.ts";
import { assertKeyRule, cellComparer } from "./cell-comparer.ts";
import { cellText } from "./cell-text.ts";
import type { ColumnRule } from "./column-rule.ts";
import { JoinTally } from "./join-tally.ts";
import { type ColumnNaming, type MatchedColumn, matchColumns } from "./match-columns.ts";
import { readTable } from "./read-table.ts";
import { encodeRow } from "./row-code.ts";
import { partitionCount, partitionOf, RowPartitions } from "./row-partitions.ts";
import type { ReadTableOptions, Table } from "./table.ts";
import type { TableComparison } from "./table-comparison.ts";

/** A file and how to read it; a bare string is a path read with the defaults. */
export type TableSource = string | ({ readonly path: string } & ReadTableOptions);

export interface CompareTablesOptions extends ColumnNaming {
  /** The agent's. */
  readonly actual: TableSource;
  /** The reference: trusted, so what is wrong with it is thrown. */
  readonly expected: TableSource;
  /**
   * Columns that together name a row, by the expected names. Compared under their rules, without tolerance. An empty
   * list joins by position: the first row with the first, and so on.
   */
  readonly key: readonly string[];
  /** Rules by expected column name. */
  readonly columns?: Readonly<Record<string, ColumnRule>>;
  /** For expected columns without a rule of their own, default `exact`; `ignore` compares only those named. */
  readonly otherColumns?: ColumnRule;
  /** `ignored` (default), or `required`: matched rows should stand in the reference's order. */
  readonly rowOrder?: "ignored" | "required";
  /** Where temporary files may be written, default the system's folder for them. Removed at the end. */
  readonly scratch?: string;
}

/**
 * Joins two tables of any formats by key and compares their cells. Rows of one key that stands several times pair up
 * first with identical ones, then in file order; what is left over is missing or extra. Memory is bounded: tables
 * beyond a few MB are dealt out to temporary files by key, and joined part by part.
 *
 * Throws an `AleError` coded `reference-unreadable` for a broken reference, `table-misuse` for columns or rules that it
 * does not support. A broken actual table is the `bad` case.
 */
export async function compareTables(options: CompareTablesOptions): Promise<TableComparison> {
  const [expectedSource, actualSource] = [sourceOf(options.expected), sourceOf(options.actual)];
  const expected = trusted(await readTable(expectedSource.path, expectedSource), expectedSource.path);
  const actual = await readTable(actualSource.path, actualSource);
  if (actual.kind === "bad") {
    matchColumns(expected.header, [], options);
    return actual;
  }
  const matched = matchColumns(expected.header, actual.value.header, options);
  if (matched.kind === "bad") return matched;
  const { key, values } = matched.value;
  for (const column of key) assertKeyRule(column.name, column.rule);
  const absentKey = key.find((column) => column.actualIndex === undefined);
  if (absentKey !== undefined) {
    const message = `The key column "${absentKey.name}" is missing, so no row can be found.`;
    return { kind: "bad", outcome: { score: 0, message } };
  }

  const formats = { actual: actualSource.numbers ?? {}, expected: expectedSource.numbers ?? {} };
  const keyComparers = key.map((column) => cellComparer(column.rule, formats));
  const actualKeys = keyComparers.map((comparer) => comparer.actualKey);
  const expectedKeys = keyComparers.map((comparer) => comparer.expectedKey);
  const present = values.filter((column) => column.actualIndex !== undefined);
  const tally = new JoinTally(
    present.map(({ name, rule }) => ({ name, comparer: cellComparer(rule, formats) })),
    options.rowOrder === "required",
  );

  const folder = await mkdtemp(join(options.scratch ?? tmpdir(), "ale-tables-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const expectedParts = cleanup.use(new RowPartitions(folder, "expected"));
  const actualParts = cleanup.use(new RowPartitions(folder, "actual"));
  const expectedCount = trusted(
    await deal(expected, expectedParts, sideOf("expectedIndex", key, present, expectedKeys, expectedSource)),
    expectedSource.path,
  );
  const actualCount = await deal(
    actual.value,
    actualParts,
    sideOf("actualIndex", key, present, actualKeys, actualSource),
  );
  if (actualCount.kind === "bad") return actualCount;
  for (let part = 0; part < partitionCount; part++) {
    tally.join(expectedParts.take(part), actualParts.take(part));
  }
  return tally.result({
    expectedRows: expectedCount,
    actualRows: actualCount.value,
    missingColumns: matched.value.missing,
    extraColumns: matched.value.extra,
  });
}

interface Side {
  readonly keyIndexes: readonly number[];
  readonly keyOf: readonly ((text: string) => string)[];
  readonly valueIndexes: readonly number[];
  readonly numbers: ReadTableOptions["numbers"];
}

function sideOf(
  index: "actualIndex" | "expectedIndex",
  key: readonly MatchedColumn[],
  values: readonly MatchedColumn[],
  keyOf: Side["keyOf"],
  source: ReadTableOptions,
): Side {
  return {
    keyIndexes: key.map((column) => column[index] ?? -1),
    keyOf,
    valueIndexes: values.map((column) => column[index] ?? -1),
    numbers: source.numbers,
  };
}

async function deal(table: Table, parts: RowPartitions, side: Side): Promise<Read<number>> {
  const { keyIndexes, keyOf, valueIndexes, numbers } = side;
  return table.visitRows((row, index) => {
    const key =
      keyIndexes.length === 0
        ? [`row ${index + 1}`]
        : keyIndexes.map((column, at) => keyOf[at]?.(cellText(row[column] ?? null, numbers)) ?? "");
    const values = valueIndexes.map((column) => cellText(row[column] ?? null, numbers));
    parts.add(partitionOf(key.join("\u001f")), encodeRow(index, key, values));
  });
}

function sourceOf(source: TableSource): { readonly path: string } & ReadTableOptions {
  return typeof source === "string" ? { path: source } : source;
}

function trusted<T>(read: Read<T>, path: string): T {
  if (read.kind === "ok") return read.value;
  throw new AleError({
    code: "reference-unreadable",
    message: `The reference table ${path} is broken: ${read.outcome.message}`,
    remedy: "Repair the reference, or say in the options how it is written.",
    fields: { path },
  });
}
