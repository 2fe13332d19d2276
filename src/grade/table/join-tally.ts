import { quote } from "../quote.ts";
import type { CellComparer } from "./cell-comparer.ts";
import { type CodedRow, splitKey, splitRow, splitValues } from "./row-code.ts";
import type { ComparedTables, TableDifference } from "./table-comparison.ts";

const maxDifferences = 24;
/** Of each problem, so that a thousand missing rows do not hide the wrong cells. */
const maxOfOneProblem = 8;

export interface TalliedColumn {
  readonly name: string;
  readonly comparer: CellComparer;
}

type Totals = Pick<ComparedTables, "expectedRows" | "actualRows" | "missingColumns" | "extraColumns">;
type Numbered = TableDifference & { readonly index: number };

/** Joins rows, part by part, and counts what agrees. */
export class JoinTally {
  readonly #columns: readonly TalliedColumn[];
  readonly #right: number[];
  readonly #orderRequired: boolean;
  readonly #pairs: [expected: number, actual: number][] = [];
  readonly #differences: Record<TableDifference["problem"], Numbered[]> = {
    "wrong-cell": [],
    "missing-row": [],
    "extra-row": [],
  };
  #matched = 0;
  #rightRows = 0;
  #duplicatesExpected = 0;
  #duplicatesActual = 0;

  constructor(columns: readonly TalliedColumn[], orderRequired: boolean) {
    this.#columns = columns;
    this.#right = columns.map(() => 0);
    this.#orderRequired = orderRequired;
  }

  /** Both sides' rows of the same keys, in file order, each as `encodeRow` makes it. */
  join(expected: readonly string[], actual: readonly string[]): void {
    const wanted = groupByKey(expected);
    const found = groupByKey(actual);
    for (const [key, group] of wanted) {
      const partners = found.get(key);
      if (Array.isArray(group)) this.#duplicatesExpected++;
      if (!Array.isArray(group) && partners !== undefined && !Array.isArray(partners)) {
        this.#compare(group, partners);
      } else this.#pairUp(listOf(group), listOf(partners));
    }
    for (const [key, group] of found) {
      if (Array.isArray(group)) this.#duplicatesActual++;
      if (!wanted.has(key)) for (const row of listOf(group)) this.#note("extra-row", row);
    }
  }

  result(totals: Totals): ComparedTables {
    const all = Object.values(this.#differences).flat();
    all.sort((left, right) => left.index - right.index);
    return {
      kind: "compared",
      ...totals,
      matchedRows: this.#matched,
      rightRows: this.#rightRows,
      missingRows: totals.expectedRows - this.#matched,
      extraRows: totals.actualRows - this.#matched,
      duplicateKeys: { expected: this.#duplicatesExpected, actual: this.#duplicatesActual },
      columns: this.#columns.map(({ name }, index) => {
        const right = this.#right[index] ?? 0;
        return { name, right, wrong: this.#matched - right };
      }),
      rowsInOrder: this.#orderRequired ? longestRise(this.#pairs) : this.#matched,
      orderRequired: this.#orderRequired,
      differences: all.slice(0, maxDifferences).map(({ index: _index, ...difference }) => difference),
    };
  }

  /** Rows of one key: identical ones first, the others in file order. */
  #pairUp(expected: readonly CodedRow[], actual: readonly CodedRow[]): void {
    const byValues = new Map<string, CodedRow[]>();
    for (const row of actual.toReversed()) {
      const same = byValues.get(row.values);
      if (same === undefined) byValues.set(row.values, [row]);
      else same.push(row);
    }
    const paired = new Set<CodedRow>();
    const left = expected.filter((row) => {
      const twin = byValues.get(row.values)?.pop();
      if (twin === undefined) return true;
      paired.add(twin);
      this.#compare(row, twin);
      return false;
    });
    const others = actual.filter((row) => !paired.has(row));
    for (const [index, row] of left.entries()) {
      const partner = others[index];
      if (partner === undefined) this.#note("missing-row", row);
      else this.#compare(row, partner);
    }
    for (const row of others.slice(left.length)) this.#note("extra-row", row);
  }

  #compare(expected: CodedRow, actual: CodedRow): void {
    this.#matched++;
    if (this.#orderRequired) this.#pairs.push([expected.index, actual.index]);
    if (expected.values === actual.values) {
      this.#rightRows++;
      for (let column = 0; column < this.#right.length; column++) this.#count(column);
      return;
    }
    const [wanted, found] = [splitValues(expected.values), splitValues(actual.values)];
    let right = true;
    for (const [index, { name, comparer }] of this.#columns.entries()) {
      const [want = "", got = ""] = [wanted[index], found[index]];
      if (want === got || (want !== "" && got !== "" && comparer.same(got, want))) this.#count(index);
      else {
        right = false;
        this.#note("wrong-cell", expected, { column: name, expected: quote(want), actual: quote(got) });
      }
    }
    if (right) this.#rightRows++;
  }

  #count(column: number): void {
    this.#right[column] = (this.#right[column] ?? 0) + 1;
  }

  #note(problem: TableDifference["problem"], row: CodedRow, cell: Partial<TableDifference> = {}): void {
    const noted = this.#differences[problem];
    const worst = noted[maxOfOneProblem - 1];
    if (worst !== undefined && worst.index <= row.index) return;
    noted.push({
      index: row.index,
      row: splitKey(row.key)
        .map((text) => quote(text))
        .join(", "),
      problem,
      ...cell,
    });
    noted.sort((left, right) => left.index - right.index);
    noted.length = Math.min(noted.length, maxOfOneProblem);
  }
}

type Group = CodedRow | CodedRow[];

function groupByKey(rows: readonly string[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const text of rows) {
    const row = splitRow(text);
    const group = groups.get(row.key);
    if (group === undefined) groups.set(row.key, row);
    else if (Array.isArray(group)) group.push(row);
    else groups.set(row.key, [group, row]);
  }
  return groups;
}

function listOf(group: Group | undefined): readonly CodedRow[] {
  if (group === undefined) return [];
  return Array.isArray(group) ? group : [group];
}

/** The length of the longest run of pairs, not necessarily adjacent, that rises on both sides (patience sorting). */
function longestRise(pairs: [expected: number, actual: number][]): number {
  pairs.sort((left, right) => left[0] - right[0]);
  const tails: number[] = [];
  for (const [, position] of pairs) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((tails[middle] ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    tails[low] = position;
  }
  return tails.length;
}
