import type { Random } from "ale/contract/random";
import type { MadeContig } from "./make-reference.ts";

/** Bases around a repeat that are excluded with it. */
const padding = 150;

export interface MadeRegions {
  /** BED texts, as a laboratory would hand them over: with a track line, unsorted, some intervals overlapping. */
  readonly targets: string;
  readonly excluded: string;
}

/** Targets over about two thirds of each contig, and exclusions around what short reads cannot resolve. */
export function makeRegions(random: Random, contigs: readonly MadeContig[]): MadeRegions {
  const targets: string[] = [];
  const excluded: string[] = [];
  let count = 0;
  for (const { name, sequence, hard } of contigs) {
    let start = random.integer(400, 900);
    while (start + 1200 < sequence.length - 400) {
      const end = Math.min(start + random.integer(1200, 5200), sequence.length - 400);
      count++;
      targets.push(`${name}\t${start}\t${end}\tT${String(count).padStart(4, "0")}`);
      if (random.next() < 0.25) {
        const middle = Math.floor((start + end) / 2);
        const last = Math.min(end + 60, sequence.length - 400);
        targets.push(`${name}\t${middle}\t${last}\tT${String(count).padStart(4, "0")}b`);
      }
      start = end + random.integer(300, 2200);
    }
    for (const { start: from, end: to, why } of hard) {
      const last = Math.min(sequence.length, to + padding);
      excluded.push(`${name}\t${Math.max(0, from - padding)}\t${last}\t${why}`);
    }
  }
  return {
    targets: `track name="targets" description="capture targets, 0-based half-open"\n${random.shuffle(targets).join("\n")}\n`,
    excluded: `# regions that short reads do not resolve, 0-based half-open\n${random.shuffle(excluded).join("\n")}\n`,
  };
}
