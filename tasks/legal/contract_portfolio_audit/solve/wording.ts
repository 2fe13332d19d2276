import { type Day, dayOf } from "../calendar.ts";

const months = "January February March April May June July August September October November December".split(
  " ",
);
const monthPattern = months.join("|");

/** Patterns of the parts that clauses are made of; each has the groups its reader below expects. */
export const spanPattern: string = String.raw`(?:[a-z -]+ \()?(\d+)\)? (business day|day|month|year)s?`;
export const moneyPattern: string = String.raw`([A-Z]{3} [\d,.]*\d(?: million)?)`;
export const datePattern: string = String.raw`(\d{1,2} (?:${monthPattern}) \d{4}|(?:${monthPattern}) \d{1,2}, \d{4})`;

/** A length of time; years are told as months. */
export interface Length {
  readonly count: number;
  readonly unit: "days" | "business days" | "months";
}

export interface Sum {
  readonly amount: number;
  readonly currency: string;
}

export function readLength(count: string | undefined, unit: string | undefined): Length {
  const name = (unit ?? "").toLowerCase();
  if (name === "year") return { count: Number(count) * 12, unit: "months" };
  return { count: Number(count), unit: `${name}s` as Length["unit"] };
}

export function readSum(text: string | undefined): Sum {
  const [currency, digits, million] = (text ?? "").split(" ");
  const amount = Number((digits ?? "").replaceAll(",", "")) * (million === undefined ? 1 : 1e6);
  return { amount: Math.round(amount * 100) / 100, currency: currency ?? "" };
}

/** `3 May 2024` or `May 3, 2024`. */
export function readDate(text: string): Day {
  const month = months.findIndex((name) => text.includes(name)) + 1;
  const [first, second] = text.match(/\d+/g) as [string, string];
  return dayOf(Number(second), month, Number(first));
}

/** Days of the year in a list such as `15 January, 15 April and 15 July`, as month and day. */
export function readDaysOfYear(text: string): readonly (readonly [month: number, day: number])[] {
  return [...text.matchAll(new RegExp(String.raw`(\d{1,2}) (${monthPattern})`, "g"))].map(
    ([, day, month]) => [months.indexOf(month as string) + 1, Number(day)] as const,
  );
}

/** The days on which instalments fall due, from the words for them. */
export function readInstalments(text: string): readonly (readonly [month: number, day: number])[] {
  const monthly = /the (\d+)(?:st|nd|rd|th) day of each calendar month/.exec(text)?.[1];
  if (monthly === undefined) return readDaysOfYear(text);
  return months.map((_, index) => [index + 1, Number(monthly)] as const);
}
