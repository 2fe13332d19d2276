import { z } from "zod";

/**
 * What the machine may reach while the agent works. `off`: nothing. `open`: everything.
 * `allow`: the named hosts only (`example.org`, `*.example.org`), through a checking proxy.
 */
export type NetworkPolicy = "off" | "open" | { readonly allow: readonly string[] };

export const networkPolicySchema: z.ZodType<NetworkPolicy> = z.union([
  z.literal("off"),
  z.literal("open"),
  z.strictObject({ allow: z.array(z.string().min(1)).min(1) }),
]);
