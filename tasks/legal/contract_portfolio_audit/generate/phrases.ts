import type { Day } from "../calendar.ts";
import type { Instalments, Money, Span } from "./provision.ts";

const small =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "- - twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
export const months =
  "January February March April May June July August September October November December".split(" ");

/** A number below 1000 in words. */
export function inWords(value: number): string {
  if (value < 20) return small[value] as string;
  if (value < 100)
    return value % 10 === 0
      ? (tens[value / 10] as string)
      : `${tens[Math.floor(value / 10)]}-${small[value % 10]}`;
  const rest = value % 100 === 0 ? "" : ` and ${inWords(value % 100)}`;
  return `${small[Math.floor(value / 100)]} hundred${rest}`;
}

/** `ninety (90) days`, `10 Business Days`, `two (2) years`. */
export function saySpan({ count, unit }: Span, voice: 0 | 1): string {
  const years = unit === "months" && count % 12 === 0 && (count > 12 || voice === 0);
  const number = years ? count / 12 : count;
  const name = years ? "year" : unit === "business days" ? "Business Day" : unit.slice(0, -1);
  const digits = voice === 0 ? `${inWords(number)} (${number})` : String(number);
  return `${digits} ${name}${number === 1 ? "" : "s"}`;
}

export function sayMoney({ amount, currency }: Money, voice: 0 | 1): string {
  if (voice === 1 && amount >= 1e6 && amount % 1e4 === 0) return `${currency} ${amount / 1e6} million`;
  const digits = amount % 1 === 0 ? 0 : 2;
  const number = amount.toLocaleString("en-GB", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${currency} ${number}`;
}

export function sayDay(day: Day, voice: 0 | 1): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const name = months[month - 1];
  return voice === 0 ? `${date} ${name} ${year}` : `${name} ${date}, ${year}`;
}

/** `15 January, 15 April, 15 July and 15 October`. */
export function sayDates({ perYear, day, firstMonth }: Instalments): string {
  const step = 12 / perYear;
  const dates = Array.from(
    { length: perYear },
    (_, index) => `${day} ${months[firstMonth - 1 + index * step]}`,
  );
  return sayList(dates);
}

export function sayInstalments(instalments: Instalments): string {
  const { perYear, day } = instalments;
  if (perYear === 1) return `in one sum falling due on ${sayDates(instalments)} in each year`;
  if (perYear === 12) {
    return `in twelve equal monthly instalments falling due on the ${ordinal(day)} day of each calendar month`;
  }
  return `in ${inWords(perYear)} equal instalments falling due on ${sayDates(instalments)} in each year`;
}

export function sayList(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

export function ordinal(value: number): string {
  const special = value % 100 >= 11 && value % 100 <= 13;
  const ending = special ? "th" : (["th", "st", "nd", "rd"][value % 10] ?? "th");
  return `${value}${ending}`;
}
