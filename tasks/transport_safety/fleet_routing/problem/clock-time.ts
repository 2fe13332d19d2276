/** `07:05` from minutes after midnight. */
export function formatClock(minutes: number): string {
  const hours = String(Math.floor(minutes / 60)).padStart(2, "0");
  return `${hours}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Minutes after midnight from `07:05`, `7:05` or `07:05:00`; undefined for anything else. */
export function parseClock(text: string): number | undefined {
  const match = /^(\d{1,2}):([0-5]\d)(?::00)?$/.exec(text.trim());
  if (match === null) return undefined;
  const hours = Number(match[1]);
  return hours > 23 ? undefined : hours * 60 + Number(match[2]);
}
