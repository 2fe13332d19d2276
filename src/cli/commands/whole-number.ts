import { InvalidArgumentError } from "commander";

/** Commander's reader for an option that is a whole number from 1. */
export const wholeNumber: (text: string) => number = wholeNumberFrom(1);

/** Commander's reader for an option that is a whole number, `least` or more. */
export function wholeNumberFrom(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\s*\d/.test(text) && Number.isSafeInteger(number) && number >= least) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least}.`);
  };
}
