import { z } from "zod";

/** What a probe stands for. Every task has at least one of each kind that applies. */
export type ProbeKind =
  | "empty"
  | "near-miss"
  | "off-tolerance"
  | "unit-error"
  | "truncated"
  | "copied-input"
  | "format-only"
  | "valid-alternative";

/** Every kind, in the order reports list them. */
export const probeKinds: readonly ProbeKind[] = [
  "empty",
  "near-miss",
  "off-tolerance",
  "unit-error",
  "truncated",
  "copied-input",
  "format-only",
  "valid-alternative",
];

export const probeKindSchema: z.ZodType<ProbeKind> = z.enum(probeKinds as [ProbeKind]);
