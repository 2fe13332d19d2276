import type * as Sharp from "sharp";
import { AleError } from "../../contract/ale-error.ts";

/** The picture library, which a machine without screens can do without. Throws `screen-sharp` where it is absent. */
export async function loadSharp(): Promise<typeof Sharp.default> {
  try {
    return (await import("sharp")).default;
  } catch (cause) {
    throw new AleError({
      code: "screen-sharp",
      message: "Screenshots are encoded with the package sharp, which is not installed.",
      remedy: "Install it beside ale: npm install sharp",
      cause,
    });
  }
}
