import { spawnSync } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Bench } from "./main.ts";

const rounds = 3;
const node = join(import.meta.dirname, "tables-worker.ts");

/**
 * Keyed join and comparison of two CSV files of a million rows each (or as many as the first option says), beside the
 * floor, a plain read of both files, and pandas where it is installed. Every round is a process of its own; medians.
 */
export const bench: Bench = async ([count = "1000000"]) => {
  const rows = Number(count);
  const folder = await mkdtemp(join(tmpdir(), "ale-bench-tables-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const [expected, actual] = [join(folder, "expected.csv"), join(folder, "actual.csv")];
  await pipeline(Readable.from(lines(rows, 0)), createWriteStream(expected));
  await pipeline(Readable.from(lines(rows, 1)), createWriteStream(actual));

  const floor = measure(process.execPath, [node, "floor", expected, actual, folder]);
  const ours = measure(process.execPath, [node, "compare", expected, actual, folder]);
  const report = [
    `keyed join of ${rows} × ${rows} rows, 5 columns, one with a tolerance; medians of ${rounds}`,
    show("floor (read both files)", floor),
    `${show("ale compareTables", ours)}  ${(ours.seconds / floor.seconds).toFixed(1)} × floor`,
  ];
  const python = ["python3", "/usr/bin/python3"].find(
    (program) => spawnSync(program, ["-c", "import pandas"]).status === 0,
  );
  if (python === undefined) return [...report, "pandas: not importable by python3, so not compared"];
  const pandas = measure(python, [join(import.meta.dirname, "tables-pandas.py"), expected, actual]);
  return [
    ...report,
    show("pandas merge", pandas),
    `ratio ale / pandas: ${(ours.seconds / pandas.seconds).toFixed(2)} in time, ${(ours.megabytes / pandas.megabytes).toFixed(2)} in memory`,
  ];
};

/** The second side in another order, with one wrong value in a thousand and amounts a hair off. */
function* lines(rows: number, side: 0 | 1): Generator<string> {
  yield "id,name,amount,date,note\n";
  // A step without common factor visits every row once.
  const step = side === 0 ? 1 : coprimeStep(rows);
  for (let index = 0; index < rows; index++) {
    const id = side === 0 ? index : Number((BigInt(index) * BigInt(step)) % BigInt(rows));
    const amount = ((id * 7919) % 1_000_003) / 100 + side * 0.001;
    const note = side === 1 && id % 1000 === 0 ? "wrong" : `note ${id % 97}`;
    const day = String((id % 28) + 1).padStart(2, "0");
    yield `K${id},customer ${id % 5003},${amount.toFixed(3)},2024-03-${day},${note}\n`;
  }
}

function coprimeStep(rows: number): number {
  const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));
  let step = Math.max(1, Math.floor(rows * 0.618));
  while (divisor(step, rows) !== 1) step++;
  return step;
}

interface Measured {
  readonly seconds: number;
  readonly megabytes: number;
}

/** Medians of time and peak memory, as the program itself reports them: `seconds megabytes` on its last line. */
function measure(program: string, argv: readonly string[]): Measured {
  const runs = Array.from({ length: rounds }, () => {
    const { status, stdout, stderr } = spawnSync(program, argv, { encoding: "utf8" });
    if (status !== 0) throw new TypeError(`${program} ${argv.join(" ")} failed: ${stderr}`);
    return stdout.trim().split("\n").at(-1)?.split(" ").map(Number) ?? [];
  });
  const median = (index: number): number =>
    runs.map((run) => run[index] ?? 0).sort((a, b) => a - b)[rounds >> 1] ?? 0;
  return { seconds: median(0), megabytes: median(1) };
}

function show(name: string, { seconds, megabytes }: Measured): string {
  return `${name.padEnd(26)} ${seconds.toFixed(2).padStart(7)} s  ${megabytes.toFixed(0).padStart(6)} MB peak`;
}
