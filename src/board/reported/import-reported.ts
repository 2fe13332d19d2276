import { createHash } from "node:crypto";
import { known, type Maybe, unknown } from "../../contract/absence.ts";
import { AleError } from "../../contract/ale-error.ts";
import type { ReportedBoard, ReportedRow } from "../../contract/reported-board.ts";
import { type ReportedRecord, reportedRecords } from "./reported-records.ts";

export interface ImportReportedOptions {
  readonly name: string;
  /** Name of the file, for the record. */
  readonly file: string;
  /** Milliseconds since the Unix epoch. */
  readonly importedAt: number;
  /** Tasks of the split; default: the most that any row has, which is right when some row has them all. */
  readonly tasks?: number;
}

const million = 1e6;

/**
 * Reads the official export (`harness, model, variant, runs, tasks, passes, passRate, avgScore, durS, inM, outM, cost,
 * costSource`; tokens in millions) as CSV or JSON. Throws `malformed-board` naming every row and field that is wrong.
 */
export function importReported(text: string, options: ImportReportedOptions): ReportedBoard {
  const records = reportedRecords(text);
  const problems: string[] = [];
  const rows = records.map((record) => readRow(record, problems));
  if (records.length === 0) problems.push("there are no rows");
  const seen = new Map<string, string>();
  rows.forEach((row, index) => {
    const place = records[index]?.place ?? "";
    const identity = [row.harness, row.model, row.variant].join(" ");
    const before = seen.get(identity);
    if (before !== undefined) problems.push(`${place}: the same contestant as ${before}`);
    else seen.set(identity, place);
  });
  const most = Math.max(1, ...rows.map((row) => row.tasks));
  const tasks = options.tasks ?? most;
  if (tasks < most) problems.push(`a row has ${most} tasks, more than the ${tasks} of the split`);
  if (problems.length > 0) throw malformed(options.file, problems);
  const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  return {
    schema: "ale/reported@1",
    name: options.name,
    source: { file: options.file, digest },
    importedAt: options.importedAt,
    tasks,
    rows,
  };
}

function readRow({ place, fields }: ReportedRecord, problems: string[]): ReportedRow {
  const text = (name: string): string => {
    const value = fields[name];
    return value === undefined || value === null ? "" : String(value).trim();
  };
  const optional = (name: string, scale = 1): Maybe<number> => {
    const value = text(name);
    if (value === "") return unknown("not published");
    const number = Number(value);
    if (Number.isFinite(number) && number >= 0) return known(number * scale);
    problems.push(`${place}: ${name} is ${JSON.stringify(value)}, not a number from 0`);
    return unknown("not a number");
  };
  const required = (name: string, whole: boolean, highest: number): number => {
    const value = text(name);
    const number = value === "" ? Number.NaN : Number(value);
    if (number >= 0 && number <= highest && (!whole || Number.isInteger(number))) return number;
    const wanted = whole ? "a whole number from 0" : `a number from 0 to ${highest}`;
    problems.push(`${place}: ${name} is ${value === "" ? "missing" : JSON.stringify(value)}, not ${wanted}`);
    return 0;
  };
  for (const name of ["harness", "model"])
    if (text(name) === "") problems.push(`${place}: ${name} is missing`);
  const row: ReportedRow = {
    harness: text("harness"),
    model: text("model"),
    variant: text("variant"),
    runs: required("runs", true, Number.POSITIVE_INFINITY),
    tasks: required("tasks", true, Number.POSITIVE_INFINITY),
    passes: required("passes", true, Number.POSITIVE_INFINITY),
    passRate: required("passRate", false, 1),
    meanScore: required("avgScore", false, 1),
    seconds: optional("durS"),
    inputTokens: optional("inM", million),
    outputTokens: optional("outM", million),
    costUsd: optional("cost"),
    costSource: text("costSource"),
  };
  if (row.passes > row.runs) problems.push(`${place}: ${row.passes} passes in ${row.runs} runs`);
  if (row.tasks > row.runs) problems.push(`${place}: ${row.tasks} tasks in ${row.runs} runs`);
  return row;
}

function malformed(file: string, problems: readonly string[]): AleError {
  const shown = problems.slice(0, 8).join("\n  ");
  const more = problems.length > 8 ? `\n  and ${problems.length - 8} more` : "";
  return new AleError({
    code: "malformed-board",
    message: `${file} cannot be imported:\n  ${shown}${more}`,
    remedy:
      "the columns are harness, model, variant, runs, tasks, passes, passRate, avgScore, durS, inM, outM, cost, costSource",
    fields: { file, problems },
  });
}
