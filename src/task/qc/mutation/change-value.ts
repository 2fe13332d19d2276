import type { Random } from "../../../contract/random.ts";

const decimal = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * A value that is certainly another one: a number moved by a tenth of itself and one more unit of its last place,
 * up or down; text with one letter or digit replaced, or with a letter more.
 */
export function changeValue(value: string, random: Random): string {
  const trimmed = value.trim();
  if (decimal.test(trimmed)) return changeNumber(trimmed, random);
  const places = [...value.matchAll(/[A-Za-z0-9]/g)].map((match) => match.index);
  if (places.length === 0) return `${value}x`;
  const at = random.pick(places);
  const old = value[at] as string;
  const alphabet = /\d/.test(old)
    ? "0123456789"
    : old < "a"
      ? "ABCDEFGHKLMNPRSTVWXYZ"
      : "abcdefghklmnprstvwxyz";
  const replacement = random.pick([...alphabet].filter((letter) => letter !== old));
  return value.slice(0, at) + replacement + value.slice(at + 1);
}

/** The number as text, moved, with as many decimals as it had. */
export function changeNumber(text: string, random: Random): string {
  const decimals = /[eE]/.test(text) ? undefined : (text.split(".")[1]?.length ?? 0);
  const step = decimals === undefined ? 0 : 10 ** -decimals;
  const value = Number(text);
  const moved = value + random.pick([-1, 1]) * (Math.abs(value) / 10 + step);
  if (decimals === undefined) return moved === value ? "1" : String(moved);
  return decimals === 0 && !Number.isSafeInteger(Math.round(moved)) ? String(moved) : moved.toFixed(decimals);
}
