import type { UsagePoint, UsageTrack } from "../api/usage-track.ts";
import { type ItemSource, itemsOf } from "./item-source.ts";

const mostPoints = 600;

/** Tokens and cost along a file of items. A damaged item counts as one that took no model. */
export async function usageTrack(source: ItemSource): Promise<UsageTrack> {
  const points: UsagePoint[] = [];
  let [item, taken, withTokens, withCost] = [0, 0, 0, 0];
  let sum: Omit<UsagePoint, "item"> = { input: 0, cached: 0, output: 0, costUsd: 0 };
  for await (const { bytes } of itemsOf(source, 0)) {
    // Parsing is what takes time: a step without figures is not parsed.
    const usage = isPlainStep(source, bytes) ? undefined : source.usageOf?.(parse(bytes));
    if (usage !== undefined) {
      taken += 1;
      withTokens += usage.tokens === undefined ? 0 : 1;
      withCost += usage.costUsd === undefined ? 0 : 1;
      sum = {
        input: sum.input + (usage.tokens?.input ?? 0),
        cached: sum.cached + (usage.tokens?.cached ?? 0),
        output: sum.output + (usage.tokens?.output ?? 0),
        costUsd: sum.costUsd + (usage.costUsd ?? 0),
      };
      points.push({ item, ...sum });
    }
    item += 1;
  }
  return { taken, withTokens, withCost, points: thinned(points) };
}

function isPlainStep({ framing }: ItemSource, bytes: Buffer): boolean {
  return framing === "steps" && !bytes.includes('"metrics"');
}

/** Every so many of them, and the last. */
function thinned(points: readonly UsagePoint[]): readonly UsagePoint[] {
  const step = Math.ceil(points.length / mostPoints);
  return points.filter((_, index) => index % step === step - 1 || index === points.length - 1);
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
