import { z } from "zod";

/** What failures may be called: `data/failure-labels.json`, or a scheme of one's own. */
export interface FailureScheme {
  readonly schema: "ale/failure-scheme@1";
  readonly name: string;
  readonly classes: readonly {
    readonly id: string;
    readonly name: string;
    /** How to decide, in words. */
    readonly rule: string;
    readonly subclasses: readonly { readonly id: string; readonly name: string; readonly rule: string }[];
  }[];
}

/** One line of an attempt's `labels.jsonl`. A coder's later label of the attempt stands for the earlier one. */
export interface FailureLabel {
  readonly schema: "ale/label@1";
  /** Who decided. */
  readonly coder: string;
  readonly by: "person" | "model";
  /** Name of the scheme. */
  readonly scheme: string;
  /** Id of a subclass. */
  readonly label: string;
  readonly note: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

const text = z.string().min(1);

export const failureSchemeSchema: z.ZodType<FailureScheme> = z.strictObject({
  schema: z.literal("ale/failure-scheme@1"),
  name: text,
  classes: z.array(
    z.strictObject({
      id: text,
      name: text,
      rule: text,
      subclasses: z.array(z.strictObject({ id: text, name: text, rule: text })).min(1),
    }),
  ),
});

export const failureLabelSchema: z.ZodType<FailureLabel> = z.strictObject({
  schema: z.literal("ale/label@1"),
  coder: text,
  by: z.enum(["person", "model"]),
  scheme: text,
  label: text,
  note: z.string(),
  at: z.number().nonnegative(),
});
