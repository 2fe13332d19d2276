import { createHash } from "node:crypto";
import { parseInstanceId } from "../../contract/ids.ts";

/** Longest contestant part; file systems take 255 bytes, and ids stand in paths beside others. */
const longestPart = 60;

/** Gives ids that are safe as file names, also where case does not count, and unique in the exam. */
export type TrialIds = (contestant: string, instance: string, repeat: number) => string;

/** `contestant.domain.workflow.variant.r1`; a short hash marks names that had to be changed to be safe. */
export function createTrialIds(contestants: readonly string[]): TrialIds {
  const parts = new Map<string, string>();
  const taken = new Set<string>();
  for (const name of contestants) {
    const plain = name.replaceAll(/[^A-Za-z0-9_-]+/g, "-").replaceAll(/^[-_]+|-+$/g, "");
    const short = plain.slice(0, longestPart);
    const clash = short === "" || taken.has(short.toLowerCase()) || plain.length > longestPart;
    const part = clash ? `${short === "" ? "c" : short}-${shortHash(name)}` : short;
    taken.add(part.toLowerCase());
    parts.set(name, part);
  }
  return (contestant, instance, repeat) => {
    const { domain, name, variant } = parseInstanceId(instance);
    return `${parts.get(contestant) ?? shortHash(contestant)}.${domain}.${name}.${variant}.r${repeat}`;
  };
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
