import { AleError } from "../../contract/ale-error.ts";

/** The number itself; throws an `AleError` coded `broken-reference` when it is not finite. */
export function expectedNumber(expected: number): number {
  if (Number.isFinite(expected)) return expected;
  throw new AleError({
    code: "broken-reference",
    message: `The expected number is ${expected}.`,
    remedy: "Give a finite number.",
  });
}
