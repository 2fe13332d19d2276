import { z } from "zod";
import { type Maybe, maybeSchema } from "./absence.ts";

/** A row of somebody else's board, as published. What is not there is unknown, never filled in. */
export interface ReportedRow {
  readonly harness: string;
  readonly model: string;
  /** Effort as the source words it, e.g. `thinking-max`; empty where it names none. */
  readonly variant: string;
  readonly runs: number;
  /** Tasks with at least one run. */
  readonly tasks: number;
  /** Runs that passed in full. */
  readonly passes: number;
  /** In [0, 1], over all tasks of the split: a task without a run counts 0. */
  readonly passRate: number;
  /** In [0, 1], over the same tasks. */
  readonly meanScore: number;
  /** All runs together. */
  readonly seconds: Maybe<number>;
  readonly inputTokens: Maybe<number>;
  readonly outputTokens: Maybe<number>;
  readonly costUsd: Maybe<number>;
  /** How the source came by the cost, in its own word: logged (`db`), `list` price, adjusted (`adj`)… */
  readonly costSource: string;
}

/** A published board, imported: `boards/<name>.json`, schema `ale/reported@1`. */
export interface ReportedBoard {
  readonly schema: "ale/reported@1";
  readonly name: string;
  readonly source: {
    /** Name of the file it was read from. */
    readonly file: string;
    /** Of that file's bytes. */
    readonly digest: string;
  };
  /** Milliseconds since the Unix epoch. */
  readonly importedAt: number;
  /** Tasks of the split: the denominator of every row. */
  readonly tasks: number;
  readonly rows: readonly ReportedRow[];
}

const count = z.int().nonnegative();
const unit = z.number().min(0).max(1);
const amount = maybeSchema(z.number().nonnegative());

export const reportedRowSchema: z.ZodType<ReportedRow> = z.strictObject({
  harness: z.string().min(1),
  model: z.string().min(1),
  variant: z.string(),
  runs: count,
  tasks: count,
  passes: count,
  passRate: unit,
  meanScore: unit,
  seconds: amount,
  inputTokens: amount,
  outputTokens: amount,
  costUsd: amount,
  costSource: z.string(),
});

export const reportedBoardSchema: z.ZodType<ReportedBoard> = z.strictObject({
  schema: z.literal("ale/reported@1"),
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/, "must be lower-case letters, digits, . _ and -"),
  source: z.strictObject({ file: z.string().min(1), digest: z.string().min(1) }),
  importedAt: z.number().nonnegative(),
  tasks: z.int().positive(),
  rows: z.array(reportedRowSchema).min(1),
});
