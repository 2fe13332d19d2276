import { z } from "zod";
import { probeKindSchema } from "../probe-kind.ts";
import type { ProbeOutput } from "./workbench.ts";

/** A probe as the task's program lists it in `probes.json`, beside the folders it made. */
export type ListedProbe = Omit<ProbeOutput, "dir">;

const unit = z.number().min(0).max(1);

export const listedProbesSchema: z.ZodType<readonly ListedProbe[]> = z.array(
  z.strictObject({
    name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/),
    kind: probeKindSchema,
    expected: z.union([unit, z.tuple([unit, unit])]),
    because: z.string(),
  }),
);
