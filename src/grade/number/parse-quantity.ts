import { quote } from "../quote.ts";
import { bad, ok, type Read } from "../rubric/read.ts";

/** How numbers are written in the artifact. The instruction must say it; nothing is guessed. */
export interface NumberFormat {
  /** Default `.`. */
  readonly decimal?: "." | ",";
  /** Mark between groups of three digits; default none allowed. A blank stands for the no-break blanks too. */
  readonly thousands?: "," | "." | " " | "'";
}

/** A number with the text of its unit; the unit is empty for a plain number. */
export interface Quantity {
  readonly value: number;
  readonly unit: string;
}

/**
 * Reads `-1,234.5 kg`, `12 %`, `3e-4`, `(none)`…: sign (also the minus sign U+2212), digits, optional fraction,
 * optional exponent, optional unit after optional blanks. Bad for anything else: grouping that is not in threes, a
 * mark that the format does not name, two numbers, `NaN`, values beyond the range of a double.
 */
export function parseQuantity(text: string, format: NumberFormat = {}): Read<Quantity> {
  const { decimal = ".", thousands } = format;
  const name = `the text ${quote(text, 40)}`;
  if (text.length > 400) return bad(`${name} is too long for a number.`);
  const plain = text
    .trim()
    .replace(/[\u00a0\u202f\u2009]/g, " ")
    .replace(/^\u2212/, "-");
  const mark = decimal === "." ? "\\." : ",";
  const group = thousands === undefined ? "" : thousands === "." ? "\\." : thousands;
  const whole = thousands === undefined ? "\\d+" : `\\d{1,3}(?:${group}\\d{3})+|\\d+`;
  const number = new RegExp(
    `^([+-]?)((?:${whole})(?:${mark}\\d+)?|${mark}\\d+)((?:[eE][+-]?\\d+)?)(?![\\d.,'])`,
  );
  const match = number.exec(plain);
  if (match === null) return bad(`${name} is not a number${formatHint(format)}.`);
  const [taken, sign, digits = "", exponent] = match;
  const ungrouped = thousands === undefined ? digits : digits.replaceAll(thousands, "");
  const value = Number(`${sign}${ungrouped.replace(decimal, ".")}${exponent}`);
  if (!Number.isFinite(value)) return bad(`${name} is out of range.`);
  const unit = plain.slice(taken.length).trim();
  if (/\d/.test(unit.charAt(0)) || unit.length > 20)
    return bad(`${name} holds more than a number and its unit.`);
  return ok({ value, unit });
}

function formatHint({ decimal = ".", thousands }: NumberFormat): string {
  const groups = thousands === undefined ? "no thousands marks" : `thousands marked by "${thousands}"`;
  return ` with "${decimal}" before decimals and ${groups}`;
}
