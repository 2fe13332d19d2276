import { z } from "zod";

/** Why a declared output was not taken off the machine. */
export type RefusalCode =
  | "link-out"
  | "special-file"
  | "oversize"
  | "too-many-files"
  | "too-deep"
  | "sparse"
  | "archive-bomb"
  | "unsafe-name"
  | "unreadable"
  | "changed-while-read";

/** One file of a declared output after the agent has stopped: taken, missing, or refused with the reason. */
export type Artifact =
  | {
      readonly state: "taken";
      /** Relative to the attempt's `artifacts/`; forward slashes, no `..`. */
      readonly path: string;
      readonly bytes: number;
      /** `sha256:` and 64 hex digits. */
      readonly digest: string;
      /** Permission bits. */
      readonly mode: number;
    }
  | { readonly state: "missing"; readonly path: string; readonly required: boolean }
  | {
      readonly state: "refused";
      readonly path: string;
      readonly code: RefusalCode;
      readonly message: string;
    };

export const digestSchema: z.ZodType<string> = z.string().regex(/^sha256:[0-9a-f]{64}$/);

const refusalCodes: readonly RefusalCode[] = [
  "link-out",
  "special-file",
  "oversize",
  "too-many-files",
  "too-deep",
  "sparse",
  "archive-bomb",
  "unsafe-name",
  "unreadable",
  "changed-while-read",
];

export const artifactSchema: z.ZodType<Artifact> = z.discriminatedUnion("state", [
  z.strictObject({
    state: z.literal("taken"),
    path: z.string().min(1),
    bytes: z.int().nonnegative(),
    digest: digestSchema,
    mode: z.int().nonnegative(),
  }),
  z.strictObject({ state: z.literal("missing"), path: z.string().min(1), required: z.boolean() }),
  z.strictObject({
    state: z.literal("refused"),
    path: z.string().min(1),
    code: z.enum(refusalCodes as [RefusalCode]),
    message: z.string().min(1),
  }),
]);
