/** A limit given in minutes as milliseconds; none stays none. */
export function minutesToMs<T extends number | undefined>(minutes: T): T extends number ? number : undefined;
export function minutesToMs(minutes: number | undefined): number | undefined {
  return minutes === undefined ? undefined : minutes * 60_000;
}
