import { z } from "zod";
import type { FailureScheme } from "../../../contract/failure-label.ts";
import { parseJson } from "../../../contract/json-fields.ts";

/** What a model answers that will not guess. */
export const cannotTell = "cannot-tell";

/** What a model's answer comes to. */
export type LabelAnswer =
  | { readonly kind: "label"; readonly label: string; readonly because: string }
  | { readonly kind: "cannot-tell"; readonly because: string }
  /** Not of the form that was asked for: it is no label. */
  | { readonly kind: "unusable"; readonly reason: string };

const answerSchema = z.strictObject({ label: z.string(), because: z.string().trim().min(1).max(2000) });

/** Takes one JSON object, alone or in one code fence, with a label of the scheme; anything else is unusable. */
export function parseLabelAnswer(text: string, scheme: FailureScheme): LabelAnswer {
  const bare = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text;
  const parsed = answerSchema.safeParse(parseJson(bare.trim()));
  if (!parsed.success)
    return { kind: "unusable", reason: "the answer is not the JSON object that was asked for" };
  const { label, because } = parsed.data;
  if (label === cannotTell) return { kind: "cannot-tell", because };
  const known = scheme.classes.some((group) => group.subclasses.some((subclass) => subclass.id === label));
  if (known) return { kind: "label", label, because };
  return {
    kind: "unusable",
    reason: `${JSON.stringify(label.slice(0, 60))} is not a label of ${scheme.name}`,
  };
}
