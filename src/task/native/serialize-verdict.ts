import { AleError } from "../../contract/ale-error.ts";
import { canonicalJson } from "../../contract/canonical-json.ts";
import type { JsonValue } from "../../contract/json-value.ts";
import { type Verdict, verdictSchema } from "../../contract/verdict.ts";

/** A verdict as `verdict.json`: checked, canonical, one newline at the end. Throws `bad-verdict` if it is none. */
export function serializeVerdict(verdict: Verdict): string {
  const parsed = verdictSchema.safeParse(verdict);
  if (parsed.success) return `${canonicalJson(parsed.data as unknown as JsonValue)}\n`;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".") || "(whole)"}: ${issue.message}`);
  throw new AleError({
    code: "bad-verdict",
    message: `what grade returned is not a verdict: ${faults.join("; ")}`,
    remedy: "make the verdict with one of the combinators of ale/grade/rubric",
    fields: { faults },
  });
}
