import { AleError } from "../../contract/ale-error.ts";

/** Seconds since 1970 in UTC of a text, or `undefined` when it is no date of the kind. */
export type DateParser = (text: string) => number | undefined;

const iso =
  /^(?<YYYY>\d{4})-(?<MM>\d\d)-(?<DD>\d\d)(?:[T ](?<HH>\d\d):(?<mm>\d\d)(?::(?<ss>\d\d(?:\.\d{1,9})?))?)?(?<zone>Z|[+-]\d\d:?\d\d)?$/;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const tokens: Readonly<Record<string, string>> = {
  YYYY: "(?<YYYY>\\d{4})",
  MMM: "(?<MMM>[A-Za-z]{3})[a-z]*",
  MM: "(?<MM>\\d\\d)",
  M: "(?<MM>\\d{1,2})",
  DD: "(?<DD>\\d\\d)",
  D: "(?<DD>\\d{1,2})",
  HH: "(?<HH>\\d\\d)",
  mm: "(?<mm>\\d\\d)",
  ss: "(?<ss>\\d\\d)",
};

/** A parser of ISO 8601 and the given formats (tokens as in {@link ColumnRule}); English month names. */
export function dateParser(formats: readonly string[] = []): DateParser {
  const patterns = [iso, ...formats.map(compile)];
  return (text) => {
    if (text.length > 64) return undefined;
    for (const pattern of patterns) {
      const groups = pattern.exec(text.trim())?.groups;
      const instant = groups === undefined ? undefined : toInstant(groups);
      if (instant !== undefined) return instant;
    }
    return undefined;
  };
}

function compile(format: string): RegExp {
  const body = format.replace(
    /YYYY|MMM|MM|M|DD|D|HH|mm|ss|[\s\S]/g,
    (part) => tokens[part] ?? part.replace(/[^A-Za-z0-9]/, "\\$&"),
  );
  try {
    const pattern = new RegExp(`^${body}$`, "u");
    if (["YYYY", "DD"].every((name) => body.includes(`<${name}>`)) && /<MMM?>/.test(body)) return pattern;
  } catch (cause) {
    throw misuse(format, cause);
  }
  throw misuse(format);
}

function misuse(format: string, cause?: unknown): AleError {
  return new AleError({
    code: "table-misuse",
    message: `Not a date format: ${JSON.stringify(format)}.`,
    remedy: "Name year, month and day once each, e.g. DD.MM.YYYY or D MMM YYYY HH:mm.",
    cause,
  });
}

function toInstant(groups: Readonly<Record<string, string | undefined>>): number | undefined {
  const month = groups["MMM"] === undefined ? Number(groups["MM"]) : monthOf(groups["MMM"]);
  const [year, day] = [Number(groups["YYYY"]), Number(groups["DD"])];
  const [hour, minute, second] = [groups["HH"], groups["mm"], groups["ss"]].map((part) => Number(part ?? 0));
  if (hour === undefined || minute === undefined || second === undefined) return undefined;
  const midnight = new Date(Date.UTC(2000, month - 1, day));
  midnight.setUTCFullYear(year, month - 1, day);
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return undefined;
  if (hour > 23 || minute > 59 || second >= 60) return undefined;
  return midnight.getTime() / 1000 + hour * 3600 + minute * 60 + second - offsetSeconds(groups["zone"]);
}

function monthOf(name: string): number {
  return months.indexOf(name.toLowerCase()) + 1;
}

function offsetSeconds(zone: string | undefined): number {
  if (zone === undefined || zone === "Z") return 0;
  const seconds = Number(zone.slice(1, 3)) * 3600 + Number(zone.slice(-2)) * 60;
  return zone.startsWith("-") ? -seconds : seconds;
}
