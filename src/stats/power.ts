import { findRoot } from "./find-root.ts";
import { checkLevel } from "./interval.ts";
import { noncentralTCdf } from "./noncentral-t.ts";
import { normalCdf } from "./normal-distribution.ts";
import { studentTQuantile } from "./student-t-distribution.ts";

/** A comparison to be planned, from a pilot's spread. */
export interface PowerDesign {
  /** Shared workflows; at least two. */
  readonly workflows: number;
  /** Standard deviation over workflows of the paired difference. */
  readonly deviation: number;
  /** Chance of a false alarm, two-sided; default 0.05. */
  readonly alpha?: number;
}

/** Chance that a paired t test over workflows finds a true mean difference of this size. */
export function pairedPower(difference: number, design: PowerDesign): number {
  const { degrees, critical, deviation, workflows } = resolve(design);
  const shift = (Math.abs(difference) / deviation) * Math.sqrt(workflows);
  // Far out the noncentral t is normal to within rounding.
  if (shift > 37) return 1 - normalCdf(critical - shift);
  return 1 - noncentralTCdf(critical, degrees, shift) + noncentralTCdf(-critical, degrees, shift);
}

/** The smallest true difference that is found with this chance (default 0.8). */
export function minimalDetectableDifference(design: PowerDesign, power = 0.8): number {
  checkLevel(power);
  const { deviation, workflows, alpha, critical } = resolve(design);
  if (power <= alpha) return 0;
  const most = (critical + 40) * (deviation / Math.sqrt(workflows));
  return findRoot((difference) => pairedPower(difference, design) - power, 0, most);
}

/** The fewest workflows with which a true difference is found with this chance (default 0.8). */
export function workflowsNeeded(
  difference: number,
  design: Omit<PowerDesign, "workflows">,
  power = 0.8,
): number {
  checkLevel(power);
  if (difference === 0) throw new RangeError("no number of workflows finds a difference of zero");
  const enough = (workflows: number): boolean => pairedPower(difference, { ...design, workflows }) >= power;
  let high = 2;
  while (!enough(high)) high *= 2;
  let low = Math.max(1, high / 2);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (middle >= 2 && enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function resolve(design: PowerDesign): PowerDesign & {
  readonly alpha: number;
  readonly degrees: number;
  readonly critical: number;
} {
  const { workflows, deviation, alpha = 0.05 } = design;
  checkLevel(alpha);
  if (!Number.isInteger(workflows) || workflows < 2)
    throw new RangeError(`${workflows} workflows cannot be compared`);
  if (!(deviation > 0)) throw new RangeError(`a pilot's deviation must be positive, not ${deviation}`);
  const degrees = workflows - 1;
  return { workflows, deviation, alpha, degrees, critical: studentTQuantile(1 - alpha / 2, degrees) };
}
