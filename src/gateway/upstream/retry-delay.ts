import type { IncomingHttpHeaders } from "node:http";
import type { UpstreamSpec } from "../../contract/models-file.ts";
import type { Random } from "../../contract/random.ts";

const retried: readonly number[] = [408, 409, 429, 500, 502, 503, 504, 520, 522, 524, 529];

/** True for an answer that the same request may not get again. A used-up account answers 429 too, for good. */
export function isPassing(status: number, body: string): boolean {
  if (status === 409 && !body.includes("retry")) return false;
  return retried.includes(status) && !body.includes("insufficient_quota");
}

/** What the server asks for, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function askedDelayMs(headers: IncomingHttpHeaders, now: number): number | undefined {
  const exact = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const text = headers["retry-after"];
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * Before the next try: uniform between half and all of a bound that doubles with each failure, never shorter than
 * the server asks for.
 * @param failures so far, at least 1.
 */
export function retryDelayMs(
  failures: number,
  policy: UpstreamSpec["retry"],
  asked: number | undefined,
  random: Random,
): number {
  const bound = Math.min(policy.max_seconds, policy.base_seconds * 2 ** (failures - 1)) * 1000;
  const own = bound * (0.5 + random.next() / 2);
  // What the server asks for is lengthened a little, so that those who wait do not all come back at once.
  return asked === undefined ? own : Math.max(own, asked * (1 + random.next() / 10));
}
