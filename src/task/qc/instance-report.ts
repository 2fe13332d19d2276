import { z } from "zod";
import { type Finding, findingSchema } from "../../contract/finding.ts";
import { instanceIdSchema } from "../../contract/ids.ts";
import { type ProbeKind, probeKindSchema } from "../probe-kind.ts";

/** A score that was found, or why there is none. */
export interface FoundScore {
  /** `null` when there is no verdict. */
  readonly score: number | null;
  /** Why there is none; absent when there is one. */
  readonly scoreReason?: string;
  readonly ok: boolean;
}

export interface ProbeReport extends FoundScore {
  readonly name: string;
  readonly kind: ProbeKind;
  readonly expected: number | readonly [low: number, high: number];
}

export interface AttackReport extends FoundScore {
  readonly name: string;
}

/** What QC found of one instance: an element of `instances` in `ale tasks check --json`. */
export interface InstanceReport {
  readonly instance: string;
  /** No finding is an error. */
  readonly ok: boolean;
  /** Score of handing in nothing; must be 0. */
  readonly untouched: number | null;
  readonly untouchedReason?: string;
  /** Score of the oracle's outputs; must be 1. */
  readonly oracle: number | null;
  readonly oracleReason?: string;
  readonly probes: readonly ProbeReport[];
  /** Share of the mutations of the oracle's outputs that lost points. */
  readonly killRate: number | null;
  readonly killRateReason?: string;
  readonly mutations: {
    readonly tried: number;
    readonly killed: number;
    /** What was changed without losing a point. */
    readonly survivors: readonly { readonly path: string; readonly what: string }[];
  };
  readonly attacks: readonly AttackReport[];
  /** Generated twice, and graded twice, to the same bytes. */
  readonly deterministic: boolean;
  readonly findings: readonly Finding[];
  /** Milliseconds. */
  readonly wallMs: number;
}

const found = { score: z.number().nullable(), scoreReason: z.string().exactOptional(), ok: z.boolean() };
export const instanceReportSchema: z.ZodType<InstanceReport> = z.strictObject({
  instance: instanceIdSchema,
  ok: z.boolean(),
  untouched: z.number().nullable(),
  untouchedReason: z.string().exactOptional(),
  oracle: z.number().nullable(),
  oracleReason: z.string().exactOptional(),
  probes: z.array(
    z.strictObject({
      name: z.string().min(1),
      kind: probeKindSchema,
      expected: z.union([z.number(), z.tuple([z.number(), z.number()])]),
      ...found,
    }),
  ),
  killRate: z.number().min(0).max(1).nullable(),
  killRateReason: z.string().exactOptional(),
  mutations: z.strictObject({
    tried: z.int().nonnegative(),
    killed: z.int().nonnegative(),
    survivors: z.array(z.strictObject({ path: z.string(), what: z.string() })),
  }),
  attacks: z.array(z.strictObject({ name: z.string().min(1), ...found })),
  deterministic: z.boolean(),
  findings: z.array(findingSchema),
  wallMs: z.number().nonnegative(),
});
