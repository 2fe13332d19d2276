import type { Contestant } from "../contract/contestant.ts";
import type { Finding } from "../contract/finding.ts";

/** Settings of a contestant that its harness does not know: they would change nothing, and so mislead. */
export function unknownSettings(
  { name: contestant, harness, settings }: Contestant,
  known: readonly string[],
): readonly Finding[] {
  const remedy =
    known.length === 0 ? "leave it out; this harness has none" : `take one of: ${known.join(", ")}`;
  return Object.keys(settings)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      severity: "error",
      code: "unknown-setting",
      message: `${contestant}: ${harness} has no setting ${name}`,
      remedy,
    }));
}
