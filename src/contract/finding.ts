import { z } from "zod";

/** Something a lint, a preflight or the doctor has to say. Errors stop; warnings and notes do not. */
export interface Finding {
  readonly severity: "error" | "warning" | "note";
  /** Stable, kebab-case. */
  readonly code: string;
  readonly message: string;
  /** What to do, where something can be done. */
  readonly remedy?: string;
  readonly path?: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based. */
  readonly column?: number;
}

export const findingSchema: z.ZodType<Finding> = z.strictObject({
  severity: z.enum(["error", "warning", "note"]),
  code: z.string().min(1),
  message: z.string().min(1),
  remedy: z.string().exactOptional(),
  path: z.string().exactOptional(),
  line: z.int().positive().exactOptional(),
  column: z.int().positive().exactOptional(),
});
