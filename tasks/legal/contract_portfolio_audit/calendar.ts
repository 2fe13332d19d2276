/** Calendar days are texts, `YYYY-MM-DD`: they sort as they follow each other. */
export type Day = string;

export function dayOf(year: number, month: number, day: number): Day {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10);
}

/** The same day of another month, or its last day when it has no such day. */
export function addMonths(day: Day, count: number): Day {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const last = Number(dayOf(year, month + count + 1, 0).slice(8));
  return dayOf(year, month + count, Math.min(date, last));
}

/** The last day of a period of some months that starts on `start`. */
export function endOfPeriod(start: Day, months: number): Day {
  return addDays(addMonths(start, months), -1);
}

/** How many anniversaries of `start` lie on or before `day`. */
export function anniversaries(start: Day, day: Day): number {
  let count = 0;
  while (addMonths(start, 12 * (count + 1)) <= day) count++;
  return count;
}

/** The business day on or after (`step` 1) or on or before (`step` -1) a day. */
export function businessDay(day: Day, step: 1 | -1, holidays: ReadonlySet<Day>): Day {
  let found = day;
  while ([0, 6].includes(new Date(found).getUTCDay()) || holidays.has(found)) found = addDays(found, step);
  return found;
}
