import { InvalidArgumentError } from "commander";

/** Commander's reader for an option that is a whole number from 1. */
export function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new InvalidArgumentError("It must be a whole number from 1.");
}
