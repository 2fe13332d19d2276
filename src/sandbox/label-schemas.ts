import { z } from "zod";
import type { ProcessIdentity } from "./process-identity.ts";
import type { SandboxLabels } from "./provider.ts";

/** As providers keep them on the host. */
export const processIdentitySchema: z.ZodType<ProcessIdentity> = z.strictObject({
  pid: z.int().positive(),
  startTime: z.string().exactOptional(),
});

export const sandboxLabelsSchema: z.ZodType<SandboxLabels> = z.strictObject({
  run: z.string(),
  trial: z.string(),
  attempt: z.int(),
  role: z.enum(["agent", "verifier", "generator", "test"]),
});
