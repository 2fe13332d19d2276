import { known, type Maybe, unknown } from "../../contract/absence.ts";
import type { Claim } from "../../contract/claim.ts";

/** What is said of one output file. */
export interface FileClaim {
  /** As written. */
  readonly path: string;
  readonly kind: Claim["kind"];
}

export interface ParsedClaim {
  /** Unknown where the message does not say it in the fixed form. */
  readonly claim: Maybe<Claim>;
  /** In the order of the message; of two words on one file the later stands. */
  readonly files: readonly FileClaim[];
}

/** What the instruction asks the agent to end with; {@link parseClaim} reads it. */
export const claimRequest: string = [
  "End with a last message whose final lines are, word for word in this form:",
  "CLAIM: done | partial | could-not",
  "- <output file>: done | partial | could-not   (one line for each output file)",
].join("\n");

const kinds = "done|partial|could[ -]not";
const whole = new RegExp(`^claim\\s*:\\s*(${kinds})\\b[.!]?$`, "i");
const single = new RegExp(`^(?:[-*•]\\s+|\\d+[.)]\\s+)(.{1,4096}?)\\s*[:=]\\s*(${kinds})\\b`, "i");

/**
 * The claim in fixed form from a final message: the last line `CLAIM: …` and the list of files after it. Markdown's
 * emphasis and quotes around them do not matter. Free text is never guessed at: it leaves the claim unknown.
 */
export function parseClaim(finalMessage: Maybe<string>): ParsedClaim {
  if (!finalMessage.known) return { claim: unknown(finalMessage.reason), files: [] };
  const message = finalMessage.value;
  const lines = message.split(/\r?\n/).map((line) =>
    line
      .replaceAll(/[*_`]{2,}|`/g, "")
      .replace(/^[>\s]+/, "")
      .trim(),
  );
  const at = lines.findLastIndex((line) => whole.test(line));
  const kind = kindOf(whole.exec(lines[at] ?? "")?.[1]);
  if (kind === undefined)
    return { claim: unknown("the final message makes no claim in the fixed form"), files: [] };
  const files = new Map<string, FileClaim>();
  for (const line of lines.slice(at + 1)) {
    const [, path, word] = single.exec(line) ?? [];
    const said = kindOf(word);
    if (path !== undefined && said !== undefined) files.set(path, { path, kind: said });
  }
  return { claim: known({ kind, message }), files: [...files.values()] };
}

function kindOf(word: string | undefined): Claim["kind"] | undefined {
  const plain = word?.toLowerCase().replace(" ", "-");
  return plain === "done" || plain === "partial" || plain === "could-not" ? plain : undefined;
}
