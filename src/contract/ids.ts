import { z } from "zod";

const workflowPattern = "[a-z][a-z0-9_]*/[a-z][a-z0-9_]*";
const variantPattern = "[a-z0-9][a-z0-9_-]*";

/** `domain/name`, each part lower-case letters, digits and underscores. */
export const workflowIdSchema: z.ZodType<string> = z
  .string()
  .regex(
    new RegExp(`^${workflowPattern}$`),
    "must be domain/name in lower case, such as legal/contract_portfolio_audit",
  );

/** The variant part of an instance id. */
export const variantSchema: z.ZodType<string> = z
  .string()
  .regex(new RegExp(`^${variantPattern}$`), "must be lower-case letters, digits, - and _");

/** `domain/name@variant`. */
export const instanceIdSchema: z.ZodType<string> = z
  .string()
  .regex(new RegExp(`^${workflowPattern}@${variantPattern}$`), "must be domain/name@variant");

export interface InstanceIdParts {
  readonly workflow: string;
  readonly domain: string;
  readonly name: string;
  readonly variant: string;
}

/** Splits a valid `domain/name@variant`; throws a `ZodError` on anything else. */
export function parseInstanceId(id: string): InstanceIdParts {
  const [workflow = "", variant = ""] = instanceIdSchema.parse(id).split("@");
  const [domain = "", name = ""] = workflow.split("/");
  return { workflow, domain, name, variant };
}
